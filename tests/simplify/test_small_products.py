"""Products with an adjoint that is the same along an axis, against differences."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

# what is done with X @ V, of which what flows back lacks an axis or both
TOTALS = [
    "np.sum({})",
    "np.mean({}) ** 2",
    "np.sum(np.sum({}, axis=0) ** 2)",
    "np.sum(np.mean({}, axis=1) ** 2)",
    "np.sum(y[:, None] * {})",
    "np.sum({} * v)",
    "np.sum({}.T)",
    "np.sum({}) * np.sum(X)",
    "np.sum({} + y[:, None]) + np.sum(V ** 2)",
]
PRODUCTS = ["(X @ V)", "(X @ V @ V.T @ V)", "np.dot(X, V)", "(np.tanh(X) @ V)"]
MORE = [
    "np.sum(X @ V[:, 0])",
    "np.sum(X.T @ y)",
    "np.sum(np.outer(y, v))",
    "np.sum(np.outer(y, X[0])) * np.sum(V)",
    "np.sum(np.einsum('nd,dk->nk', X, V))",
    "np.sum(np.einsum('nd,dk,n->k', X, V, y))",
    "np.sum(np.einsum('nd,nd->n', X, X * y[:, None]))",
    "np.sum(np.einsum('ij,jk->ik', X[:1], V) * v)",
    "np.mean(np.einsum('nd,nd->', X, X))",
    "np.sum((X @ V) @ (V.T @ X.T))",
]
LINES = [total.format(p) for total, p in product(TOTALS, PRODUCTS)] + MORE
SHAPES = {"X": "n d", "V": "d k", "y": "n", "v": "k"}
SIZES = {"n": 4, "d": 3, "k": 2}


def function_of(line, path):
    path.write_text(f"import numpy as np\n\n\ndef f(X, V, y, v):\n    return {line}\n")
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["f"]


@pytest.mark.parametrize("line", LINES)
def test_gradients(line, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    f = function_of(line, tmp_path / "products.py")
    rng = np.random.default_rng(5)
    texts = []
    for told in (SHAPES, {}):
        space: dict = {}
        text = gradgen.emit(f, wrt=("X", "V"), shapes=told)
        exec(text, space)
        texts.append(space["grad_f"])
    for n, d, k in [(4, 3, 2), (1, 3, 2), (4, 1, 1), (1, 1, 1)]:
        sizes = {"n": n, "d": d, "k": k}
        args = [
            rng.normal(size=[sizes[x] for x in one.split()]) for one in SHAPES.values()
        ]
        wants = [numeric_gradient(f, args, i).value for i in (0, 1)]
        for made in texts:
            for found, want in zip(made(*args), wants):
                assert found.shape == want.shape
                np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)
        narrow = [one.astype(np.float32) for one in args]
        assert all(one.dtype == np.float32 for one in texts[0](*narrow))


def test_no_product_is_computed_for_its_shape():
    def total(X, V):
        return np.sum(X @ V)

    text = gradgen.emit(total, wrt=("X", "V"), shapes={"X": "n d", "V": "d k"})
    assert "# Forward" not in text and text.count(" @ ") == 1  # of the heading


NESTED = [
    "np.sum(np.linalg.inv(S))",
    "np.sum(np.linalg.inv(S)[0])",
    "np.mean(np.linalg.inv(S) @ X)",
    "np.sum(np.linalg.solve(S, X))",
    "np.sum(np.linalg.solve(S, y))",
    "np.sum(np.linalg.pinv(X))",
    "np.sum(np.linalg.cholesky(S @ S.T))",
    "np.sum(np.linalg.inv(S @ S.T), axis=0) @ y",
    "np.sum(X @ X.T @ S)",
    "np.sum(np.linalg.multi_dot([S, X, X.T]))",
    "np.sum(np.kron(X, S))",
    "np.sum(np.dot(S, np.dot(S, X)))",
    "np.sum(np.linalg.matrix_power(S, 3))",
    "np.sum(np.tensordot(S, X, axes=1))",
    "np.sum(np.einsum('ij,jk,kl->il', S, S, X))",
    "np.sum(np.outer(y, y) @ S @ X)",
    "np.sum(np.linalg.eigh(S + S.T)[1] ** 2 @ X)",
    "np.sum(np.stack([S, S.T]) @ X)",
    "np.sum(np.trace(S) * S @ X)",
    "np.sum((S @ X)[1:] @ X.T)",
    # axes of length 1
    "np.sum(np.atleast_2d(y) @ S)",
    "np.sum(y[None] @ S)",
    "np.sum(y[:, None].T @ S)",
    "np.sum(S @ y[:, None])",
    "np.sum(y[:, None] @ y[None])",
    "np.sum(y[:, None] @ y[None] @ S)",
    "np.sum(y[None] @ S @ y[:, None])",
    "np.sum(np.sum(S, axis=1, keepdims=True) @ y[None])",
    "np.sum(np.sum(S, axis=0, keepdims=True) * (y[None] @ S))",
    "np.sum(np.mean(y[None] @ S, axis=1, keepdims=True) * y)",
    "np.sum(np.mean(S @ y[:, None], axis=0) * y)",
    "np.sum(np.mean(y[None] @ S, axis=1) ** 2 * y)",
    "np.sum(np.max(y[None] @ S, axis=0) * y)",
    "np.sum(np.sum(y[:, None] @ y[None], axis=1)[:, None] @ y[None])",
    "np.sum(np.einsum('ij,jk->ik', y[None], S))",
    "np.sum(np.outer(y[:1], y) @ S)",
    # rows of what repeats one
    "np.sum(np.vstack([y, y * y]) @ S.T)",
    "np.sum(np.stack([y, 2 * y], axis=1).T @ S.T)",
    "np.sum(np.hstack([X, S]) @ np.vstack([X.T, S]))",
    "np.sum(np.concatenate([S, S]) @ X)",
    "np.sum(np.roll(S, 1, axis=0) @ X)",
    "np.sum(np.diag(y) @ X)",
    "np.sum(S[:, :2].T @ X)",
    "np.sum(S.T[::-1] @ X)",
    "np.sum(np.exp(S @ X).T @ S)",
]


SQUARE = {"S": "n n", "X": "n d", "y": "n"}
# with nothing told S is taken for a vector of these
STACKED = ("multi_dot", "stack")
CASES = [(line, SQUARE) for line in NESTED]
CASES += [(x, {}) for x in NESTED if not any(word in x for word in STACKED)]


@pytest.mark.parametrize("line, told", CASES, ids=str)
def test_products_inside_of_others(line, told, tmp_path):
    path = tmp_path / "nested.py"
    path.write_text(f"import numpy as np\n\n\ndef f(S, X, y):\n    return {line}\n")
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    rng = np.random.default_rng(6)
    S = rng.normal(size=(3, 3)) + 4 * np.eye(3)
    args = [S, rng.normal(size=(3, 2)), rng.normal(size=3)]
    for i, name in enumerate("SXy"):
        if not re.search(rf"\b{name}\b", line):
            continue
        text: dict = {}
        exec(gradgen.emit(space["f"], wrt=name, shapes=told), text)
        want = numeric_gradient(space["f"], args, i).value
        found = text["grad_f"](*args)
        assert found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)
