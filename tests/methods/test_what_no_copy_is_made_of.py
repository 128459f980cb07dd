"""Instances that hold a module, a lock or an open stream beside their arrays."""

import io
import random
import threading

import numpy as np
import pytest

import gradgen
from gradgen.runtime.copied import copied
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, -1.2, 0.8])


class Searcher:
    def __init__(self, held):
        self.held = held
        self.w = np.array([1.0, 0.5, -2.0])
        self.calls = 0
        self.seen = []

    def peaks(self, x):
        self.calls += 1
        self.seen.append(x)
        return np.sum(self.w * x**2), self.w * x

    def entries(self, x):
        return self.w * x**2


HELD = {
    "module": lambda: random,
    "lock": threading.Lock,
    "stream": lambda: io.BufferedReader(io.BytesIO(b"")),
    "generator": lambda: (i for i in (1, 2)),
    "inside": lambda: {"source": [np.ones(2), random]},
}


@pytest.mark.parametrize("sort", HELD)
def test_results_that_need_a_seed(sort):
    made = Searcher(HELD[sort]())
    got = gradgen.grad(made.peaks)(X, seed=(2.0, 3.0))
    np.testing.assert_allclose(got, 4 * made.w * X + 3 * made.w)
    assert made.calls == 0 and made.seen == []
    want = numeric_gradient(lambda x: np.sum(made.entries(x)), [X], 0).value
    np.testing.assert_allclose(gradgen.grad(made.entries)(X), want, rtol=1e-7)


@pytest.mark.parametrize("sort", HELD)
def test_the_rest_is_copied(sort):
    made = Searcher(HELD[sort]())
    other = copied(made)
    assert other is not made and other.w is not made.w
    other.seen.append(1)
    other.w[0] = 7.0
    assert made.seen == [] and made.w[0] == 1.0


def test_one_lock_twice_stays_one():
    lock = threading.Lock()
    first, second = copied([lock, {"again": lock}])
    assert first is lock and second["again"] is lock
