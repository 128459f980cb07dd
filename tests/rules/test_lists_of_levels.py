"""Lists as arguments of NumPy's and SciPy's functions: of numbers, and of lists."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = "import numpy as np\nfrom scipy import stats, special, signal\n\n\n"
A = np.random.default_rng(0).random((5, 3))
X = np.array([0.7, 1.3, 0.45])
RIGHT = [
    "np.quantile(A, [0.2, 0.7], axis=0)",
    "np.quantile(A, [0.2, s / 9], axis=0)",
    "stats.zmap(x, [1.0, s, 3])",
    "stats.zmap([1.0, s, 3], x)",
    "stats.ttest_ind(x, [1.0, s, 3]).statistic",
    "stats.ttest_1samp([1.0, s, x[0]], 0.3).statistic",
]
REFUSED = [
    "np.quantile(A, [[0.2], [0.3]], axis=0)",
    "np.percentile(A, [[20, 30]])",
    "np.quantile(A, [])",
]


def function_of(text):
    return imported(f"{HEAD}def f(A, x, s):\n    return np.sum(np.sin({text}))\n", "f")


@pytest.mark.parametrize("text", RIGHT)
def test_gradients(text):
    f = function_of(text)
    name = "A" if "A," in text else "x"
    want = numeric_gradient(f, [A, X, 2.0], "Ax".index(name)).value
    got = gradgen.grad(f, name)(A, X, 2.0)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)
    space: dict = {}
    exec(gradgen.emit(f, name, example=(A, X, 2.0)), space)
    np.testing.assert_allclose(space["grad_f"](A, X, 2.0), want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    f = function_of(text)
    with pytest.raises(gradgen.GradgenError, match="GG302"):
        gradgen.grad(f)(A, X, 2.0)
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        gradgen.jvp(f)(A, X, 2.0, A)
