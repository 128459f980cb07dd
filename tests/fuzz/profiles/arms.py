"""Rounds whose arms and inner loops compute what the rest of the round computes as well.

A few functions of one value, of which each is another's slope: sines beside cosines,
exponentials, hyperbolic ones, in arms, inner loops and outside of them. What an arm alone
has kept must not stand for a value outside of it. Every other program has one arm, which
reads entries, parts and totals of what the rest reads as a whole.
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


BEFORE = [
    "u = v * x",
    "u = np.sin(x)",
    "u = x - v",
    "u = np.exp(x) * v",
    "u = x / (1 + v ** 2)",
    "u = x",
]
TESTS = ["k > 1", "v[0] > 0.5", "x[0] > 0", "len(x) > 2", "k > 5"]
ARMS = [
    "w = x[1] ** 2",
    "w = w + x[0]",
    "w = np.sum(x[1:])",
    "w = x[:2] @ v[:2]",
    "w = w + x[0] * x[1]",
    "w = np.max(x)",
    "u = u * x[1]",
    "w = np.linalg.norm(x[1:]); u = u + x[-1]",
    "w = v[0] * x[0] + x[1] ** 2",
]
ENDS = [
    "np.sum(u) + w",
    "u @ u * w",
    "np.mean(u) - w ** 2",
    "w * np.sum(u * v)",
    "u + w",
]


def beside(seed: int) -> Program:
    """A branch of one arm that reads parts of what is read as a whole."""
    rng = Random(f"beside {seed}")
    lines = rng.choice(ARMS).split("; ")
    body = [rng.choice(BEFORE), f"if {rng.choice(TESTS)}:"]
    body += [*(f"    {line}" for line in lines), f"return {rng.choice(ENDS)}"]
    names = "xv"
    arrays = [Parameter(n, ("n",), low=0.3, high=1.1, signed=False) for n in names]
    numbers = [Parameter("k", kind="int"), Parameter("w", kind="float")]
    return Program((*arrays, *numbers), tuple(body), seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = beside(seed) if seed % 2 else program(seed)
    full = {"x": "n", "v": "n", "w": ""} if seed % 2 else {"x": "n"}
    for shapes, level in (({}, "none"), (full, "full")):
        case = Case(made, shapes, "x", level=level)
        yield case, examine(case, engine, companions=False)
