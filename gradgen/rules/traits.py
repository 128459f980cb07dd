"""What follows from a rule: what its function does with its arguments."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

import numpy

from gradgen.ir.nodes import Apply, Const, Ref
from gradgen.ir.walk import subexpressions
from gradgen.rules.load import operations
from gradgen.rules.rule import Each, If, Rule

# Words of shape lines whose first argument, or all of them, are arrays.
OF_FIRST = ("reduced", "reduced_rows", "accumulated")
OF_ALL = ("same", "broadcast")

# Of words of shape lines, the arguments that count axes of the first one.
OF_AXES = {
    "moved": (1, 2),
    "rolled": (1, 2),
    "swapped": (1, 2),
    "turned": (2,),
    "traced": (1, 2),
    "diagonal_of": (2, 3),
}

# functions of numpy that compute in floats, whatever they are given, besides ufuncs
FLOATING = frozenset(
    "angle average bartlett bincount blackman corrcoef cov empty eye geomspace gradient "
    "hamming hanning i0 identity interp kaiser linspace logspace mean median nanmean "
    "nanmedian nanpercentile nanquantile nanstd nanvar ndarray ones percentile polyfit "
    "polyint quantile roots sinc std trapezoid trapz tri var zeros".split()
)
# functions of SciPy's, and no ufuncs, that make float64 of float32 and a Python number
OF_PYTHONS = ("scipy.special.comb", "scipy.special.polygamma")
# of linalg and fft, those that place, add and multiply alone
WHOLE = frozenset(
    "block_diag circulant companion cross diagonal fftshift hankel ifftshift kron matmul "
    "matrix_power matrix_transpose multi_dot outer tensordot toeplitz trace vecdot".split()
)
# methods of quantiles that take an entry as it is
CHOOSING = ("closest_observation", "higher", "inverted_cdf", "lower", "nearest")
# of functions of several arrays the one whose dtype the result has
OF_DTYPE = {"numpy.histogram": "weights"}
# functions that make symmetric matrices: of two equal arguments, of one argument, with
# entries on the diagonal alone, of symmetric matrices
SYMMETRIC = {
    "numpy.outer": "equal",
    "numpy.linalg.outer": "equal",
    "scipy.spatial.distance.cdist": "equal",
    "numpy.cov": "alone",
    "numpy.corrcoef": "alone",
    "scipy.linalg.toeplitz": "alone",
    "scipy.spatial.distance.squareform": "alone",
    "numpy.diag": "diagonal",
    "numpy.eye": "diagonal",
    "numpy.identity": "diagonal",
    "numpy.linalg.inv": "closed",
    "scipy.linalg.inv": "closed",
    "numpy.kron": "closed",
    "numpy.transpose": "closed",
}
# what reads one triangle of a matrix: which keyword says which, and what it is for the
# lower one; the default
OF_ONE_TRIANGLE: dict[str, tuple[str, tuple[object, ...], object]] = {
    "numpy.linalg.eigh": ("UPLO", ("L", "l"), "L"),
    "numpy.linalg.eigvalsh": ("UPLO", ("L", "l"), "L"),
    "numpy.linalg.cholesky": ("upper", (False,), False),
    "scipy.linalg.cholesky": ("lower", (True,), False),
    "scipy.linalg.cho_factor": ("lower", (True,), False),
    "scipy.linalg.solve": ("lower", (True,), False),
}
# ... those that do so where a keyword says one of these
SAID_SYMMETRIC = {
    "scipy.linalg.solve": (
        "assume_a",
        ("pos", "sym", "her", "positive definite", "symmetric", "hermitian"),
    )
}
# functions of two arrays that may change places
COMMUTING = frozenset(
    f"numpy.{n}" for n in "minimum maximum fmin fmax hypot logaddexp".split()
)
# results that count: which of several, and the arguments by which it does not
COUNTS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "numpy.bincount": ((), ("weights",)),
    "numpy.histogram": ((0,), ("weights", "density")),
    "numpy.frexp": ((1,), ()),
    "numpy.unique": ((1, 2, 3), ()),
}
# functions that have one value at x and at -x, and those that change their sign
EVEN = frozenset(f"numpy.{n}" for n in "cos cosh sinc".split())
ODD = frozenset(
    f"numpy.{n}" for n in "arcsinh arctan arctanh sin sinh tan tanh".split()
)
_INTEGERS = frozenset("bhilqpBHILQP?")


def takes_array(op: str, position: int) -> bool:
    """Whether a function makes an array of a sequence that is its argument there.

    An elementwise function does. Others do of what has an adjoint, unless their rule
    goes through its items (np.stack, np.array), and of what has their result's shape. So
    does what counts and compares (np.nonzero, np.shape) of what it needs, and of several
    arrays each is one (np.meshgrid).
    """
    rule = operations().get(op)
    if rule is None or not rule.params:
        return False
    module = op.partition(".")[0]
    if module not in ("numpy", "scipy"):
        return False
    if any(param.star for param in rule.params[: position + 1]):
        return module == "numpy"
    several = position >= len(rule.params)
    return not several and rule.params[position].var.name in _arrays(rule)


def is_ufunc(op: str) -> bool:
    """Whether an operation is a function of NumPy's that takes out=, entry by entry."""
    rule = operations().get(op)
    if rule is None or rule.kind != "elementwise" or rule.shape is not None:
        return False
    module, _, name = op.partition(".")
    return module == "numpy" and isinstance(getattr(numpy, name, None), numpy.ufunc)


def makes_counts(expr: Apply, place: int | None = None) -> bool:
    """Whether an operation, or one of its several results, is integers: np.bincount(k)."""
    places, unless = COUNTS.get(expr.op, ((), ()))
    if expr.op not in COUNTS or (place not in places if places else place is not None):
        return False
    rule = operations()[expr.op]
    names = list(rule.by_name)
    given = {*names[: len(expr.args)], *(name for name, _ in expr.kwargs)}
    return given.isdisjoint(unless)


def makes_floats(expr: Apply) -> bool:
    """Whether an operation makes floats of integers: np.sqrt(x), np.mean(x)."""
    method = dict(expr.kwargs).get("method", Const(""))
    chooses = not isinstance(method, Const) or method.value in CHOOSING
    return _is_floating(expr.op) and not chooses


@cache
def makes_halves(op: str) -> bool:
    """Whether a function makes floats of 16 bits of masks: np.exp(x > 0)."""
    module, _, name = op.rpartition(".")
    function = getattr(numpy, name, None) if module == "numpy" else None
    if not isinstance(function, numpy.ufunc) or not is_ufunc(op):
        return False
    if function.nout > 1 or function.signature is not None:
        return False
    masks = [numpy.ones(1, bool)] * function.nin
    try:
        with numpy.errstate(all="ignore"):
            return bool(function(*masks).dtype == numpy.float16)
    except TypeError:
        return False


@cache
def _is_floating(op: str) -> bool:
    """The same of a function alone.

    Of a ufunc NumPy's own table of loops tells it: one without a loop from integers to
    integers computes in floats.
    """
    module, *names = op.split(".")
    if module == "scipy" or names[:1] in (["linalg"], ["fft"], ["random"]):
        return names[-1] not in WHOLE
    function = getattr(numpy, names[0], None) if module == "numpy" else None
    if not isinstance(function, numpy.ufunc):
        return module == "numpy" and names[0] in FLOATING
    loops = (types.replace("->", "") for types in function.types)
    return not any(map(_INTEGERS.issuperset, loops))


@cache
def makes_double(op: str, sorts: tuple[type | None, ...]) -> bool:
    """Whether a ufunc of SciPy's makes float64 of float32 beside Python's numbers.

    NumPy tells it by the ufunc's table of loops: of special.eval_legendre(3, x) the first
    that takes the 3 for an integer. `sorts` are int and float, and None for an array.
    """
    module, _, name = op.rpartition(".")
    function = getattr(sys.modules.get(module), name, None)
    if not isinstance(function, numpy.ufunc) or function.nin != len(sorts):
        return op in OF_PYTHONS and any(sorts)
    given = [numpy.dtype("float32") if sort is None else sort for sort in sorts]
    try:
        found = function.resolve_dtypes((*given, *[None] * function.nout))
    except TypeError:  # no loop for them
        return False
    return found[-1].itemsize > 4


@cache
def counts_masks(op: str) -> bool:
    """Whether a function of one array makes integers of a mask: np.sum(x > 0).

    NumPy itself tells it, of a mask.
    """
    shape, (module, _, name) = operations()[op].shape, op.partition(".")
    reduces = isinstance(shape, Apply) and shape.op in (*OF_FIRST, "traced")
    if module != "numpy" or not reduces:
        return False
    try:
        made = getattr(numpy, name)(numpy.ones((2, 2), bool))
    except (AttributeError, TypeError, ValueError):
        return False  # a function of a module, or of no masks
    dtype = getattr(made, "dtype", None)
    return dtype is not None and dtype.kind in "iu"


def counting_axes(rule: Rule) -> set[str]:
    """The parameters that count axes of the first argument, from the front or behind."""
    found = {"axis"}
    if isinstance(rule.shape, Apply):
        args = rule.shape.args
        named = [args[at] for at in OF_AXES.get(rule.shape.op, ())]
        found |= {arg.var.name for arg in named if isinstance(arg, Ref)}
    return found & {param.var.name for param in rule.params}


def squeezes(rule: Rule) -> bool:
    """Whether no axis means those of length 1."""
    return isinstance(rule.shape, Apply) and rule.shape.op == "squeezed"


def _arrays(rule: Rule) -> set[str]:
    """The parameters that are arrays, whatever sequence they are given."""
    several = {param.var.name for param in rule.params if param.star}
    if rule.kind == "elementwise" and rule.shape is None:
        return {param.var.name for param in rule.params} - several
    found = set(rule.differentiable)
    if rule.kind in ("boolean", "integer"):
        found |= {param.var.name for param in rule.params if param.default is None}
    if isinstance(rule.shape, Apply) and rule.shape.op in OF_FIRST + OF_ALL:
        args = rule.shape.args[: 1 if rule.shape.op in OF_FIRST else None]
        found |= {arg.var.name for arg in args if isinstance(arg, Ref)}
    return found - several - set(_walked(rule.body))


def _walked(body: tuple[object, ...]) -> Iterator[str]:
    """The names whose items the lines of a rule go through."""
    for line in body:
        if isinstance(line, Each):
            for node in subexpressions(line.over):
                if isinstance(node, Ref):
                    yield node.var.name
            yield from _walked(line.body)
        elif isinstance(line, If):
            yield from _walked(line.then)
            yield from _walked(line.orelse)


def counts_own_axes(rule: Rule) -> bool:
    """Whether an axis is one of the first argument's: of np.mean, not of np.expand_dims."""
    words = ("reduced", "accumulated", "same", "differenced")
    return isinstance(rule.shape, Apply) and rule.shape.op in words
