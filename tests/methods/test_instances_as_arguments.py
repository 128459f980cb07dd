"""Methods that are handed instances, which an example holds."""

import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Params:
    def __init__(self, w, k=1.5, kind="plain"):
        self.w, self.k, self.kind = w, k, kind

    def scaled(self):
        return self.k * self.w


class Model:
    def __init__(self, rate=2.0):
        self.rate = rate

    def loss(self, params):
        return self.rate * np.sum(params.w**2) * params.k

    def by_method(self, x, params):
        return self.rate * np.sum(params.scaled() ** 2 * x)

    def by_kind(self, params, x):
        if params.kind == "plain":
            return self.rate * x @ params.w
        return np.sum(params.w**3)

    def of_two(self, params, others):
        return np.sum(params.w * others.w) * others.k * self.rate

    def deep(self, holder):
        return np.sum(holder.params.w**2) * self.rate

    def nothing_of_self(self, params):
        return np.sum(np.sin(params.w))

    def dot(self, other):
        self.rate = self.rate * 3
        return self.rate**2 * other.rate


W, V = np.array([1.0, 2.0]), np.array([0.3, -0.4])
CASES = {
    "loss": (lambda w: (Params(w, 3.0),), "params.w"),
    "by_method": (lambda w: (V, Params(w, 3.0)), "params.w"),
    "by_kind": (lambda w: (Params(w), V), "params.w"),
    "of_two": (lambda w: (Params(w), Params(V, 0.7)), "params.w"),
    "deep": (lambda w: (types.SimpleNamespace(params=Params(w)),), "holder.params.w"),
    "nothing_of_self": (lambda w: (Params(w),), "params.w"),
}


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("bound", [True, False])
def test_an_instance_of_the_example(name, bound):
    arguments, wrt = CASES[name]
    model = Model()
    method = getattr(model if bound else Model, name)
    example = arguments(W) if bound else (Model(), *arguments(W))
    text = gradgen.emit(method, example=example, wrt=wrt)
    for at in (W, W + 0.5, np.array([0.2, 0.1])):
        found = made(text)(model, *arguments(at))
        call = lambda w: getattr(model, name)(*arguments(w))
        want = numeric_gradient(call, (at.copy(),), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def test_a_gradient_in_both():
    text = gradgen.emit(
        Model().loss, example=(Params(W),), wrt=("self.rate", "params.w")
    )
    d_rate, d_w = made(text)(Model(), Params(W, 3.0))
    np.testing.assert_allclose(d_rate, 3.0 * np.sum(W**2))
    np.testing.assert_allclose(d_w, 12.0 * W)


def test_other_settings_are_refused():
    text = gradgen.emit(Model().by_kind, example=(Params(W), V), wrt="params.w")
    with pytest.raises(ValueError, match="kind"):
        made(text)(Model(), Params(W, kind="other"), V)


def test_one_object_in_two_places_is_refused_where_it_is_stored_into():
    text = gradgen.emit(Model().dot, example=(Model(),), wrt="other.rate")
    gradient = made(text)
    np.testing.assert_allclose(gradient(Model(0.5), Model(4.0)), 2.25)
    one = Model()
    with pytest.raises(ValueError, match="one object"):
        gradient(one, one)
