"""Lengths of axes as expressions: len(X), X.shape[1], X.size, 3."""

from __future__ import annotations

from math import prod

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Role, Var
from gradgen.ir.operators import add, getitem, multiply, subtract
from gradgen.shapes.actual import Actual, is_later
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spans import side
from gradgen.shapes.words import axes_of


class Extents:
    """Finds a length in the variables that a function has anyway."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.facts, self.actual = facts, Actual(facts)
        self.places: dict[str, tuple[Var, int]] = {}
        # variables of the user's that are not there yet: in forward mode some come later
        self.later = {
            let.var
            for let in function.body
            if isinstance(let, Let)
            and let.note.role is Role.FORWARD
            and let.var.origin is Origin.USER
        }
        self.candidates: list[Var] = []
        for param in function.params:
            self._add(param.var)

    def reached(self, var: Var) -> None:
        """Notes that a variable is there from now on."""
        if var in self.later:
            self._add(var)

    def _add(self, var: Var) -> None:
        self.candidates.append(var)
        for axis, dim in enumerate(self.facts.shapes[var].dims or ()):
            if dim.symbol and not dim.symbol.startswith("#"):
                self.places.setdefault(dim.symbol, (var, axis))

    def along(self, x: Expr, axis: int, cut: bool = False) -> Expr:
        """The length of x along an axis.

        As a `cut` of another array it is never less than 0: it is asked of x itself
        where len(a) - 3 may be.
        """
        dims = self.facts.of(x).dims
        if dims is None or not -len(dims) <= axis < len(dims):
            return _of_shape(self._simplest(x), axis, known=False)
        place, one = axis % len(dims), dims[axis] == ONE
        if cut and one and is_later(self.facts, x):
            return _of_shape(self._simplest(x), place, known=True)
        return self.of_dim(dims[axis], x, place, cut and not one)

    def of_dim(self, dim: Dim, x: Expr, axis: int, cut: bool = False) -> Expr:
        """The length that is `dim`, which is also x's along `axis`."""
        back = axis - (self.facts.rank(x) or 0)
        joined = dim != ONE and self.actual.is_wrong(x, back)
        if joined or cut and self._is_part(dim, x, back):
            return self._asked(dim, x, axis)
        if not all(name in self.places for name in dim.names):
            return _of_shape(self._simplest(x), axis, known=True)
        total: Expr | None = None
        for names, k in dim.terms:
            term: Expr | None = Const(abs(k)) if abs(k) != 1 or not names else None
            for name in names:
                var, place = self.places[name]
                size = _of_shape(Ref(var), place, known=True)
                term = size if term is None else multiply(term, size)
            assert term is not None  # a number where there are no names
            if total is None:
                total = term if k > 0 else Apply("numpy.negative", (term,))
            else:
                total = add(total, term) if k > 0 else subtract(total, term)
        return Const(0) if total is None else total

    def _asked(self, dim: Dim, x: Expr, axis: int) -> Expr:
        """The length of a part of an array, asked of what has it: len(a) - 3 may be < 0."""
        wrong = self.actual.is_wrong(x, axis - (self.facts.rank(x) or 0))
        for var in self.candidates if not wrong else ():
            dims = self.facts.shapes[var].dims or ()
            if dim in dims:
                return _of_shape(Ref(var), dims.index(dim), known=True)
        return _of_shape(self._simplest(x), axis, known=True)

    def is_part(self, x: Expr, dims: tuple[Dim, ...]) -> bool:
        """Whether x may have no entries along an axis, which is a part of another's."""
        places = enumerate(dims, -len(dims))
        return any(self._is_part(dim, x, axis) for axis, dim in places)

    def _is_part(self, dim: Dim, x: Expr, axis: int) -> bool:
        one = dim.number is not None and self.actual.is_wrong(x, axis)
        return one or side(dim) <= 0

    def count(self, x: Expr, axis: Expr, cut: bool = False) -> Expr:
        """How many entries a reduction of x over axis runs over."""
        dims = self.facts.of(x).dims
        try:
            axes = axes_of(axis)
        except ValueError:
            if dims is None or len(dims) != 1:
                raise not_constant("a constant axis") from None
            axes = None  # a vector has no other
        if axes is None:
            return self._size(x, dims, cut)
        total: Expr | None = None
        for one in axes:
            size = self.along(x, one, cut)
            total = size if total is None else multiply(total, size)
        return Const(1) if total is None else total

    def _size(self, x: Expr, dims: tuple[Dim, ...] | None, cut: bool) -> Expr:
        numbers = [d.number for d in dims or () if d.number is not None]
        if dims is not None and len(numbers) == len(dims) and not self.is_part(x, dims):
            return Const(prod(numbers))
        if dims is not None and len(dims) == 1:
            return self.along(x, 0, cut)
        shape = self.facts.of(x)
        for var in self.candidates:
            if self.facts.shapes[var] == shape and self.actual.agree(Ref(var), x):
                x = Ref(var)
                break
        x = self._simplest(x)
        if dims is None:
            return Apply("numpy.size", (x,))
        return Apply("numpy.size", (x,), spelling="attribute:size")

    def _simplest(self, x: Expr) -> Expr:
        """What x is made of, as long as it has the shape of x: inner for inner**2."""
        shape = self.facts.of(x)
        value = self.facts.definitions.get(x.var) if isinstance(x, Ref) else x
        parts = value.args if isinstance(value, Apply) else ()
        for part in parts:
            if part.__class__ is not Const and self.facts.of(part) == shape:
                if not self._is_sure(part) or self._is_sure(x):
                    return self._simplest(part)
        return x

    def _is_sure(self, x: Expr) -> bool:
        """Whether no axis of x is one entry of another array, which may not have it."""
        axes = range(-len(self.facts.of(x).dims or ()), 0)
        return not any(self.actual.is_wrong(x, axis) for axis in axes)


def not_constant(advice: str) -> GradgenError:
    """A refusal: what a reduction removes is not known while emitting."""
    wants = "the gradient of a reduction needs a constant axis"
    return GradgenError("GG303", wants, advice=advice)


def _of_shape(x: Expr, axis: int, known: bool) -> Expr:
    """len(x) or x.shape[axis]; np.shape(x)[axis] where x may be a number."""
    if known and axis == 0:
        return Apply("len", (x,), spelling="name:len")
    if known:
        shape = Apply("numpy.shape", (x,), spelling="attribute:shape")
    else:
        shape = Apply("numpy.shape", (x,))
    return getitem(shape, axis)
