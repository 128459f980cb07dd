"""Jacobians at once: each operation with a leading axis of seeds, or of tangents.

Sizes are all 3, so that an axis in the wrong place is a wrong number, and no error.
"""

import inspect

import numpy as np
import pytest

import gradgen
from tests.test_modes import columns

rng = np.random.default_rng(0)
M, S = rng.normal(size=(2, 3, 3))
VALUES = {
    "M": M,
    "S": S,
    "T": rng.normal(size=(3, 3, 3)),
    "v": rng.normal(size=3),
    "few": np.array([0.5, 0.2]),
    "rows": np.array([0, 2, 1]),
    "mask": np.array([True, False, True]),
    "chosen": np.array(
        [[True, False, True], [False, True, True], [True, False, False]]
    ),
    "n": 1,
}
FLOATS = ("M", "S", "T", "v", "few")


def stored(v):
    z = np.zeros_like(v)
    z[1:] = v[:-1]
    z[0] = v[2]
    return z * v


OPERATIONS = {
    "a matrix that is constant, dot": lambda M, S: np.dot(S, M),
    "dot of products": lambda M, S: np.dot(S, np.dot(M, M)),
    "dot with a number": lambda v: np.dot(np.sum(v), v) + np.dot(v, np.sum(v)),
    "dot with a vector": lambda M, v: np.dot(v, M),
    "dot of three axes": lambda M, T: np.dot(T, M) + np.dot(M, T),
    "matmul of three axes": lambda M, T: T @ M + M @ T,
    "three axes": lambda T, M: M @ T,
    "inner": lambda M, S: np.inner(M, S) + np.inner(S, M),
    "tensordot": lambda M, T: np.tensordot(M, T, 1),
    "einsum": lambda M, S: np.einsum("ij,jk->ik", M, S),
    "outer": lambda v, S: np.outer(v, S[0]) + np.outer(S[1], v),
    "kron": lambda v: np.kron(v, v),
    "the places of a mask": lambda M, S: M[np.nonzero(S > 0)],
    "a mask": lambda M, chosen: M[chosen],
    "a mask of rows": lambda M, mask: M[mask],
    "a grid of places": lambda M, rows: M[np.ix_(rows, rows)],
    "pairs of places": lambda M, rows: M[rows, rows],
    "places, and a number behind": lambda T, rows: T[rows, :, 1],
    "places, and a variable behind": lambda T, rows, n: T[rows, :, n],
    "places behind a number": lambda T, rows: T[1, :, rows],
    "places behind a variable": lambda T, rows, n: T[n, rows],
    "places behind a slice": lambda T, rows: T[:, rows, rows],
    "steps and the last": lambda M, S: M[::-1, -1] * S,
    "an ellipsis": lambda T, S: T[..., 0] * S,
    "new axes": lambda v, S: v[:, None] * v[None] * S,
    "a store": stored,
    "what does not depend on it": lambda few, v: 2 * v,
    "stack": lambda v: np.stack([v, 2 * v, v * v]),
    "concatenate": lambda v: np.concatenate([v, 2 * v]),
    "concatenate, raveled": lambda M: np.concatenate([M, 2 * M], axis=None),
    "columns": lambda v: np.column_stack([v, 2 * v]),
    "split": lambda v: np.split(v, 3)[1] * v,
    "roll": lambda v: np.roll(v, 1) * v,
    "roll of all": lambda M: np.roll(M, 1),
    "roll of rows": lambda M: np.roll(M, 1, 0),
    "flip of rows": lambda M, S: np.flip(M, 0) * S,
    "flip of all": lambda M, S: np.flip(M) * S,
    "repeat": lambda M: np.repeat(M, 2, axis=0),
    "tile": lambda v: np.tile(v, 2),
    "diff": lambda M: np.diff(M, axis=0),
    "cumsum": lambda M: np.cumsum(M, axis=0),
    "cumsum of all": lambda M: np.cumsum(M),
    "cumprod": lambda v: np.cumprod(v),
    "trace": lambda M, S: np.trace(M) * S,
    "diagonal": lambda M: np.diag(M),
    "a diagonal matrix": lambda v: np.diag(v),
    "solve, right side": lambda v, S: np.linalg.solve(S, v),
    "solve, right sides": lambda M, S: np.linalg.solve(S, M),
    "solve, matrix": lambda S, v: np.linalg.solve(S, v),
    "inverse": lambda S: np.linalg.inv(S),
    "determinant": lambda S, M: np.linalg.det(S) * M,
    "maxima": lambda M: M - np.max(M, axis=1, keepdims=True),
    "means": lambda M: M - np.mean(M, axis=0),
    "variance": lambda M: np.var(M, axis=1),
    "norms": lambda M: M / np.linalg.norm(M, axis=1, keepdims=True),
    "sort": lambda v: np.sort(v),
    "transposed": lambda T, S: T.transpose(2, 0, 1) * S + T.T,
    "axes exchanged": lambda T, S: np.swapaxes(T, 0, 1) * S,
    "an axis moved": lambda T, S: np.moveaxis(T, 0, 2) * S,
    "reshaped": lambda M: M.reshape(9) * 2,
    "raveled": lambda M: np.ravel(M) ** 2,
    "broadcast": lambda v, S: np.broadcast_to(v, (3, 3)) * S,
    "squeezed": lambda M, v: np.squeeze(M[:, :1]) * v,
    "padded": lambda v: np.pad(v, 1),
    "convolved": lambda v, S: np.convolve(v, S[0]),
    "clipped": lambda M, S: np.clip(M, -0.5, 0.5) * S,
    "chosen": lambda M, S: np.where(M > S, M * S, S),
}


@pytest.mark.parametrize("facts", ["numbers", "names"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation(name, facts):
    function = OPERATIONS[name]
    names = list(inspect.signature(function).parameters)
    args = [VALUES[each] for each in names]
    want = columns(function, args, 0)
    lengths = {3: "n", 2: "k"} if facts == "names" else {3: "3", 2: "2"}
    shapes = {
        each: " ".join(lengths[n] for n in VALUES[each].shape)
        for each in names
        if each in FLOATS
    }
    measured = 0
    for direction in ("", "reverse", "forward"):
        options = {"shapes": shapes, "direction": direction}
        try:
            found = gradgen.jacobian(function, **options)(*args)
        except gradgen.GradgenError as refusal:
            told = str(refusal)
            # Facts that say too little, and columns that have no form at once.
            assert "GG263" in told if facts == "numbers" else "GG" in told, told
            continue
        assert found.shape == want.shape
        np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)
        measured += 1
    assert measured or facts == "names"
