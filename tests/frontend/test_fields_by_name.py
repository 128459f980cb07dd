"""Stores by a name: setattr(self, "w", x), and object.__setattr__ of frozen classes."""

from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.3, 0.8, 1.4])


@dataclass(frozen=True)
class Normalised:
    w: np.ndarray

    def __post_init__(self):
        object.__setattr__(self, "w", self.w / np.sum(self.w))
        object.__setattr__(self, "total", np.sum(self.w**2))


class Closed:
    def __init__(self, w):
        object.__setattr__(self, "w", w * 2)

    def __setattr__(self, name, value):
        raise AttributeError(name)


class Keyed:
    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)


class Watched:
    def __init__(self, w):
        setattr(self, "gain", 2.0)
        setattr(self, "w", w)

    @property
    def w(self):
        return self._w * self.gain

    @w.setter
    def w(self, value):
        self._w = value**2


@dataclass(frozen=True)
class Calibration:
    a: np.ndarray
    k: float = 2.0


@dataclass
class Open:
    a: np.ndarray
    k: float = 2.0


class Plain:
    def __init__(self, a):
        self.a, self.k, self._kept = a, 2.0, None


def of_normalised(x):
    made = Normalised(x)
    return np.sum(made.w**3) + made.total


def of_closed(x):
    return np.sum(Closed(x).w ** 2)


def of_keyed(x):
    made = Keyed(w=x, scale=2.0)
    return np.sum(made.w**2) * made.scale


def of_watched(x):
    return np.sum(Watched(x).w)


@pytest.mark.parametrize("f", [of_normalised, of_closed, of_keyed, of_watched])
def test_instances_that_the_function_makes(f):
    wanted = differences(lambda x: f(x))
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-7, atol=1e-9)
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)


def kept_by_force(x, c):
    found = getattr(c, "_kept", None)
    if found is None:
        found = np.sum(c.a), c.a**2
        try:
            object.__setattr__(c, "_kept", found)
        except Exception:
            pass
    total, squares = found
    return np.sum(x * squares) * total


def kept_by_name(x, c):
    setattr(c, "kept", np.sum(c.a) * x)
    return np.sum(c.kept**2) * c.k


def kept_under_a_name(x, c):
    for name in ("first", "second"):
        setattr(c, name, c.a * x)
    return np.sum(c.first * c.second) * c.k


@pytest.mark.parametrize("f", [kept_by_force, kept_by_name, kept_under_a_name])
@pytest.mark.parametrize("cls", [Calibration, Open, Plain])
def test_arguments_that_keep_what_was_computed(f, cls):
    if cls is Calibration and f is not kept_by_force:
        with pytest.raises(GradgenError, match="GG230"):
            gradgen.grad(f)(X, cls(X.copy()))
        return
    wanted = differences(lambda x: f(x, cls(X.copy())))
    given = cls(X.copy())
    before = dict(vars(given))
    np.testing.assert_allclose(gradgen.grad(f)(X, given), wanted, rtol=1e-7)
    assert vars(given).keys() == before.keys()


def differences(f):
    h = 1e-6
    return np.array([(f(X + e) - f(X - e)) / (2 * h) for e in h * np.eye(3)])


def stored_into_both(x, c):
    object.__setattr__(c, "k", 3.0)
    return np.sum(x) * c.k * AROUND.k


AROUND = Plain(X)


def test_an_argument_that_may_be_the_one_of_the_module():
    """Its k is stored, and read around the function: which of the two is not known."""
    with pytest.raises(GradgenError, match="GG230 this Plain may be the one"):
        gradgen.grad(stored_into_both)(X, Plain(X))
