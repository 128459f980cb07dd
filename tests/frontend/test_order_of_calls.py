"""What is called comes before its arguments: the defaults of a lambda are made first."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 1.2, -0.7])


class Counter:
    def __init__(self):
        self.n = 0

    def val(self, v):
        self.n += 1
        return v * self.n


def starred(x):
    p = Counter()
    return (lambda a, b=p.val(x[1]): a + b)(*[p.val(x[0])])


def by_name(x):
    p = Counter()
    return (lambda a, b=p.val(x[1]): a + b)(**{"a": p.val(x[0])})


def one_of_two(x):
    p = Counter()
    one = lambda a: a  # noqa: E731
    made = (lambda a, b=p.val(x[1]): a + b) if x[0] > 0 else one
    return made(*[p.val(x[0])]) + (
        (lambda a, b=p.val(x[2]): a * b) if x[1] > 0 else (lambda a: a)
    )(*[p.val(x[1])])


def named(x):
    p = Counter()
    return (g := lambda a, b=p.val(x[1]): a + b)(*[p.val(x[0])]) + g(x[2])


def of_a_list(x):
    p = Counter()
    return [lambda a, b=p.val(x[1]): a + b][0](*[p.val(x[0])])


def made_by_a_call(x):
    p = Counter()

    def make(s):
        return lambda a, b=p.val(s): a + b

    return make(p.val(x[1]))(*[p.val(x[0])], **{})


FUNCTIONS = [starred, by_name, one_of_two, named, of_a_list, made_by_a_call]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_right(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7)
    value, found = gradgen.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-12)
    np.testing.assert_allclose(found, want, rtol=1e-7)
