"""Functions as values, made in the arms of branches of what those arms compute.

A function is a ufunc, a lambda, a def, one with defaults, a partial one, a bound method,
an instance that can be called, one that another function has made, or an entry of a
table; the arm that makes it computes what it holds, and it is called behind the branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python

PROGRAMS = 12
REFUSED_AT_MOST = 0.5  # instances in one arm, and functions beside them in the other
HEAD = '''import functools
import operator
from functools import partial

import numpy as np

TABLE = {0: np.sin, 1: lambda t: t * 0.5, 2: np.cos, 3: lambda t: t * t}


def make(k, b=0.0):
    return lambda t: t * k + b


def scaled(t, k=1.0, b=0.0):
    return t * k + b


def either(k):
    if k > 0.4:
        w = k * k
        return lambda t: t * w
    u = k + 1
    return lambda t: t - u


class Gain:
    """A number, and what it does to arrays."""

    def __init__(self, k):
        self.k = k

    def up(self, t):
        return t * self.k

    def down(self, t):
        return t - self.k * 0.5

    def __call__(self, t):
        return np.tanh(t * self.k)


'''
# what g is, of a number w that the arm has computed
MADE = """
np.sin
np.tanh
lambda t: t * w
lambda t: np.cos(t) + w
lambda t, w=w: t + w
lambda t, k=w * 2, b=v: t * k + b
partial(np.multiply, w)
partial(scaled, k=w)
partial(scaled, b=w * v, k=0.5)
partial(partial(scaled, k=w), b=v)
make(w)
make(w, v)
either(w)
Gain(w).up
Gain(w).down
Gain(w)
TABLE[i % 4]
(lambda k: lambda t: t * k)(w)
partial(lambda k, t: t * k, w)
np.sin if w > 0.3 else lambda t: t * w
partial(np.add, w) if v > 0.2 else np.cos
(np.exp if i > 1 else np.sin) if w > 0.1 else make(w)
""".strip().splitlines()
TESTS = """
v > 0.3
v > 0.7
i == 1
i % 2
np.sum(y) > 0.4
v * v > 0.25
not i
y[0] > 0.1
""".strip().splitlines()
LOCAL = (
    "w = v * 2",
    "w = v * v + 0.1",
    "w = np.sum(y) * 0.3",
    "w = y[1] + v",
    "w = 0.7",
)
USES = (
    "y = g(y) * 0.5 + y * 0.1",
    "y = y + g(x) * 0.2",
    "y[1:] = g(y[1:]) * 0.5",
    "s = s + np.sum(g(y)) * v\ny = y * 0.9",
    "y = g(g(y) * 0.3) * 0.5",
)


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"callables {seed}")

    def text(self) -> str:
        rng = self.rng
        inner = [*self.choice(2), *rng.choice(USES).split("\n")]
        if rng.random() < 0.3:
            inner += self.choice(1) + rng.choice(USES).split("\n")
        way = rng.choice(["for", "for", "while", "none"])
        lines = ["y = x * 0.5 + 0.2", "s = 0.0"]
        if way == "for":
            lines += ["for i, v in enumerate(x):", *indented(inner)]
        elif way == "while":
            lines += ["i = 0", "while i < 3:", "    v = x[i]", *indented(inner)]
            lines.append("    i += 1")
        else:
            lines += ["i, v = 1, x[1]", *inner]
        lines.append("return np.sum(y * x) + s")
        return HEAD + "\n".join(["def f(x):", *indented(lines)]) + "\n"

    def choice(self, depth: int) -> list[str]:
        """if, elif and else, each of which makes g."""
        rng, lines = self.rng, []
        for k in range(rng.randint(1, 2)):
            lines.append(f"{'elif' if k else 'if'} {rng.choice(TESTS)}:")
            lines += indented(self.arm(depth))
        return [*lines, "else:", *indented(self.arm(depth))]

    def arm(self, depth: int) -> list[str]:
        """What an arm computes, and g of that."""
        rng = self.rng
        lines = [rng.choice(LOCAL)]
        if depth and rng.random() < 0.35:
            return lines + self.choice(depth - 1)
        if rng.random() < 0.15:
            return [*lines, "def g(t):", "    return t * w + 0.1"]
        return [*lines, f"g = {rng.choice(MADE)}"]


def indented(lines: list[str]) -> list[str]:
    """The lines one level in."""
    return [f"    {line}" for line in lines]


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer, length="3")
