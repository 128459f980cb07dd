"""Names that each round of a loop binds to another instance: s = s.step(dt)."""

import dataclasses
import math

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, by):
        return Point(self.x * by, self.y * by)

    def _turned(self, dt):
        new = Point(self.x, self.y)
        new.x = new.x + dt * new.y
        new.y = new.y - dt * new.x
        return new

    def step(self, dt):
        return self._turned(dt)

    @property
    def size(self):
        return self.x * self.x + self.y * self.y


@dataclasses.dataclass(frozen=True)
class Checked:
    x: float
    y: float

    def __post_init__(self):
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise ValueError("not finite")

    def step(self, dt):
        return Checked(self.x + dt * self.y, self.y - dt * self.x)


@dataclasses.dataclass
class Pose:
    x: float
    angle: float

    def __post_init__(self):
        self.angle = math.atan2(math.sin(self.angle), math.cos(self.angle))

    def step(self, dt):
        return Pose(self.x + dt * math.cos(self.angle), self.angle + 3 * dt * self.x)


@dataclasses.dataclass
class State:
    pos: np.ndarray
    vel: np.ndarray
    t: float = 0.0

    def copy(self):
        return State(self.pos.copy(), self.vel.copy(), self.t)


class Node:
    def __init__(self, value, child=None):
        self.value = value
        self.child = child


def stepped(x, y):
    p = Point(x, y)
    for _ in range(3):
        p = p.step(0.1)
    return p.x + 2 * p.size


def two(x, y):
    p, v = Point(x, y), Point(1.0, 2.0)
    for _ in range(3):
        v = v + Point(0.0, -9.81) * 0.1
        p = p + v * x
    return p.size


def swapped(x, y):
    p, q = Point(x, y), Point(y, 2 * x)
    for _ in range(3):
        p, q = q, p * 0.5 + q
    return p.x + 3 * q.y * p.y


def in_a_tuple(x, y):
    s = Point(x, y), 1.0
    for _ in range(3):
        s = s[0].step(0.1), s[1] * s[0].x
    return s[0].x * s[1]


def while_small(x, y):
    p = Point(x, y)
    while p.size < 100:
        p = p * 1.5
        if p.x > 20:
            break
    return p.size


def best(x, y):
    b = Point(x, y)
    for i in range(4):
        c = b * (1.5 - 0.3 * i)
        if c.x > b.x:
            b = c
    return b.size


def checked(x, y):
    p = Checked(x, y)
    for _ in range(3):
        p = p.step(0.2)
    return p.x * p.y


def wrapped(x, y):
    p = Pose(x, y)
    for _ in range(3):
        p = p.step(0.2)
    return p.x * p.angle


def with_children(x, y):
    n = Node(x, Node(y * 2))
    for _ in range(3):
        n = Node(n.value * n.child.value, Node(n.value + 1))
    return n.value + n.child.value


ROUNDS = [stepped, two, swapped, in_a_tuple, while_small, best, checked, wrapped]


@pytest.mark.parametrize("f", [*ROUNDS, with_children])
@pytest.mark.parametrize("wrt", [0, 1])
def test_an_instance_goes_from_round_to_round(f, wrt):
    compare(f, (1.3, 0.7), wrt)


def euler(pos, vel, dt):
    s = State(pos, vel)
    for _ in range(4):
        n = s.copy()
        n.pos += dt * s.vel
        n.vel -= dt * s.pos
        n.t += dt
        s = n
    return np.sum(s.pos**2) * s.t


def in_place(pos, vel, dt):
    s = State(pos.copy(), vel.copy())
    for _ in range(3):
        n = State(s.pos, s.vel, s.t + dt)
        n.pos += dt * n.vel
        s = n
    return np.sum(s.pos**2) * s.t


@pytest.mark.parametrize("f", [euler, in_place])
@pytest.mark.parametrize("wrt", [0, 1, 2])
def test_arrays_of_instances_change_in_place(f, wrt):
    compare(f, (np.array([0.3, 0.5]), np.array([1.0, -0.4]), 0.1), wrt, text=False)


def of_an_argument(p):
    for _ in range(3):
        p = p.step(0.1)
    return p.x


def test_an_instance_that_is_an_argument():
    h = 1e-6
    want = of_an_argument(Point(1.3 + h, 0.7)) - of_an_argument(Point(1.3 - h, 0.7))
    found = gradgen.grad(of_an_argument, wrt="p.x")(Point(1.3, 0.7))
    np.testing.assert_allclose(found, want / (2 * h), rtol=1e-8)


def also_stored(x, y):
    p = Point(x, y)
    q = p
    for _ in range(3):
        q.x = q.x * 2
        p = p * 0.5
    return p.x + q.x


def last_one_stored(x, y):
    p = Point(x, y)
    last = p
    for _ in range(3):
        last.x = last.x * 2
        p = p * 0.5
        last = p
    return p.x + last.x


def asked_for(x, y):
    p = Point(x, y)
    q = p
    for _ in range(3):
        if p is q:
            p = p * 0.5
            q = p
    return p.x + q.x


def longer_each_time(x, y):
    n = Node(x)
    for _ in range(3):
        n = Node(y, n)
    return n.value


REFUSED = [(also_stored, "GG230"), (last_one_stored, "GG230")]


@pytest.mark.parametrize(
    "f, code", [*REFUSED, (asked_for, "GG271"), (longer_each_time, "GG222")]
)
def test_what_another_name_may_see_is_refused(f, code):
    with pytest.raises(GradgenError, match=code):
        gradgen.grad(f)(1.3, 0.7)
