"""An integer of NumPy's makes float64 of float32, and one of Python's does not.

Each is computed in some way, and meets floating numbers in some way: the gradient of
an argument has the argument's dtype, and Python's integers ask for no cast.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import Parameter, Program

# the statements before it, and the integer
NUMPYS = {
    "a place": ((), "x.argmax()"),
    "how many": ((), "np.count_nonzero(x > 0)"),
    "the sum of a mask": ((), "np.sum(x > 0)"),
    "a mask added up": ((), "np.cumsum(x > 0)[-1]"),
    "where it belongs": (
        ("knots = np.array([0.1, 0.4])",),
        "np.searchsorted(knots, 0.5)",
    ),
    "an entry of a range": ((), "np.arange(5)[2]"),
    "an entry of an argument": ((), "k[0]"),
    "the largest": ((), "k.max()"),
    "the sum": ((), "np.sum(k)"),
    "a sum of Python's": ((), "sum(k)"),
    "of two": ((), "k @ k"),
    "arithmetic": ((), "(k[0] * 2 - x.shape[0] + 5)"),
    "a half": ((), "(k[1] // 2)"),
    "a quotient": ((), "(k[1] / 2)"),
    "a square": ((), "k[1] ** 2"),
    "bits": ((), "(k[1] & 3)"),
    "the smaller": ((), "min(k[0], 3)"),
    "a constant": ((), "np.int64(3)"),
    "how many entries": ((), "np.prod(x.shape)"),
    "unpacked": (("p, q, *_ = k",), "q"),
    "of a list": (("held = [k[0], 2]",), "held[0]"),
    "of a list that grows": (
        ("held = []", "for i in range(3):", "    held.append(k[i])"),
        "held[1]",
    ),
    "counted up": (("c = 0", "for i in range(3):", "    c += k[i]"), "c"),
    "one of two numbers": ((), "(2.5 if x[0] > 9 else k[1])"),
}
PYTHONS = {
    "a constant": ((), "3"),
    "a length": ((), "len(x)"),
    "a size": ((), "x.shape[0]"),
    "the size": ((), "np.size(x)"),
    "axes": ((), "(x.ndim + 1)"),
    "unpacked": (("(n,) = x.shape",), "n"),
    "a half": ((), "(x.shape[0] // 2)"),
    "bits": ((), "(x.shape[0] & 6)"),
    "the larger": ((), "max(len(k), 2)"),
    "made an int": ((), "int(k[0])"),
    "made a float": ((), "float(k[0])"),
    "a product made a float": ((), "float(np.prod(x.shape))"),
    "of a list": (("held = [1, 2, 3]",), "held[1]"),
    "counted": (("c = 0", "for i in range(3):", "    c += i"), "c"),
    "counted while": (("c = 0", "while c < 3:", "    c = c + 1"), "c"),
}
MEETINGS = {
    "times a sum": ("return np.dot(x, x) * {}",),
    "plus": ("return np.sum((x + {}) ** 2)",),
    "divides": ("return np.sum(x**2 / ({} + 1))",),
    "a power": ("return np.sum((x + 1) ** {})",),
    "a product": ("return np.sum(np.multiply(x, {}) ** 2)",),
    "chosen": ("return np.sum(np.where(x > 0, x * {}, x))",),
    "in a loop": (
        "s = 0.0",
        "for i in range(x.shape[0]):",
        "    s += x[i] ** 2 * {}",
        "return s",
    ),
    "stored": ("y = np.zeros_like(x)", "y[:] = x * {}", "return np.sum(y * y)"),
    "factors in turn": (
        "w = 1",
        "for i in range(2):",
        "    w = w * {}",
        "return np.sum(x * x * w)",
    ),
}
LOOPS = {
    "for j in k": ("s = 0.0", "for j in k:", "    s += x[0] * x[1] * j", "return s"),
    "enumerate(k)": (
        "s = 0.0",
        "for i, j in enumerate(k):",
        "    s = s + x[i] ** 2 * j",
        "return s",
    ),
    "zip(k, x)": (
        "s = 0.0",
        "for j, v in zip(k, x):",
        "    s = s + v**2 * j",
        "return s",
    ),
}
X, K = np.array([0.37, 0.81, -0.45, 0.62]), np.array([2, 3, 1, 2])
PARAMS = Parameter("x", ("n",)), Parameter("k", ("n",))


def function_of(before: tuple[str, ...], lines: tuple[str, ...]):
    return Program(PARAMS, (*before, *lines)).function


def written(function, told: bool):
    """The gradient's text, and the gradient."""
    shapes = {"x": "n", "k": "n:int"} if told else {"k": "n:int"}
    text, space = gradgen.emit(function, wrt="x", shapes=shapes), {}
    exec(text, space)
    return text, space[f"grad_{function.__name__}"]


def is_right(function, grad):
    want = numeric_gradient(function, [X, K], 0).value
    np.testing.assert_allclose(grad(X, K), want, rtol=1e-6)
    for dtype, digits in ((np.float32, 2e-5), (np.float16, 2e-2)):
        found = grad(X.astype(dtype), K)
        assert found.dtype == dtype
        assert found.shape == X.shape
        np.testing.assert_allclose(found, want, rtol=digits)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("source", NUMPYS)
def test_numpys_integer_leaves_the_gradient_its_dtype(source, told):
    before, integer = NUMPYS[source]
    for lines in MEETINGS.values():
        lines = tuple(line.format(integer) for line in lines)
        function = function_of(before, lines)
        is_right(function, written(function, told)[1])


@pytest.mark.parametrize("source", PYTHONS)
def test_pythons_integer_asks_for_no_cast(source):
    before, integer = PYTHONS[source]
    for meeting, lines in MEETINGS.items():
        function = function_of(before, tuple(line.format(integer) for line in lines))
        text, grad = written(function, True)
        assert "astype" not in text or meeting == "chosen"  # np.where(x > 0, 3, d_out)
        is_right(function, grad)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("loop", LOOPS)
def test_entries_of_integers_that_a_loop_goes_through_are_numpys(loop, told):
    function = function_of((), LOOPS[loop])
    is_right(function, written(function, told)[1])


@pytest.mark.parametrize("factor", ["k[0]", "x.argmax()", "(x[1] > 0)"])
def test_what_may_be_a_python_number_meets_numpys_integer(factor):
    lines = (
        "w = 2.5",
        "if x[0] > 9:",
        "    w = x[0]",
        f"v = w * {factor}",
        "return np.sum(x * v)",
    )
    for before in (lines, ("y = x * x", *lines[:-1], "return np.sum(y * v * x)")):
        function = function_of((), before)
        for told in (True, False):
            is_right(function, written(function, told)[1])


@pytest.mark.parametrize("number", ["float(x[0])", "x[0].item()", "float(k[1])"])
@pytest.mark.parametrize(
    "line",
    [
        "return np.sum(x * np.where(x > 0, {}, 1))",
        "return np.sum(x * x * np.full(x.shape, {}))",
        "return np.sum(x * x) * np.sqrt({} + 1)",
    ],
)
def test_functions_of_numpys_make_float64_of_pythons_floats(number, line):
    function = function_of((), (line.format(number),))
    for told in (True, False):
        is_right(function, written(function, told)[1])


@pytest.mark.parametrize("integer", ["j", "len(x)"])
def test_a_number_told_to_be_an_integer_is_pythons(integer):
    params = Parameter("x", ("n",)), Parameter("j", (), "int")
    lines = (f"return np.sum(x * x) * {integer} * j",)
    function = Program(params, lines).function
    text = gradgen.emit(function, wrt="x", shapes={"x": "n", "j": ":int"})
    space = {}
    exec(text, space)
    grad = space["grad_program"]
    assert "astype" not in text
    assert grad(X.astype(np.float32), 3).dtype == np.float32
    want = numeric_gradient(function, [X, 3], 0).value
    np.testing.assert_allclose(grad(X, 3), want, rtol=1e-6)


@pytest.mark.parametrize(
    "lines",
    [
        ("return x[np.sum(x > 0)] * x[0]",),
        ("c = np.sum(x > 0.5)", "return x[c] * c * x[0]"),
        ("c = (x > 0).sum()", "return x[c - 1] ** 2"),
        ("c = np.trace(np.outer(x > 0.4, x > 0.4))", "return x[c] ** 3"),
    ],
)
def test_the_sum_of_a_mask_is_a_place_and_no_mask(lines):
    function = function_of((), lines)
    is_right(function, written(function, True)[1])


@pytest.mark.parametrize("flag", ["x[0] > 0", "np.sum(x) > 0", "x[1] > x[2]"])
def test_a_flag_stays_beside_what_has_a_dtype(flag):
    """2 * d_out * flag is float64, where flag * d_y is none."""
    lines = (f"w = {flag}", "y = x * w", "return np.sum(y * y)")
    function = function_of((), lines)
    is_right(function, written(function, True)[1])


def of_no_slope(x, k):
    product = x * (k == 1)
    return np.mean((product - product) ** 2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_gradient_of_zeros_that_integers_make_has_floats(dtype):
    k = np.array([[1, 0, 1], [1, 1, 0]])
    for x in (np.ones(3, dtype), np.ones(1, dtype)):
        found = gradgen.grad(of_no_slope)(x, k)
        assert found.dtype == dtype and found.shape == x.shape
        assert not found.any()
