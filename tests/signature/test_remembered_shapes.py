"""Hot calls compare shapes with those that passed before: others are tested in full."""

import itertools
import threading

import numpy as np
import pytest

import gradgen
from gradgen.runtime.hot_tests import remembered
from gradgen.verify.finite import numeric_gradient


def product(A, B, c):
    return np.sum(np.tanh(A @ B + c))


def arguments(n, m, k, seed=0):
    rng = np.random.default_rng([n, m, k, seed])
    return rng.normal(size=(n, m)), rng.normal(size=(m, k)), rng.normal(size=k)


SIZES = [(2, 3, 4), (5, 3, 4), (2, 6, 4), (2, 3, 7), (3, 2, 2), (4, 4, 4)]


def agrees(g, args):
    want = numeric_gradient(product, [a.copy() for a in args], 0).value
    np.testing.assert_allclose(g(*args), want, rtol=1e-6, atol=1e-9)


def hot():
    g = gradgen.grad(product)
    for _ in range(4):
        g(*arguments(2, 3, 4))
    assert type(g).is_hot
    return g


def test_other_lengths_are_right():
    g = hot()
    for sizes in itertools.chain(SIZES, reversed(SIZES), SIZES[::2]):
        agrees(g, arguments(*sizes))


@pytest.mark.parametrize("first", SIZES)
def test_shapes_of_two_calls_are_no_shapes_of_one(first):
    g = hot()
    for second in SIZES:
        one, other = arguments(*first), arguments(*second)
        for args in itertools.product(*zip(one, other)):
            g(*one)
            g(*other)
            try:
                product(*args)
            except ValueError:
                with pytest.raises((ValueError, gradgen.GradgenError)):
                    g(*args)
            else:
                agrees(g, args)


def test_axes_of_length_1_and_0_after_others():
    g = hot()
    for sizes in [(1, 3, 4), (2, 1, 4), (2, 3, 1), (1, 1, 1)]:
        agrees(g, arguments(*sizes))
        agrees(g, arguments(2, 3, 4))
    assert g(*arguments(0, 3, 4)).shape == (0, 3)
    wide = (*arguments(2, 3, 4)[:2], np.ones(1))
    agrees(g, wide)


def test_threads_remember_whole_sets_of_shapes():
    g, faults = hot(), []

    def run(sizes):
        args = arguments(*sizes)
        want = numeric_gradient(product, [a.copy() for a in args], 0).value
        for _ in range(300):
            if not np.allclose(g(*args), want, rtol=1e-6, atol=1e-9):
                faults.append(sizes)

    threads = [threading.Thread(target=run, args=(sizes,)) for sizes in SIZES[:4]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_few_tests_are_written_as_they_are():
    assert remembered(["_g_s0 > 1"], 1, 0, {}) == ["_g_s0 > 1"]
    names = {}
    (text,) = remembered(["_g_s0[0] > 1"] * 4, 2, 3, names)
    assert text.startswith("((_g_s0, _g_s1) == _g_last_3 or ")
    assert names["_g_keep_3"]((1, 2)) and names["_g_last_3"] == (1, 2)
