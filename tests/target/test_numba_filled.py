"""Arrays that are filled with an array, beside lists whose parts nothing tells of."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


def averaged(y):
    cur = y.copy()
    nxt = cur.copy()
    p = np.sin(nxt[-1] - nxt[-1])
    grid = nxt.copy()
    first, *rest = p * nxt[-1], 0.7 * p, 0.5
    acc = first * rest[0] + rest[1]
    r = np.tanh(acc)
    for i in range(1, y.shape[0]):
        past = []
        for at in range(y.shape[0]):
            past.append((0.1 * at + 0.5) * (-0.4 * grid))
        best = 0.3 * np.tanh(np.sum(np.sum(past[1:], axis=0)))
        if cur[(i + 1) % y.shape[0]] > 0.8:
            acc = best * p - 1.0 * nxt[i]
    return np.sum(cur) + np.sum(nxt * nxt) + np.sum(y) + acc + r


def test_a_refusal_by_name():
    """What nothing is known of is no array that another one is filled with."""
    with pytest.raises(GradgenError, match="GG713"):
        gradgen.emit(averaged, shapes={"y": "n"}, target="numba")
