"""One fault planted in the text of a right gradient, by an edit of its syntax.

Each kind of edit lists the places where it can be made; a seed chooses one.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

import numpy as np

# A place: it changes a copy of the tree that it was found in.
Change = Callable[[], None]


def edited(text: str, kind: str, rng: np.random.Generator) -> str | None:
    """The text with one fault of the kind, or None where it has no place for one.

    The fault is in the function that is defined last.

    before:  d_x = d_out * w + d_y
    after:   d_x = d_out * w
    """
    tree = ast.parse(text)
    function = [n for n in tree.body if isinstance(n, ast.FunctionDef)][-1]
    places = list(KINDS[kind](function, rng))
    if not places:
        return None
    places[rng.integers(len(places))]()
    changed = ast.unparse(ast.fix_missing_locations(tree))
    return None if changed == ast.unparse(ast.parse(text)) else changed


def factor(rng: np.random.Generator) -> float:
    """A number that is not 1: from 1 + 2e-6 to 2, or below 1 by as much."""
    apart = 10.0 ** rng.uniform(np.log10(2e-6), 0)
    return float(1 + apart if rng.random() < 0.5 else 1 / (1 + apart))


def _setter(parent: ast.AST, field: str, value: object) -> Change:
    return lambda: setattr(parent, field, value)


def _children(root: ast.AST) -> Iterator[tuple[ast.AST, str, ast.expr]]:
    """Each expression with the field that it stands in."""
    for parent in ast.walk(root):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.expr):
                yield parent, field, value


def signs(function, rng) -> Iterator[Change]:
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield _setter(node, "op", ast.Sub())
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            yield _setter(node, "op", ast.Add())
    for parent, field, value in _children(function):
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            yield _setter(parent, field, value.operand)


def terms(function, rng) -> Iterator[Change]:
    for parent, field, value in _children(function):
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
            yield _setter(parent, field, value.left)
            yield _setter(parent, field, value.right)


def factors(function, rng) -> Iterator[Change]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _is_adjoint(node.targets[0]):
            by = ast.BinOp(copy.deepcopy(node.value), ast.Mult(), _number(factor(rng)))
            yield _setter(node, "value", by)


def constants(function, rng) -> Iterator[Change]:
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp):
            for field in ("left", "right"):
                value = getattr(node, field)
                if isinstance(value, ast.Constant) and type(value.value) in (
                    int,
                    float,
                ):
                    by = value.value * factor(rng) if value.value else 1e-3
                    yield _setter(node, field, _number(by))


def axes(function, rng) -> Iterator[Change]:
    for node in ast.walk(function):
        if isinstance(node, ast.keyword) and node.arg == "axis":
            number = node.value
            if isinstance(number, ast.Constant) and type(number.value) is int:
                yield _setter(node, "value", ast.Constant(1 - min(number.value, 1)))
            elif isinstance(number, ast.UnaryOp):
                yield _setter(node, "value", ast.Constant(0))


def transposed(function, rng) -> Iterator[Change]:
    for parent, field, value in _children(function):
        if isinstance(value, ast.Attribute) and value.attr == "T":
            yield _setter(parent, field, value.value)


def masks(function, rng) -> Iterator[Change]:
    turned = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in turned:
            yield _setter(node, "ops", [turned[type(node.ops[0])](), *node.ops[1:]])


def _of_seed(function, change) -> Iterator[Change]:
    seed = function.args.args[-1].arg
    for parent, field, value in _children(function):
        if isinstance(value, ast.Name) and value.id == seed:
            if isinstance(value.ctx, ast.Load):
                yield _setter(parent, field, _call(change, copy.deepcopy(value)))


def seed_signs(function, rng) -> Iterator[Change]:
    yield from _of_seed(function, "np.abs({})")


def seeds_ignored(function, rng) -> Iterator[Change]:
    yield from _of_seed(function, "({} * 0 + 1)")


def _of_result(function, text: str) -> Iterator[Change]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and not isinstance(node.value, ast.Tuple):
            yield _setter(node, "value", _call(text, copy.deepcopy(node.value)))


def entries(function, rng) -> Iterator[Change]:
    at = int(rng.integers(100))
    text = f"np.where(np.arange(np.size(g)).reshape(np.shape(g)) == {at} % np.size(g), 0, g)"
    yield from _of_result(function, f"(lambda g: {text})({{}})")


def rolled(function, rng) -> Iterator[Change]:
    yield from _of_result(function, "np.roll({}, 1)")


def branches(function, rng) -> Iterator[Change]:
    by = factor(rng)
    yield from _of_result(function, f"(lambda g: np.where(g > 0, g, {by} * g))({{}})")


KINDS = {
    "sign": signs,
    "term": terms,
    "factor": factors,
    "constant": constants,
    "axis": axes,
    "transposed": transposed,
    "mask": masks,
    "seed's sign": seed_signs,
    "seed ignored": seeds_ignored,
    "one entry": entries,
    "off by one": rolled,
    "one branch": branches,
}


def _is_adjoint(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id.startswith("d_")


def _number(value: float) -> ast.expr:
    return ast.parse(repr(float(value)), mode="eval").body


def _call(text: str, value: ast.expr) -> ast.expr:
    return ast.parse(text.format(ast.unparse(value)), mode="eval").body
