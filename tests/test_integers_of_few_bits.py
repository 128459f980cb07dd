"""NumPy's integers of few bits beside floats: no product of them alone is made.

`(k * x) ** 2` with k = np.uint8(200) is a product of floats; `k ** 2` would be 64.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

NUMBERS = [np.uint8(200), np.int8(-100), np.int16(30000), np.int64(4 * 10**9), 200]
ARRAYS = [np.array([200, 100], np.uint8), np.array([30000, -20000], np.int16)]
X = np.array([0.5, 1.25])


def judged(function, x, k, text=True):
    """The gradient by call and of a text that nothing was told for."""
    want = numeric_gradient(lambda x: function(x, k), [x.astype(float)], 0, 1.0).value
    found = [gradgen.grad(function)(x, k)]
    if text:
        names = {}
        exec(gradgen.emit(function, wrt="x"), names)
        found.append(names["grad_f"](x, k))
    for one in found:
        assert one.shape == x.shape and one.dtype == x.dtype
        np.testing.assert_allclose(one, want, rtol=1e-4, atol=1e-4 * np.abs(want).max())


@pytest.mark.parametrize("k", NUMBERS, ids=repr)
@pytest.mark.parametrize(
    "result",
    [
        "np.sum((k * x) ** 2)",
        "np.sum(x * k * k)",
        "k * np.sum(x * x) * k",
        "np.sum(x * k + k * x * x)",
        "np.sum(k * (x * k - 1))",
        "np.linalg.norm(x * k)",
        "np.sum(np.arctan2(k, x))",
        "np.sum(np.exp(-k * 1e-9 * x)) - np.sum(x * (3.0 - k))",
    ],
)
def test_numbers_of_numpy(result, k, tmp_path):
    judged(written(f"def f(x, k):\n    return {result}\n", tmp_path), X, k)


@pytest.mark.parametrize("k", [np.uint8(3), np.int64(3), np.int16(3)], ids=repr)
def test_they_take_part_in_promotion(k, tmp_path):
    function = written("def f(x, k):\n    return np.sum((k * x) ** 2)\n", tmp_path)
    judged(function, X.astype(np.float32), k, text=False)


@pytest.mark.parametrize("k", ARRAYS, ids=["uint8", "int16"])
@pytest.mark.parametrize(
    "lines",
    [
        "return np.sum((k.max() * x) ** 2)",
        "a, b = k|return np.sum((a * x) ** 2) + np.sum(b * x * b)",
        "return sum([a * v * a for a, v in zip(k, x)])",
        "return np.sum((np.clip(k[0], -300, 250) * x) ** 2)",
        "return np.sum((np.where(x > 1, k[0], 7) * x) ** 2)",
        "a = np.maximum(np.abs(k)[1], 9)|return np.sum(a * x * a)",
        "return np.sum((k.reshape(-1)[::-1][:1] * x) ** 2)",
        "return np.sum(((3 * 3) * (3 - k)) * (x * 3 - (k - x)))",
    ],
)
def test_what_is_taken_of_arrays(lines, k, tmp_path):
    body = "".join(f"    {line}\n" for line in lines.split("|"))
    judged(written(f"def f(x, k):\n{body}", tmp_path), X, k)


def test_a_fact_tells_of_numpys_integer():
    def f(x, k):
        return np.sum((k * x) ** 2)

    assert "k**2" not in gradgen.emit(f, shapes={"x": "n", "k": ":integer"})
    assert "k**2" in gradgen.emit(f, shapes={"x": "n", "k": ":int"})


MASKS = [np.array([True, False, True]), np.array([True] * 3), True, np.False_]


@pytest.mark.parametrize("m", MASKS, ids=repr)
@pytest.mark.parametrize(
    "lines",
    [
        "return np.sum(np.take(x, m) ** 2)",
        "return np.sum(np.take(np.outer(x, x), m, axis=1))",
        "return np.sum(np.take(x, [True, False]) ** 2)",
        "return np.sum(np.take(x, x > 1) ** 2)",
        "y = x * x|np.put(y, m, x[1])|return np.sum(y * y)",
        "m = np.ravel(m)|y = x[: m.size]|return np.sum(np.bincount(m, y**2) * 3.0)",
        "return np.sum(np.roll(x, np.ravel(m)[0]) * np.array([1.0, 2.0, 4.0]))",
    ],
)
def test_true_is_the_place_one(lines, m, tmp_path):
    body = "".join(f"    {line}\n" for line in lines.split("|"))
    function = written(f"def f(x, m):\n{body}", tmp_path)
    judged(function, np.array([0.5, 1.25, 2.0]), m, text=False)


@pytest.mark.parametrize("n", [[0, 1, 2], [3, 0, 1]])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64])
@pytest.mark.parametrize(
    "name", ["jv", "iv", "ive", "yv", "yn", "kv", "kn", "kve", "expn"]
)
def test_orders_of_special_functions(name, dtype, n, tmp_path):
    lines = f"from scipy import special\ndef f(x, k):\n    return np.sum(special.{name}(k, x))\n"
    function = written(lines, tmp_path)
    judged(
        function, np.array([0.35, 0.6, 1.85]), np.array(n, dtype), text=name[-1] != "n"
    )


@pytest.mark.parametrize("k", [np.uint8(2), np.int8(3), np.array([2, 3], np.uint8)])
@pytest.mark.parametrize(
    "result",
    [
        "special.huber(k, x * 9)",
        "special.boxcox(x, k)",
        "special.inv_boxcox(x, k)",
        "special.owens_t(x, k)",
        "special.stdtr(k, x)",
        "special.tklmbda(x, k)",
        "special.gammainc(k, x)",
    ],
)
def test_other_parameters(result, k, tmp_path):
    lines = f"from scipy import special\ndef f(x, k):\n    return np.sum({result})\n"
    judged(written(lines, tmp_path), np.array([0.35, 0.85]), k, text=False)


@pytest.mark.parametrize("k", [np.uint8(200), np.int16(30000), ARRAYS[0]], ids=repr)
@pytest.mark.parametrize(
    "result",
    [
        "np.sum(k * x**2)",
        "np.sum((k * x) ** 2)",
        "k * np.sum(x * x) * k",
        "np.sum(x**3 * k)",
        "np.sum((x * k - 1.0) ** 2) + np.sum(x * k)",
    ],
)
def test_second_derivatives(result, k, tmp_path):
    function = written(f"def f(x, k):\n    return np.sum({result})\n", tmp_path)
    way, gradient = np.array([0.3, -0.7]), gradgen.grad(function)
    ahead, behind = (gradient(X + h * way, k) for h in (1e-5, -1e-5))
    want = (ahead - behind) / 2e-5
    found = gradgen.hvp(function)(X, k, way), gradgen.hessian(function)(X, k) @ way
    for one in found:
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-5 * np.abs(want).max())
    slope = gradgen.jvp(function)(X, k, way)[1]
    np.testing.assert_allclose(slope, gradient(X, k) @ way, rtol=1e-10)


@pytest.mark.parametrize("k", [np.int8(-128), np.int8(0), np.uint8(0), np.int16(-3)])
@pytest.mark.parametrize(
    "result", ["np.sum(x**k)", "np.sum(np.power(x, k) * 2)", "np.sum((x + 1) ** k)"]
)
def test_powers_whose_exponents_are_the_least(result, k, tmp_path):
    x = np.array([0.95, 1.02])
    function = written(f"def f(x, k):\n    return {result}\n", tmp_path)
    inner = x + 1 if "x + 1" in result else x
    want = float(k) * inner ** (float(k) - 1) * (2 if "* 2" in result else 1)
    np.testing.assert_allclose(gradgen.grad(function)(x, k), want, rtol=1e-12)


@pytest.mark.parametrize("places", [[True, False, True], [1, 0, 1], [0, 2, 2]])
@pytest.mark.parametrize(
    "lines",
    [
        "    return np.sum(np.take(x, places) ** 2)\n",
        "    return np.sum(np.take(x, places, axis=0) ** 3)\n",
        "    y = x * 2.0\n    np.put(y, places, 0.0)\n    return np.sum(y * x)\n",
        "    return np.sum(np.bincount(places, weights=x) ** 2)\n",
    ],
)
def test_bools_are_places_in_a_text_that_nothing_is_told_of(lines, places, tmp_path):
    function = written(f"def f(x, places):\n{lines}", tmp_path)
    x, places = np.array([0.5, -0.2, 0.9]), np.array(places)
    names = {}
    exec(gradgen.emit(function), names)
    steps = 1e-6 * np.eye(3)
    want = [(function(x + s, places) - function(x - s, places)) / 2e-6 for s in steps]
    for gradient in (names["grad_f"], gradgen.grad(function)):
        np.testing.assert_allclose(gradient(x, places), want, rtol=1e-6, atol=1e-8)
