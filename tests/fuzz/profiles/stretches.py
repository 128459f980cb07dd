"""Texts with nothing told, of arguments that stretch each other in every way.

Products, quotients and sums of numbers, rows, columns and matrices, with names for the
parts, and totals that loops add up: wherever a part of a sum is summed to the shape of
what it is the gradient of, some axis was stretched in one program and not in another.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.assumed import verdict_on
from tests.fuzz.program import Parameter, Program

PROGRAMS = 150
REFUSED_AT_MOST = 0.05
SHAPES = [(), ("1",), ("n",), ("1", "n"), ("m", "1"), ("m", "n"), ("1", "1")]
NAMES = "x", "y", "u", "v", "k"
ONE = (
    "np.exp(0.3 * {a})",
    "np.sin({a})",
    "{a} ** 2",
    "-{a}",
    "1 / (2 + {a} ** 2)",
    "np.log(3 + {a} ** 2)",
)
TWO = (
    "{a} * {b}",
    "{a} * {b}",
    "{a} / (2 + {b} ** 2)",
    "{a} + {b}",
    "{a} - {b}",
    "np.maximum({a}, {b})",
)
TOTALS = "np.sum({a})", "np.mean({a})", "{a}"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    names = tuple(param.name for param in program.params)
    rng = Random(f"wrt {seed}")
    for wrt in (names, (rng.choice(names),)):
        case = Case(program, {}, wrt, level="none")
        yield case, verdict_on(case, engine, truth)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"stretches {seed}")
    while True:
        given = [Parameter(name, rng.choice(SHAPES), "array") for name in NAMES]
        lines = _looped(rng) if rng.random() < 0.4 else _straight(rng, list(NAMES))
        program = Program(tuple(given), tuple(lines), seed).without_unused()
        if program.params and program.fits():
            return program


def _part(rng: Random, known: list[str], depth: int = 2) -> str:
    """An expression of the names so far."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(known)
    if rng.random() < 0.35:
        return "(" + rng.choice(ONE).format(a=_part(rng, known, depth - 1)) + ")"
    a, b = (_part(rng, known, depth - 1) for _ in range(2))
    return "(" + rng.choice(TWO).format(a=a, b=b) + ")"


def _straight(rng: Random, known: list[str]) -> list[str]:
    lines = []
    for i in range(rng.randint(1, 4)):
        lines.append(f"a{i} = {_part(rng, known)}")
        known = [*known, f"a{i}", f"a{i}"]
    total = rng.choice(TOTALS).format(a=_part(rng, known))
    return [*lines, f"return {total}"]


def _looped(rng: Random) -> list[str]:
    """A total, and perhaps a state that goes from round to round."""
    known = list(NAMES)
    start = rng.choice(["0.0", "0.0", "x", "x * y", "np.sum(k)"])
    lines = [f"total = {start}"]
    if state := rng.random() < 0.6:
        lines.append(f"s = {_part(rng, known, 1)}")
        known += ["s", "s"]
    lines.append(f"for i in range({rng.choice(['2', '3'])}):")
    if rng.random() < 0.5:
        lines.append(f"    p = {_part(rng, known, 1)}")
        known += ["p", "p"]
    sign = rng.choice(["+", "+", "-"])
    if rng.random() < 0.3:
        lines.append("    for j in range(2):")
        lines.append(f"        total = total {sign} {_part(rng, known)}")
    else:
        lines.append(f"    total = total {sign} {_part(rng, known)}")
    if state:
        lines.append(
            f"    s = {rng.choice(['s + 0.1 * ', 's * 0.5 + ', ''])}{_part(rng, known, 1)}"
        )
    end = rng.choice(
        ["total", "np.sum(total)", "total * k", "np.sum(total * u) + np.mean(total)"]
    )
    return [*lines, f"return {end}"]
