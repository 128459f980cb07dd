"""Slices that loop indices bound: x[:i], A[i, k:], x[k:] - x[:-k], np.arange(1, i + 1).

Their lengths are equal in one round, and differ from round to round: what is carried
to the next one, or is put into a list, has another length there, which NumPy stretches
where it is 1. Arrays have one to five entries; the text is right, or it raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.short import verdict_on
from tests.fuzz.profiles.single import _is_smooth
from tests.fuzz.program import FIRST_SIZES, SAMPLES, Parameter, Program, run

PROGRAMS = 16
REFUSED_AT_MOST = 0.2
X, Y, A = Parameter("x", ("n",)), Parameter("y", ("n",)), Parameter("a", ("n", "n"))
RANGES = (
    "range(1, len(x))",
    "range(len(x))",
    "range(len(x) - 1, 0, -1)",
    "range(len(x) - 1)",
    "range(1, len(x) + 1)",
    "reversed(range(1, len(x)))",
    "range(0, len(x), 2)",
)
INNER = ("range({i} + 1, len(x))", "range({i})", "range({i}, len(x))", "range(len(x))")
PARTS = (
    "x[:{i}]",
    "y[:{i}]",
    "x[{i}:]",
    "y[{i}:]",
    "x[{i} + 1 :]",
    "x[: -{i}]",
    "y[: len(x) - {i}]",
    "a[{i}, :{i}]",
    "a[:{i}, {i}]",
    "a[{i}, {i}:]",
    "a[0, : {i} + 1]",
    "x[1 : {i} + 1]",
    "np.arange(1, {i} + 1)",
    "np.ones({i})",
    "np.arange({i})",
    "x[{i} : {i} + 2]",
    "u[:{i}]",
    "u[{i}:]",
    "p",
    "s[-1]",
    "s[0]",
)
USES = (
    "t += np.sum({a} * {b})",
    "t += np.sum(({a} - {b}) ** 2)",
    "t = t * 0.5 + np.sum(np.tanh({a} + {b}))",
    "t += np.sum({a} ** 2) * y[0]",
    "p = {a}",
    "p = {a} * {b}",
    "p = 0.5 * p + {a}",
    "s.append({a})",
    "s.append({a} * {b})",
    "q = {a} - {b}\nt += np.sum(q * {a})",
    "u[:{i}] = 0.5 * {a} + {b}",
    "u[{i}:] += {a} * {b}",
    "u[{i}:] = {a} - 0.1 * u[{i}:]",
    "u[{i}] = np.sum({a} * {b})",
    "if x[0] > 0:\n    p = {a}",
    "if {i} > 1:\n    t += np.sum({a} * {b})",
)
ENDS = (
    "return t + np.sum(u ** 2) + np.sum(p) ** 2",
    "return t + np.sum(np.tanh(s[-1] * s[0])) + np.sum(u)",
    "return t + np.sum(p * x) + u[0]",
    "return t + sum([np.sum(one * s[0]) for one in s]) + np.sum(u * y)",
)
BEGINNINGS = ("p = x[:1]", "p = 0.5", "p = x * y", "p = x[0]")
SIZES = (1, 2, 2, 3, 3, 4, 5)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    names = ("x", "y", "a")
    for level, shapes in (("full", {"x": "n", "y": "n", "a": "n n"}), ("none", {})):
        case = Case(program, shapes, names, level=level)
        with np.errstate(all="ignore"):
            yield case, verdict_on(case, engine, Truth(program))


def generate(seed: int) -> Program:
    """The first program of this seed that runs at its lengths."""
    rng = Random(f"triangular {seed}")
    while True:
        sizes = FIRST_SIZES | {"n": rng.choice(SIZES)}
        program = Program((X, Y, A), tuple(_lines(rng)), seed, sizes=(sizes, sizes))
        found = [run(program.function, program.arguments(k)) for k in SAMPLES]
        if all(one is not None and np.ndim(one) == 0 for one in found):
            if _is_smooth(program):
                return program


def _lines(rng: Random) -> Iterator[str]:
    yield from ("u = x * 1.0", "t = 0.0", "s = [x[:1]]")
    if rng.random() < 0.8:
        yield rng.choice(BEGINNINGS)
    for _ in range(rng.randint(1, 2)):
        yield f"for i in {rng.choice(RANGES)}:"
        index, depth = "i", 1
        if rng.random() < 0.3:
            yield f"    for k in {rng.choice(INNER).format(i='i')}:"
            index, depth = rng.choice("ikk"), 2
        for _ in range(rng.randint(1, 3)):
            names = dict(a=_part(rng, index), b=_part(rng, index), i=index)
            for line in rng.choice(USES).format(**names).split("\n"):
                yield "    " * depth + line
    yield rng.choice(ENDS)


def _part(rng: Random, index: str) -> str:
    return rng.choice(PARTS).format(i=index)
