"""x.shape as the tuple of its lengths, where it is put together with other tuples.

before:  np.zeros((3,) + x.shape)      after:  np.zeros((3, x.shape[0], x.shape[1]))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from gradgen.frontend.items import count_of_results
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.recursion import whole_number
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.shapes.infer import Facts

TUPLES = ("tuple", "list")


def is_shape(writer: Any, handle: Expr) -> bool:
    """Whether a value is the shape of an array, or a part of one: a tuple in Python."""
    known = writer.facts.definitions
    while isinstance(handle, Ref) and handle.var in known:
        handle = known[handle.var]
    if not isinstance(handle, Apply):
        return False
    if handle.op == "getitem":
        key = handle.args[1]
        is_part = isinstance(key, Apply) and key.op == "slice"
        return is_part and is_shape(writer, handle.args[0])
    return handle.op == "numpy.shape"


def count_of(writer: Any, handle: Expr) -> int | None:
    """How many lengths a shape has; None where that is not known, or it is no shape."""
    if handle is REFUSED or not is_shape(writer, handle):
        return None
    dims = writer.facts.of(writer.current(handle)).dims
    return dims[0].number if dims else None


def lengths(writer: Any, handle: Expr, node: Any, strict: bool = True) -> Expr:
    """A shape as a tuple of numbers, and so several results; another value as it is.

    One of unknown rank is refused, or left as it is where that is not `strict`.
    """
    count = count_of(writer, handle)
    if count is None and handle is not REFUSED:
        # np.split(x, 3) is a list of so many results
        count = count_of_results(handle, writer.facts) or None
    if count is not None:
        parts = (writer.item(handle, Const(i), node) for i in range(count))
        return Apply("tuple", tuple(parts))
    if strict and handle is not REFUSED and is_shape(writer, handle):
        refuse_unknown(writer, node)
    return handle


def refuse_unknown(writer: Any, node: Any) -> None:
    """Tells the fact that the number of axes follows from."""
    told = "how many axes this array has is not known"
    writer.fail("GG214", told, node, writer.shape_fact())


def combined(
    writer: Any, left: Expr, right: Expr, node: Any
) -> tuple[Expr, Expr | None]:
    """The operands of left + right, shapes as tuples; left * n, and None.

    Beside an array a tuple is an array, and an operation on its entries.
    """
    both = all(_is_tuple(writer, value) for value in (left, right))
    if isinstance(node.op, gast.Add) and both:
        return lengths(writer, left, node.left), lengths(writer, right, node.right)
    if isinstance(node.op, gast.Mult):
        for one, other in ((left, right), (right, left)):
            times = writer.value_known(other)
            if type(times) is int and _is_tuple(writer, one):
                known = writer.contents(lengths(writer, one, node))
                if known is not None and known.op == "tuple":
                    return Apply("tuple", known.args * times), None
            elif _is_tuple(writer, one) and _is_rank(writer, other):
                refuse_unknown(writer, node)
    return left, right


def _is_tuple(writer: Any, handle: Expr) -> bool:
    known = writer.contents(handle)
    return known is not None and known.op in TUPLES or is_shape(writer, handle)


def _is_rank(writer: Any, handle: Expr) -> bool:
    made = writer.facts.definitions.get(getattr(handle, "var", None))
    return isinstance(made, Apply) and made.op == "numpy.ndim"


class Known(Mapping[Var, Expr]):
    """The definitions of variables; x.ndim, x.size and len(x) where they are known."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def __getitem__(self, var: Var) -> Expr:
        return self.told(self.facts.definitions[var])

    def told(self, made: Expr) -> Expr:
        """The number that an expression is known to be; the same where it is not."""
        if isinstance(made, Apply) and made.op == "numpy.ndim":
            rank = self.facts.rank(made.args[0])
            return made if rank is None else Const(rank)
        if isinstance(made, Apply) and made.op in ("numpy.size", "len"):
            count = self._count(made)
            return made if count is None else Const(count)
        return made

    def _count(self, made: Apply) -> int | None:
        """How many entries, or rows, an array has; None where that is not known."""
        dims = self.facts.of(made.args[0]).dims if len(made.args) == 1 else None
        if dims is None or made.op == "len" and not dims:
            return None
        count = 1
        for dim in dims[:1] if made.op == "len" else dims:
            if dim.number is None:
                return None
            count *= dim.number
        return count

    def __iter__(self) -> Iterator[Var]:
        return iter(self.facts.definitions)

    def __len__(self) -> int:
        return len(self.facts.definitions)


def number_known(handle: Expr, facts: Facts) -> Any:
    """The value of what is computed of ranks and numbers, as x.ndim - 1; else NO_VALUE."""
    found = whole_number(handle, Known(facts))
    value = getattr(found, "value", None)
    return value if type(value) is int else NO_VALUE
