"""What sort of value each expression has: for dtypes, indices and activity.

float32 stays float32 only while the numbers that meet it are of its own kind or
plain Python numbers; kinds follow NumPy's promotion (NEP 50) as far as the text
alone shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum

from gradgen.ir.callee import VALUES, Callee, callee_of, slot_of
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import ARITHMETIC, COMPARISONS, ENTRY, LIKES, LIMITS
from gradgen.ir.operators import OF_BITS, SHIFTS, OF_SEQUENCE, PYTHONS, TEXTS
from gradgen.ir.slope import slope_of
from gradgen.rules.load import operations
from gradgen.rules.refusals import names_dtype, sort_of_dtype
from gradgen.rules.binding import bind
from gradgen.rules.traits import OF_DTYPE, counts_masks, makes_double, makes_floats
from gradgen.rules.doubles import ALWAYS_DOUBLE, OF_INTEGERS


class Kind(IntEnum):
    """Sorts of values, in the order of promotion."""

    OTHER = 0  # None, str, tuple, slice
    BOOLEAN = 1
    COUNT = 2  # Python's integer, which is weak: len(x), a constant; or several of them
    INTEGER = 3  # an array of integers, or NumPy's integer, which is as strong as one
    WEAK = 4  # a Python number: takes the dtype of what it meets
    MIXED = 5  # weak or like, by the branch or the round
    LIKE = 6  # the dtype of the floating arguments
    WIDE = 7  # float64, whatever the arguments are


# integers, be they Python's or NumPy's
INTEGRAL = (Kind.COUNT, Kind.INTEGER)
# what makes no floats together: masks count
WHOLE = {Kind.BOOLEAN, *INTEGRAL}


# the rank of an expression, and the kind of one inside another
Rank = Callable[[Expr], int | None]
Sub = Callable[[Expr], Kind]
# the kinds of operations, by identity
Known = dict[int, tuple[Expr, Kind]]


def kind_of(
    expr: Expr, kinds: Mapping[Var, Kind], rank: Rank, known: Known | None = None
) -> Kind:
    """The kind of an expression's value; `known` are those that were found before."""
    if isinstance(expr, Ref):
        return kinds[expr.var]
    return _Kinds(kinds, rank, {} if known is None else known)(expr)


class _Kinds:
    """The kind of each part of an expression, of which each is asked several times.

    No function inside `kind_of`: that would hold itself, and wait for the collector.
    """

    __slots__ = ("kinds", "rank", "known")

    def __init__(self, kinds: Mapping[Var, Kind], rank: Rank, known: Known) -> None:
        self.kinds, self.rank, self.known = kinds, rank, known

    def __call__(self, inner: Expr) -> Kind:
        if isinstance(inner, Ref):
            return self.kinds[inner.var]
        found = self.known.get(id(inner))
        if found is None:
            found = self.known[id(inner)] = inner, _kind_of(inner, self, self.rank)
        return found[1]


def _kind_of(expr: Expr, sub: Sub, rank: Rank) -> Kind:
    """The kind of what is not a variable; `sub` gives the kinds of its parts."""
    if isinstance(expr, Const):
        if expr.dtype:
            return of_dtype(expr.dtype)
        if isinstance(expr.value, bool):
            return Kind.BOOLEAN
        if isinstance(expr.value, int):
            return Kind.COUNT
        if isinstance(expr.value, tuple):
            return Kind.WIDE  # as an array; an axis or a shape is no operand
        return Kind.WEAK if isinstance(expr.value, (float, complex)) else Kind.OTHER
    assert isinstance(expr, Apply)
    if expr.op in ARITHMETIC and not expr.kwargs and expr.spelling == "operator":
        return _promoted(expr, sub, rank)
    slope = slope_of(expr)
    if slope is not None:
        return max(sub(slope.out), *(sub(Ref(point)) for point in slope.points))
    if expr.op == "kept":
        given = [(sub(arg), rank(arg) == 0) for arg in expr.args[1:]]
        return _of_call(callee_of(expr), given)
    if expr.op == "pulled":
        wide = any(sub(seed) in (Kind.MIXED, Kind.WIDE) for seed in expr.args[2:])
        return Kind.WIDE if wide else slot_of(expr).kind
    if expr.op in VALUES:
        is_wide = expr.op == "share" and sub(expr.args[0]) is Kind.WIDE
        return Kind.WIDE if is_wide else slot_of(expr).kind
    if expr.op in ("tuple", "slice", "vjp", *TEXTS):
        return Kind.OTHER
    if expr.op in ENTRY:
        return joined((sub(expr.args[0]), sub(expr.args[ENTRY[expr.op]])))
    if expr.op in ("stacked", "concatenated"):
        kind = _as_array(sub(expr.args[0]))
        return Kind.WIDE if kind in (Kind.WEAK, Kind.MIXED) else kind
    if expr.op == "joined":
        return highest(map(sub, expr.args[:2]))
    if expr.op in PYTHONS:
        return Kind.COUNT
    if expr.op == "float":
        return Kind.WEAK
    if expr.op in ("list", "repeated"):
        entries = expr.args[:1] if expr.op == "repeated" else expr.args
        kind = highest(map(sub, entries))
        return Kind.WIDE if kind is Kind.WEAK else kind  # numbers make float64
    # A number that is added to is not an array that keeps its dtype.
    in_place = expr.op == "accumulate" and rank(expr.args[0]) != 0
    augmented = expr.spelling == "augmented"
    in_place = in_place or augmented and bool(rank(expr.args[0]))
    kept = expr.op in OF_THE_FIRST or expr.spelling == "method:conjugate"
    if kept or in_place:
        return sub(expr.args[0])
    if expr.op in (
        "helper._stored_last",
        "helper._stored_at_last",
        "not",
        "and",
        "or",
        "is",
        "is_not",
        "in",
        "not_in",
    ):
        return Kind.BOOLEAN
    if expr.op in LIKES:
        told = bind(operations()[expr.op], expr)
        dtype = next(v for param, v in told.items() if param.name == "dtype")
        if dtype == Const(None):
            return _as_array(sub(expr.args[0]))
        return _of_cast(dtype)
    if expr.op == "numpy.astype":
        dtype = (*expr.args, *(value for _, value in expr.kwargs))[1]
        if isinstance(dtype, Apply) and dtype.op == "dtype":
            return max(sub(dtype.args[0]), Kind.LIKE)
        return _of_cast(dtype)
    named = dict(expr.kwargs).get("dtype")
    if expr.op in OF_SEQUENCE and len(expr.args) == 2:
        named = expr.args[1]  # np.array(rows, x.dtype), as passes write it
    if named is not None:
        if isinstance(named, Apply) and named.op == "dtype":
            return max(sub(named.args[0]), Kind.LIKE)
        if not _is_made(expr, sub) or not isinstance(named, Const):
            return Kind.LIKE if names_dtype(named) else Kind.WIDE
        return _of_cast(named)
    if expr.op == "astype":
        return Kind.LIKE
    if expr.op == "numpy.finfo":  # of x.dtype, or of a dtype by name
        return Kind.LIKE if sub(expr.args[0]) is Kind.INTEGER else Kind.WIDE
    if expr.op in LIMITS.values():
        return sub(expr.args[0])
    if expr.op in ALWAYS_DOUBLE or expr.op in OF_INTEGERS:
        return Kind.WIDE if is_double(expr, sub) else Kind.INTEGER
    if expr.spelling in ("name:min", "name:max"):
        return joined(map(sub, expr.args))  # one of them, as it is
    rule = operations().get(expr.op)
    if rule is None or expr.op.startswith("helper."):
        # _unbroadcast(g, x) may fill an array of x's dtype
        top = max(map(sub, expr.args), default=Kind.LIKE)
        makes = rule is not None and rule.kind == "constant" and top <= Kind.WEAK
        return Kind.WIDE if makes else top
    if rule.kind in ("boolean", "integer"):
        if expr.op in OF_BITS:
            sorts = set(map(sub, expr.args))
            counts = sorts == {Kind.COUNT} and _is_python(expr)
            if expr.op in SHIFTS:
                sorts.add(Kind.INTEGER)
            return Kind.COUNT if counts else _as_array(max(sorts))
        return Kind.BOOLEAN if rule.kind == "boolean" else Kind.INTEGER
    takes_dtype = any(param.var.name == "dtype" for param in rule.params)
    if takes_dtype and len(expr.args) > 1 and _is_made(expr, sub):
        bound = bind(rule, expr).items()
        cast = next(v for param, v in bound if param.name == "dtype")
        if isinstance(cast, Const) and cast != Const(None):
            return _of_cast(cast)
    if rule.kind == "creation":
        counts = expr.op == "numpy.arange" and not expr.kwargs
        counts = counts and all(sub(arg) in INTEGRAL for arg in expr.args)
        return Kind.INTEGER if counts else Kind.WIDE
    return _promoted(expr, sub, rank)


# words of the engine whose value has the kind of their first argument, and parts: a
# Python number's are Python numbers
OF_THE_FIRST = set(
    "point stopped item sliced shortened entries zeros_of popped added_lists real unbroadcast unreduce getitem "
    "setitem additem add_at append numpy.real numpy.imag".split()
)

# functions of numpy's that make an array of float64 of a Python number among arrays
JOINS = {
    f"numpy.{name}"
    for name in (
        "append array atleast_1d atleast_2d atleast_3d block broadcast_arrays choose "
        "column_stack convolve correlate diff dot dstack einsum hstack inner kron "
        "meshgrid outer stack tensordot vdot vstack"
    ).split()
}

# functions that make float64 of float32 where their second argument is a list
OF_LISTS = {"numpy.quantile", "numpy.percentile"}


def of_dtype(name: str) -> Kind:
    """The kind of a number of NumPy's: float32 is at most what arguments are."""
    sorts = {"b": Kind.BOOLEAN, "i": Kind.INTEGER, "u": Kind.INTEGER}
    narrow = Kind.LIKE if name in ("float16", "float32") else Kind.WIDE
    return sorts.get(name[0], narrow)


def _is_made(expr: Apply, sub: Sub) -> bool:
    """Whether a call makes an array of no other one, or of integers alone."""
    rule = operations().get(expr.op)
    if rule is None or rule.kind == "creation":
        return rule is not None
    return all(sub(arg) <= Kind.WEAK for arg in expr.args)


def _of_cast(dtype: Expr) -> Kind:
    """The kind after a cast: of the arguments' dtype only where that is written."""
    if names_dtype(dtype):
        return Kind.LIKE
    sorts = {"b": Kind.BOOLEAN, "i": Kind.INTEGER, "u": Kind.INTEGER}
    return sorts.get(sort_of_dtype(dtype), Kind.WIDE)


def _promoted(expr: Apply, sub: Sub, rank: Rank) -> Kind:
    """Promotion of the arguments; a strong one lifts a weak one to float64."""
    args = operands(expr)
    if expr.op == "numpy.where":
        # The condition decides, and does not promote; but the result is an
        # array, so that weak numbers become float64 in it.
        kinds = [_weak(arg, sub, rank) for arg in args[1:]]
        sorts = {sub(arg) for arg in args[1:]}
        if sorts <= WHOLE and sorts != {Kind.BOOLEAN}:
            return Kind.INTEGER
        return Kind.WIDE if max(kinds) in (Kind.WEAK, Kind.MIXED) else max(kinds)
    args = [item for arg in args for item in _items(arg)]
    kinds = [_weak(arg, sub, rank) for arg in args]
    if is_double(expr, sub) or expr.op.startswith("scipy.stats."):
        return Kind.WIDE
    second = (*expr.args[1:], dict(expr.kwargs).get("q"))[0]
    if expr.op in OF_LISTS and isinstance(second, Apply):
        return Kind.WIDE
    arrays = expr.op in JOINS or expr.op.endswith(".outer")
    if arrays and {Kind.WEAK, Kind.MIXED} & set(kinds):
        whole = all(sub(arg) in INTEGRAL for arg in args)
        return Kind.INTEGER if whole else Kind.WIDE
    top = max(kinds, default=Kind.LIKE)
    if expr.op.startswith("scipy.special.") and top in (Kind.LIKE, Kind.MIXED):
        pairs = zip(args, kinds)
        if makes_double(expr.op, tuple(_sort(*pair, sub) for pair in pairs)):
            return Kind.WIDE
    if expr.op.startswith("numpy.fft."):
        return Kind.LIKE if top is Kind.LIKE else Kind.WIDE
    if top is Kind.MIXED:
        strong = not {Kind.BOOLEAN, Kind.INTEGER}.isdisjoint(kinds)
        return Kind.WIDE if strong or not _is_python(expr) else Kind.MIXED
    if top is Kind.WEAK:
        return _of_numbers(expr, args, kinds, sub)
    if top is Kind.LIKE and Kind.INTEGER in kinds:
        return Kind.WIDE  # float32 with an array of int64
    if top not in (Kind.BOOLEAN, Kind.INTEGER):
        return top
    if makes_floats(expr):
        return Kind.WIDE
    return Kind.INTEGER if counts_masks(expr.op) else top


def _sort(arg: Expr, kind: Kind, sub: Sub) -> type | None:
    """Which Python number an operand is; None for an array."""
    number = int if sub(arg) in INTEGRAL else float
    return number if kind in (Kind.WEAK, Kind.MIXED) else None


def operands(expr: Apply) -> list[Expr]:
    """The arguments that numbers come from: not shapes, axes or subscripts."""
    rule = operations()[expr.op]
    if rule.kind in ("linear", "general"):
        names = (*rule.differentiable, "append", "prepend")
        bound = bind(rule, expr).items()
        alone = [v for param, v in bound if param.name == OF_DTYPE.get(expr.op)]
        if alone and alone[0] != Const(None):
            return alone
        return [value for param, value in bound if param.name in names]
    args = bind(rule, expr).values() if expr.kwargs else expr.args
    return [arg for arg in args if arg != Const(None)]


def is_double(expr: Apply, sub: Sub) -> bool:
    """Whether an operation computes in float64: of floats, or whatever it is given."""
    if expr.op not in OF_INTEGERS:
        return expr.op in ALWAYS_DOUBLE
    return not {sub(arg) for arg in operands(expr)} <= WHOLE


def _of_numbers(expr: Apply, args: list[Expr], kinds: list[Kind], sub: Sub) -> Kind:
    """Python numbers under an operator stay weak; NumPy's functions, and masks and
    NumPy's integers that meet them, make float64 of them."""
    only_integers = all(sub(arg) in INTEGRAL for arg in args)
    arrays = Kind.INTEGER in kinds or Kind.BOOLEAN in kinds or not _is_python(expr)
    if arrays and {sub(arg) for arg in args} <= WHOLE and not makes_floats(expr):
        return Kind.INTEGER
    strong = any(kind in (Kind.BOOLEAN, Kind.INTEGER) for kind in kinds)
    if strong or not _is_python(expr):
        return Kind.WIDE
    if only_integers and expr.op not in ("numpy.divide", "numpy.power"):
        return Kind.COUNT
    return Kind.WEAK


def _is_python(expr: Apply) -> bool:
    """Whether an operation is Python's own: on Python numbers it makes one."""
    numpys = ("name:numpy.", "method:", "attribute:")
    return expr.spelling in ("operator", "augmented") or (
        expr.spelling != "" and not expr.spelling.startswith(numpys)
    )


def joined(kinds: Iterable[Kind]) -> Kind:
    """The kind of what is one of several values."""
    found = set(kinds)
    top = highest(found)
    weak = not found.isdisjoint((Kind.COUNT, Kind.WEAK, Kind.MIXED))
    return Kind.MIXED if top is Kind.LIKE and weak else top


def highest(kinds: Iterable[Kind]) -> Kind:
    """The kind that does for each of several values.

    One that is NumPy's integer, or takes the dtype of what it meets, may make float64.
    """
    found = set(kinds)
    top = max(found, default=Kind.OTHER)
    return Kind.WIDE if Kind.INTEGER in found and top >= Kind.WEAK else top


def _as_array(kind: Kind) -> Kind:
    """The kind of an array of Python's integers, which are NumPy's in it."""
    return Kind.INTEGER if kind is Kind.COUNT else kind


def _weak(arg: Expr, sub: Sub, rank: Rank) -> Kind:
    """The kind of an operand: one of Python's integers is weak, a tuple of them is not."""
    kind = sub(arg)
    if kind is Kind.BOOLEAN and isinstance(arg, Apply) and arg.op in COMPARISONS:
        # of Python's numbers it is Python's bool
        sides = {_weak(side, sub, rank) for side in arg.args}
        return Kind.WEAK if sides == {Kind.WEAK} and _is_python(arg) else kind
    if kind is Kind.COUNT:
        return Kind.WEAK if rank(arg) == 0 else Kind.INTEGER
    return kind


def _items(arg: Expr) -> tuple[Expr, ...]:
    """The values in nested lists."""
    if isinstance(arg, Apply) and arg.op in ("tuple", "list"):
        return tuple(item for inner in arg.args for item in _items(inner))
    return (arg,)


def _of_call(callee: Callee, given: list[tuple[Kind, bool]]) -> Kind:
    """The kind of a call's results; `given` are its arguments', and which are numbers.

    A function is read as if its arrays had one dtype, and its numbers were Python's.
    """
    found: Kind = max(outcome.kind for outcome in callee.outcomes)
    if found < Kind.WEAK:
        return found
    wide = found in (Kind.MIXED, Kind.WIDE)
    for kind, is_number in given:
        wide = wide or kind in (Kind.INTEGER, Kind.MIXED, Kind.WIDE)
        wide = wide or kind is Kind.COUNT and not is_number
    if wide:
        return Kind.WIDE
    like = any(kind is Kind.LIKE for kind, _ in given)
    if found is Kind.WEAK:
        return Kind.MIXED if like else Kind.WEAK
    return Kind.LIKE if like else Kind.WIDE
