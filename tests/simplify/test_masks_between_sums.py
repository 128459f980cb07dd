"""Masked adjoints that are summed to a part whose axis is kept, and summed again: what
multiplies them in between is as large as the argument, and no sum may wait for it."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

BODIES = [
    "np.where(L > 0.1, np.mean(1 / (1 + np.exp(-H * L)), axis=-1, keepdims=True), L)",
    "np.where(L > 0.1, np.sum(np.exp(H * L), axis=1, keepdims=True), 0.0)",
    "np.where(L > 0.1, np.expand_dims(np.sum(np.exp(H * L), axis=0), 0), L)",
    "np.where(L > 0, np.exp(np.sum(np.exp(H) * np.sum(np.exp(H * L), axis=1,"
    " keepdims=True), axis=0, keepdims=True) / 50), H)",
    "np.where(H > 0, np.sum(np.where(L > 0, np.mean(np.exp(H), axis=0, keepdims=True),"
    " H) / np.exp(L), axis=1, keepdims=True), H * L)",
    "np.maximum(np.sum(np.exp(H) * L, axis=1, keepdims=True) / np.exp(H), L)",
]
WAYS = ({"general": True}, {}, {"shapes": {"H": "*s", "L": "*s"}})


@pytest.mark.parametrize("body", BODIES)
def test_what_multiplies_between_sums_is_no_part_of_the_first(tmp_path, body):
    f = written(f"def f(H, L):\n    return {body}\n", tmp_path)
    rng = np.random.default_rng(0)
    H, L = rng.normal(size=(2, 3, 2))
    seed = rng.normal(size=np.shape(f(H, L)))
    want = np.zeros_like(H)
    for place in np.ndindex(H.shape):
        step = np.zeros_like(H)
        step[place] = 1e-6
        change = f(H + step, L) - f(H - step, L)
        want[place] = np.sum(seed * change) / 2e-6
    for options in WAYS:
        found: dict = {}
        exec(gradgen.emit(f, wrt="H", **options), found)
        got = found["grad_f"](H, L, seed)
        assert got.shape == H.shape
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)
