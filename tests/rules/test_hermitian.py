"""Eigenvalues of complex Hermitian matrices, however the matrix is put together."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

BODIES = {
    "a sum with its conjugate": """
    h = np.exp(1j * a) * b[:, 0]
    return np.sum(np.linalg.eigvalsh(h + h.conj().T) ** 3)""",
    "weights of each eigenvalue": """
    h = a @ a.T + 1j * (b - b.T)
    w = np.linalg.eigvalsh(h)
    return w[0] - 2 * w[1] + 0.5 * w[2] ** 2""",
    "entries stored in both triangles": """
    h = np.zeros((3, 3), dtype=complex)
    for i in range(3):
        h[i, i] = a[i, i]
        for k in range(i):
            h[i, k] = a[i, k] * np.exp(1j * b[i, k])
            h[k, i] = np.conj(h[i, k])
    return np.sum(np.tanh(np.linalg.eigvalsh(h)))""",
    "the upper triangle alone": """
    h = np.zeros((3, 3), dtype=complex)
    h[0, 1] = a[0, 0] * np.exp(1j * b[0, 0])
    h[1, 2] = a[1, 1] + 1j * b[1, 1]
    h[0, 0] = b[2, 2]
    return np.sum(np.linalg.eigvalsh(h, UPLO="U") * np.array([1.0, 2.0, -3.0]))""",
    "a stack of matrices": """
    h = np.exp(1j * a)[:, :, None] * np.exp(-1j * a)[:, None, :] * b[0, 0]
    h = h + np.eye(3) * b[1]
    return np.sum(np.linalg.eigvalsh(h) ** 3)""",
}
ARGS = np.random.default_rng(5).normal(size=(2, 3, 3))


def function_of(body):
    return imported(f"import numpy as np\n\n\ndef f(a, b):{body}\n", "f")


@pytest.mark.parametrize("shapes", [{}, {"a": "n n", "b": "n n"}], ids=["", "told"])
@pytest.mark.parametrize("body", BODIES)
def test_the_gradient_is_that_of_differences(body, shapes):
    f = function_of(BODIES[body])
    if "3" in BODIES[body] and shapes:
        shapes = {"a": "3 3", "b": "3 3"}
    text = gradgen.emit(f, ("a", "b"), shapes=shapes)
    module = {}
    exec(text, module)
    for found in (module["grad_f"](*ARGS), gradgen.grad(f, ("a", "b"))(*ARGS)):
        for i in (0, 1):
            want = numeric_gradient(f, list(ARGS), i, 1.0).value
            assert found[i].dtype == np.float64
            np.testing.assert_allclose(found[i], want, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("body", BODIES)
def test_so_is_the_tangent(body):
    f = function_of(BODIES[body])
    _, found = gradgen.jvp(f, "b")(*ARGS, ARGS[0])
    want = np.sum(numeric_gradient(f, list(ARGS), 1, 1.0).value * ARGS[0])
    np.testing.assert_allclose(found, want, rtol=1e-7)
    assert np.isrealobj(found)
