"""Texts of methods as short as by hand: what an instance or its class tells is used."""

import inspect
import types

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

rng = np.random.default_rng(5)


class Norm:
    def __init__(self, dim, eps=1e-5):
        self.gamma = np.linspace(0.5, 1.5, dim)
        self.beta = np.ones(dim)
        self.eps = eps

    def __call__(self, x):
        mu = x.mean(axis=-1, keepdims=True)
        var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
        return self.gamma * (x - mu) / np.sqrt(var + self.eps) + self.beta


class Bodies:
    def __init__(self):
        place = lambda x, y, m: types.SimpleNamespace(at=np.array([x, y]), mass=m)
        self.all = [place(0.0, 0.1, 1.0), place(1.0, 2.0, 0.5)]
        self.soft = 0.1

    def __call__(self, x):
        total = 0.0
        for body in self.all:
            d = x - body.at
            total -= body.mass / np.sqrt(np.sum(d**2) + self.soft**2)
        return total


class Rows:
    def __init__(self, n=3, m=2):
        self.W = rng.normal(size=(n, m))
        self.b = np.zeros((1, m))

    def __call__(self, x):
        return x @ self.W + self.b


class Convolution:
    def __init__(self):
        self.W = rng.normal(size=(4, 2, 3))
        self.b = rng.normal(size=4)
        self.k = 3

    def __call__(self, x):
        n, c, length = x.shape
        out = np.zeros((n, self.W.shape[0], length - self.k + 1))
        for t in range(out.shape[2]):
            part = x[:, :, t : t + self.k]
            out[:, :, t] = np.tensordot(part, self.W, axes=([1, 2], [1, 2])) + self.b
        return out


class Car:
    def __init__(self):
        self.mass, self.dt = 1.3, 0.1

    def step(self, state, force):
        x, v, heat = state
        speed = v + self.dt * force / self.mass
        return np.array([x + self.dt * v, speed, heat + self.dt * v**2])

    def __call__(self, forces, state, goal):
        cost = 0.0
        for k in range(len(forces)):
            state = self.step(state, forces[k, 0])
            cost += np.sum((state[:1] - goal[k]) ** 2)
        return cost


class Literal:
    def __init__(self):
        self.W = [rng.normal(size=(3, 4)), rng.normal(size=(4, 2))]
        self.b = [rng.normal(size=4), rng.normal(size=2)]

    def __call__(self, x):
        for i in range(len(self.W)):
            x = np.tanh(x @ self.W[i] + self.b[i])
        return np.sum(x)


class Projections:
    def __init__(self, d=3):
        self.Q, self.K, self.V = (rng.normal(size=(d, d)) for _ in range(3))

    def __call__(self, x):
        return np.sum(np.tanh((x @ self.Q) * (x @ self.K)) @ self.V)


CASES = [
    (Norm(3), (rng.normal(size=(4, 3)),), ["bound"]),
    (Bodies(), (np.array([0.4, 0.7]),), ["bound"]),
    (Rows(), (rng.normal(size=(4, 3)),), ["bound", "class"]),
    (Convolution(), (rng.normal(size=(2, 2, 7)),), ["bound", "class"]),
    (
        Car(),
        (rng.normal(size=(5, 1)), np.array([0.1, 0.2, 0.0]), np.ones((5, 1))),
        ["bound", "class"],
    ),
    (Literal(), (rng.normal(size=(5, 3)),), ["bound", "class"]),
]


@pytest.mark.parametrize("door", ["bound", "class"])
@pytest.mark.parametrize("f, args, short", CASES)
def test_the_text(f, args, short, door):
    if isinstance(f, Bodies) and door == "class":
        pytest.skip("which objects a list holds is told by an instance alone")
    text = gradgen.emit(f if door == "bound" else type(f).__call__)
    space = {}
    exec(text, space)
    grad = space["grad___call__"] if "grad___call__" in space else space["grad_call"]
    value = f(*args)
    seed = rng.uniform(0.5, 1.5, np.shape(value)) if np.ndim(value) else 1.0
    want = numeric_gradient(lambda *a: np.sum(seed * f(*a)), args, 0).value
    names = list(inspect.signature(grad).parameters)
    given = (f, *args) if names[0] == "self" else args
    found = grad(*given, **{names[-1]: seed})
    assert np.shape(found) == args[0].shape
    np.testing.assert_allclose(found, want, rtol=2e-6, atol=1e-8)
    assert door not in short or "def _" not in text


def test_a_filter_of_another_length_is_refused_by_the_text():
    space, f = {}, Convolution()
    exec(gradgen.emit(f), space)
    f.W = rng.normal(size=(4, 2, 1))
    with pytest.raises(ValueError, match=r"self.W \(m, k, 3\)"):
        space["grad___call__"](f, rng.normal(size=(2, 2, 7)), np.ones((2, 4, 5)))


def test_a_state_of_another_length_is_refused_by_the_text():
    space, f = {}, Car()
    exec(gradgen.emit(Car.__call__), space)
    with pytest.raises(ValueError, match=r"state \(3\)"):
        space["grad___call__"](f, np.ones((3, 1)), np.ones(4), np.ones((3, 1)))


@pytest.mark.parametrize("wrt", [None, "self.W", "self.b"])
def test_entries_by_a_count_that_a_while_loop_makes(wrt):
    class Net:
        def __init__(self):
            self.W = [rng.normal(size=(3, 4)), rng.normal(size=(4, 2))]
            self.b = (rng.normal(size=4), rng.normal(size=2))

        def f(self, x):
            k = 0
            while k < len(self.W):
                x = np.tanh(x @ self.W[k] + self.b[k])
                k += 1
            return np.sum(x)

    net, x = Net(), rng.normal(size=(5, 3))
    found = gradgen.grad(net.f, wrt=wrt)(x) if wrt else gradgen.grad(net.f)(x)
    if wrt is None:
        want = numeric_gradient(net.f, (x,), 0).value
        return np.testing.assert_allclose(found, want, rtol=2e-6)
    held = getattr(net, wrt[5:])
    assert type(found) is type(held)
    for i, d in enumerate(found):

        def at(value):
            setattr(net, wrt[5:], [*held[:i], value, *held[i + 1 :]])
            return net.f(x)

        want = numeric_gradient(at, (held[i],), 0).value
        np.testing.assert_allclose(d, want, rtol=2e-6, atol=1e-8)


def test_arrays_made_in_one_comprehension_have_one_shape():
    text, f = gradgen.emit(Projections.__call__), Projections()
    space = {}
    exec(text, space)
    x = rng.normal(size=(2, 3))
    want = numeric_gradient(f, (x,), 0).value
    np.testing.assert_allclose(space["grad___call__"](f, x), want, rtol=2e-6)
    assert "self.Q (d, d), self.K (d, d), self.V (d, d)" in text
