"""Matrices of which one triangle is read, by how they are computed."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

W = np.random.default_rng(0).normal(size=(4, 3))
X = np.array([0.3, -0.5, 0.7, 0.2, -0.4])
# matrices of x, of which few are symmetric
FORMS = {
    "diag-1": "np.diag(x[:3]+4) + np.diag(x[3:5], -1)",
    "diag+1": "np.diag(x[:3]+4) + np.diag(x[3:5], 1)",
    "diagboth": "np.diag(x[:3]+4) + np.diag(x[3:5], -1) + np.diag(x[3:5], 1)",
    "diagk": "np.diag(x[:3]+4) + np.diag(x[3:5], k=-1)",
    "diagflat": "np.diagflat(x[:3]+4) + np.diagflat(x[3:5], -1)",
    "eyek": "np.diag(x[:3]+4) + x[3] * np.eye(3, k=-1)",
    "eyek2": "4*np.eye(3) + x[3] * np.eye(3, k=-1) + x[4]*np.eye(3, k=1)",
    "tri": "4*np.eye(3) + np.tri(3) * x[:3]",
    "block": "np.block([[4*np.eye(2), np.zeros((2,1))],[x[None,:2], np.array([[5.]])]])",
    "blocksym": "np.block([[4*np.eye(2), x[:2,None]],[x[None,:2], np.array([[5.]])]])",
    "vstack": "np.vstack([np.array([4.,0,0]), np.array([0.,4,0])+x[0]*np.array([1.,0,0]), np.array([0,0,5.])+x[:3]*np.array([1,1,0.])])",
    "stack": "np.stack([np.array([4.,0,0]), np.array([0.,4,0])+x[0]*np.array([1.,0,0]), np.array([0,0,5.])+x[:3]*np.array([1,1,0.])])",
    "concat": "np.concatenate([np.array([[4.,0,0]]), (np.array([0.,4,0])+x[0]*np.array([1.,0,0]))[None], (np.array([0,0,5.])+x[:3]*np.array([1,1,0.]))[None]])",
    "colstack": "np.column_stack([np.array([4.,1,1])*x[0], np.array([0.,4,1])*x[1], np.array([0,0,5.])*x[2]])",
    "outer mask": "4*np.eye(3) + np.outer(x[:3], x[2:5]) * np.tri(3)",
    "outer gen": "9*np.eye(3) + np.outer(x[:3], x[2:5])",
    "matmul gen": "9*np.eye(3) + x[:3,None] @ x[None,2:5]",
    "where": "np.where(np.arange(3)[:,None] >= np.arange(3), x[:3], 0.0) + 4*np.eye(3)",
    "roll": "9*np.eye(3) + np.roll(np.eye(3), 1, axis=0) * x[:3]",
    "bcast": "9*np.eye(3) + x[:3] * np.array([[0,0,0],[1.,0,0],[1,1,0]])",
    "bcast2": "9*np.eye(3) + x[:3, None]",
    "r_": "np.r_[np.array([[9.,0,0]]), (x[0]*np.array([1.,0,0])+np.array([0,9.,0]))[None], (np.array([0,0,9.])+x[:3]*np.array([1,1,0.]))[None]]",
    "insert": "9*np.eye(3) + np.insert(np.zeros((2,3)), 2, x[:3], axis=0)",
    "pad": "9*np.eye(3) + np.pad(x[:2].reshape(1,2), ((2,0),(0,1)))",
    "kron": "9*np.eye(4) + np.kron(x[:4].reshape(2,2), np.ones((2,2)))",
    "einsum": '9*np.eye(3) + np.einsum("i,j->ij", x[:3], x[2:5])',
    "diffmul": "9*np.eye(3) + (x[:3,None] - x[None,:3])",
    "reshape": "9*np.eye(2) + x[:4].reshape(2,2)",
    "tile": "9*np.eye(3) + np.tile(x[:3], (3,1))",
    "take": "9*np.eye(3) + x[np.array([[0,1,2],[3,0,1],[4,2,0]])]",
    "flip": "9*np.eye(2) + np.fliplr(x[:4].reshape(2,2))",
    "vander": "9*np.eye(3) + np.vander(x[:3])*0.1",
}
# what looks symmetric, and is not
LOOKALIKES = {
    "scaled beside S": "((W.T * x[:4]) @ (W @ W.T + 9 * np.eye(4))) @ W + 9 * np.eye(3)",
    "a turn that is none": "9 * np.eye(3) + W[:3] @ np.transpose(W[:3], axes=(0, 1)) * x[0]",
    "toeplitz of two": "linalg.toeplitz(x[:3] + [9, 0, 0], r=x[2:5])",
    "a full row": "np.full((3, 3), fill_value=x[:3]) + 9 * np.eye(3)",
    "a row added": "W.T @ W + 9 * np.eye(3) + v",
    "a diagonal's rows": "W.T @ W + 9 * np.eye(3) + np.diag(np.outer(v, v), 0)",
    "other bands": "9 * np.eye(3) + np.diag(x[3:], 1) + np.diag(x[2:4], -1)",
    "bands apart": "9 * np.eye(3) + np.diag(x[3:], 1) - np.diag(x[3:], -1)",
    "blocks": "np.block([[9 * np.eye(2), W[:2, :2] * x[0]], [W[:2, :2] * x[0], 9 * np.eye(2)]])",
    "other scales": "v[:, None] * (W.T @ W) * x[1:4] + 9 * np.eye(3)",
    "a matrix between": "W.T @ (np.outer(x[:4], x[1:5]) + 9 * np.eye(4)) @ W",
    "both of an argument": "9 * np.eye(3) + W[:3] - W[:3].T / 3 + x[0]",
    "stored apart": "one_sided(W.T @ W, x[0])",
}
SYMMETRIC = {
    "gram": "v[:, None] @ v[None, :] + 9 * np.eye(3)",
    "weighted": "(W.T * x[:4]**2) @ W + 9 * np.eye(3)",
    "between": "W.T @ (np.outer(x[:4], x[:4]) + 9 * np.eye(4)) @ W",
    "distances": "np.exp(-((v[:, None] - v[None, :]) ** 2)) + np.eye(3)",
    "minima": "np.minimum(v[:, None], v) + 9 * np.eye(3)",
    "scaled": "v[:, None] * (W.T @ W) * v + 9 * np.eye(3)",
    "blocks": "np.block([[9 * np.eye(2), x[:2, None]], [x[:2, None].T, 9 * np.eye(1)]])",
    "entries": "np.array([[9.0, x[0] * x[1]], [x[0] * x[1], 9.0 + x[2]]])",
    "bands": "np.diag(v + 9) + np.diag(x[3:], 1) + np.diag(x[3:], -1)",
    "mean of two": "0.5 * (W[:3] * v + (W[:3] * v).T) + 9 * np.eye(3)",
    "on the diagonal": "add_noise(W.T @ W, x[0])",
}
READ = {
    "eigvalsh": "np.sum(np.linalg.eigvalsh(A) ** 2 * np.arange(1.0, len(A) + 1))",
    "upper": "np.sum(np.linalg.eigvalsh(A, UPLO='U') ** 2 * np.arange(1.0, len(A) + 1))",
    "solve": "np.sum(linalg.solve(A, np.arange(1.0, len(A) + 1), assume_a='pos') ** 2)",
    "cholesky": "np.sum(np.sin(np.linalg.cholesky(A)))",
}
SOURCE = """
        from scipy import linalg

        def add_noise(K, s):
            K = K.copy()
            K[np.diag_indices(len(K))] += 9 + s
            return K

        def one_sided(K, s):
            K = K + 9 * np.eye(len(K))
            K[1, 0] += s
            return K

        def f(x, W):
            v = x[:3]
            A = {}
            return {}
        """


def of_form(form, read, path):
    return written(SOURCE.format(form, READ[read]), path)


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("form", [*FORMS, *LOOKALIKES, *SYMMETRIC])
def test_the_gradient_of_what_is_read(form, read, tmp_path):
    function = of_form((FORMS | LOOKALIKES | SYMMETRIC)[form], read, tmp_path)
    try:
        function(X, W)
    except np.linalg.LinAlgError:
        return  # not positive definite
    want = numeric_gradient(function, [X, W], 0)
    found = gradgen.grad(function)(X, W)
    np.testing.assert_allclose(found, want.value, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("form", SYMMETRIC)
def test_what_is_symmetric_is_read_as_it_is(form, tmp_path):
    function = of_form(SYMMETRIC[form], "cholesky", tmp_path)
    text = gradgen.emit(function, shapes={"x": "5", "W": "4 3"})
    assert "cholesky(A)" in text and "np.tril(A)" not in text
