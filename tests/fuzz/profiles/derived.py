"""Derivatives of functions with lists, taken inside the function that is differentiated.

The inner function fills a list in one of many ways, of numbers, rows or lists, and
makes a number of it; the outer one takes its gradient, pullback, tangent or Hessian
times a vector. What a first gradient does with lists of adjoints is then
differentiated again.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.inner import FORMS
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import SAMPLES, Parameter, Program, run

PROGRAMS = 6
REFUSED_AT_MOST = 0.1
X, A = Parameter("x", ("n",)), Parameter("a", ("n", "m"))
NUMBERS = [
    "x[i] * a[i, 0]",
    "np.sin(x[i]) + 0.1 * i",
    "np.sum(a[i] ** 2) * 0.3",
    "np.exp(-(a[-1, 1] ** 2)) * (0.5 + 0.1 * i)",
    "x[i] / (1 + x[0] ** 2)",
    "np.tanh(a[i] @ a[0])",
]
ROWS = [
    "np.sin(a[i]) * x[i]",
    "a[i] * a[0]",
    "np.tanh(x * x[i])",
    "x[i] * np.ones(3)",
    "a[i, :2] ** 2",
]
FILLS = [
    "s = []\nfor i in range(len(x)):\n    s.append({v})",
    "s = [{v} for i in range(len(x))]",
    "s = []\nfor i in range(len(x)):\n    t = {v}\n    s.append(t * 2)",
    "s = []\nfor i in range(len(x)):\n    if i % 2 == 0:\n        s.append({v})",
    "s = []\nfor i in range(len(x)):\n    if x[i] > 0.1 or i == 0:\n        s.append({v})",
    "s = []\nfor i in reversed(range(len(x))):\n    s += [{v}]",
    "i = 0\ns = [{v}]\nfor i in range(1, len(x)):\n    s.append(0.5 * s[-1] + {v})",
    "i = 0\ns = [{v}]\nfor i in range(1, len(x)):\n    s.append(np.sin(s[i - 1]) * s[0])",
    "s = [None] * len(x)\nfor i in range(len(x)):\n    s[i] = {v}",
    "s = []\nfor i in range(len(x)):\n    s.append({v})\nt = s.pop()\ns.append(t * s[0])",
    "s = []\nr = []\nfor i in range(len(x)):\n    s.append({v})\n    r.append(s[i] ** 2)\ns = s + r",
]
OF_NUMBERS = [
    "np.sum(s) ** 2",
    "np.mean(s) * x[0]",
    "sum(s) + s[0] * s[-1]",
    "np.sum(np.array(s) ** 2)",
    "np.tanh(np.sum(s)) + np.sum(np.asarray(s[1:]) ** 2)",
    "np.cumsum(s)[-1] * np.cos(s[0])",
    "np.sum(np.array(s)[:, None] * a[0])",
    "np.sum([v * v for v in s])",
    "np.prod(s)",
]
OF_ROWS = [
    "np.sum(np.stack(s) ** 2)",
    "np.sum(s[0] * s[-1])",
    "np.sum(np.array(s) @ s[0])",
    "np.sum(np.concatenate(s) ** 2)",
    "np.sum(sum(s) ** 2)",
    "np.sum(np.mean(s, axis=0) * s[0])",
    "sum([np.sum(v) ** 2 for v in s])",
    "np.sum(np.vstack(s)[1:] ** 2) + np.sum(s[0])",
]
LOOPED = "t = 0.0\nfor v in s:\n    t = 0.5 * t + np.sum(v) ** 2\nreturn t"
NESTED = """
s = []
for i in range(2):
    r = []
    for k in range(len(x)):
        r.append(x[k] * {v})
    s.append(r)
"""
TEXT = """import gradgen
import numpy as np


def inner(x, a):
{inner}


def program(x, a):
{outer}"""


class Around(Program):
    """A function that takes a derivative of the one above it."""

    @property
    def source(self) -> str:
        return "\n".join(self.lines)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    for level, shapes in (("all", {"x": "n", "a": "n m"}), ("none", {})):
        case = Case(program, shapes, ("x", "a"), level=level)
        yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"derived {seed}")
    while True:
        wrt = rng.choice(["x", "a"])
        form = rng.choice(list(FORMS.values()))
        outer = form.format(name="inner", wrt=wrt, args="x, a")
        body = "\n".join("    " + line for line in inner(rng))
        lines = tuple(TEXT.format(inner=body, outer=outer).split("\n"))
        program = Around((X, A), lines, seed)
        if all(
            run(program.function, program.arguments(k)) is not None for k in SAMPLES
        ):
            return program


def inner(rng: Random) -> list[str]:
    """The statements of a function of x and a that fills a list and sums it up."""
    rows = rng.random() < 0.4
    value = rng.choice(ROWS if rows else NUMBERS)
    fill = rng.choice(FILLS).format(v=value)
    made = rng.choice(OF_ROWS if rows else OF_NUMBERS)
    if rng.random() < 0.1:
        fill = NESTED.strip().format(v=rng.choice(NUMBERS))
        made = rng.choice(["np.sum(s[0]) * s[1][0]", "np.sum(np.array(s) ** 2)"])
    end = LOOPED if rng.random() < 0.2 else f"return {made}"
    if end == LOOPED and fill.startswith("s = []\nfor i in range(2)"):
        end = f"return {made}"
    return [*fill.split("\n"), *end.split("\n")]
