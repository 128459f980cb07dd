"""Rounds whose arms and inner loops compute what the rest of the round computes as well.

A few functions of one value, of which each is another's slope: sines beside cosines,
exponentials, hyperbolic ones, in arms, inner loops and outside of them. What an arm alone
has kept must not stand for a value outside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.05
PAIRS = [("sin", "cos"), ("sinh", "cosh"), ("exp", "exp"), ("tanh", "tanh")]
USES = [
    "total = total + np.sum(np.{f}({v}) * {w} ** 2)",
    "total = total + np.sum(np.{f}({v}) * np.{g}({w}))",
    "part = np.{f}({v}); total = total + np.sum(part * part * {w})",
    "total = total + np.mean({w} / (2 + np.{f}({v}) ** 2))",
]
STEPS = ["y = 0.5 * y + 0.1 * np.{f}({v})", "y = y - 0.1 * np.{g}({v}) * y"]
AROUND = [
    "",
    "if i > 0:",
    "if i != 1:",
    "if np.sum(y) > 1.3 + i:",
    "for j in range(i):",
]
STARTS = ["y = x", "y = np.cos(x)"]


def program(seed: int) -> Program:
    """A loop of a few rounds, with such lines in arms, inner loops and beside them."""
    rng = Random(f"arms {seed}")
    f, g = rng.choice(PAIRS)
    body = ["total = 0.0", rng.choice(STARTS), "for i in range(3):"]
    for _ in range(rng.randint(2, 4)):
        words = {"f": rng.choice((f, g)), "g": rng.choice((f, g))}
        words |= {"v": rng.choice(("y", "y", "x")), "w": rng.choice(("y", "x"))}
        lines = rng.choice(USES + STEPS).format(**words).split("; ")
        around = rng.choice(AROUND)
        indent = "    "
        if around:
            body.append(f"    {around}")
            indent = "        "
        body += [indent + line for line in lines]
    body.append("    " + rng.choice(STEPS).format(f=f, g=g, v="y"))
    body.append("return total + np.sum(y)")
    x = Parameter("x", ("n",), low=0.3, high=1.1, signed=False)
    return Program((x,), tuple(body), seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    for shapes, level in (({}, "none"), ({"x": "n"}, "full")):
        case = Case(made, shapes, "x", level=level)
        yield case, examine(case, engine, companions=False)
