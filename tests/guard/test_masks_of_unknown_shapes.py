"""Masked adjoints whose shapes nothing tells: a factor that is infinite where the mask
leaves nothing out goes into the sum, and no zero is multiplied by it."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

A = np.array
CASES = {
    "m, x: np.where(m > 0, np.log(x), 0.0)": (A([-1.0, 1.0]), A([0.0, 2.0])),
    "m, a, x: np.where(m > 0, a * np.log(x), 0.0)": (
        A([-1.0, 1.0]),
        A([1.0, 3.0]),
        A([0.0, 2.0]),
    ),
    "a, x: np.where((a > 0) & (x > 0), a * np.sqrt(x), a)": (A([1.0, 2]), A([-1.0, 2])),
    "a, x: np.where((a > 0) & (x > 0.5), a / x, a)": (A([1.0, 2]), A([0.0, 2])),
    "a, x: np.where((a > 0) & (x > 0.5), a * x**0.3, a)": (A([1.0, 2]), A([0.0, 2])),
    "r, cut: np.where((r < cut) & (r > 0.5), (1 / r)**12, 0.0)": (
        A([0.0, 1.0]),
        A(2.0),
    ),
    "t, u: np.where((t <= 0) & (u >= 5), 13 + (0.4 * t - 11) * u**0.16, t)": (
        A([-5.0, -5.0, 3.0]),
        A([0.0, 10.0, 0.0]),
    ),
    "x, a, b: np.where(x > b, x, a * np.exp(x))": (
        A([1000.0, -1.0]),
        A(0.5),
        A([0.0, 0.1]),
    ),
    "x, b, m: np.where(m > 0, x + b, np.log1p(np.exp(x)))": (
        A([1000.0, -1.0]),
        A([0.0, 0.1]),
        A([1.0, -1.0]),
    ),
    "n, T, c: np.where(n > c, n**3 / (np.exp(n / T) - 1), n**2 * T)": (
        A([0.0, 1.0]),
        A([1.0, 1.0]),
        A(0.01),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_not_chosen_has_no_share(tmp_path, case):
    names, _, body = case.partition(": ")
    f = written(f"def f({names}):\n    return {body}\n", tmp_path)
    args, wrt = CASES[case], tuple(names.split(", "))
    found: dict = {}
    exec(gradgen.emit(f, wrt=wrt), found)
    with np.errstate(all="ignore"):
        gradients = found["grad_f"](*args, np.ones_like(f(*args)))
        for k, (x, got) in enumerate(zip(args, gradients)):
            want = np.zeros_like(x)
            for place in np.ndindex(x.shape):
                step = np.zeros_like(x)
                step[place] = 1e-6 * max(1.0, abs(x[place]))
                # to the right alone: x**0.3 ends at 0
                moved = f(*args[:k], x + step, *args[k + 1 :])
                want[place] = np.sum(moved - f(*args)) / step[place]
            np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)
