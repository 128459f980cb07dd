"""Divisors that are 0 as Python's numbers, in arms of np.where that are not chosen.

They are constants, arguments with and without a default, and lengths less a number, below
arrays, sums and products of several. The value is finite and so is its gradient: by calls
and by texts that nothing, the lengths, or nothing at all is told for.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import RTOL, Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import FIRST_SIZES, Parameter, Program

PROGRAMS = 12
ABOVE = [
    "x",
    "x * x",
    "np.sin(x)",
    "x * y",
    "2.5 * x",
    "(x + y)",
    "np.exp(y) * x",
    "-x",
]
# as many entries as x has in every program, and numbers that are 0
LENGTH = FIRST_SIZES["n"]
BELOW = [
    "0.0",
    "0",
    "s",
    "k",
    "r",
    "(2 * s)",
    f"(len(x) - {LENGTH})",
    f"(x.shape[0] - {LENGTH})",
    f"(x.size - {LENGTH})",
    "s / 2.0",
    "s * y",
]
TESTS = ["x > 90", "y < -90", "s > 0", "k != 0", "np.abs(x) > 50"]
CHOSEN = ["x * x", "np.cos(x)", "x * y + 1", "0.5 * x"]
ENDS = ["np.sum({})", "np.mean({})", "np.sum({} * y)", "np.sum(np.sin({}))"]
DOORS = ("grad", "value_and_grad", "vjp", "nothing", "lengths", "general")


@dataclass(frozen=True)
class Zero(Parameter):
    """A number of Python's that is 0."""

    def value(self, sizes: dict[str, int], rng: np.random.Generator, dtype):
        return 0 if self.kind == "int" else 0.0


def program(seed: int) -> tuple[Program, str]:
    """One or two choices with a quotient in an arm, and the way in."""
    rng = Random(f"divisors {seed}")
    lines, names = [], []
    for i in range(rng.choice((1, 1, 2))):
        many = rng.choice((1, 1, 2))
        # nobody divides by two zeros that are written out in one sum
        below = BELOW if many == 1 else BELOW[2:]
        parts = (f"{rng.choice(ABOVE)} / {rng.choice(below)}" for _ in range(many))
        test, arms = rng.choice(TESTS), [" + ".join(parts), rng.choice(CHOSEN)]
        if rng.random() < 0.3:
            test, arms = f"np.logical_not({test})", arms[::-1]
        lines.append(f"v{i} = np.where({test}, {arms[0]}, {arms[1]})")
        names.append(f"v{i}")
    end = rng.choice(ENDS).format(f"({' * '.join(names)})")
    params = [Parameter(name, ("n",)) for name in "xy"]
    params += [Zero("s", (), "float"), Zero("r", (), "float"), Zero("k", (), "int")]
    sizes = (FIRST_SIZES, FIRST_SIZES)
    body = (*lines, f"return {end}")
    made = Program(tuple(params), body, seed, sizes=sizes).without_unused()
    if "x" not in {param.name for param in made.params}:
        return program(seed + 10**6)
    return made, rng.choice(DOORS)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made, door = program(seed)
    shapes = {p.name: "n" for p in made.params if p.dims} if door == "lengths" else {}
    case = Case(made, shapes, "x", level="full" if shapes else "none")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield case, verdict(case, door, engine)


def verdict(case: Case, door: str, engine) -> Verdict:
    """What is wrong with the gradient in x, by one way in."""
    made, found = case.program, Verdict()
    args = made.arguments(0)
    true = numeric_gradient(made.function, args, 0, 1.0)
    if not np.all(true.error <= RTOL):
        return found  # an arm that is chosen divides by 0
    found.text = f"({door})"
    try:
        if door in ("grad", "value_and_grad", "vjp"):
            gradient = getattr(engine, door)(made.function, wrt="x")
            got = gradient(*args)
            got = got[1]() if door == "vjp" else got[-1] if door != "grad" else got
        else:
            given = {"general": True} if door == "general" else {"shapes": case.shapes}
            found.text = engine.emit(made.function, wrt="x", **given)
            names: dict = {}
            exec(compile(found.text, "<gradgen alone>", "exec"), names)
            got = names["grad_program"](*args)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    scale = np.max(np.abs(true.value), initial=1.0)
    if np.shape(got) != np.shape(args[0]) or got.dtype != args[0].dtype:
        found.faults.append(Fault("shape", f"{np.shape(got)} of {got.dtype}"))
    elif not np.all(np.abs(got - true.value) <= 4 * RTOL * scale):
        found.faults.append(Fault("value", f"{got}, not {true.value}"))
    return found
