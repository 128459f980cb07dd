"""Instances that a method makes in __init__, and gradients in parts of arguments."""

import math

import numpy as np
import pytest

import gradgen

STEP = 1e-6


class Vec:
    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __mul__(self, other):
        if isinstance(other, Vec):
            return self.x * other.x + self.y * other.y
        return Vec(self.x * other, self.y * other)

    def __rmul__(self, other):
        return self.__mul__(other)

    def unit(self):
        n = math.sqrt(self.x**2 + self.y**2)
        if n == 0:
            return Vec(1.0, 0.0)
        return Vec(self.x / n, self.y / n)

    def chosen(self):
        return self if self.x > 0 else 1.0


class Ray:
    def __init__(self, origin: Vec, direction: Vec):
        self.origin = origin
        self.direction = direction.unit()
        turned = Vec(-origin.y, origin.x)
        self.turned = turned.unit()
        self.other = direction.chosen()


class Scene:
    def __init__(self, k: float):
        self.k = k

    def hit(self, ray: Ray):
        return 2 * ray.direction * ray.origin * self.k

    def across(self, ray: Ray, v: Vec):
        return v * (3 * ray.turned) + (ray.origin * ray.origin) ** 2 * self.k

    def one(self, ray: Ray):
        return ray.other.x * ray.other.y


def alone(ray: Ray, k):
    return np.sum(k * ray.origin.x) ** 2 * ray.direction.y


def untold(config, angle):
    return np.sum(config.stiff * np.sin(angle * config.stiff))


def ray():
    return Ray(Vec(0.3, -0.8), Vec(0.6, 1.2))


K = np.array([0.5, 1.5])
SCENE = Scene(1.3)
# the function, its arguments, the path of what is asked for
CASES = {
    "own number": (Scene.hit, lambda: (Scene(1.3), ray()), "self.k"),
    "direction": (Scene.hit, lambda: (SCENE, ray()), "ray.direction.y"),
    "origin": (Scene.hit, lambda: (SCENE, ray()), "ray.origin.x"),
    "both": (Scene.across, lambda: (SCENE, ray(), Vec(0.2, 0.9)), "ray.turned.x"),
    "v": (Scene.across, lambda: (SCENE, ray(), Vec(0.2, 0.9)), "v.y"),
    "function": (alone, lambda: (ray(), K), "ray.origin.x"),
}


def moved(path, args, parameters, step):
    name, *steps, last = path.split(".")
    one = args[parameters.index(name)]
    for key in steps:
        one = getattr(one, key)
    setattr(one, last, getattr(one, last) + step)
    return args


def run(text):
    space = {}
    exec(text, space)
    return next(one for name, one in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("name", CASES)
def test_with_nothing_told(name):
    function, given, path = CASES[name]
    names = list(function.__code__.co_varnames)

    def at(step):
        return function(*moved(path, given(), names, step))

    near, wide = at(STEP) - at(-STEP), at(2 * STEP) - at(-2 * STEP)
    want = (8 * near - wide) / (12 * STEP)
    found = run(gradgen.emit(function, wrt=path))(*given())
    assert np.shape(found) == ()
    np.testing.assert_allclose(found, want, rtol=1e-7)


def test_a_part_of_what_nothing_tells_of():
    class Config:
        stiff = np.array([0.4, 1.1, 0.7])

    angle = 0.8
    found = run(gradgen.emit(untold, wrt="config.stiff"))(Config(), angle)
    s = Config.stiff
    want = np.sin(angle * s) + s * angle * np.cos(angle * s)
    np.testing.assert_allclose(found, want, rtol=1e-12)


def test_what_is_taken_for_known_is_looked_at():
    made, other = run(gradgen.emit(Scene.hit, wrt="self.k")), ray()
    other.direction = K
    with pytest.raises((ValueError, AttributeError)):
        made(SCENE, other)


def test_a_method_that_may_return_something_else_tells_nothing():
    made = run(gradgen.emit(Scene.one, wrt="ray.other.x"))
    np.testing.assert_allclose(made(SCENE, ray()), 1.2)
