"""Dictionaries that get other keys in the rounds of a loop: refused, with the reason."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def one_key(x):
    d = {}
    for v in x:
        d["a"] = v * 2
    return d["a"]


def another_key(x):
    d = {"a": 1.0}
    for v in x:
        d["b"] = v * 2
        d["a"] = d["a"] * v
    return d["a"] + d["b"]


def updated(x):
    d = {"a": 1.0}
    for v in x:
        d.update(b=v)
    return d["a"] * d["b"]


def counted_of_a_generator(x):
    def steps(n):
        for i in range(n):
            yield x[0] * i

    d = {i: v * x[1] for i, v in enumerate(steps(3))}
    return d[0] + 2 * d[1]


def in_an_inner_loop(x):
    d = {}
    for v in x:
        for w in x:
            d["a"] = v * w
    return d["a"]


@pytest.mark.parametrize("f", [one_key, another_key, updated, in_an_inner_loop])
def test_keys_that_a_loop_adds_are_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(np.array([1.1, 0.7, 1.3]))
    assert caught.value.code == "GG244"


def test_a_key_that_is_taken_away_and_put_back():
    def f(x):
        d = {"a": 1.0, "b": x[0]}
        for v in x:
            del d["b"]
            d["b"] = v
        return d["a"] * x[1] * d["b"]

    x = np.array([1.1, 0.7, 1.3])
    np.testing.assert_allclose(gradgen.grad(f)(x), [0.0, 1.3, 0.7])


def test_keys_counted_over_what_a_generator_gives():
    x = np.array([1.1, 0.7, 1.3])
    wanted = numeric_gradient(counted_of_a_generator, [x], 0).value
    got = gradgen.grad(counted_of_a_generator)(x)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-9)
