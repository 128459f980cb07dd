"""Loggers and random generators that instances hold: named, handed on, never drawn from."""

import logging

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([1.0, 2.0, 6.0])


class Model:
    def __init__(self, k=2.0):
        self.k = k
        self.logger = logging.getLogger(__name__)
        self.other = logging.getLogger("models")
        self.w = np.ones(3)

    def loss(self, x):
        if x[0] > 5:
            self.logger.warning("large %f", x[0])
        self.other.info("loss")
        return self.k * np.sum(x**2 * self.w)

    def square(self, x):
        self.logger.error("square of %d", len(x))
        return self.loss(x) ** 2


class Holder:
    def __init__(self):
        self.model = Model()

    def loss(self, x):
        self.model.logger.error("held")
        return self.model.square(x)


@pytest.mark.parametrize(
    "method, want",
    [
        (Model().loss, 4 * X),
        (Model().square, 8 * X * 2 * np.sum(X**2)),
        (Holder().loss, 8 * X * 2 * np.sum(X**2)),
    ],
)
def test_fields_that_are_loggers(method, want, caplog):
    with caplog.at_level(logging.ERROR):
        np.testing.assert_allclose(gradgen.grad(method)(X), want)
    said = len(caplog.records)
    text = gradgen.emit(method)
    assert "logging.getLogger(" in text
    space = {}
    exec(text, space)
    function = next(v for k, v in space.items() if k.startswith("grad_"))
    with caplog.at_level(logging.ERROR):
        np.testing.assert_allclose(function(method.__self__, X), want)
    assert len(caplog.records) == 2 * said


def test_of_the_class_alone():
    text = gradgen.emit(Model.square)
    assert 'logging.getLogger("models")' in text
    space = {}
    exec(text, space)
    got = space["grad_square"](Model(), X)
    np.testing.assert_allclose(got, 8 * X * 2 * np.sum(X**2))


def total(x, random_state=None):
    if isinstance(random_state, np.random.RandomState):
        return np.sum(x * x)
    return np.sum(x)


class Drawing:
    def __init__(self):
        self.rng = np.random.default_rng(1)
        self.state = np.random.RandomState(3)
        self.rate = 0.5

    def dropped(self, x, training=False):
        if training:
            return x * (self.rng.random(x.shape) > self.rate)
        return x * self.rate

    def handed_on(self, x):
        return total(x, self.state)

    def asked(self, x):
        return x * (2 if self.rng is None else 3)

    def drawn(self, x):
        return x * self.rng.normal(size=x.shape)

    def drawn_by_state(self, x):
        return np.sum(x * np.asarray(self.state.rand(3)))


def test_generators_that_nothing_is_drawn_from():
    one = Drawing()
    seed = np.ones(3)
    np.testing.assert_allclose(gradgen.grad(one.dropped)(X, seed=seed), 0.5)
    np.testing.assert_allclose(gradgen.grad(one.handed_on)(X), 2 * X)
    np.testing.assert_allclose(gradgen.grad(one.asked)(X, seed=seed), 3.0)
    with pytest.raises(GradgenError):
        gradgen.grad(one.dropped)(X, True, seed=seed)


@pytest.mark.parametrize("name", ["drawn", "drawn_by_state"])
def test_what_is_drawn_is_refused(name):
    with pytest.raises(GradgenError, match="GG218"):
        gradgen.grad(getattr(Drawing(), name))(X, seed=np.ones(3))
    with pytest.raises(GradgenError, match="GG218"):
        gradgen.emit(getattr(Drawing(), name))
