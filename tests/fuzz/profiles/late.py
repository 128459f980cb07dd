"""What is read of a list before it changes, and needed after that: s[-1]; s.append(y).

Each round reads entries, parts, sums or the length of a list, lets it grow or shrink or
stores into it, and uses what was read before or behind that, beside other values that
the way back needs. What a text reads late is what stood there early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.profiles.single import _is_smooth
from tests.fuzz.program import SAMPLES, Parameter, Program, run

PROGRAMS = 12
REFUSED_AT_MOST = 0.35  # slices and pops of lists in arms
X, Y = Parameter("x", ("n",)), Parameter("y", ("n",))
FIRSTS = ("x * y", "x", "np.sin(x)", "y + 0.5")
READS = (
    "v = s[-1]",
    "v = s[-1] * y",
    "v = s[0]",
    "v = s[len(s) - 1]",
    "v = s[i]",
    "v = s[-1] * s[0]",
    "v = np.sum(s[-1]) * x",
    "v = sum(s)",
    "v = np.mean(s, axis=0)",
    "v = np.array(s)[-1]",
    "v = s[-1] * len(s)",
    "v = np.tanh(s[-1])",
    "w = s[-1]\nv = w * w",
    "t += np.sum(s[-1] * s[-1])\nv = y",
    "t = t + np.sum(s[-1] ** 2)\nv = x",
    "v = x",
)
CHANGES = (
    "s.append(y * x[i])",
    "s.append(v * y)",
    "s.append(s[-1] * x)",
    "s += [x * y[i]]",
    "s[-1] = y * x",
    "s[-1] = s[-1] * 0.5 + v",
    "s[0] = v * x[i]",
    "s[i] = np.cos(x) * y",
    "s.append(v)\ns.append(v * x)",
    "s.append(x * y)\nu = s.pop()\nt = t + np.sum(u * v)",
    "s = s + [v * x]",
    "if y[i] > 0:\n    s.append(v * x)",
    "s.insert(0, v * x)",
    "s.reverse()",
    "pass",
)
USES = (
    "t += np.sum(v * v)",
    "t = t * 0.5 + np.sum(np.tanh(v * x[i]))",
    "t = t + np.sum(np.exp(-v * v)) * x[i]",
    "t += np.sum(s[-1] * v)",
    "t = np.tanh(t) + np.sum(s[-1] ** 2)",
    "t = t * 0.5 + np.sum(np.tanh(x[i]))",
)
ENDS = (
    "return t",
    "return t + np.sum(s[-1] * s[0])",
    "return t * np.sum(np.array(s) ** 2)",
    "return t + np.sum(sum(s) ** 2)",
)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    yield from verdicts_on(generate(seed), engine)


def verdicts_on(program: Program, engine) -> Iterator[tuple[Case, Verdict]]:
    """With everything told, and with nothing."""
    truth = Truth(program)
    for level in ("full", "none"):
        case = replace(case_of(program, level), complete=False)
        yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    return first_of("late", seed, (X, Y), _lines)


def first_of(
    kind: str,
    seed: int,
    params: tuple[Parameter, ...],
    lines: Callable[[Random], Iterator[str]],
) -> Program:
    """The first program of this seed that runs at its lengths."""
    rng = Random(f"{kind} {seed}")
    while True:
        program = Program(params, tuple(lines(rng)), seed)
        found = [run(program.function, program.arguments(k)) for k in SAMPLES]
        if all(one is not None and np.ndim(one) == 0 for one in found):
            if _is_smooth(program):
                return program


def _lines(rng: Random) -> Iterator[str]:
    yield from ("t = 0.0", f"s = [{rng.choice(FIRSTS)}]")
    looped = rng.random() < 0.8
    if looped:
        yield rng.choice(["for i in range(len(x)):", "for i in range(len(x) - 1):"])
    for _ in range(rng.randint(1, 2)):
        forms = [READS, CHANGES, USES]
        if rng.random() < 0.4:
            forms = [READS, USES, CHANGES, USES]
        for each in forms:
            for line in rng.choice(each).split("\n"):
                yield ("    " if looped else "") + (
                    line if looped else line.replace("[i]", "[1]")
                )
    yield rng.choice(ENDS)
