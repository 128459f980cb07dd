"""Systems of instances as people write them: each against those behind it, lists that fill."""

import dataclasses
from collections import namedtuple

import numpy as np
import pytest

from tests.both_doors import compare


class Body:
    def __init__(self, mass, pos, vel):
        self.mass = mass
        self.pos = np.array(pos, dtype=float)
        self.vel = np.array(vel, dtype=float)

    def pulled_by(self, other):
        r = other.pos - self.pos
        return self.mass * other.mass * r / (np.linalg.norm(r) ** 3 + 1e-2)


class System:
    def __init__(self, bodies):
        self.bodies = bodies

    def step(self, dt):
        for b in self.bodies:
            force = np.zeros(2)
            for other in self.bodies:
                if other is not b:
                    force += b.pulled_by(other)
            b.acc = force / b.mass
        for b in self.bodies:
            b.vel += b.acc * dt
            b.pos += b.vel * dt

    def energy(self):
        total = sum(0.5 * b.mass * np.dot(b.vel, b.vel) for b in self.bodies)
        for i, a in enumerate(self.bodies):
            for b in self.bodies[i + 1 :]:
                total -= a.mass * b.mass / np.linalg.norm(a.pos - b.pos)
        return total


def orbits(m, x):
    bodies = [Body(m, [0.0, 0.0], [0.0, 0.2]), Body(1.0, [x, 0.5], [0.0, 1.0])]
    system = System([*bodies, Body(0.5, [-1.0, 1.0], [0.3, 0.0])])
    for _ in range(2):
        system.step(0.05)
    return system.energy()


def before_each(m, x):
    system = System([Body(m, [0.0, 0.0], [x, 0.0]), Body(x, [1.0, m], [0.0, 0.0])])
    total = 0.0
    for i, a in enumerate(system.bodies):
        for b in system.bodies[:i]:
            total += a.mass * b.mass / np.linalg.norm(a.pos - b.pos)
    return total


@dataclasses.dataclass
class Asset:
    weight: float
    returns: np.ndarray


@dataclasses.dataclass
class Portfolio:
    assets: list = dataclasses.field(default_factory=list)
    fee: float = 0.1

    def add(self, asset):
        self.assets.append(asset)
        return self

    def value(self):
        return sum(a.weight * a.returns.mean() for a in self.assets) - self.fee


@dataclasses.dataclass(frozen=True)
class Kept:
    scale: float
    items: list = dataclasses.field(default_factory=list)
    table: dict = dataclasses.field(default_factory=dict)


def held(m, x):
    first, second = Portfolio(), Portfolio(fee=x * x)
    first.add(Asset(m, np.array([x, 1.0]))).add(Asset(x, np.array([m, 2.0, x])))
    second.add(Asset(x, np.array([3.0, m])))
    return first.value() + 2 * second.value()


def frozen(m, x):
    kept = Kept(m)
    kept.items.append(x * m)
    kept.table["x"] = x
    other = Kept(x, [m])
    return kept.scale * sum(kept.items) * kept.table["x"] + len(other.items) * m


State = namedtuple("State", "pos vel")


def replaced(m, x):
    s = State(m, x)
    for _ in range(3):
        s = s._replace(vel=s.vel - 0.1 * s.pos)
        s = s._replace(pos=s.pos + 0.1 * s.vel)
    return s.pos * s.vel


class Polynomial:
    def __init__(self, coefficients):
        self.c = list(coefficients)

    def __call__(self, x):
        return sum(a * x**i for i, a in enumerate(self.c))

    def __mul__(self, other):
        product = [0] * (len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                product[i + j] += a * b
        return Polynomial(product)


def product_called(m, x):
    return (Polynomial([m, 2.0, x]) * Polynomial([1.0, m]))(x)


FUNCTIONS = [orbits, before_each, held, frozen, replaced, product_called]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("wrt", [0, 1])
def test_systems_of_instances(f, wrt):
    compare(f, (1.3, 0.7), wrt, text=False)


@pytest.mark.parametrize("f", [before_each, replaced, product_called])
def test_texts_of_systems(f):
    compare(f, (1.3, 0.7), 1)
