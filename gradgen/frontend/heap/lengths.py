"""x.shape as the tuple of its lengths, where it is put together with other tuples.

before:  np.zeros((3,) + x.shape)      after:  np.zeros((3, x.shape[0], x.shape[1]))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.items import count_of_results
from gradgen.frontend.heap.asked_ranks import note_ranks
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.recursion import whole_number
from gradgen.frontend.lowering.statics import static_value
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.shapes.infer import Facts

TUPLES = ("tuple", "list")


class Known(Mapping[Var, Expr]):
    """The definitions of variables; x.ndim, x.size and len(x) where they are known."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.asked: list[Expr] = []  # of which the rank was asked for, and is known

    def __getitem__(self, var: Var) -> Expr:
        return self.told(self.facts.definitions[var])

    def told(self, made: Expr) -> Expr:
        """The number that an expression is known to be; the same where it is not."""
        if isinstance(made, Apply) and made.op == "numpy.ndim":
            rank = self.facts.rank(made.args[0])
            if rank is None:
                return made
            self.asked.append(made.args[0])
            return Const(rank)
        if isinstance(made, Apply) and made.op in ("numpy.size", "len"):
            count = self._count(made)
            if count is None:
                return made
            of = made.args[0]
            if made.op == "len" and isinstance(of, Ref):
                of = self.facts.definitions.get(of.var, of)
            if isinstance(of, Apply) and of.op == "numpy.shape":
                self.asked.append(of.args[0])
            return Const(count)
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


def value_known(lowering: Lowering, handle: Expr, strong: bool = False) -> Any:
    """The Python value of a handle that is known as a whole, else NO_VALUE.

    If that is `strong`, numbers of NumPy's are such: np.uint8(200), not 200.
    """
    known = lowering.facts.definitions
    numbers = lowering.memory.numbers
    found = static_value(handle, lowering.state, known, numbers, strong)
    if found is NO_VALUE and isinstance(handle, Ref):
        if count_of(lowering, handle) == 0:
            note_ranks(lowering, [handle])
            return ()  # a part of a shape: x.shape[:-1] of a vector
    if found is NO_VALUE:
        known_of = Known(lowering.facts)
        found = number_known(handle, known_of)
        if found is not NO_VALUE:
            note_ranks(lowering, known_of.asked)
    return found


def is_shape(lowering: Lowering, handle: Expr) -> bool:
    """Whether a value is the shape of an array, or a part of one: a tuple in Python."""
    known = lowering.facts.definitions
    while isinstance(handle, Ref) and handle.var in known:
        handle = known[handle.var]
    if not isinstance(handle, Apply):
        return False
    if handle.op == "getitem":
        key = handle.args[1]
        is_part = isinstance(key, Apply) and key.op == "slice"
        return is_part and is_shape(lowering, handle.args[0])
    return handle.op == "numpy.shape" or handle.op == "numpy.broadcast_shapes"


def count_of(lowering: Lowering, handle: Expr) -> int | None:
    """How many lengths a shape has; None where that is not known, or it is no shape."""
    if handle is REFUSED or not is_shape(lowering, handle):
        return None
    dims = lowering.facts.of(lowering.current(handle)).dims
    return dims[0].number if dims else None


def lengths(lowering: Lowering, handle: Expr, node: Any, strict: bool = True) -> Expr:
    """A shape as a tuple of numbers, and so several results; another value as it is.

    One of unknown rank is refused, or left as it is where that is not `strict`.
    """
    count = count_of(lowering, handle)
    if count is not None:
        note_ranks(lowering, [handle])
    if count is None and handle is not REFUSED:
        # np.split(x, 3) is a list of so many results
        count = count_of_results(handle, lowering.facts) or None
    if count is not None:
        parts = (lowering.item(handle, Const(i), node) for i in range(count))
        return Apply("tuple", tuple(parts))
    if strict and handle is not REFUSED and is_shape(lowering, handle):
        refuse_unknown(lowering, node)
    return handle


def refuse_unknown(lowering: Lowering, node: Any) -> None:
    """Tells the fact that the number of axes follows from."""
    told = "how many axes this array has is not known"
    lowering.fail("GG214", told, node, lowering.shape_fact())


def combined(
    lowering: Lowering, left: Expr, right: Expr, node: Any
) -> tuple[Expr, Expr | None]:
    """The operands of left + right, shapes as tuples; left * n, and None.

    Beside an array a tuple is an array, and an operation on its entries.
    """
    both = all(_is_tuple(lowering, value) for value in (left, right))
    if isinstance(node.op, gast.Add) and both:
        return lengths(lowering, left, node.left), lengths(lowering, right, node.right)
    if isinstance(node.op, gast.Mult):
        for one, other in ((left, right), (right, left)):
            times = value_known(lowering, other)
            if type(times) is int and _is_tuple(lowering, one):
                known = contents(lowering, lengths(lowering, one, node))
                if known is not None and known.op == "tuple":
                    return Apply("tuple", known.args * times), None
            elif _is_tuple(lowering, one) and _is_rank(lowering, other):
                refuse_unknown(lowering, node)
    return left, right


def _is_tuple(lowering: Lowering, handle: Expr) -> bool:
    known = contents(lowering, handle)
    return known is not None and known.op in TUPLES or is_shape(lowering, handle)


def _is_rank(lowering: Lowering, handle: Expr) -> bool:
    known = lowering.facts.definitions
    made = known.get(handle.var) if isinstance(handle, Ref) else None
    return isinstance(made, Apply) and made.op == "numpy.ndim"


def number_known(handle: Expr, known: Known) -> Any:
    """The value of what is computed of ranks and numbers, as x.ndim - 1; else NO_VALUE."""
    found = whole_number(handle, known)
    value = getattr(found, "value", None)
    return value if type(value) is int else NO_VALUE
