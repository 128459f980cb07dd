"""Vectors whose adjoints differ by many orders: those of one block beside another's."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported

HEAD = "import numpy as np\nfrom scipy import linalg\n\n\n"
LARGE = 1e14
ONE = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.4]])
TWO = np.array([[7.0, 0.4], [0.4, 5.0]])


def blocks(one, two):
    zeros = np.zeros((len(one), len(two)))
    return np.block([[one, zeros], [zeros.T, two]])


EIGH = {
    "np.linalg.eigh": "np.linalg.eigh(A)[1]",
    "stacks": "np.linalg.eigh(np.stack([A, A]))[1][1]",
    "scipy": "linalg.eigh(A)[1]",
}


@pytest.mark.parametrize("call", EIGH.values(), ids=EIGH)
def test_eigenvectors_of_blocks(call):
    """The smaller block's gradient is the one that it has alone, but for rounding."""
    body = f"    V = {call}\n    return np.sum(V**2 * W)\n"
    f = imported(f"{HEAD}def f(A, W):\n{body}", "f")
    weights = np.arange(9.0).reshape(3, 3) ** 1.5
    both = np.zeros((5, 5))
    both[:3, :3], both[3:, 3:] = weights, LARGE * np.array([[1.0, 2.0], [5.0, 3.0]])
    alone = gradgen.grad(f)(ONE, weights)
    found = gradgen.grad(f)(blocks(ONE, TWO), both)
    assert np.max(np.abs(alone)) > 0.1
    np.testing.assert_allclose(found[:3, :3], alone, rtol=1e-9, atol=1e-12)


SVD = {
    "left": "    U, s, Vt = np.linalg.svd(A)\n    return np.sum(U**2 * W)\n",
    "right": "    U, s, Vt = np.linalg.svd(A)\n    return np.sum(Vt**2 * W.T)\n",
    "both": "    U, s, Vt = np.linalg.svd(A)\n"
    "    return np.sum(U**2 * W) + np.sum(Vt**2 * W.T * 0.3)\n",
    "stacks": "    U, s, Vt = np.linalg.svd(np.stack([A, A]))\n"
    "    return np.sum(U[1] ** 2 * W)\n",
    "wide": "    U, s, Vt = np.linalg.svd(np.hstack([A, 0 * A[:, :1]]))\n"
    "    return np.sum(U**2 * W)\n",
}


@pytest.mark.parametrize("body", SVD.values(), ids=SVD)
def test_singular_vectors_of_blocks(body):
    f = imported(f"{HEAD}def f(A, W):\n{body}", "f")
    one = ONE[::-1] + np.triu(np.ones((3, 3))) / 9
    weights = np.arange(9.0).reshape(3, 3) ** 1.5
    order = np.argsort(-np.linalg.svd(one)[1])
    assert list(order) == [0, 1, 2]
    both = np.zeros((5, 5))  # the larger values come first
    both[:3, 2:], both[3:, :2] = weights, LARGE * np.array([[1.0, 2.0], [5.0, 3.0]])
    alone = gradgen.grad(f)(one, weights)
    found = gradgen.grad(f)(blocks(one, TWO + [[0.0, 0.2], [0.1, 0.0]]), both)
    assert np.max(np.abs(alone)) > 0.1
    np.testing.assert_allclose(found[:3, :3], alone, rtol=1e-8, atol=1e-10)
