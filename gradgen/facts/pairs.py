"""Convention C of pairs: what the distances of all pairs are taken of has points in its rows."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.keys import is_slice
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref
from gradgen.ir.operators import DISTANCES, EVEN, TOTALS
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def pairs(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The arrays of which rows are held against each other, and summed along the last axis.

    before:  np.sum((x[:, None] - x[None]) ** 2, axis=-1)    np.linalg.norm(x[i] - x[j], axis=-1)
    after:   x is a matrix                                   x is one

    So are those of two arrays: np.sum((x[:, None] - c[None]) ** 2, axis=-1).
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in DISTANCES:
            continue
        axis = dict(value.kwargs).get("axis", value.args[-1])  # x.sum(-1) as well
        if _number(axis) not in (-1, 2):
            continue
        inside = _made(value.args[0], facts)
        if value.op in TOTALS:
            inside = _rooted(inside, facts)
        if inside is None or inside.op != "numpy.subtract":
            continue
        keys: list[Apply] = []
        others: list[Expr] = []
        for side in inside.args:
            part = _made(side, facts)
            if part is not None and part.op == "getitem":
                keys.append(part)
            else:
                others.append(side)
        both = _of_two(keys, others)
        if both and all(2 in ranks.of(one) for one in both):
            yield [(one.var, 2) for one in both]
        if (
            _number(axis) == -1
            and len(keys) == 2
            and keys[0].args[0] == keys[1].args[0]
            and keys[0] != keys[1]
        ):
            whole = keys[0].args[0]
            turned = [_is_turned(one.args[1]) for one in keys]
            sliced = any(is_slice(one.args[1]) for one in keys)  # x[1:] - x[:-1]
            if turned[0] == turned[1] and not sliced and isinstance(whole, Ref):
                if 2 in ranks.of(whole):
                    yield [(whole.var, 2)]


def _of_two(keys: list[Apply], others: list[Expr]) -> list[Ref]:
    """The two arrays of which each row is held against each: x[:, None] - c[None], or - c."""
    if not keys or not all(_is_turned(one.args[1]) for one in keys):
        return []
    wholes = {*others, *(one.args[0] for one in keys)}
    if not any(_is_turned_inside(one.args[1]) for one in keys):
        return []
    refs = [one for one in wholes if isinstance(one, Ref)]
    refs.sort(key=lambda one: one.var.id)
    return refs if len(refs) == len(wholes) == 2 else []


def _is_turned_inside(key: Expr) -> bool:
    """Whether an index makes an axis behind the first: x[:, None]."""
    parts = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return Const(None) in parts[1:]


def _is_turned(key: Expr) -> bool:
    """Whether an index makes an axis: x[:, None] and x[None]."""
    parts = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return Const(None) in parts


def _number(value: Expr) -> object:
    return value.value if isinstance(value, Const) else None


def _made(value: Expr, facts: Facts) -> Apply | None:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    return made if isinstance(made, Apply) else None


def _rooted(value: Apply | None, facts: Facts) -> Apply | None:
    """What is squared: d of d**2, d * d and np.square(d)."""
    if value is None:
        return None
    first = value.args[0] if value.args else None
    squared = value.op == "numpy.power" and _number(value.args[1]) == 2
    squared = squared or value.op == "numpy.multiply" and value.args[1] == first
    if first is not None and (squared or value.op in EVEN):
        return _made(first, facts)
    return None
