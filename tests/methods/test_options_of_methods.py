"""Methods called with functions, lists of tuples and options, as functions are."""

import numpy as np
import pytest

import gradgen


class Model:
    def __init__(self, scale):
        self.scale = scale
        self.users = np.linspace(0.2, 1.4, 6).reshape(3, 2)
        self.items = np.linspace(-0.5, 0.9, 8).reshape(4, 2)

    def inner(self, x, slope):
        return slope(x) * x

    def applied(self, x, slope):
        y = self.inner(x, slope)
        return self.scale * np.sum(self.inner(x + y, slope=slope))

    def observed(self, triples):
        total = 0.0
        for u, i, r in triples:
            total += (r - np.dot(self.users[u], self.items[i])) ** 2
        return total / len(triples)

    def reduced(self, x, kind):
        if kind == "sum":
            return self.scale * np.sum(x**2)
        return np.mean(x**3)


def gentle(s):
    return 0.02 + 0.1 * s


def steep(s):
    return s**2


X = np.array([0.5, 1.2, -0.3])
TRIPLES = [(0, 1, 3.0), (2, 1, 1.5), (2, 3, 0.5)]
CALLS = [
    ("applied", (X, gentle)),
    ("applied", (X, steep)),
    ("applied", (X, lambda s: np.sin(s))),
    ("reduced", (X, "sum")),
    ("reduced", (X, "mean")),
]


def differences(call, x):
    steps = 1e-6 * np.eye(x.size).reshape(x.size, *x.shape)
    found = [(call(x + step) - call(x - step)) / 2e-6 for step in steps]
    return np.reshape(found, x.shape)


@pytest.mark.parametrize("name, args", CALLS)
@pytest.mark.parametrize("unbound", [False, True])
def test_the_gradient_is_that_of_differences(name, args, unbound):
    for model in (Model(2.0), Model(-0.5)):
        method = getattr(model, name)
        want = differences(lambda x: method(x, *args[1:]), args[0])
        if unbound:
            found = gradgen.grad(getattr(Model, name), wrt="x")(model, *args)
        else:
            found = gradgen.grad(method, wrt="x")(*args)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_one_derivative_serves_instances_and_functions_in_turn():
    gradient = gradgen.grad(Model.applied, wrt="x")
    models, slopes = (Model(2.0), Model(-0.5)), (gentle, steep)
    for model in models * 2:
        for slope in slopes * 2:
            found = gradient(model, X, slope)
            want = differences(lambda x: model.applied(x, slope), X)
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
            model.scale += 0.25


@pytest.mark.parametrize("name", ["users", "items"])
def test_lists_of_tuples_are_gone_through(name):
    model = Model(1.0)

    def at(value):
        other = Model(1.0)
        setattr(other, name, value)
        return other.observed(TRIPLES)

    found = gradgen.grad(model.observed, wrt=f"self.{name}")(TRIPLES)
    np.testing.assert_allclose(
        found, differences(at, getattr(model, name)), rtol=1e-6, atol=1e-8
    )


def test_arguments_come_by_their_names_as_well():
    model = Model(2.0)
    want = gradgen.grad(model.applied, wrt="x")(X, gentle)
    gradients = [gradgen.grad(model.applied, wrt="x")] * 2
    found = [one(x=X, slope=gentle) for one in gradients]
    found.append(gradgen.grad(model.applied, wrt="x")(X, slope=gentle))
    found.append(gradgen.grad(Model.applied, wrt="x")(model, x=X, slope=gentle))
    found.append(gradgen.vjp(model.applied, wrt="x")(x=X, slope=gentle)[1](1.0))
    for one in found:
        np.testing.assert_array_equal(one, want)
    users = gradgen.grad(model.observed, wrt="self.users")
    np.testing.assert_array_equal(users(triples=TRIPLES), users(TRIPLES))


def test_so_do_tangents_and_pullbacks():
    model = Model(2.0)
    want = differences(lambda x: model.applied(x, steep), X)
    value, tangent = gradgen.jvp(model.applied, wrt="x")(X, steep, np.ones(3))
    np.testing.assert_allclose([value, tangent], [model.applied(X, steep), want.sum()])
    value, pullback = gradgen.vjp(model.applied, wrt="x")(X, steep)
    np.testing.assert_allclose(pullback(2.0), 2 * want, rtol=1e-6)
