"""Calls that change an instance, in every place of a statement: each is made once.

A front end that reads an expression to see what it is, and then reads it to write it,
makes its calls twice; one that folds a condition into an expression makes calls that
Python does not make.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz import counting
from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python

PROGRAMS = 8
REFUSED_AT_MOST = 0.25  # lists that grow in loops, containers that branches change
HEAD = '''import dataclasses
import functools
import itertools
import math
import operator
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    """Two numbers."""

    a: float
    b: float

    def both(self):
        return self.a * self.b


@dataclasses.dataclass
class Datum:
    """Has most of the ways that a class can have."""

    u: float
    v: float = 2.0

    def __getitem__(self, i):
        return self.u * (i + 1)

    def __setitem__(self, i, w):
        self.u = self.u * i + w

    def __len__(self):
        return 3

    def __call__(self, z):
        return self.u * z

    def __bool__(self):
        return self.v > 0

    def __iter__(self):
        return iter([self.u, self.v])

    def __eq__(self, other):
        return self.v == other.v

    def __contains__(self, i):
        return i < self.v

    def __float__(self):
        return self.u * 1.0


class Sum:
    """A number that grows."""

    def __init__(self):
        self.s = 1.0
        self.k = 0

    def up(self, v):
        self.s = self.s * 0.5 + v
        return self

    @property
    def dbl(self):
        return self.s * 2

    @dbl.setter
    def dbl(self, v):
        self.s = v / 2


class P:
    """Counts its calls."""

    def __init__(self, x):
        self.t = 0.0
        self.n = 0
        self.a = x * 1.0
        self.l = [x[0], x[1], x[2]]
        self.d = {"a": x[1], "b": x[2]}
        self.q = Sum()
        self.pt = Pair(x[0], x[1])
        self.dd = Datum(x[0])
        self.m = np.outer(x, x + 1)

    def add(self, v):
        self.t = self.t * 0.5 + v
        self.n += 1
        return self

    def val(self, v):
        self.n += 1
        return v * self.n

    def get(self):
        return self.t * self.n
'''
# what the other methods count a call and give
GIVEN = """
num: self.n % 3; arr: self.a; mat: self.m; lst: self.l; dic: self.d; obj: self.q
fn: lambda v: v * v; pnt: self.pt; dat: self.dd; msg: "ab"; key: "a"; non: None
tup: (self.l[0], self.a); axis: 0
"""
ENTRIES = "np.sum(p.a * p.a * np.array([1.0, 2.0, 3.0]))"
RESULT = f"r * r + p.get() + 7.0 * p.n * x[0] + {ENTRIES} + p.q.s + np.sum(p.m)"
KINDS = (counting.IN_PLACE, counting.TESTS, counting.ITERATED, counting.READ)


def methods() -> str:
    """The methods that count a call and give something."""
    lines = []
    for one in GIVEN.replace("\n", ";").split(";"):
        if one.strip():
            name, given = one.strip().split(": ", 1)
            counted = ["        self.n += 1", f"        return {given}"]
            lines += ["", f"    def {name}(self):", *counted]
    return "\n".join([*lines, "", "", "def f2(a, k=1.0):", "    return a * k + a", ""])


def program(statements: list[str]) -> str:
    """A module whose f makes an instance, and has the statements done with it."""
    body = "\n".join(f"    {line}" for one in statements for line in one.split("; "))
    head = f"{HEAD}{methods()}\n\ndef f(x):\n    p = P(x)\n    r = x[1]\n"
    return f"{head}{body}\n    return {RESULT}\n"


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"once {seed}")

    def text(self) -> str:
        rng = self.rng
        statements = []
        for _ in range(rng.choice([1, 2, 3])):
            one = rng.choice(rng.choice(KINDS).strip().splitlines())
            is_block = one.startswith(("for ", "while ", "if "))
            around = rng.choice(["", "", "", "for w_ in range(2):", "if x[1] < 9.0:"])
            if around and not is_block and "; " not in one:
                one = f"{around}; \t{one}"
            statements.append(one)
        return program(statements).replace("\t", "    ")


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer, length="3")
