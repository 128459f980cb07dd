"""Texts of a class's methods that go through lists of arrays, however many there are."""

import copy
import types

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

SIZES = (3, 4, 2)
rng = np.random.default_rng(3)
X = rng.normal(size=(5, 3))


def made(sizes):
    Ws = [rng.normal(size=(a, b)) for a, b in zip(sizes[:-1], sizes[1:])]
    return Ws, [rng.normal(size=b) for b in sizes[1:]]


class Uses:
    def by_index(self, x):
        for i in range(len(self.weights)):
            x = np.tanh(x @ self.weights[i] + self.biases[i])
        return np.sum(x)

    def in_pairs(self, x):
        h = x
        for W, b in zip(self.weights[:-1], self.biases[:-1]):
            h = np.tanh(h @ W + b)
        return np.sum((h @ self.weights[-1] + self.biases[-1]) ** 2)

    def summed(self, x):
        h = np.tanh(x @ self.weights[0])
        penalty = sum(np.sum(W**2) for W in self.weights)
        return np.sum(h) + 0.1 * np.sum(x**2) * penalty

    def counted(self, x):
        i = 0
        while i < len(self.weights):
            x = np.sin(x @ self.weights[i] + self.biases[i])
            i += 1
        return np.sum(x)


class Comprehended(Uses):
    def __init__(self, sizes=SIZES):
        self.weights = [rng.normal(size=(a, b)) for a, b in zip(sizes[:-1], sizes[1:])]
        self.biases = list(rng.normal(size=b) for b in sizes[1:])


class Appended(Uses):
    def __init__(self, sizes=SIZES):
        self.weights, self.biases = [], []
        for a, b in zip(sizes[:-1], sizes[1:]):
            W = rng.normal(size=(a, b))
            self.weights.append(W)
            self.biases.append(rng.normal(size=b))


class Local(Uses):
    def __init__(self, sizes=SIZES):
        weights = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            weights.append(rng.normal(size=(a, b)))
        self.weights = weights
        self.biases = [None] * (len(sizes) - 1)
        for i in range(len(sizes) - 1):
            self.biases[i] = rng.normal(size=sizes[i + 1])


class Written(Uses):
    def __init__(self):
        self.weights = (rng.normal(size=(3, 4)), rng.normal(size=(4, 2)))
        self.biases = (rng.normal(size=4), rng.normal(size=2))


class Annotated(Uses):
    weights: list[np.ndarray]
    biases: "tuple[np.ndarray, ...]"

    def __init__(self):
        self.weights, self.biases = made(SIZES)


class Given(Uses):
    def __init__(self):
        self.weights, self.biases = made(SIZES)


METHODS = ["by_index", "in_pairs", "summed", "counted"]
CLASSES = [Comprehended, Appended, Local, Written, Annotated]


def text_of(cls, name, **options):
    """The function of a text; which class inherits a method is told by name alone."""
    space = {}
    exec(gradgen.emit(f"{__name__}:{cls.__name__}.{name}", **options), space)
    return space[f"grad_{name}"]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("cls", [*CLASSES, Given])
def test_the_gradient_in_the_argument(cls, name):
    net = cls()
    want = numeric_gradient(getattr(net, name), (X,), 0).value
    found = text_of(cls, name)(net, X)
    assert found.shape == X.shape
    np.testing.assert_allclose(found, want, rtol=2e-6, atol=1e-8)
    np.testing.assert_allclose(gradgen.grad(getattr(net, name))(X), want, rtol=2e-6)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("cls", CLASSES)
def test_the_gradient_in_the_list(cls, name):
    net = cls()
    found = text_of(cls, name, wrt="self.weights")(net, X)
    assert len(found) == 2
    for i, d_W in enumerate(found):

        def at(W):
            parts = [*net.weights[:i], W, *net.weights[i + 1 :]]
            other = types.SimpleNamespace(weights=parts, biases=net.biases)
            return getattr(cls, name)(other, X)

        want = numeric_gradient(at, (net.weights[i],), 0).value
        assert d_W.shape == net.weights[i].shape
        np.testing.assert_allclose(d_W, want, rtol=2e-6, atol=1e-8)


def test_a_text_serves_any_number_of_layers():
    grad = text_of(Comprehended, "by_index")
    for sizes in ((3, 2), (3, 5, 4, 2)):
        net = Comprehended(sizes)
        want = numeric_gradient(net.by_index, (X,), 0).value
        np.testing.assert_allclose(grad(net, X), want, rtol=2e-6, atol=1e-8)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_no_class_s_own_takes_lists(name):
    net, space = Given(), {}
    exec(gradgen.emit(getattr(Uses, name)), space)
    want = numeric_gradient(getattr(net, name), (X,), 0).value
    found = space[f"grad_{name}"](net, X)
    np.testing.assert_allclose(found, want, rtol=2e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["by_index", "counted", "summed"])
def test_what_nothing_tells_to_be_a_list_is_looked_at(name):
    grad = text_of(Given, name, wrt="self.weights")
    with pytest.raises(ValueError, match="self.weights is taken for an array"):
        grad(Given(), X)


class Layers:
    def __init__(self, sizes=SIZES):
        self.layers = [Appended((a, b)) for a, b in zip(sizes[:-1], sizes[1:])]
        self.named = {f"W{i}": np.ones((3, 2)) for i in range(len(sizes))}

    def called(self, x):
        for layer in self.layers:
            x = layer.by_index(x)
        return x

    def read(self, x):
        for i in range(len(self.layers)):
            x = x @ self.layers[i].weights[0]
        return np.sum(x)

    def keyed(self, x):
        total = 0.0
        for i in range(3):
            total = total + np.sum(np.sin(x @ self.named[f"W{i}"]))
        return total


def test_keys_that_a_short_loop_puts_together_need_no_instance():
    net = Layers()
    grad = text_of(Layers, "keyed", wrt="x")
    want = numeric_gradient(net.keyed, (X,), 0).value
    np.testing.assert_allclose(grad(net, X), want, rtol=2e-6)


@pytest.mark.parametrize("name", ["called", "read"])
def test_what_only_an_instance_tells_is_said(name):
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(getattr(Layers, name))
    assert "an instance that holds it" in str(caught.value)
    net = Layers()
    f = getattr(net, name)
    x = X if name != "called" else X[:1]
    space = {}
    exec(gradgen.emit(f), space)
    if name == "called":
        return
    want = numeric_gradient(f, (x,), 0).value
    np.testing.assert_allclose(space[f"grad_{name}"](net, x), want, rtol=2e-6)


class Changing:
    def __init__(self, n=2):
        self.Ws = [rng.normal(size=(3, 3)) for _ in range(n)]
        self.cache = [None] * n

    def halved(self, x):
        for i in range(len(self.Ws)):
            self.Ws[i] = self.Ws[i] * 0.5
            x = np.tanh(x @ self.Ws[i])
        return np.sum(x)

    def longer(self, x):
        self.Ws.append(x.T @ x)
        for W in self.Ws:
            x = np.tanh(x @ W)
        return np.sum(x)

    def shorter(self, x):
        last = self.Ws.pop()
        for W in self.Ws:
            x = np.tanh(x @ W)
        return np.sum(x @ last)

    def cached(self, x):
        for i in range(len(self.Ws)):
            self.cache[i] = x
            x = np.tanh(x @ self.Ws[i])
        return np.sum(x) + np.sum(self.cache[0] ** 2) + np.sum(self.cache[-1] ** 3)


@pytest.mark.parametrize("wrt", ["x", "self.Ws"])
@pytest.mark.parametrize("name", ["halved", "longer", "shorter", "cached"])
def test_an_instance_stays_as_it_was(name, wrt):
    net = Changing()
    before = [W.copy() for W in net.Ws]

    def at(x, *Ws):
        other = copy.copy(net)
        other.Ws, other.cache = list(Ws), [None, None]
        return getattr(other, name)(x)

    found = text_of(Changing, name, wrt=wrt)(net, X)
    found = [found] if wrt == "x" else found
    args = (X, *before)
    for d, i in zip(found, [0] if wrt == "x" else [1, 2], strict=True):
        want = numeric_gradient(at, args, i).value
        np.testing.assert_allclose(d, want, rtol=2e-6, atol=1e-8)
    assert net.cache == [None, None] and len(net.Ws) == 2
    assert all(np.array_equal(W, old) for W, old in zip(net.Ws, before))
