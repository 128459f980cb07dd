"""Values that stand in a class's body, read by its methods, and what takes their place.

A subclass gives another value, a property or a method under the name; an instance is
given its own, of x or of a number, by one way or in a loop, by setattr or in place, and
loses it again. The methods read the value of self, of the class and of its bases.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case
from tests.fuzz.clauses import indented
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python

PROGRAMS = 12
REFUSED_AT_MOST = 0.25  # names that are fields by one way, and the class's by the other

HEAD = """import dataclasses
import functools
from typing import ClassVar

import numpy as np


class Base:
    rate = 0.5
    steps = 2
    bias: float = 0.1
    kind = "tanh"
    limits = (0.3, 0.8)
    table = {"a": 0.4, "b": 1.5}
    ws = [0.2, 0.7, 1.1]
    half = rate / 2
    halves = [k * 0.5 for k in range(3)]
    act = np.tanh
    soft = staticmethod(lambda y: np.log(1 + np.exp(y)))

    class Config:
        gain = 0.6
        depth = 2

    def scaled(self, y):
        return <r> * y

    @classmethod
    def shifted(cls, y):
        return y + <c>

    @property
    def double(self):
        return 2 * <r>

    def formed(self, y):
        return np.tanh(y) if self.kind == "tanh" else np.sin(y)

    def run(self, y):
        <one>
        return y


"""
# what a subclass has in place of the base's
OWN = """
rate = 0.9
rate = Base.rate * 1.5
steps = 3
kind = "sin"
bias = -0.2
limits = (0.1, 0.4)
table = {**Base.table, "a": 0.9}
ws = [*Base.ws[1:], 0.4]
act = np.sin
half = Base.half + 1
soft = np.cos
"""
METHODS = """
@property
def rate(self):
    return 0.3 + self.bias
===
def scaled(self, y):
    return super().scaled(y) * 0.5 + super().bias
===
def __init__(self, rate=0.4):
    self.rate = rate
===
def __init__(self):
    super().__init__()
    self.bias = self.rate * 2
===
@property
def double(self):
    return 3.0
===
@classmethod
def shifted(cls, y):
    return super().shifted(y) * cls.rate
===
class Config(Base.Config):
    gain = 1.2
===
def __getattr__(self, name):
    return 0.25
===
pass
"""
READS = """
self.rate
type(self).rate
self.__class__.rate
Base.rate
getattr(self, "rate")
getattr(self, "rate", 3.0)
getattr(type(self), "bias")
self.bias
self.half
self.limits[1]
self.ws[1]
self.table["a"]
self.Config.gain
(self.rate if hasattr(self, "rate") else 2.0)
(self.extra if hasattr(self, "extra") else self.bias)
"""
OF_CLASS = (
    "cls.rate",
    "cls.bias",
    "Base.rate",
    "cls.table['b']",
    "cls.Config.gain",
)
ONES = """
for _ in range(self.steps):|    y = np.tanh(y) * self.rate
y = self.act(y) + self.bias if self.act is not np.sin else np.sin(y)
y = np.clip(y, *self.limits) + y * self.half
y = y * self.halves[2] + self.halves[1]
y = self.soft(y) * self.Config.gain
y = y * sum(self.table.values())
y = y ** self.Config.depth if self.kind == "sin" else y * self.double
low, high = self.limits|y = y * low + high
"""
USES = """
y = m.scaled(y)
y = m.shifted(y)
y = y * m.double
y = m.formed(y)
y = m.run(y)
y = y * m.rate
y = y * m.ws[0] + np.array(m.ws)
y = y + m.bias * m.halves[1]
y = Base.scaled(m, y)
y = y * Model.rate + Base.rate
for name in ("rate", "bias"):|    y = y + getattr(m, name) * y
"""
CHANGES = """
m.rate = x[0]
m.rate = 1.7
m.rate += 0.2
m.rate = m.rate * x[1]
m.bias -= x[0]
m.kind = "sin"
m.steps = 1
m.ws = x * 2
m.ws = [*m.ws[:2], x[0]]
if x[0] > 0.4:|    m.rate = x[1]
if x[0] > 0.4:|    m.bias = 2.0|else:|    m.bias = x[2]
for k in range(2):|    m.rate = m.rate + x[k]
for k in range(2):|    if k > 0:|        m.bias = x[k]|    y = y * m.bias
setattr(m, "rate", x[2])
m.rate = x[0]|del m.rate
m.extra = x[0]
m.limits = (x[0] * 0.1, 0.9)
m.table = {**m.table, "a": x[1]}
m.act = np.cos
n = Model()|n.rate = x[0]|y = n.scaled(y)
n = m|n.rate = x[1]
"""
HELD = """
M.rate = 0.8
M.bias = 0.3
M.ws = [1.0, 0.5, 0.2]
M.kind = "sin"
M.table = {"a": 2.0, "b": 0.1}
Model.rate = 0.65
Base.bias = 0.45
"""


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"inherited {seed}")

    def one(self, text: str) -> list[str]:
        return self.rng.choice(text.strip().splitlines()).split("|")

    def head(self) -> str:
        rng, text = self.rng, HEAD
        reads = READS.strip().splitlines()
        while "<r>" in text:
            text = text.replace("<r>", rng.choice(reads), 1)
        one = "\n        ".join(self.one(ONES))
        return text.replace("<c>", rng.choice(OF_CLASS)).replace("<one>", one)

    def model(self) -> list[str]:
        """The classes between Base and Model, each with values of its own."""
        rng, lines, bases = self.rng, [], "Base"
        for name in rng.choice((["Model"], ["Middle", "Model"])):
            own = [self.one(OWN)[0] for _ in range(rng.randint(0, 2))]
            if rng.random() < 0.5:
                own += rng.choice(METHODS.strip("\n").split("\n===\n")).split("\n")
            lines += [f"class {name}({bases}):", *indented(own or ["pass"]), "", ""]
            if name == "Middle" and rng.random() < 0.4:
                mixed = [self.one(OWN)[0].replace("Base.", "Middle.")]
                lines += ["class Mixed:", *indented(mixed), "", ""]
                name = "Mixed, Middle"
            bases = name
        return lines

    def text(self) -> str:
        """A program that Python runs: a property may have no setter."""
        while True:
            text, space = self.draft(), {}
            try:
                exec(text, space)
                space["f"](np.array([0.3, 0.5, 0.8]))
                space["f"](np.array([0.9, 0.1, 0.4]))
            except Exception:
                continue
            return text

    def draft(self) -> str:
        rng = self.rng
        lines = [self.head(), *self.model()]
        body = ["y = x * 0.5 + 0.1"]
        is_made = rng.random() < 0.6
        if is_made:
            body.append("m = Model()")
        else:
            lines.append("M = Model()")
            lines += [self.one(HELD)[0] for _ in range(rng.randint(0, 2))]
            lines += ["", ""]
            body.append("m = M")
        for _ in range(rng.randint(1, 3)):
            if is_made and rng.random() < 0.7:
                body += self.one(CHANGES)
            body += self.one(USES)
        end = rng.choice(["np.sum(y * x)", "np.sum(np.sin(y)) * m.rate"])
        return "\n".join([*lines, "def f(x):", *indented([*body, f"return {end}"]), ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer, length="3")
