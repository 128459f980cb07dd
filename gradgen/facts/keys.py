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


def sizes_behind(value: Expr | None, facts: Facts) -> tuple[Expr, ...]:
    """The sizes behind its length that an array gets which keeps that, or none.

    before:  x.reshape(len(x), heads, -1)        x.reshape(x.shape[0], -1)
    after:   heads, -1                           -1
    """
    if not isinstance(value, Apply) or value.op != "numpy.reshape":
        return ()
    sizes: Expr | None = value.args[1] if len(value.args) == 2 else None
    while isinstance(sizes, Ref):
        sizes = facts.definitions.get(sizes.var)
    if not isinstance(sizes, Apply) or sizes.op != "tuple" or not sizes.args:
        return ()
    length: Expr | None = sizes.args[0]
    while isinstance(length, Ref):
        length = facts.definitions.get(length.var)
    if not isinstance(length, Apply) or not length.args:
        return ()
    if length.op == "getitem" and length.args[1] == Const(0):  # x.shape[0]
        shape = length.args[0]
        length = facts.definitions.get(shape.var) if isinstance(shape, Ref) else shape
        is_length = getattr(length, "op", "") == "numpy.shape"
    else:
        is_length = length.op == "len"
    own = is_length and getattr(length, "args", ())[:1] == value.args[:1]
    return sizes.args[1:] if own else ()


def is_flattened(value: Expr | None, facts: Facts) -> bool:
    """Whether a value has the rows of an array of any number of axes.

    x.reshape(x.shape[0], -1), of a vector nobody writes that
    """
    sizes = sizes_behind(value, facts)
    return len(sizes) == 1 and sizes != (Const(1),)
