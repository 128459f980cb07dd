"""A text looks at what it is made for before it reads what others may lack."""

import math

import numpy as np
import pytest

import gradgen


class Potential:
    def __init__(self, kind="lj", params=None):
        self.kind = kind
        self.params = params or {"epsilon": 1.0, "sigma": 1.0, "cutoff": 3.0}

    def energy(self, r):
        if r > self.params["cutoff"]:
            return 0.0
        if self.kind == "lj":
            ratio = self.params["sigma"] / r
            return 4.0 * self.params["epsilon"] * (ratio**12 - ratio**6)
        return self.params["depth"] * (1.0 - math.exp(1.0 - r)) ** 2


class ByAttributes:
    def __init__(self, kind="lj"):
        self.kind = kind
        if kind == "lj":
            self.epsilon = 2.0
        else:
            self.depth = 3.0

    def energy(self, r):
        if self.kind == "lj":
            return self.epsilon * r**3
        return self.depth * r


def by_option(params, r, kind="lj"):
    if kind == "lj":
        return params["epsilon"] * r**3
    return params["depth"] * r


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if "energy" in name or "by" in name)


def slope(function, r, step=1e-4):
    """Extrapolated central differences."""
    wide, near = (
        (function(r + h) - function(r - h)) / (2 * h) for h in (2 * step, step)
    )
    return (4 * near - wide) / 3


OTHER = Potential("morse", {"depth": 2.0, "cutoff": 3.0})


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_another_kind_has_a_message(mode):
    made = run(gradgen.emit(Potential.energy, wrt="r", mode=mode))
    own = Potential()
    more = () if mode == "reverse" else (1.0,)
    found = made(own, 1.3, *more)
    found = found if mode == "reverse" else found[1]
    np.testing.assert_allclose(found, slope(own.energy, 1.3), rtol=1e-9)
    with pytest.raises(ValueError, match="self.kind is taken for 'lj'"):
        made(OTHER, 1.3, *more)


def test_the_pullback_too():
    text = gradgen.emit(Potential.energy, wrt="r", style="callback")
    space = {}
    exec(text, space)
    made = next(one for name, one in space.items() if "energy" in name)
    _, back = made(Potential(), 1.3)
    np.testing.assert_allclose(back(1.0), slope(Potential().energy, 1.3), rtol=1e-9)
    with pytest.raises(ValueError, match="self.kind is taken for 'lj'"):
        made(OTHER, 1.3)


def test_attributes_and_options():
    made = run(gradgen.emit(ByAttributes.energy, wrt="r"))
    np.testing.assert_allclose(made(ByAttributes(), 1.5), 13.5)
    with pytest.raises(ValueError, match="self.kind is taken for 'lj'"):
        made(ByAttributes("linear"), 1.5)
    made = run(gradgen.emit(by_option, wrt="r"))
    np.testing.assert_allclose(made({"epsilon": 2.0}, 1.5), 13.5)
    np.testing.assert_allclose(made({"depth": 2.0}, 1.5, "linear"), 2.0)


def test_an_instance_is_no_number():
    text = gradgen.emit(Potential.energy, wrt="r")
    assert "ndim(self)" not in text and "self is a number" not in text
    for cls in (Potential, ByAttributes):
        text = gradgen.emit(cls.energy, wrt="r")
        assert "self (" not in text


class Wide:
    def __init__(self, w, kind="sum"):
        self.w, self.kind = w, kind

    def loss(self, x, ridge):
        z = np.sum(x @ self.w) if self.kind == "sum" else np.mean(x @ self.w)
        return z**2 + ridge * np.sum(self.w**2)


def test_what_else_is_assumed_stays_looked_at():
    text = gradgen.emit(Wide.loss, wrt="ridge")
    assert "self (" not in text and "ndim(self)" not in text
    space = {}
    exec(text, space)
    w = np.array([1.0, 2.0])
    np.testing.assert_allclose(space["grad_loss"](Wide(w), np.eye(2), 0.1), 5.0)
    with pytest.raises(ValueError, match="ridge"):
        space["grad_loss"](Wide(w), np.eye(2), np.ones(3))
