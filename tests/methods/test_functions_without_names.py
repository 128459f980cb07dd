"""A text looks at functions that an instance holds by their names, or is refused."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def scaled(k):
    def act(z):
        return k * z * z

    return act


class First:
    @staticmethod
    def act(z):
        return z * z


class Second:
    @staticmethod
    def act(z):
        return z**3


LAMBDAS = {"one": lambda z: z * z, "other": lambda z: z**3}
CLOSURES = {"one": scaled(2.0), "other": scaled(5.0)}
STATIC = {"one": First.act, "other": Second.act}


class OfLambdas:
    def __init__(self, W, act="one"):
        self.W, self.act = W, LAMBDAS[act]

    def forward(self, x):
        return np.sum(self.act(self.W @ x))


class OfClosures:
    def __init__(self, W, act="one"):
        self.W, self.act = W, CLOSURES[act]

    def forward(self, x):
        return np.sum(self.act(self.W @ x))


class InLists:
    def __init__(self, W, act="one"):
        self.W, self.acts = W, [LAMBDAS[act], np.tanh]

    def forward(self, x):
        return np.sum(self.acts[0](self.W @ x))


class ByDefault:
    def __init__(self, W, act=lambda z: z * z):
        self.W, self.act = W, act

    def forward(self, x):
        return np.sum(self.act(self.W @ x))


class OfClasses:
    def __init__(self, W, act="one"):
        self.W, self.act = W, STATIC[act]

    def forward(self, x):
        return np.sum(self.act(self.W @ x))


W = np.random.default_rng(3).normal(size=(3, 2))
X = np.array([0.4, 0.7])


@pytest.mark.parametrize("cls", [OfLambdas, OfClosures, InLists, ByDefault])
def test_one_that_its_name_does_not_tell_is_refused(cls):
    other = LAMBDAS["other"] if cls is ByDefault else "other"
    for held in (cls.forward, cls(W, other).forward):
        with pytest.raises(GradgenError) as refused:
            gradgen.emit(held, wrt="x")
        assert refused.value.code == "GG208"


@pytest.mark.parametrize("cls", [OfLambdas, OfClosures, InLists, OfClasses])
@pytest.mark.parametrize("act", ["one", "other"])
def test_calls_take_each(cls, act):
    made = cls(W, act)
    want = numeric_gradient(made.forward, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(made.forward)(X), want, rtol=1e-7)


def test_of_one_name_in_two_classes_the_text_tells_which():
    text = gradgen.emit(OfClasses.forward, wrt="x")
    assert re.search(r'self\.act\.__qualname__ != "First\.act"', text)
    space: dict = {}
    exec(text, space)
    want = numeric_gradient(OfClasses(W).forward, (X,), 0).value
    np.testing.assert_allclose(space["grad_forward"](OfClasses(W), X), want, rtol=1e-7)
    with pytest.raises(ValueError, match="self.act is taken for"):
        space["grad_forward"](OfClasses(W, "other"), X)
