"""Which operation an operator, a method or an attribute stands for.

One table each, read by the frontend in one direction and by the printer in the
other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr

# name of the gast node class -> operation
BINARY = {
    "Add": "numpy.add",
    "Sub": "numpy.subtract",
    "Mult": "numpy.multiply",
    "Div": "numpy.divide",
    "Pow": "numpy.power",
    "Mod": "numpy.remainder",
    "FloorDiv": "numpy.floor_divide",
    "MatMult": "numpy.matmul",
    "BitAnd": "numpy.bitwise_and",
    "BitOr": "numpy.bitwise_or",
    "BitXor": "numpy.bitwise_xor",
    "LShift": "numpy.left_shift",
    "RShift": "numpy.right_shift",
}
UNARY = {
    "USub": "numpy.negative",
    "UAdd": "numpy.positive",
    "Invert": "numpy.invert",
}
COMPARE = {
    "Lt": "numpy.less",
    "LtE": "numpy.less_equal",
    "Gt": "numpy.greater",
    "GtE": "numpy.greater_equal",
    "Eq": "numpy.equal",
    "NotEq": "numpy.not_equal",
}
COMPARISONS = frozenset(COMPARE.values())
# groups of operators: with the sign of what stands second ...
ADDITIVE = {"numpy.add": 1, "numpy.subtract": -1}
MULTIPLICATIVE = frozenset(["numpy.multiply", "numpy.divide"])
SIGNED = frozenset(["numpy.negative", "numpy.positive"])
SCALING = MULTIPLICATIVE | {"numpy.negative"}
# products of one value or two, which are integers where these are
POWERS = frozenset(["numpy.multiply", "numpy.power", "numpy.square", "numpy.positive"])
ARITHMETIC = MULTIPLICATIVE | SIGNED | ADDITIVE.keys()
# those that raise for no numbers, as 1 / 0 does
UNFAILING = ARITHMETIC - {"numpy.divide"}
# functions, with which of their operands have one axis
OF_VECTORS = {
    "numpy.convolve": (0, 1),
    "numpy.correlate": (0, 1),
    "numpy.digitize": (1,),
    "numpy.interp": (1, 2),
    "numpy.polyval": (0,),
    "numpy.searchsorted": (0,),
}
# ... and of which two operands have one, where there are two
OF_PAIRS = frozenset(["numpy.cov", "numpy.corrcoef"])
# what is asked of a dtype, and the class of a value
OF_TYPES = frozenset(["of_dtype", "type"])
# the places of values among what is sorted
SEARCHES = frozenset(["numpy.searchsorted", "numpy.digitize"])
DIVIDING_WHOLE = frozenset(["numpy.floor_divide", "numpy.remainder"])
# ... with whether it holds of what is alike
EQUALITIES = {"numpy.equal": True, "numpy.not_equal": False}
# ... with the same comparison from the other side, and where it does not hold
MIRRORED = {
    "numpy.less": "numpy.greater",
    "numpy.less_equal": "numpy.greater_equal",
    "numpy.greater": "numpy.less",
    "numpy.greater_equal": "numpy.less_equal",
}
CONTRARY = {
    "numpy.less": "numpy.greater_equal",
    "numpy.less_equal": "numpy.greater",
    "numpy.greater": "numpy.less_equal",
    "numpy.greater_equal": "numpy.less",
    "numpy.equal": "numpy.not_equal",
    "numpy.not_equal": "numpy.equal",
}
CONJUNCTIONS = frozenset(["numpy.bitwise_and", "numpy.logical_and"])
DISJUNCTIONS = frozenset(["numpy.bitwise_or", "numpy.logical_or"])
NEGATIONS = frozenset(["numpy.invert", "numpy.logical_not"])
# what takes whole numbers and masks alone; a shifted mask is a whole number
SHIFTS = frozenset([BINARY["LShift"], BINARY["RShift"]])
OF_BITS = SHIFTS | {
    *(BINARY[name] for name in ("BitAnd", "BitOr", "BitXor")),
    "numpy.invert",
}
# other names and forms of one thing
MODULI = frozenset(["numpy.abs", "numpy.fabs"])
MATRIX_PRODUCTS = frozenset(["numpy.matmul", "numpy.dot"])
# the operators that Python's tuples and lists have as well
OF_TUPLES = frozenset(["numpy.add", "numpy.multiply"])
# whose results are together the places of entries, each of them once
PLACES = frozenset(
    ["numpy.nonzero"]
    + [
        f"numpy.{n}_indices{end}"
        for n in ("tril", "triu", "diag")
        for end in ("", "_from")
    ]
)
# on which side of b the test of a and b holds
SIDES = {
    "numpy.greater": 1,
    "numpy.greater_equal": 1,
    "numpy.less": -1,
    "numpy.less_equal": -1,
}
# f(-x) is -f(x), to the last bit
ODD = frozenset(
    f"numpy.{name}"
    for name in "round rint sign sin tan arcsin arctan sinh tanh arcsinh arctanh "
    "cbrt degrees radians deg2rad rad2deg fix trunc".split()
)
LOGARITHMS = frozenset(["numpy.log", "numpy.log1p"])
TOTALS = frozenset(["numpy.sum", "numpy.mean"])
# what sums the squares of coordinates, or takes squares that are summed
DISTANCES = TOTALS | {"numpy.linalg.norm"}
# f(-x) is f(x)
EVEN = MODULI | {"numpy.square", "numpy.cos", "numpy.cosh"}
# the lengths of an array, which are read without it
MEASURES = frozenset(["numpy.shape", "numpy.ndim", "numpy.size"])
# what is asked of a value to tell a number from an array
ASKS_KIND = frozenset(
    ["isinstance", "hasattr", "type", "numpy.ndim", "numpy.isscalar", "numpy.iterable"]
)
# Python ints of what is measured
LENGTHS = MEASURES | {"len", "count", "extent"}
# what gives Python ints, of whatever
PYTHONS = LENGTHS | {"int", "numpy.broadcast_shapes"}
# how an entry is spelled that is read of a row: X[i][j]
BY_ROWS = "rows"
# new arrays like another one; the array itself; an array of a sequence
# what joins tests entry by entry, and the word of Python's for tests of numbers
JOINTS = {f"numpy.{n}_{w}": w for n in ("bitwise", "logical") for w in ("and", "or")}
LIKES = frozenset(f"numpy.{n}_like" for n in ("zeros", "ones", "empty", "full"))
ONES = frozenset(["numpy.ones", "numpy.ones_like"])
ITSELF = frozenset(["numpy.asarray", "numpy.asanyarray"])
# what hands on an array as it is, but for its dtype
CASTS = ITSELF | {
    "numpy.array",
    "numpy.astype",
    "numpy.copy",
    "numpy.ascontiguousarray",
}
# parts of what is complex: of a real number they say nothing
PARTS_OF_COMPLEX = {*"numpy.real numpy.imag numpy.angle real imag".split()}
# what is asked of numbers that may be complex
LOOKING = PARTS_OF_COMPLEX | {"numpy.conj"}
# what puts other values among those of its first argument, in the dtype of these
PUTTING = frozenset(["numpy.insert", "numpy.pad"])
OF_SEQUENCE = frozenset(["numpy.array", "numpy.asarray"])
# views that may not be written to; np.diag of a vector is a matrix of its own
READ_ONLY = frozenset(
    f"numpy.{n}" for n in ("broadcast_to", "diag", "diagonal", "linalg.diagonal")
)
# what makes an array of anything, and takes a dtype
AS_ARRAY = OF_SEQUENCE | ITSELF | {"numpy.ascontiguousarray", "numpy.asfortranarray"}
# what gives arrays alone, of rank 0 where it is given numbers
NO_NUMBERS = AS_ARRAY | {
    f"numpy.{n}" for n in "broadcast_to atleast_1d atleast_2d atleast_3d".split()
}
# what makes an array of two, whose dtype is that of both
CROSSES = frozenset(["numpy.cross", "numpy.linalg.cross"])
ARRAY_PRODUCTS = MATRIX_PRODUCTS | {
    f"numpy.{name}" for name in ("einsum", "inner", "outer", "tensordot", "vdot")
}
# of one argument, all of whose entries are finite where the result is
FINITE = {f"numpy.{n}" for n in "sum mean negative positive square".split()}
# the arguments in which an operation of two is linear: a number may stand in front
LINEAR_IN = {
    "numpy.linalg.solve": (1,),
    "numpy.cumsum": (0,),
    **dict.fromkeys(MATRIX_PRODUCTS | {"numpy.outer"}, (0, 1)),
}
# what makes an array of the dtype of the first argument alone
OF_FIRST = TOTALS | {
    f"numpy.{n}" for n in "copy cumprod cumsum max min prod reshape std var".split()
}
# what makes an array of whatever it is given: of None one of objects, without axes
OF_ANYTHING = frozenset(
    f"numpy.{n}"
    for n in "array asarray asanyarray copy ravel atleast_1d squeeze transpose real imag "
    "real_if_close isreal iscomplex i0 float32 float64 cumulative_prod empty_like "
    "ones_like zeros_like full_like".split()
)
# new arrays of numbers, whatever their shape
MADE = frozenset(f"numpy.{n}" for n in ("zeros", "ones", "empty", "full"))
# methods that take what the function takes after its first argument
METHODS = {
    name: f"numpy.{name}"
    for name in (
        "all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal "
        "dot max mean min prod ravel repeat reshape round searchsorted squeeze std sum "
        "swapaxes take trace transpose var"
    ).split()
} | {"flatten": "numpy.ravel", "conjugate": "numpy.conj"}
# methods whose tuple argument may be written out: x.reshape(2, 3)
SPREAD_METHODS = {"reshape": "shape", "transpose": "axes"}
ATTRIBUTES = {
    "T": "numpy.transpose",
    "shape": "numpy.shape",
    "ndim": "numpy.ndim",
    "size": "numpy.size",
    "dtype": "dtype",
    "real": "numpy.real",
    "imag": "numpy.imag",
    "mT": "numpy.matrix_transpose",
    "flat": "numpy.ravel",
}
# attributes of np.finfo(dtype)
FINFO = "numpy.finfo"
LIMITS = {name: f"finfo.{name}" for name in ("max", "min", "eps", "tiny")} | {
    "smallest_normal": "finfo.tiny"
}

# the names of several results, where numpy gives them as attributes
RESULTS = {
    "numpy.linalg.eig": ("eigenvalues", "eigenvectors"),
    "numpy.linalg.eigh": ("eigenvalues", "eigenvectors"),
    "numpy.linalg.qr": ("Q", "R"),
    "numpy.linalg.slogdet": ("sign", "logabsdet"),
    "numpy.linalg.svd": ("U", "S", "Vh"),
}
RESULT_NAMES = {name for names in RESULTS.values() for name in names}


# functions of the math module, and builtins, by the operation they stand for
MATH = {
    name: f"numpy.{name}"
    for name in (
        "sqrt exp exp2 log log2 log10 log1p expm1 sin cos tan sinh cosh tanh hypot "
        "fabs floor ceil cbrt degrees radians isnan isinf isfinite copysign fmod ldexp "
        "trunc frexp modf"
    ).split()
} | {
    "asin": "numpy.arcsin",
    "acos": "numpy.arccos",
    "atan": "numpy.arctan",
    "atan2": "numpy.arctan2",
    "asinh": "numpy.arcsinh",
    "acosh": "numpy.arccosh",
    "atanh": "numpy.arctanh",
    "pow": "numpy.power",
    "erf": "scipy.special.erf",
    "erfc": "scipy.special.erfc",
}
# other names of arguments behind the first: x.clip(min=0), np.clip(x, min=0)
IN_ORDER = {"numpy.clip": ("min", "max")}
# functions that are another one when they get so many arguments
FORMS = {("numpy.where", 1): "numpy.nonzero"}
# methods of ufuncs that are functions of numpy; these reduce axis 0 by default
UFUNC_METHODS = {
    "numpy.add.reduce": "numpy.sum",
    "numpy.multiply.reduce": "numpy.prod",
    "numpy.maximum.reduce": "numpy.max",
    "numpy.minimum.reduce": "numpy.min",
    "numpy.fmax.reduce": "numpy.nanmax",
    "numpy.fmin.reduce": "numpy.nanmin",
    "numpy.logical_and.reduce": "numpy.all",
    "numpy.logical_or.reduce": "numpy.any",
    "numpy.add.accumulate": "numpy.cumsum",
    "numpy.multiply.accumulate": "numpy.cumprod",
}
BUILTINS = {
    "abs": "numpy.abs",
    "pow": "numpy.power",
    "len": "len",
    "float": "float",
    "int": "int",
    "bool": "bool",
}


# what makes strings: never a number, so that no derivative goes through it
TEXTS = ("text", "format", "str", "repr", "of_string", "percent")
# operations that print as a change of their first argument
STORES = ("setitem", "additem", "add_at", "put")
LISTS = ("append", "popped", "shortened")
# which argument goes into a list
ENTRY = {"append": 1, "put": 2}
# operations that make a Python list of lists
MADE_LISTS = (
    "list",
    "append",
    "popped",
    "shortened",
    "put",
    "sliced",
    "repeated",
    "joined",
)
# those that only gradients make
LISTS_OF_ADJOINTS = ("zeros_of", "entries", "split_like", "added_lists")
IN_PLACE = (*STORES, "accumulate", *LISTS)
# words that are linear in arguments, and which: their tangent is the same word of
# tangents; None stands for all
LINEAR_WORDS: dict[str, tuple[int, ...] | None] = {
    "list": None,
    "append": (0, 1),
    "put": (0, 2),
    "shortened": (0, 1),
    "popped": (0,),
    "sliced": (0,),
    "joined": (0, 1),
    "repeated": (0,),
    "item": (0,),
    "stacked": (0,),
    "concatenated": (0,),
    "entries": (0,),
    "split_like": (0,),
    "added_lists": (0, 1),
    "accumulate": (0, 1),
}


def _operator(op: str) -> Callable[..., Apply]:
    def build(*args: Expr) -> Apply:
        return Apply(op, args, spelling="operator")

    return build


add = _operator("numpy.add")
subtract = _operator("numpy.subtract")
multiply = _operator("numpy.multiply")
divide = _operator("numpy.divide")
negative = _operator("numpy.negative")
power = _operator("numpy.power")
matmul = _operator("numpy.matmul")


def call(op: str, *args: Expr, **kwargs: object) -> Apply:
    """An operation by name; plain keyword values become constants."""
    return Apply(op, args, tuple((name, lift(v)) for name, v in kwargs.items()))


def lift(value: object) -> Expr:
    """A Python value as an expression."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, tuple):
        return Apply("tuple", tuple(lift(item) for item in value))
    if isinstance(value, list):
        return Apply("list", tuple(lift(item) for item in value))
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return Apply("slice", tuple(lift(part) for part in parts))
    return Const(value)


def cut(x: Expr, axis: int | None) -> Expr:
    """The length of x along an axis, or of all of it, as a place to cut at.

    It is never less than 0, as len(a) - 3 may be where x is a[3:].
    """
    return Apply("count" if axis is None else "extent", (x, Const(axis), Const(True)))


def getitem(x: Expr, key: object) -> Apply:
    """x[key]."""
    return Apply("getitem", (x, lift(key)))


def negated(test: Expr) -> Expr:
    """The test that holds where this one does not: k != 1 of k == 1, a of not a.

    Only where it is so for nan as well: of a < b it is not (a < b).
    """
    if isinstance(test, Apply):
        if test.op == "not":
            return test.args[0]
        if test.op in EQUALITIES:
            return replace(test, op=CONTRARY[test.op])
        if test.op in ("is", "is_not"):
            return replace(test, op="is_not" if test.op == "is" else "is")
    return Apply("not", (test,), (), "operator")
