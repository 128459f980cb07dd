"""Private names of classes, self.__w, which Python writes with the name of the class."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, 0.9, 1.31, 1.7])


class Net:
    __rate = 0.5

    def __init__(self, w):
        self.__w = w
        self.__last = None

    def loss(self, x):
        self.__last = self.__gate(x)
        return np.sum(self.__last) * self.__rate

    def __gate(self, x):
        return np.tanh(self.__w * x)

    @property
    def __square(self):
        return self.__w**2

    def nested(self, x):
        def inner(v):
            return v * self.__square

        return np.sum(inner(x)) * self.__doubled(x[0])

    @staticmethod
    def __doubled(v):
        return 2 * v

    def loop(self, x):
        return sum(w * v for w, v in zip(self.__w, x) if v > self.__rate)


class Small(Net):
    """Its own __w is another one than that of Net."""

    def __init__(self, w):
        super().__init__(w)
        self.__w = 2.0

    def both(self, x):
        return self.loss(x) * self.__w


class __Hidden:
    def __init__(self, w):
        self.__w = w

    def loss(self, x):
        return np.sum(self.__w * x**2)


HIDDEN = globals()["__Hidden"]
W = np.array([0.5, -0.3, 0.8, 1.1])
METHODS = [
    Net(W).loss,
    Net(W).nested,
    Net(W).loop,
    Small(W).both,
    Small(W).nested,
    HIDDEN(W).loss,
]


@pytest.mark.parametrize("method", METHODS)
def test_a_method(method):
    want = numeric_gradient(method, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(method)(X), want, rtol=1e-6)
    space = {}
    exec(gradgen.emit(method), space)
    found = space[f"grad_{method.__name__}"](method.__self__, X, 1.0)
    np.testing.assert_allclose(found, want, rtol=1e-6)


def made_inside(x):
    return Net(x).loss(x) + Small(x**2).both(x)


def test_instances_made_inside():
    want = numeric_gradient(made_inside, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(made_inside)(X), want, rtol=1e-6)


def test_the_gradient_in_what_is_private():
    net = Net(W)
    got = gradgen.grad(net.loss, wrt="self._Net__w")(X)
    want = numeric_gradient(lambda w: Net(w).loss(X), [W], 0).value
    np.testing.assert_allclose(got, want, rtol=1e-6)


class Tank:
    def __init__(self, k):
        self.k = k

    def __outflow(self, h, area):
        return self.k * np.sqrt(h) / area

    def level(self, h):
        return h - self.__outflow(h, 2.0)


class _Hidden(Tank):
    def __twice(self, h):
        return 2 * self.k * h


WRITTEN = [
    ("Tank.__outflow", "h", (0.49, 3.0), 1.5 / (2 * 0.7) / 3.0),
    ("Tank._Tank__outflow", "h", (0.49, 3.0), 1.5 / (2 * 0.7) / 3.0),
    ("Tank.__outflow", "self.k", (0.49, 3.0), 0.7 / 3.0),
    ("Tank.__outflow", None, (0.49, 3.0), 1.5 / (2 * 0.7) / 3.0),
    ("_Hidden.__twice", "self.k", (0.49,), 0.98),
]


@pytest.mark.parametrize("name, wrt, args, slope", WRITTEN)
def test_a_private_method_is_named_as_it_is_written(name, wrt, args, slope):
    text = gradgen.emit(f"{__name__}:{name}", wrt=wrt)
    namespace = {}
    exec(text, namespace)
    (gradient,) = (v for k, v in namespace.items() if k.startswith("grad_"))
    tank = _Hidden(1.5)
    np.testing.assert_allclose(gradient(tank, *args), slope, rtol=1e-12)


@pytest.mark.parametrize("wrt, slope", [(None, 1.5 / 1.4 / 3), ("self.k", 0.7 / 3)])
def test_a_private_method_at_hand(wrt, slope):
    method = Tank(1.5)._Tank__outflow
    found = gradgen.grad(method, wrt=wrt)(0.49, 3.0)
    np.testing.assert_allclose(found, slope, rtol=1e-12)
    namespace = {}
    exec(gradgen.emit(Tank._Tank__outflow, wrt=wrt), namespace)
    (gradient,) = (v for k, v in namespace.items() if k.startswith("grad_"))
    np.testing.assert_allclose(gradient(Tank(1.5), 0.49, 3.0), slope, rtol=1e-12)
