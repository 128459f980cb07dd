"""p == UTM, of instances whose class says nothing of equality: which object it is."""

import dataclasses

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

X = np.array([0.3, 0.8, 0.5])


class Scale:
    def __init__(self, a):
        self.a = a


class Valued(Scale):
    def __eq__(self, other):
        return self.a == other.a

    __hash__ = None


@dataclasses.dataclass
class Pair:
    a: float


ONE, TWO, EVEN = Scale(1.5), Scale(2.5), Scale(1.5)
LIKE, PAIR = Valued(1.5), Pair(2.0)


def either(x, p=ONE):
    if p == TWO:
        return x**2 * p.a
    return x**3 * p.a


def neither(x, p=ONE, q=TWO):
    if p != q and p != TWO:
        return x**2 * p.a + q.a
    return x * p.a


def of_module(x, p=ONE):
    if x[0] == 0:
        return x * ONE.a
    return x**2 * p.a + ONE.a


def by_value(x, p=LIKE):
    return x**2 if p == LIKE else x**3


def of_dataclass(x, p=PAIR):
    return x**2 * p.a if p == PAIR else x**3


@pytest.mark.parametrize("f", [either, neither, of_module])
@pytest.mark.parametrize("more", [(), (ONE,), (TWO,), (EVEN,)])
def test_which_object_it_is(f, more):
    compare(f, (X, *more), text=False)


def test_one_gradient_of_several():
    g = gradgen.grad(either)
    for p in (ONE, TWO, EVEN, TWO, ONE):
        want = 2 * X * p.a if p is TWO else 3 * X**2 * p.a
        assert np.allclose(g(X, p, seed=np.ones(3)), want)
    TWO.a = 4.0
    try:
        assert np.allclose(g(X, TWO, seed=np.ones(3)), 8 * X)
    finally:
        TWO.a = 2.5


@pytest.mark.parametrize("f", [by_value, of_dataclass])
def test_a_class_that_says_what_is_equal(f):
    for p in (Valued(1.5), Valued(3.0)) if f is by_value else (Pair(2.0), Pair(3.0)):
        try:
            compare(f, (X, p), text=False)
        except gradgen.GradgenError:
            pass  # refused is right; another function's gradient is not


@pytest.mark.parametrize("f", [either, neither])
def test_a_text_is_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f)
    assert caught.value.code == "GG271"
