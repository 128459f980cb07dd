"""Whether all results of a function are floats, told by its text.

np.vectorize takes the dtype of the first entry's result for all: where that is a whole
number, the others lose their fractions. So each result must be shown to be a float.

accepted:  r = 0.0; if v > 0: r = v * v; return r
refused:   return v if v > 0 else 0
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy

from gradgen.frontend.source.decorated import node_of
from gradgen.frontend.source.fence import own_nodes
from gradgen.frontend.source.lookup import among, part_of
from gradgen.frozen import dataclass
from gradgen.rules.load import operation_of, operations

# functions of `math` that give whole numbers or booleans
WHOLE = (
    *("ceil", "floor", "trunc", "comb", "perm", "factorial", "gcd", "lcm", "isqrt"),
    *("isclose", "isfinite", "isinf", "isnan", "frexp", "modf", "prod", "sumprod"),
)
# helpers that call helpers
DEEP = 4
# what a name means around a function: its value, and whether it holds a float
Meaning = Callable[[str], Any]


@dataclass(frozen=True)
class Around:
    """A value around the function of which only the kind is known."""

    is_float: bool


def results_are_floats(
    node: Any, floats: frozenset[str], around: Meaning, depth: int = DEEP
) -> bool:
    """Whether a function returns floats, where these parameters are floats."""
    if isinstance(node, gast.Lambda):
        results: list[Any] = [node.body]
        known = floats
    else:
        inner = list(own_nodes(node.body))
        results = [one.value for one in inner if isinstance(one, gast.Return)]
        known = _float_names(inner, node, floats, around, depth)
        if not results or not _always_returns(node.body):
            return False
    return all(_is_float(one, known, around, depth) for one in results)


def _always_returns(body: list[Any]) -> bool:
    """Whether a block ends in a return or a raise, whichever way is taken."""
    last = body[-1]
    if isinstance(last, gast.If):
        return _always_returns(last.body) and bool(
            last.orelse and _always_returns(last.orelse)
        )
    return isinstance(last, (gast.Return, gast.Raise))


def _float_names(
    inner: list[Any], node: Any, floats: frozenset[str], around: Meaning, depth: int
) -> frozenset[str]:
    """The names that hold floats only: each value that they are given is one."""
    given: dict[str, list[Any]] = {}
    for name, value in _assignments(inner):
        given.setdefault(name, []).append(value)
    params = {arg.id for arg in gast.walk(node.args) if isinstance(arg, gast.Name)}
    names = {name for name in given if name not in params} | set(floats)
    while True:
        known = frozenset(names)
        for name in known:
            for value in given.get(name, ()):
                if value is None or not _is_float(value, known, around, depth):
                    names.discard(name)
        if names == known:
            return known


def _assignments(inner: list[Any]) -> Iterator[tuple[str, Any]]:
    """What each name is given; None where that is not one expression."""
    told = set()
    for one in inner:
        pairs: list[tuple[Any, Any]] = []
        if isinstance(one, gast.Assign):
            pairs = [(target, one.value) for target in one.targets]
        elif isinstance(one, (gast.AnnAssign, gast.NamedExpr)):
            pairs = [(one.target, one.value)]
        elif isinstance(one, gast.AugAssign):
            told.add(id(one.target))  # what was a float stays one
        for target, value in pairs:
            both = [(target, value)]
            if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
                if len(target.elts) == len(value.elts):
                    both = list(zip(target.elts, value.elts))
            for part, each in both:
                if isinstance(part, gast.Name):
                    told.add(id(part))
                    yield part.id, each
    for one in inner:
        if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store):
            if id(one) not in told:
                yield one.id, None


def _is_float(node: Any, floats: frozenset[str], around: Meaning, depth: int) -> bool:
    """Whether an expression is a float, if these names are."""

    def known(one: Any) -> bool:
        return _is_float(one, floats, around, depth)

    if isinstance(node, gast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, gast.Name):
        return node.id in floats or _is_float_value(around(node.id))
    if isinstance(node, gast.Attribute):
        return _is_float_value(_meant(node, around))
    if isinstance(node, gast.UnaryOp):
        signs = (gast.USub, gast.UAdd)
        return isinstance(node.op, signs) and known(node.operand)
    if isinstance(node, gast.BinOp):
        if isinstance(node.op, gast.Div):
            return True
        return known(node.left) or known(node.right)
    if isinstance(node, gast.IfExp):
        return known(node.body) and known(node.orelse)
    if isinstance(node, gast.BoolOp):
        return all(map(known, node.values))
    if isinstance(node, gast.NamedExpr):
        return known(node.value)
    if isinstance(node, gast.Call):
        return _call_is_float(node, known, around, depth)
    return False


def _call_is_float(
    node: Any, known: Callable[[Any], bool], around: Meaning, depth: int
) -> bool:
    function = _meant(node.func, around)
    args = [*node.args, *(word.value for word in node.keywords)]
    if function is float:
        return True
    if function is abs:
        return known(args[0])
    if among(function, (max, min)):
        return len(args) > 1 and all(map(known, args))
    if getattr(function, "__module__", "") == "math":
        return gives_floats(function)
    rule = operations().get(operation_of().get(id(function), ""))
    if rule is not None:
        return rule.kind == "elementwise" and any(map(known, args))
    if not isinstance(function, types.FunctionType) or depth == 0:
        return False
    text = node_of(function)
    if text is None or node.keywords or text.args.vararg or text.args.kwarg:
        return False
    handed = [arg.id for arg, one in zip(text.args.args, node.args) if known(one)]
    table = function.__globals__
    return results_are_floats(
        text, frozenset(handed), lambda name: table.get(name), depth - 1
    )


def gives_floats(function: Any) -> bool:
    """Whether a function of Python's own gives floats for floats."""
    name = getattr(function, "__name__", "")
    if function is abs:
        return True
    own = getattr(function, "__module__", "") == "math"
    return own and getattr(math, name, None) is function and name not in WHOLE


def _meant(node: Any, around: Meaning) -> Any:
    """The object that a dotted name stands for."""
    if isinstance(node, gast.Name):
        found = around(node.id)
        builtin = {"abs": abs, "max": max, "min": min, "float": float}
        return builtin.get(node.id) if found is None else found
    if isinstance(node, gast.Attribute):
        base = _meant(node.value, around)
        if isinstance(base, types.ModuleType):
            return part_of(base, node.attr, None)
    return None


def _is_float_value(value: Any) -> bool:
    if isinstance(value, Around):
        return value.is_float
    return isinstance(value, (float, numpy.floating))
