"""A choice among ways by an argument, where some ways raise: if, elif, else: raise.

The ways assign one name or two, stand in loops and in each other, raise first, last or
in between, read what was assigned before and write what is read after. Where the
program returns, its gradient is held against differences; where it raises, so does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.imperative import Imperative
from tests.fuzz.judge import Verdict, noted
from tests.fuzz.profiles.raises import COUNTS, SIZES, arguments, judged, raised
from tests.fuzz.program import Parameter

PROGRAMS = 8
REFUSED_AT_MOST = 0.1
VALUES = (
    "np.tanh({y})",
    "np.maximum({y}, 0)",
    "1 / (1 + np.exp(-{y}))",
    "{y} * {y}",
    "{y} * x",
    "x",
    "0.5",
    "np.sum({y}) * x",
)
RAISES = (
    "raise ValueError(n)",
    'raise ValueError("no way " + str(n))',
    'raise KeyError(f"{n}" + " is none")',
    "raise IndexError",
)


def body(rng: Random, depth: int) -> list[str]:
    """The lines of one way."""
    if rng.random() < 0.22:
        return [rng.choice(RAISES)]
    if depth and rng.random() < 0.3:
        return choice(rng, depth - 1)
    name = rng.choice("yyz")
    lines = [f"{name} = {rng.choice(VALUES).format(y=rng.choice('yyz'))}"]
    return lines + body(rng, 0) if rng.random() < 0.25 else lines


def choice(rng: Random, depth: int) -> list[str]:
    """if, elif and else by the value of n, of a sum or of both."""
    tests = [f"n == {k}" for k in rng.sample(COUNTS, 4)]
    tests += ["n > 2", "n < 2", "np.sum(y) > 0.4", "n != 1"]
    lines: list[str] = []
    for i in range(rng.randint(1, 3)):
        lines.append(f"{'elif' if i else 'if'} {rng.choice(tests)}:")
        lines += [f"    {line}" for line in body(rng, depth)]
    if rng.random() < 0.75:
        arm = [rng.choice(RAISES)] if rng.random() < 0.6 else body(rng, depth)
        lines += ["else:", *(f"    {line}" for line in arm)]
    return lines


def program(rng: Random, seed: int) -> Imperative:
    """A program with one choice or two, perhaps in a loop."""
    lines = ["y = x * 2", "z = np.cos(x)"]
    for _ in range(rng.randint(1, 2)):
        part = choice(rng, 2)
        if rng.random() < 0.3:
            part = ["for i in range(2):", *(f"    {line}" for line in part)]
        lines += part
    lines.append(rng.choice(["return np.sum(y * z)", "return np.sum(y) + np.sum(z)"]))
    params = (Parameter("x", ("n",)), Parameter("n", (), "int"))
    return Imperative(params, tuple(lines), seed, "program", SIZES)


def fitting(seed: int) -> Imperative:
    """The program of this seed: one that returns at some counts and raises at others."""
    rng = Random(f"dispatch {seed}")
    while True:
        found = program(rng, seed)
        ends = [raised(found.function, *arguments(found, n)) for n in COUNTS]
        if any(ends) and not all(ends):
            return found


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, with all facts and with none."""
    found = fitting(seed)
    for level, shapes in (("full", {"x": "3", "n": ":int"}), ("none", {})):
        case = Case(found, shapes, "x", level=level)
        verdict = Verdict()
        with noted(verdict):
            verdict.faults += judged(found, shapes, engine, verdict)
        yield case, verdict
