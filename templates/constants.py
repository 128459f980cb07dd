"""Functions whose derivative is zero, or whose result is not a real number."""

from gradgen.rules import (
    boolean,
    broadcast,
    constant,
    creation,
    given,
    gridded,
    holomorphic,
    integer,
    lengths,
    lengths_of_all,
    like,
    named,
    ranged,
    reduced,
    same,
    scalar,
    shape,
    square_of,
)


@boolean
@like(
    "greater_equal",
    "less",
    "less_equal",
    "equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
)
def greater(z, x1, x2):
    shape[z] = broadcast(x1, x2)


@boolean
@like(
    "isnan",
    "isfinite",
    "isinf",
    "isposinf",
    "isneginf",
    "signbit",
    "isreal",
    "iscomplex",
)
def logical_not(z, x):
    shape[z] = same(x)


@boolean
@like("bitwise_or", "bitwise_xor")
def bitwise_and(z, x1, x2):
    shape[z] = broadcast(x1, x2)


@integer
@like("right_shift")
def left_shift(z, x1, x2):
    shape[z] = broadcast(x1, x2)


@boolean
def isclose(z, a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    shape[z] = broadcast(a, b)


@boolean
def isin(z, element, test_elements, assume_unique=False, invert=False):
    shape[z] = same(element)


@boolean
def invert(z, x):
    shape[z] = same(x)


@boolean
@like("any")
def all(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)


@boolean
@like("isrealobj")
def iscomplexobj(z, x):
    shape[z] = scalar(z)


@boolean
@like("array_equal")
def allclose(z, a1, a2, rtol=1e-5, atol=1e-8, equal_nan=False):
    shape[z] = scalar(z)


@constant
@holomorphic
@like("ones_like", "empty_like")
def zeros_like(z, a, dtype=None, order="K"):
    shape[z] = same(a)


@creation
@like("ones", "empty", "ndarray")
def zeros(z, shape_, dtype=None, *, order="C"):
    shape[z] = given(shape_)


@creation
def indices(z, dimensions, dtype=None):
    shape[z] = gridded(dimensions)


@creation
def eye(z, N, M=None, k=0, *, dtype=None):
    shape[z] = square_of(N, M)


@creation
def identity(z, n, dtype=None):
    shape[z] = square_of(n, None)


@creation
def tri(z, N, M=None, k=0, dtype=None):
    shape[z] = square_of(N, M)


@creation
@like("hanning", "blackman", "bartlett")
def hamming(z, M):
    shape[z] = given(M)


@creation
def arange(z, start, stop=None, step=None, dtype=None):
    shape[z] = ranged(start, stop, step)


@integer
@like("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64")
def int64(z, x):
    shape[z] = same(x)


@integer
@like("size")
def ndim(z, a, axis=None):
    shape[z] = scalar(z)


@constant
def finfo(z, dtype_):
    shape[z] = scalar(z)


@integer
@named("shape")
def shape_of(z, a):
    shape[z] = lengths(a)


@integer
def broadcast_shapes(z, *args):
    shape[z] = lengths_of_all(args)


@integer
def result_type(z, *args):
    shape[z] = scalar(z)
