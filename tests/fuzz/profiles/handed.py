"""Loops that hand on what they compute, by Jacobians and Hessians times vectors.

With a seed of 1 adjoints are values of the primal as they stand: a variable of a round, a
row of an argument. They go into the next round, leave arms, and are stored into.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.python import Written
from tests.fuzz.program import Parameter

PROGRAMS = 12
REFUSED_AT_MOST = 0.1
# what a round computes of a row r, and of what the rounds before have handed on
VALUES = ("r", "r * 2", "r * r", "np.sin(r)", "r + p * 0.5", "x[i, ::-1]", "w", "p * r")
TERMS = (
    "t += p @ u",
    "t += p @ r",
    "t += p[1] * 2",
    "t += u[0] * r[1]",
    "t += np.sum(p[:2])",
    "t += np.sum(q * u)",
    "t += q @ w",
    "t += u[i]",
    "t += t * 0.1 * u[2]",
)
HANDS = ("p = u", "p = r", "p, q = q, u", "q, p = p, r", "p = w", "q = u", "p = p + u")
TESTS = ("r[0] > 0.2", "i == 1", "r[1] * p[0] > 0.1", "t > 0.5", "i % 2")


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"handed {seed}")

    def text(self) -> str:
        rng = self.rng
        lines = [f"u = {rng.choice(VALUES)}"]
        for _ in range(rng.randint(2, 5)):
            one = [rng.choice(rng.choice((TERMS, TERMS, HANDS)))]
            if rng.random() < 0.3:
                one += [rng.choice(TERMS)]
                other = [rng.choice(TERMS), *rng.sample(HANDS, rng.randint(0, 1))]
                one = [f"if {rng.choice(TESTS)}:", *indented(one), "else:"]
                one += indented(other)
            lines += one
        lines.append(rng.choice(HANDS))
        start = rng.choice(("w", "np.zeros(3)", "x[0]", "w * 2"))
        body = [f"p, q, t = {start}, w * 0.5, 0.0", "for i, r in enumerate(x):"]
        body += [*indented(lines), rng.choice(("return t", "return t + p @ w"))]
        head = "import numpy as np\n\n\ndef f(x, w):\n"
        return head + "\n".join(indented(body)) + "\n"


def indented(lines: list[str]) -> list[str]:
    """The lines one level in."""
    return [f"    {line}" for line in lines]


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, by its matrix and by its vector."""
    text = Writer(seed).text()
    params = Parameter("x", ("3", "3")), Parameter("w", ("3",))
    program = Written(params, tuple(text.split("\n")), seed, "f")
    for wrt in ("x", "w"):
        case, verdict = Case(program, {}, wrt, level="none"), Verdict()
        with noted(verdict), np.errstate(all="ignore"):
            verdict.faults += judged(program, wrt, engine, verdict)
        yield case, verdict


def judged(program: Written, wrt: str, engine, verdict: Verdict) -> Iterator[Fault]:
    """Faults of the Jacobian and of the Hessian times a vector, and changed arguments."""
    function, place = program.function, 0 if wrt == "x" else 1
    args = program.arguments(0)
    before = [arg.copy() for arg in args]
    want = numeric_gradient(function, args, place)
    if not np.all(want.error <= tolerance(want.value) / 4):
        verdict.measured = False
        return
    jacobian = engine.jacobian(function, wrt=wrt)
    gradient = engine.grad(function, wrt=wrt)
    along = args[place][..., ::-1].copy()

    def at(step: float) -> np.ndarray:
        moved = [arg.copy() for arg in before]
        moved[place] += step * along
        return gradient(*moved)

    slope = [(at(h) - at(-h)) / (2 * h) for h in (1e-3, 5e-4)]
    second = (4 * slope[1] - slope[0]) / 3
    ways = {
        "jacobian": (jacobian(*args), want.value, tolerance(want.value)),
        "hvp": (engine.hvp(function, wrt=wrt)(*args, along), second, None),
    }
    verdict.text = jacobian.specialize(*args).source
    for way, (got, wanted, near) in ways.items():
        near = 1e-5 * max(1.0, np.max(np.abs(wanted))) if near is None else near
        if np.shape(got) != wanted.shape:
            yield Fault("shape", f"{way}: {np.shape(got)}")
        elif not np.all(np.abs(got - wanted) <= near):
            yield Fault("value", f"{way}: {got}, not {wanted}")
    if not all(np.array_equal(a, b) for a, b in zip(args, before)):
        yield Fault("arguments", "a derivative has changed what it was called with")
