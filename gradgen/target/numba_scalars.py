"""An array expression as what one of its entries is: the body of a loop nest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import add, subtract
from gradgen.ir.walk import static, subexpressions
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.shapes.spans import is_no_less

# operations entry by entry that are a few instructions of the machine
CHEAP = {
    f"numpy.{name}"
    for name in (
        "add subtract multiply divide negative positive abs absolute sign square "
        "maximum minimum where less less_equal greater greater_equal equal not_equal "
        "logical_and logical_or logical_not bitwise_and bitwise_or isnan isfinite isinf reciprocal conj real"
    ).split()
}
BITWISE = ("numpy.bitwise_and", "numpy.bitwise_or")
# the others that numba has for numbers as NumPy has them for arrays
CALLED = {
    f"numpy.{name}"
    for name in (
        "exp exp2 expm1 log log1p log2 log10 sqrt cbrt sin cos tan sinh cosh tanh "
        "arcsin arccos arctan arctan2 arcsinh arccosh arctanh hypot power logaddexp "
        "logaddexp2 floor ceil trunc fmax fmin copysign degrees radians deg2rad rad2deg "
        "fabs remainder floor_divide float_power"
    ).split()
}
LIKE = {"numpy.zeros_like": Const(0.0, "0.0"), "numpy.ones_like": Const(1.0, "1.0")}


class NotScalar(Exception):
    """An expression whose entries are not known to be computed one by one."""


@dataclass
class Entries:
    """Writes entries of expressions.

    `hoist` gives a name, before the nest, to what is no entry by entry operation;
    `view` one to a part of an array whose bounds are not plain numbers. `read` are the
    arrays that entries were read of, with the place.
    """

    facts: Facts
    hoist: Callable[[Expr], Expr]
    view: Callable[[Expr], Expr]
    read: list[tuple[Var, tuple[Expr, ...]]] = field(default_factory=list)

    def of(self, expr: Expr, index: tuple[Expr, ...], dims: tuple[Dim, ...]) -> Expr:
        """The entry of an expression at a place of the shape that it is stretched to.

        before:  2 * u[1:] - v
        after:   2 * u[i + 1] - v[i]
        """
        shape = self.facts.of(expr).dims
        if shape is None or len(shape) > len(index):
            raise NotScalar
        if not shape:
            return self._number(expr)
        stretched = len(shape) < len(index)
        index, dims = index[-len(shape) :], dims[-len(shape) :]
        place: list[Expr] = []
        for one, own, whole in zip(index, shape, dims, strict=True):
            if own == ONE and whole != ONE:
                stretched = True
                place.append(Const(0))
            elif own == whole:
                place.append(one)
            else:
                raise NotScalar
        if isinstance(expr, Ref):
            if self.facts.is_list(expr):
                raise NotScalar
            return self._entry(expr, tuple(place))
        if isinstance(expr, Const):
            raise NotScalar
        if stretched and any(_op(one) in CALLED for one in subexpressions(expr)):
            return self._entry(self.hoist(expr), tuple(place))
        return self._operation(expr, tuple(place), shape)

    def _operation(
        self, expr: Expr, place: tuple[Expr, ...], shape: tuple[Dim, ...]
    ) -> Expr:
        op = expr.op
        if op in CHEAP | CALLED and not expr.kwargs:
            if op in BITWISE and not self.facts.kind(expr) is Kind.BOOLEAN:
                raise NotScalar
            if self.facts.is_complex(expr):
                raise NotScalar
            args = [self.of(arg, place, shape) for arg in expr.args]
            if op == "numpy.where":
                return Apply("helper._chosen", tuple(args))
            spelling = expr.spelling
            if spelling.partition(":")[0] not in ("operator", "name"):
                spelling = ""
            return unraised(Apply(op, tuple(args), spelling=spelling))
        if op == "accumulate":
            base, added = (self.of(arg, place, shape) for arg in expr.args)
            return add(base, added)
        if op in LIKE and len(expr.args) == 1 and not expr.kwargs:
            return LIKE[op]
        if op == "numpy.full_like" and len(expr.args) == 2 and not expr.kwargs:
            return self.of(expr.args[1], place, shape)
        if op == "numpy.transpose" and len(expr.args) == 1 and not expr.kwargs:
            return self.of(expr.args[0], place[::-1], shape[::-1])
        if op == "numpy.transpose" and len(expr.args) == 2 and not expr.kwargs:
            axes = _plain(expr.args[1])
            if isinstance(axes, tuple) and len(axes) == len(place):
                back = [axes.index(axis) for axis in range(len(axes))]
                spots, sizes = (place[at] for at in back), (shape[at] for at in back)
                return self.of(expr.args[0], tuple(spots), tuple(sizes))
        if op == "numpy.outer" and not expr.kwargs and len(expr.args) == 2:
            ranks = [self.facts.rank(arg) for arg in expr.args]
            if ranks == [1, 1]:
                parts = zip(expr.args, place, shape, strict=True)
                one, other = (self.of(a, (p,), (d,)) for a, p, d in parts)
                return Apply("numpy.multiply", (one, other), spelling="operator")
        if is_diagonal(expr, self.facts):
            return self.of(expr.args[0], place * 2, shape * 2)
        if is_unit(expr) and len(place) == 2:
            return Apply(
                "helper._chosen",
                (
                    Apply("numpy.equal", place, spelling="operator"),
                    Const(1.0, "1.0"),
                    Const(0.0, "0.0"),
                ),
            )
        if op == "numpy.expand_dims" and len(expr.args) == 2:
            axis = _plain(expr.args[1])
            if type(axis) is int:
                at = axis % len(place)
                inner = place[:at] + place[at + 1 :]
                return self.of(expr.args[0], inner, shape[:at] + shape[at + 1 :])
        if op == "getitem":
            found = self._part(expr, place, shape)
            if found is not None:
                return found
        if isinstance(expr, Apply) and expr.op in ("tuple", "list", "slice"):
            raise NotScalar
        return self._entry(self.hoist(expr), place)

    def _part(
        self, expr: Expr, place: tuple[Expr, ...], shape: tuple[Dim, ...]
    ) -> Expr | None:
        """An entry of a part of an array: u[1:-1] at i is u at i + 1."""
        base, key = expr.args
        if self.facts.is_list(base):
            return None
        dims = self.facts.of(base).dims
        items = list(key.args) if _op(key) == "tuple" else [key]
        if dims is None:
            return None
        taken = sum(1 for one in items if one not in (Const(None), Const(...)))
        rest = [Apply("slice", (Const(None),) * 3)] * (len(dims) - taken)
        if Const(...) in items:
            at = items.index(Const(...))
            items[at : at + 1] = rest
        else:
            items += rest
        if any(are_places(one, self.facts) for one in items):
            gathered = self._gathered(items, place)
            if gathered is None:
                return None
            inner = gathered
        else:
            found = self._taken(expr, items, place)
            if not isinstance(found, list):
                return found
            inner = found
        if isinstance(base, Ref):
            return self._entry(base, tuple(inner))
        if _op(base) in CHEAP | CALLED | {"numpy.transpose", "getitem"}:
            return self.of(base, tuple(inner), dims)
        return self._entry(self.hoist(base), tuple(inner))

    def _taken(
        self, expr: Expr, items: list[Expr], place: tuple[Expr, ...]
    ) -> list[Expr] | Expr | None:
        """Where slices and numbers read an entry; the entry of the part by its name."""
        base = expr.args[0]
        inner: list[Expr] = []
        at = axis = 0
        for one in items:
            if one == Const(None):
                at += 1
            elif _op(one) == "slice":
                first = self._start(one, base, axis)
                if first is None:
                    return self._entry(self.view(expr), place)
                inner.append(moved(place[at], first))
                at, axis = at + 1, axis + 1
            elif self.facts.rank(one) == 0 and self.facts.is_index(one):
                inner.append(self._number(one))
                axis += 1
            else:
                return None
        return inner

    def _gathered(
        self, items: list[Expr], place: tuple[Expr, ...]
    ) -> list[Expr] | None:
        """Where vectors of places read an entry: x[k, :] at i, j is x[k[i], j].

        The axis of the places stands where they do, or first where they are apart.
        """
        vectors = [one for one in items if are_places(one, self.facts)]
        sizes = {self.facts.of(one).dims for one in vectors}
        spots = [at for at, one in enumerate(items) if not is_whole(one)]
        others = [items[at] for at in spots if items[at] not in vectors]
        if len(sizes) != 1 or not all(map(self.facts.is_index, others)):
            return None
        first = spots[0] if spots[-1] - spots[0] == len(spots) - 1 else 0
        row, rest = place[first], iter(place[:first] + place[first + 1 :])
        inner: list[Expr] = []
        for one in items:
            if is_whole(one):
                inner.append(next(rest))
            elif is_each(one):
                inner.append(row)
            elif one in vectors:
                name = one if isinstance(one, Ref) else self.hoist(one)
                inner.append(self._entry(name, (row,)))
            else:
                inner.append(self._number(one))
        return inner

    def _start(self, part: Expr, base: Expr, axis: int) -> Expr | None:
        """Where a slice begins, None where that is no number of the text."""
        start, stop, step = (_plain(one) for one in part.args)
        dims = self.facts.of(base).dims
        if step not in (None, 1) or dims is None:
            return None
        if isinstance(start, Expr) or isinstance(stop, Expr):
            return self._sure(part, dims[axis])
        told = dims[axis].number is not None
        if not (stop is None or isinstance(stop, int) and (stop < 0 or told)):
            return None  # it may be cut off
        first = start if isinstance(start, int) else 0
        return None if first < 0 else Const(first)

    def _sure(self, part: Expr, whole: Dim) -> Expr | None:
        """Where x[i : i + rows] begins, if it surely is in the axis to its end."""
        start, stop, _ = part.args
        first = Dim.of(0) if start == Const(None) else self.facts.dim(start)
        last = whole if stop == Const(None) else self.facts.dim(stop)
        inside = is_no_less(self.facts, first), is_no_less(self.facts, whole - last)
        if not all(inside) or not is_no_less(self.facts, last - first):
            return None
        return Const(0) if start == Const(None) else start

    def _entry(self, base: Expr, place: tuple[Expr, ...]) -> Expr:
        if not isinstance(base, Ref):
            raise NotScalar
        self.read.append((base.var, place))
        return entry(base, place)

    def _number(self, expr: Expr) -> Expr:
        """A number that is the same for all entries; one that is called, by name."""
        if isinstance(expr, (Ref, Const)):
            return expr
        if is_called(expr):
            return self.hoist(expr)
        return expr


def is_whole(key: Expr) -> bool:
    """Whether a part of an index is a whole axis: x[:, k]."""
    return key == Apply("slice", (Const(None),) * 3)


def is_each(key: Expr) -> bool:
    """Whether a part of an index is each place in turn: np.arange(n)."""
    return _op(key) == "numpy.arange" and len(key.args) == 1 and not key.kwargs


def are_places(key: Expr, facts: Facts) -> bool:
    """Whether a part of an index is a vector of integers: an argument, or [0, 2]."""
    if facts.rank(key) != 1 or facts.is_list(key):
        return False
    made = facts.definitions.get(key.var) if isinstance(key, Ref) else key
    if isinstance(made, Apply) and made.op == "numpy.array" and not made.kwargs:
        items = getattr(made.args[0], "args", ())
        return len(made.args) == 1 and all(map(facts.is_index, items))
    return facts.kind(key) in INTEGRAL


def is_unit(expr: Expr) -> bool:
    """Whether an expression is np.eye(n) or np.eye(n, m), with a dtype or without."""
    if _op(expr) not in ("numpy.eye", "numpy.identity"):
        return False
    return len(expr.args) < 3 and {name for name, _ in expr.kwargs} <= {"dtype"}


def is_diagonal(expr: Expr, facts: Facts) -> bool:
    """Whether an expression is np.diag(A) of a square A, whose entries are A[i, i]."""
    if not isinstance(expr, Apply) or expr.op != "numpy.diag":
        return False
    if len(expr.args) != 1 or expr.kwargs or facts.is_list(expr.args[0]):
        return False
    dims = facts.of(expr.args[0]).dims or ()
    square = len(dims) == 2 and dims[0] == dims[1]
    return square and facts.of(expr).dims == dims[:1]


def without_dtype(expr: Expr) -> Expr:
    """np.eye(n, dtype=x.dtype) as np.eye(n), for what it is a part of."""
    return replace(expr, kwargs=()) if is_unit(expr) else expr


def unraised(power: Apply) -> Apply:
    """A number to a negative power of a written integer: numba raises for 0 there.

    before:  x[i] ** -2
    after:   1 / x[i] ** 2
    """
    if power.op != "numpy.power" or len(power.args) != 2 or power.kwargs:
        return power
    base, exponent = power.args[0], _plain(power.args[1])
    if type(exponent) is not int or exponent >= 0:
        return power
    if exponent < -1:
        below: Expr = Apply("numpy.power", (base, Const(-exponent)), (), "operator")
    else:
        below = base
    return Apply("numpy.divide", (Const(1), below), spelling="operator")


def is_called(expr: Expr) -> bool:
    """Whether a number is worth a name: it calls something or reads an array."""
    if not isinstance(expr, Apply):
        return False
    if expr.op in CHEAP and expr.spelling in ("operator", "augmented"):
        return any(map(is_called, expr.args))
    if expr.op == "getitem" and _op(expr.args[0]) == "numpy.shape":
        return False
    return expr.op not in ("numpy.shape", "numpy.size", "len")


def entry(base: Expr, place: tuple[Expr, ...]) -> Expr:
    """base[i, j]."""
    key = place[0] if len(place) == 1 else Apply("tuple", place, spelling="operator")
    return Apply("getitem", (base, key), spelling="operator")


def moved(index: Expr, first: Expr) -> Expr:
    """i + 1, and i for a start of 0."""
    if first == Const(0):
        return index
    if isinstance(index, Const) and isinstance(first, Const):
        return Const(index.value + first.value)
    if _op(index) == "numpy.add" and isinstance(index.args[1], Const):
        if isinstance(first, Const):
            return moved(index.args[0], Const(index.args[1].value + first.value))
    return add(index, first) if isinstance(first, Const) else add(first, index)


def length(base: Expr, axis: int) -> Expr:
    """base.shape[axis]."""
    shape = Apply("numpy.shape", (base,), spelling="attribute:shape")
    return Apply("getitem", (shape, Const(axis)), spelling="operator")


def less(whole: Expr, count: int) -> Expr:
    """n - 2."""
    if count == 0:
        return whole
    return add(whole, Const(count)) if count > 0 else subtract(whole, Const(-count))


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""


def _plain(expr: Expr) -> object:
    """The value of a constant; an expression that is none stands for itself."""
    try:
        return static(expr)
    except ValueError:
        return expr
