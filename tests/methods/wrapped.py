"""Methods behind decorators that take *args: what classes with units and checks have."""

from functools import wraps

import numpy as np


def tripled(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        return 3 * f(*args, **kwargs)

    return wrapper


def in_units(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        unit = kwargs.get("unit", 1.0)
        given = (args[0],)
        for i in range(1, len(args)):
            given = (*given, args[i] * 2.0)
        return f(*given, **kwargs) * unit

    return wrapper


def by_instance(f):
    @wraps(f)
    def wrapper(self, *args, **kwargs):
        return self.scale * f(self, *args, **kwargs)

    return wrapper


def unnamed(f):
    def wrapper(*args, **kwargs):
        return 2 * f(*args, **kwargs)

    return wrapper


class Named:
    """A descriptor over a class: no function is behind it."""

    def __init__(self, cls):
        self.fget = cls


class Reader(property):
    pass


class Field:
    read = Reader(Named)

    def __init__(self, scale=1.5):
        self.scale = scale
        self.W = np.array([1.0, 2.0, 3.0])

    @tripled
    def energy(self, x, y=2.0):
        return np.sum(x**2 * y * self.W)

    @in_units
    def force(self, x, z):
        return np.sum(x**2 + z * self.scale)

    @by_instance
    def scaled(self, x):
        return np.sum(np.sin(x) * self.W)

    @tripled
    @in_units
    def both(self, x):
        return np.sum(x**3)

    @tripled
    def through(self, x):
        return self.energy(x) + self.scaled(x)

    @tripled
    def __call__(self, x):
        return np.sum(x * x * self.W)

    @unnamed
    def without_a_name(self, x):
        return np.sum(x**3 * self.W)

    def each(self, *parts):
        return sum(np.sum(part * part * self.W) for part in parts)

    def plain(self, x):
        return np.sum(x**2 * self.scale)


class Wider(Field):
    pass
