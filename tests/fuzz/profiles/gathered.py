"""Entries that are read by places of one to three axes, and reduced or spread along some.

What flows back to them has fewer axes than the places, or is larger than what it is
summed to: by calls, with shapes told, and by texts with nothing told, which are right or
say what they take their arguments for.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.profiles.assumed import verdict_on
from tests.fuzz.program import Parameter, Program

PROGRAMS = 30
REFUSED_AT_MOST = 0.05
TABLES = [("n",), ("n",), ("n",), ("n", "d"), ("n", "1")]
OTHERS = [(), (), ("n",), ("d",), ("1",)]
PLACES = (
    "np.array([0, 1, 1]); np.array([[0, 1, 1], [-1, 0, 1]]); np.array([[0], [1], [1]]); "
    "[[0, 1, 1], [1, 0, -1]]; np.array([[[0, 1], [1, 1]], [[-1, 0], [0, 1]]]); "
    "np.arange(len(x))[:, None] - np.arange(2); np.array([[1, 0, 0]]); "
    "np.argsort(x, axis=0)"
)
READ = (
    "x[i]; x[i]; x[i]; x[i,]; x[..., i]; np.take(x, i, axis=0); np.take(x, i); "
    "x[i, None]; np.sin(x)[i]; (x * k)[i]; (x + k)[i]; x[i] - x[0]; x[i] * x[i - 1]"
)
LINES = (
    "r = r.sum(axis=0); r = r.mean(axis=0); r = r.sum(axis=-1); r = r * np.arange(3.0); "
    "r = r * k; r = r + k; r = np.sum(r, axis=0, keepdims=True) * r; r = np.tanh(r); "
    "r = r - r.mean(axis=0); r = r * (np.arange(r.shape[-1]) > 0); r = r.max(axis=0); "
    "r = np.add.reduce(r); r = r / (1 + r.sum(axis=0) ** 2); r = r * x[0]; r = r @ r.T; "
    "r = np.where(r > 0, r, 0.5 * k); r = np.cumsum(r, axis=0); r = r[0]; r = -2 * r"
)
ENDS = (
    "np.sum(r); np.sum(r ** 2); np.sum(r * np.sum(x)); np.mean(r) * np.sum(k); "
    "np.sum(np.sin(r)) + 0.1 * np.sum(x ** 2); np.sum(r * k); np.sum(r.sum(axis=0) ** 3)"
)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    names = tuple(param.name for param in program.params)
    told = {name: param.fact for name, param in zip(names, program.params)}
    for wrt in (names, names[:1]):
        case = Case(program, told, wrt, level="full")
        yield case, examine(case, engine, truth, companions=False)
        case = Case(program, {}, wrt, level="none")
        yield case, verdict_on(case, engine, truth)


def generate(seed: int) -> Program:
    """The first program of this seed that runs."""
    rng = Random(f"gathered {seed}")
    while True:
        given = Parameter("x", rng.choice(TABLES)), Parameter("k", rng.choice(OTHERS))
        program = Program(given, tuple(body(rng)), seed).without_unused()
        if program.params and program.fits() and _are_arrays(program):
            return program


def body(rng: Random) -> list[str]:
    """Entries of x, what is made of them, and a total."""

    def one(text: str) -> str:
        return rng.choice(text.split("; "))

    lines = [f"i = {one(PLACES)}", f"r = {one(READ)}"]
    lines += [one(LINES) for _ in range(rng.choice([1, 1, 2, 3]))]
    return [*lines, f"return {one(ENDS)}"]


def _are_arrays(program: Program) -> bool:
    """Whether what is reduced along an axis is an array each time, and no number."""
    space = dict(zip([p.name for p in program.params], program.arguments(0)))
    space["np"] = np
    for line in program.lines[:-1]:
        exec(line, space)
        if not np.ndim(space.get("r", space["i"])):
            return False
    return True
