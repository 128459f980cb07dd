"""What numba has one type or no word for: right there, or refused with a code."""

import sys

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.target.numba_texts import function_of


def kept_in_one_arm(x, k):
    for i in range(k):
        if i > 0:
            y = np.sin(x)
            x = x * y
    return np.sum(x)


def gathered(x, k):
    return np.sum(np.sin(x[k]) * x[k])


def written_places(x, k):
    y = x[[0, 2, 2]] * x[0]
    return np.sum(y * y) + x[k[0]]


def through_a_loop(x, k):
    s = 0.0
    for i in range(len(k)):
        s += np.sin(x[k[i]])
    return s


def ties(x, k):
    h = x
    for i in range(len(k)):
        h = np.sin(h) * np.max(h)
    return np.max(h)


def listed(x, k):
    m, out = x[0], []
    for t in range(1, len(x)):
        m = 0.5 * m + x[t] * x[t]
        out.append(m)
    return sum(out) / len(out)


def variance(X, k):
    return np.sum(np.var(X, axis=(0, 1), keepdims=True) * np.mean(X, axis=(0, 1)))


def swapped(X, k):
    return np.sum(np.tanh(X.swapaxes(1, 2)) ** 2 * np.moveaxis(X, 2, 1))


def bends(x, k):
    return np.sum(np.diff(x, n=2) ** 2)


def counted(x, k):
    return np.sum(k @ x) ** 2


def chosen(X, k):
    Y = X * X
    Y[X > 0.8] = 0.5
    Y[Y < 0.3] = 0.0
    return np.sum(Y * Y * X)


CUBES = (variance, swapped, chosen)
PROGRAMS = (
    kept_in_one_arm,
    gathered,
    written_places,
    through_a_loop,
    ties,
    listed,
    bends,
    counted,
    *CUBES,
)


def told(function):
    shapes = {"X": "a b c"} if function in CUBES else {"x": "n"}
    shapes["k"] = ":int" if function is kept_in_one_arm else "m:int"
    if function is counted:
        shapes["k"] = "n:int"
    return shapes


def drawn(function):
    rng = np.random.default_rng(4)
    if function in CUBES:
        return rng.uniform(0.3, 1.3, (2, 3, 4)), np.array([0, 3, 3])
    if function is kept_in_one_arm:
        return rng.uniform(0.3, 1.3, 4), 3
    return rng.uniform(0.3, 1.3, 4), np.array([0, 3, 3, -1])


def text_of(function, target="numba"):
    return gradgen.emit(function, shapes=told(function), target=target, value=True)


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=[pytest.mark.libraries])]
)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_values_and_slopes(function, compiled):
    """The value is the function's own, the gradient a central difference of it."""
    if compiled:
        pytest.importorskip("numba")
    x, k = drawn(function)
    value, found = function_of(text_of(function), compiled)(x.copy(), k)
    np.testing.assert_allclose(value, function(x.copy(), k), rtol=1e-12)
    assert found.dtype == x.dtype and found.shape == x.shape
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        want = (function(x + step, k) - function(x - step, k)) / 2e-6
        np.testing.assert_allclose(found[place], want, rtol=1e-5, atol=1e-7)


@pytest.mark.libraries
@pytest.mark.parametrize("function", [gathered, through_a_loop, written_places])
@pytest.mark.parametrize("past", [4, 7, -5])
def test_a_place_past_the_end_raises(function, past):
    """NumPy raises IndexError; numba alone would read what stands there."""
    pytest.importorskip("numba")
    x, k = drawn(function)
    with pytest.raises(IndexError):
        function_of(text_of(function), compiled=True)(x, np.array([past, 0]))


def test_only_computed_places_are_looked_at():
    assert "boundscheck=True" in text_of(through_a_loop)
    assert "boundscheck" not in text_of(bends)


def mixed(x, y):
    for i in range(len(y)):
        x = np.tanh(x * y[i])
    return np.sum(x)


def multiplied(x, y):
    return np.tanh(x @ y)


def either(x, y):
    z = x * 2 if x[0] > 0 else y
    return np.sum(z**2)


@pytest.mark.libraries
@pytest.mark.parametrize("function", [mixed, multiplied, either])
@pytest.mark.parametrize("wrt", ["x", ("x", "y")])
def test_two_dtypes_are_refused(function, wrt):
    pytest.importorskip("numba")
    x, y = np.ones(3, np.float32), np.ones(3)
    with pytest.raises(GradgenError, match="float32 and float64|wider|another") as told:
        gradgen.value_and_grad(function, wrt=wrt, target="numba")(x, y)
    assert told.value.code == "GG714"
    value, _ = gradgen.value_and_grad(function, wrt=wrt, target="numba")(y, y)
    np.testing.assert_allclose(value, function(y, y), rtol=1e-12)


def test_a_text_says_which_argument_has_another_dtype():
    text = gradgen.emit(mixed, wrt="x", shapes={"x": "n", "y": "m"}, target="numba")
    with pytest.raises(TypeError, match="y has a wider dtype than x"):
        function_of(text)(np.ones(3, np.float32), np.ones(3))


@pytest.mark.parametrize(
    "body, shapes",
    [
        ("x = np.zeros_like(x)\n    return np.sum(x * x)", {}),
        ("return np.sum(np.max(x, axis=(0, 2)) ** 2)", {"x": "a b c"}),
        ("return np.sum(x[x > 0] ** 2)", {"x": "a b"}),
        ("return np.sum(np.array([x, 2 * x[0]], dtype=object)[0])", {"x": "n"}),
        ("y = 0.0 if x[0] > 0 else x\n    return np.sum(y * y)", {"x": "n"}),
    ],
)
def test_refused_before_it_is_printed(body, shapes, tmp_path, monkeypatch):
    name = "refused_types"
    (tmp_path / f"{name}.py").write_text(
        f"import numpy as np\n\n\ndef f(x):\n    {body}\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(GradgenError):
        gradgen.emit(f"{name}.f", shapes=shapes, target="numba")
