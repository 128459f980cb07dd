"""One text that is right for a number and for a row, for an array and for a number."""

import numpy as np
import pytest

import gradgen
from gradgen.frontend.heap.evidence import taken_apart
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

rng = np.random.default_rng(8)
VECTOR, MATRIX, BLOCK = (rng.uniform(0.3, 1.2, s) for s in [(4,), (4, 3), (3, 4, 2)])

PROGRAMS = {
    "a part of what has changed": """
        def f(A):
            row = A[0]
            A[0] = 2 * A[1]
            A[1] = np.sin(row) * A[1]
            return A * row
        """,
    "parts that change places": """
        def f(A):
            g = np.tanh(A)
            g[1], g[0] = g[0], g[1]
            g[0] *= 0.7 + g[1]
            return g
        """,
    "a part in a loop": """
        def f(A):
            last = A[-1]
            for i in range(3):
                A[i] += 0.3 * np.cos(last) * A[i]
                A[-1] *= 1.1
            return np.sum(A * A) + np.sum(last * last)
        """,
    "a part in one arm": """
        def f(A):
            first = A[0]
            if np.sum(A) > 0:
                A[0] = np.sin(A[1])
            return A[1] * first
        """,
    "a helper that takes its argument apart": """
        def damp(u, v):
            u *= 0.8
            u[0] += 0.2 * v[-1]

        def f(A):
            other = A
            damp(A, 2 * A)
            return A * other
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("A", [VECTOR, MATRIX, BLOCK], ids=["1", "2", "3"])
@pytest.mark.parametrize("save", ["values", "state"])
def test_of_any_rank(name, A, save, tmp_path):
    function = written(PROGRAMS[name], tmp_path)
    value = function(A.copy())
    seed = np.random.default_rng(2).uniform(0.5, 1.5, np.shape(value))[()]
    gradient = gradgen.grad(function, save=save)
    given = A.copy()
    found = gradient(given, seed=seed)
    expected = numeric_gradient(function, [A.copy()], 0, seed)
    np.testing.assert_allclose(found, expected.value, rtol=1e-8, atol=1e-9)
    assert found.shape == A.shape and found.dtype == A.dtype
    np.testing.assert_array_equal(given, A)
    assert gradient(A.astype(np.float32)).dtype == np.float32


def test_a_number_or_an_array_is_still_refused(tmp_path):
    text = """
        def f(x, y):
            z = x
            z += y
            if y > 0:
                return x * 3
            return x[0] * z
        """
    with pytest.raises(gradgen.GradgenError, match="GG233"):
        gradgen.emit(written(text, tmp_path), general=True)


@pytest.mark.parametrize(
    "body, names",
    [
        ("u *= 2\nif c:\n    v[0] = 1\nu[0] += 1", {"u"}),
        ("for x in u:\n    v[0] = x", {"u"}),
        ("u = v\nu[0] = 1", set()),
        ("if u[0] > 0 and v[0] > 0:\n    pass", {"u"}),
        ("if c:\n    return 1\nu[0] = 1", set()),
        ("g = lambda: u[0]", set()),
        ("with np.errstate(all='ignore'):\n    u[0] = v[1]", {"u", "v"}),
        ("w = u[0] if v[0] > 0 else c", {"v"}),
    ],
)
def test_what_is_surely_taken_apart(body, names):
    import gast

    tree = gast.parse("def f():\n" + "".join(f"    {s}\n" for s in body.split("\n")))
    assert taken_apart(tree.body[0].body) == names
