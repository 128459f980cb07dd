"""What an index is: a place, a slice, or one that makes an axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts


def is_turned(value: Expr | None) -> TypeGuard[Apply]:
    """Whether a value is x[:, None] or x[None, :]."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    key = value.args[1]
    return isinstance(key, Apply) and key.op == "tuple" and Const(None) in key.args


def beside_rows(primal: Function, facts: Facts) -> Iterator[Var]:
    """What is added to one row, which it has several of: X.dot(W) + b[None, :]."""
    for let in lets(primal.body):
        sides = let.value.args if getattr(let.value, "op", "") == "numpy.add" else ()
        for one, other in (sides, sides[::-1]) if sides else ():
            made = facts.definitions.get(other.var) if isinstance(other, Ref) else None
            if isinstance(one, Ref) and made is not None and is_turned(made):
                if made.args[1].args[0] == Const(None):
                    yield one.var


def is_place(key: Expr) -> bool:
    """Whether an index is one number that is written out."""
    return isinstance(key, Const) and type(key.value) is int


def is_slice(key: Expr) -> bool:
    """Whether an index is a slice alone: x[1:]."""
    return isinstance(key, Apply) and key.op == "slice"
