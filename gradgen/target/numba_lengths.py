"""How many rounds a nest has, and the checks that lengths are what facts say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Function,
    Loop,
    Note,
    Ref,
    Role,
    Var,
)
from gradgen.ir.operators import add, multiply, subtract
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.target.numba_tokens import Item
from gradgen.target.numba_scalars import length, less

# variables, with their axes
Places = Sequence[tuple[Var, tuple[Dim, ...]]]


class Lengths:
    """The lengths of axes as they are read of arrays."""

    def __init__(self, function: Function, facts: Facts):
        self.function, self.facts = function, facts
        shapes = [(p.var, facts.of(Ref(p.var)).dims) for p in function.params]
        self.params = [(var, dims) for var, dims in shapes if dims]
        # arrays that nests make, and of these the ones whose lengths are read
        self.made: set[Var] = set()
        self.needed: set[Var] = set()
        # the indices of the loops that a statement stands in, by their sizes
        self.around: dict[Dim, Var] = {}

    def known(self, item: Item) -> bool:
        """Whether the text can say how many rounds an item has."""
        return all(self.of(dim, item) is not None for dim in item.dims)

    def of(self, dim: Dim, item: Item) -> Expr | None:
        """The length of an axis: a number, x.shape[0], x.shape[0] - 2."""
        if dim.number is not None:
            return Const(dim.number)
        read = [(var, self.facts.of(Ref(var)).dims or ()) for var, _ in item.read]
        if item.base is not None and item.kind != "sum":
            read.append((item.base, self.facts.of(Ref(item.base)).dims or ()))
        late = [one for one in read if one[0] in self.made]
        found = self._read(dim, [one for one in read if one not in late], late)
        return self._counted(dim) if found is None else found

    def enter(self, loop: Loop) -> None:
        """Notes the index of a loop, which is a length inside of it: x[:i]."""
        self.around[Dim.of(self.facts.size_of(loop.index))] = loop.index

    def leave(self, loop: Loop) -> None:
        """Behind a loop, its index is no length."""
        self.around.pop(Dim.of(self.facts.size_of(loop.index)), None)

    def _counted(self, dim: Dim) -> Expr | None:
        """The length of x[:i] or x[: i + 1], of the index of a loop around it."""
        for one, index in self.around.items():
            more = (dim - one).number
            if more is not None:
                return less(Ref(index), more)
        return None

    def of_params(self, dim: Dim) -> Expr | None:
        """The length of an axis as a number, or as it is read of an argument."""
        return Const(dim.number) if dim.number is not None else self._read(dim)

    def _read(self, dim: Dim, first: Places = (), last: Places = ()) -> Expr | None:
        for exact in (True, False):
            for var, dims in (*first, *self.params, *last):
                for axis, one in enumerate(dims):
                    more = (dim - one).number
                    if more == 0 or not exact and more is not None:
                        self.needed |= {var} & self.made
                        return less(length(Ref(var), axis), more)
        return None

    def checks(self) -> Iterator[Branch | Effect]:
        """if Y.shape[0] != X.shape[0]: raise ValueError(...)

        A loop over the entries of one array would read past the end of the other.
        """
        note = Note(Role.FORWARD)
        first: dict[Dim, tuple[Var, int]] = {}
        for var, dims in self.params:
            for axis, dim in enumerate(dims):
                if dim.symbol is not None:
                    first.setdefault(dim, (var, axis))
        for var, dims in self.params:
            for axis, dim in enumerate(dims):
                wanted = self._wanted(dim, first)
                if wanted is None or first.get(dim) == (var, axis):
                    continue
                test = Apply(
                    "numpy.not_equal",
                    (length(Ref(var), axis), wanted),
                    spelling="operator",
                )
                said = Const(f"axis {axis} of {var.name} has another length")
                kind = Const(ValueError, "ValueError")
                fail = Effect(Apply("raise", (kind, said)), note)
                yield Branch(test, (fail,), (), (), note)
        for result in self.function.results:
            kind_of = self.facts.kinds.get(result.of)
            if self.facts.rank(Ref(result.of)) and kind_of is Kind.LIKE:
                if not self.facts.is_complex(Ref(result.of)):
                    dtype = Apply(
                        "dtype", (Ref(result.of),), spelling="attribute:dtype"
                    )
                    made = Apply("call", (Const(None, "np.finfo"), dtype))
                    yield Effect(made, note)
        yield from self._of_one_dtype(note)

    def _of_one_dtype(self, note: Note) -> Iterator[Branch]:
        """if y.itemsize != x.itemsize: raise TypeError(...)

        What is made has the dtype of one argument: of wider ones it would lose digits.
        """
        asked = {result.of for result in self.function.results}
        like = [
            var
            for var, _ in self.params
            if self.facts.kinds.get(var) is Kind.LIKE
            and not self.facts.is_complex(Ref(var))
        ]
        firsts = [var for var in like if var in asked][:1]
        pairs = ((var, first) for first in firsts for var in like if var != first)
        for var, first in pairs:
            sizes = (
                Apply("dtype", (Ref(one),), spelling="attribute:itemsize")
                for one in (var, first)
            )
            test = "numpy.not_equal" if var in asked else "numpy.greater"
            other = "another" if var in asked else "a wider"
            said = Const(f"{var.name} has {other} dtype than {first.name}")
            kind = Const(TypeError, "TypeError")
            fail = Effect(Apply("raise", (kind, said)), note)
            yield Branch(
                Apply(test, tuple(sizes), spelling="operator"), (fail,), (), (), note
            )

    def _wanted(self, dim: Dim, first: dict[Dim, tuple[Var, int]]) -> Expr | None:
        if dim.number is not None:
            return Const(dim.number)
        for one, (var, axis) in first.items():
            more = (dim - one).number
            if more is not None:
                return less(length(Ref(var), axis), more)
        return self._composed(dim, first)

    def _composed(self, dim: Dim, first: dict[Dim, tuple[Var, int]]) -> Expr | None:
        """n + k - 1 of arrays that have n and k; None where one of them is unknown."""
        total: Expr | None = None
        for names, factor in sorted(
            dim.terms, key=lambda term: (not term[0], term[1] < 0)
        ):
            part: Expr | None = None
            for name in names:
                if Dim.of(name) not in first:
                    return None
                var, axis = first[Dim.of(name)]
                one = length(Ref(var), axis)
                part = one if part is None else multiply(part, one)
            if part is None:
                part = Const(abs(factor))
            elif abs(factor) != 1:
                part = multiply(Const(abs(factor)), part)
            if total is None:
                if factor < 0:
                    return None
                total = part
            else:
                total = (add if factor > 0 else subtract)(total, part)
        return total
