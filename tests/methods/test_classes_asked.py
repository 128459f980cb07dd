"""type(self).rate and self.__class__.rate: what the class of an instance has."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.5, 1.5])


class Model:
    rate, kind, table = 0.5, "sum", (1.0, 3.0)

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def scaled(cls, x):
        return cls.rate * x

    def by_type(self, x):
        return np.sum(x**2) * type(self).rate

    def by_class(self, x):
        return np.sum(x**2) * self.__class__.rate

    def by_word(self, x):
        return np.sum(x**2) if type(self).kind == "sum" else np.mean(x)

    def by_table(self, x):
        return np.sum(x**2) * type(self).table[1]

    def by_methods(self, x):
        return np.sum(type(self).square(x)) + np.sum(self.__class__.scaled(x))

    def missing(self, x):
        return np.sum(x) * type(self).nothing


class Fast(Model):
    rate, kind, table = 4.0, "mean", (1.0, 5.0)


class Same(Model):
    pass


def of_model(model, x):
    return np.sum(x**2) * type(model).rate


WANT = {
    "by_type": (X, 8 * X),
    "by_class": (X, 8 * X),
    "by_word": (2 * X, np.full(2, 0.5)),
    "by_table": (6 * X, 10 * X),
    "by_methods": (2 * X + 0.5, 2 * X + 4),
}


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("name", WANT)
def test_what_a_class_has(name):
    for cls, want in zip((Model, Fast), WANT[name]):
        method = getattr(cls(), name)
        np.testing.assert_allclose(gradgen.grad(method)(X), want)
        np.testing.assert_allclose(run(gradgen.emit(method))(cls(), X), want)


@pytest.mark.parametrize("name", WANT)
def test_another_class_is_right_or_raises(name):
    made = run(gradgen.emit(getattr(Model, name)))
    np.testing.assert_allclose(made(Model(), X), WANT[name][0])
    with pytest.raises(ValueError, match="type.self.*is taken for"):
        made(Fast(), X)
    if name in ("by_type", "by_class", "by_word"):
        np.testing.assert_allclose(made(Same(), X), WANT[name][0])


def test_of_an_argument():
    gradient = gradgen.grad(of_model, wrt="x")
    np.testing.assert_allclose(gradient(Model(), X), X)
    np.testing.assert_allclose(gradient(Fast(), X), 8 * X)
    made = run(gradgen.emit(of_model, wrt="x", example=(Model(), X)))
    np.testing.assert_allclose(made(Same(), X), X)
    with pytest.raises(ValueError, match=r"type\(model\).rate is taken for 0.5"):
        made(Fast(), X)


def test_what_it_has_not():
    with pytest.raises(GradgenError, match="Model has no nothing"):
        gradgen.grad(Model().missing)(X)
