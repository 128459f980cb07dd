"""Types by their names, of numbers, and methods of the class of arrays."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

M = np.arange(6.0).reshape(2, 3) / 3 + 1


def named(x):
    if type(x).__name__ == "ndarray":
        return np.sum(x**2)
    return x


def not_sparse(x):
    if type(x).__name__ in ("csr_matrix", "csc_matrix"):
        x = x.toarray()
    return np.sum(x**3)


def by_class(x):
    if x.__class__.__name__ != "ndarray":
        raise TypeError("no array")
    return np.sum(x**2)


def one_of(x):
    if type(x).__name__ not in ("ndarray", "float64", "list"):
        return x * 5
    return np.sum(np.asarray(x) ** 2)


def product(a, b):
    if type(a).__name__ == "ndarray" and type(b).__name__ == "ndarray":
        found = np.dot(a, b)
    elif type(a).__name__ == "csr_matrix" or type(b).__name__ == "csr_matrix":
        found = a * b
    else:
        raise TypeError("%s and %s" % (type(a).__name__, type(b).__name__))
    return np.sum(found**2)


def flattened(x):
    count = len(np.ndarray.flatten((x)))
    return np.sum(np.ndarray.flatten(x) ** 2) / count


def summed(x):
    return np.ndarray.sum(x, axis=0)[0] + np.ndarray.mean(x) * np.ndarray.max(x)


@pytest.mark.parametrize(
    "function, args",
    [
        (named, (M,)),
        (not_sparse, (M,)),
        (by_class, (M,)),
        (one_of, (M,)),
        (product, (M, M.T)),
        (flattened, (M,)),
        (summed, (M,)),
    ],
)
def test_calls_and_texts(function, args):
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(gradgen.grad(function)(*args), want, rtol=1e-7)
    space = {}
    exec(gradgen.emit(function), space)
    got = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want, rtol=1e-7)


def test_a_text_asks_when_it_runs():
    space = {}
    exec(gradgen.emit(named), space)
    assert space["grad_named"](1.5) == 1.0
    exec(gradgen.emit(by_class), space)
    with pytest.raises(TypeError):
        space["grad_by_class"](1.5)
    assert "x is no csr_matrix" in gradgen.emit(not_sparse)


class Model:
    def __init__(self):
        self.rate = 3.0
        self.weights = np.ones(3)
        self.pair = [1.0, 2.0]

    def scaled(self, x):
        if type(self.rate) is list:
            self.rate = self.rate[0]
        return x * self.rate

    def weighed(self, x):
        if type(self.weights) == tuple or type(self.rate) == np.ndarray:
            return x
        return np.sum(self.weights) * x

    def paired(self, x):
        if type(self.pair) is not list:
            return x
        return self.pair[1] * x


@pytest.mark.parametrize("name, want", [("scaled", 3), ("weighed", 3), ("paired", 2)])
def test_what_an_instance_holds(name, want):
    method = getattr(Model(), name)
    assert gradgen.grad(method)(0.7) == want
    space = {}
    exec(gradgen.emit(method), space)
    assert space[f"grad_{name}"](Model(), 0.7) == want


def entry_of_complex(x):
    z = np.asarray(x, dtype=complex)
    return np.abs(z.item() * (2 + 1j) + z.real)


def test_an_item_of_a_complex_array():
    want = numeric_gradient(entry_of_complex, (0.7,), 0).value
    np.testing.assert_allclose(gradgen.grad(entry_of_complex)(0.7), want, rtol=1e-8)


class Drawn:
    def __init__(self, rate, random_state=None):
        if random_state is None or random_state is np.random:
            random_state = np.random.mtrand._rand
        if not isinstance(random_state, np.random.RandomState):
            raise ValueError("no state")
        self.rate, self.random_state = rate, random_state

    def scaled(self, x):
        return x * self.rate


class Mixture:
    def __init__(self):
        self.random_state = np.random.RandomState(3)
        self.rates = np.array([0.4, 0.5, 0.2])

    def total(self, x):
        out = np.empty((3, len(x)))
        for i in range(3):
            one = Drawn(self.rates[i], random_state=self.random_state)
            out[i] = one.scaled(x)
        return np.sum(out)

    def listed(self, x):
        return np.sum([Drawn(k, self.random_state).scaled(x) for k in self.rates])

    def asked(self, x):
        return np.sum(x) * 1.1 if self.random_state else np.sum(x)

    def added(self, x):
        return np.sum(x) + self.random_state


@pytest.mark.parametrize("name", ["total", "listed", "asked"])
def test_generators_that_are_handed_on(name):
    method = getattr(Mixture(), name)
    np.testing.assert_allclose(gradgen.grad(method)(np.ones(4)), 1.1)
    space = {}
    exec(gradgen.emit(method), space)
    np.testing.assert_allclose(space[f"grad_{name}"](Mixture(), np.ones(4)), 1.1)


def test_nothing_is_computed_with_a_generator():
    with pytest.raises(gradgen.GradgenError, match="GG272"):
        gradgen.grad(Mixture().added)(np.ones(3))
