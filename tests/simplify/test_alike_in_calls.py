"""What a function that is called twice computes twice is computed once."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

OPTION = """
class Option:
    def __init__(self, spot: float, sigma: float, time: float):
        self.spot, self.sigma, self.time = spot, sigma, time

    def d1(self):
        drift = np.log(self.spot) + self.sigma ** 2 * self.time
        return drift / (self.sigma * np.sqrt(self.time))

    def d2(self):
        return self.d1() - self.sigma * np.sqrt(self.time)

    def price(self):
        return self.spot * np.exp(-self.d1() ** 2) - np.exp(-self.d2() ** 2)
"""
RATE = """
class Rate:
    def __init__(self, k: float, s: float):
        self.k, self.s = k, s

    @property
    def g(self):
        return np.sqrt(self.k ** 2 + 2 * self.s ** 2)

    def below(self, tau):
        g = self.g
        return (g + self.k) * np.expm1(g * tau) + 2 * g

    def bond(self, tau):
        return 2 * np.expm1(self.g * tau) / self.below(tau)
"""
CHANGED = """
def scale(x):
    return np.sqrt(1.0 + x * x)


def f(x):
    first = np.sin(scale(x))
    s = scale(x)
    s *= 2.0
    return np.sum(first * s + scale(x) ** 2)
"""
AGAIN = """
def scale(x):
    return np.sqrt(1.0 + x * x)


def f(x):
    first = np.sin(scale(x))
    s = scale(x)
    second = np.cos(s) * first
    s = np.exp(-x)
    return np.sum(second * s + scale(x) ** 2)
"""
x = np.array([0.3, -1.2, 0.8])


def loaded(text):
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    return next(space[one] for one in space if one.startswith("grad_"))


def test_a_method_that_another_one_calls_as_well(tmp_path):
    cls = written(OPTION, tmp_path, "option", "Option")
    text = gradgen.emit(cls.price, wrt="self.sigma")
    assert text.count("np.log(S") + text.count("np.log(spot)") == 1
    got = loaded(text)(cls(1.3, 0.4, 2.0))
    want = numeric_gradient(lambda s: cls(1.3, s, 2.0).price(), (0.4,), 0).value
    np.testing.assert_allclose(got, want, rtol=1e-8)


def test_a_property_is_called_as_the_user_calls_it_later(tmp_path):
    cls = written(RATE, tmp_path, "rate", "Rate")
    text = gradgen.emit(cls.bond, wrt="self.k")
    assert "    g = np.sqrt(k**2 + 2 * s**2)\n" in text and text.count("sqrt") == 1
    tau = np.array([0.5, 2.0])
    for args in (tau, 0.7):
        got = loaded(text)(cls(0.3, 0.2), args, np.ones_like(args))
        want = numeric_gradient(
            lambda k: np.sum(cls(k, 0.2).bond(args)), (0.3,), 0
        ).value
        np.testing.assert_allclose(got, want, rtol=1e-8)


@pytest.mark.parametrize("text", [CHANGED, AGAIN], ids=["in place", "bound again"])
@pytest.mark.parametrize("shapes", [None, {"x": "n"}], ids=["untold", "told"])
def test_a_name_that_stands_for_more_than_that_is_none_of_its_parts(
    tmp_path, text, shapes
):
    function = written(text, tmp_path, "changed")
    made = gradgen.emit(function, shapes=shapes)
    want = numeric_gradient(function, (x.copy(),), 0).value
    np.testing.assert_allclose(loaded(made)(x.copy()), want, rtol=1e-8)
