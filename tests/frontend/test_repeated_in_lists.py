"""[0.0] * n as an entry of a list: tables of numbers, as Romberg's and Neville's."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = "import numpy as np\n\n\n"
PROGRAMS = {
    "richardson": """
def f(x, h=0.2, n=3):
    D = [[0.0] * n for _ in range(n)]
    for i in range(n):
        D[i][0] = (np.exp(x + h) - np.exp(x - h)) / (2 * h)
        for k in range(1, i + 1):
            D[i][k] = D[i][k - 1] + (D[i][k - 1] - D[i - 1][k - 1]) / (4**k - 1)
        h /= 2
    return D[n - 1][n - 1] * x
""",
    "of other bounds": """
def f(x, n=2, m=3):
    T = [[1.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            T[i][j] *= x ** (i + j)
    return T[1][2] + T[0][1] * T[1][0]
""",
    "one row more": """
def f(x, n=3):
    T = [[0.0] * (n + 1) for _ in range(n + 1)]
    T[0][0] = x
    for i in range(1, n + 1):
        T[i][0] = T[i - 1][0] * x
    return T[n][0] + T[1][n]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradient(name):
    f = imported(HEAD + PROGRAMS[name].lstrip(), "f")
    want = numeric_gradient(f, (0.7,), 0).value
    space = {}
    exec(gradgen.emit(f), space)
    for got in (space["grad_f"](0.7), gradgen.grad(f)(0.7)):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_rows_are_apart():
    def f(x, n):
        rows = [[0.5] * n for _ in range(n)]
        total = 0.0
        for row in rows:
            for v in row:
                total += v * x
        return total

    np.testing.assert_allclose(gradgen.grad(f)(0.7, 3), 4.5)
    np.testing.assert_allclose(gradgen.grad(f)(0.7, 2), 2.0)
