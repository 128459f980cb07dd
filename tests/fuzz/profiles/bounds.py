"""Slices by written and computed numbers, of vectors that are shorter than the bounds.

x[-6:] is all of a short x, x[3:] none of it, and x[: -2 + 1] the same as x[:-1]. One
function with two or three slices is called with vectors of several lengths, by a call
and as text of which nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.ranks import faults_of, truth
from tests.fuzz.program import Parameter, Program

PROGRAMS = 40
LENGTHS = (1, 2, 3, 4, 6, 9)
NUMBERS = (None, None, 0, 1, 2, 3, 4, 5, -1, -2, -3, -4, -6)
PHRASES = """
np.concatenate([x[{s}], y[{t}]]) ** 2
np.concatenate([x[{s}], x[{t}], x])
np.concatenate([y, x[{s}], np.ones(2)]) * np.sum(x[{t}])
np.hstack([x[{s}], y, x[{t}]]) ** 2
np.append(x[{s}], x) * np.sum(y[{t}])
np.stack([x[{s}], 2 * x[{s}]]) * np.sum(y[{t}])
np.sum(x[{s}] ** 2) + np.sum(x[{t}] ** 3) * np.sum(y)
np.sum(x[{s}]) / max(len(x[{s}]), 1) * np.sum(y[{t}])
np.mean(x[{s}] ** 2) - np.var(y[{t}])
np.tile(x[{s}], 2) * np.sum(y[{t}])
np.repeat(x[{s}], 2) * np.sum(y[{t}])
np.pad(x[{s}], (1, 2)) * np.sum(y[{t}])
np.outer(x[{s}], y[{t}])
np.cumsum(x[{s}]) * np.sum(y[{t}])
np.diff(np.concatenate([x[{s}], y])) * np.sum(x[{t}])
x[{s}][{t}] * np.sum(y)
np.insert(x[{s}], 0, np.sum(y[{t}]))
np.split(np.concatenate([x[{s}], y]), [2])[0] * np.sum(x[{t}])
"""
STORES = """
v = x.copy(); v[{s}] *= 2.0; v[{t}] = np.sin(v[{t}]); v = v * np.sum(y)
v = np.zeros(len(x)); v[{s}] += x[{s}] ** 2; v[{t}] -= x[{t}]; v = v * np.sum(y)
v = x * 1.0; v[{s}] = np.sum(y[{t}]); v = v ** 2
v = x ** 2; part = v[{s}]; part *= 3.0; v = v * np.sum(y[{t}])
"""
FORMS = [one for one in PHRASES.strip().split("\n")]
BLOCKS = [one.split("; ") for one in STORES.strip().split("\n")]


def bound(rng: Random) -> str:
    """A bound as it is written: a number, a sum of two, or nothing."""
    number = rng.choice(NUMBERS)
    if number is None:
        return ""
    if rng.random() < 0.3:
        more = rng.choice((1, 2, -1))
        return f"{number - more} {'-' if more < 0 else '+'} {abs(more)}"
    return str(number)


def generate(seed: int) -> Program:
    """A function of two vectors with two slices, each of which may stand twice."""
    rng = Random(f"bounds {seed}")
    s, t = (f"{bound(rng)}:{bound(rng)}" for _ in range(2))
    if rng.random() < 0.2:
        lines = [line.format(s=s, t=t) for line in rng.choice(BLOCKS)]
    else:
        lines = [f"v = {rng.choice(FORMS).format(s=s, t=t)}"]
    lines.append(rng.choice(["return v", "return v * 2", "return np.sum(np.sin(v))"]))
    params = tuple(Parameter(name, ("n",)) for name in "xy")
    return Program(params, tuple(lines), seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    names = ("x", "y")
    case, verdict = Case(program, {}, names, level="none"), Verdict()
    rng = np.random.default_rng([seed, 7])
    drawn = [rng.choice(LENGTHS, 2) for _ in range(6)]
    every = [[rng.uniform(0.2, 1.3, n) for n in lengths] for lengths in drawn]
    tried = [found for args in every if (found := truth(program, args))]
    if not tried:
        return
    try:
        by_call = engine.grad(program.function, wrt=names)
        verdict.text = engine.emit(program.function, wrt=names)
        space: dict = {}
        exec(compile(verdict.text, "<gradgen text>", "exec"), space)
        doors = {
            "by a call": lambda x, y, seed: by_call(x, y, seed=seed),
            "alone": space["grad_program"],
        }
        for args, by, wants in tried:
            for door, gradient in doors.items():
                for fault in faults_of(gradient, args, by, wants, names):
                    told = f"{door} {fault.detail}"
                    verdict.faults.append(Fault(fault.kind, told))
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except Exception:
        verdict.faults.append(broken_off())
    yield case, verdict
