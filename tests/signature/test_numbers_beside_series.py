"""Numbers are guessed of what is not indexed, where a text for any rank is refused."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient


def bucket(k, cap, rain):
    s = 0.0
    total = 0.0
    for t in range(len(rain)):
        s += rain[t]
        take = min(s, k * cap)
        s -= take
        total += take * take
    return total


def test_what_is_indexed_is_no_number():
    text = gradgen.emit(bucket, ("k", "cap"))
    assert "k (), cap (), rain (n)" in text
    space: dict = {}
    exec(text, space)
    args = 0.7, 0.9, np.array([0.4, 1.3, 0.2, 2.0])
    for i, found in enumerate(space["grad_bucket"](*args)):
        want = numeric_gradient(bucket, args, i).value
        np.testing.assert_allclose(found, want, rtol=1e-6)
