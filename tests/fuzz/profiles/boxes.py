"""Numbers that come as arrays of rank 0: z += y changes these, and binds a number anew.

Short programs of two arguments with aliases, changes in place and branches, called
with Python numbers, numbers of NumPy's and arrays of rank 0; told to be numbers, and
with nothing told. The truth is measured at the very arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import Parameter, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.1  # told to be numbers, some are stored into
KINDS = {
    "float": float,
    "float64": np.float64,
    "array": np.array,
    "float32 array": lambda v: np.array(v, np.float32),
}
STEPS = (
    "{z} = {a}",
    "{z} += {e}",
    "{z} *= {e}",
    "{z} -= 0.5 * {a}",
    "{z} = {a} + {e}",
    "{z} = +{a}",
    "{z} = {a} if {a} > {c} else {b}",
    "if {a} > {c}:\n        {z} += {e}",
    "for i in range(2):\n        {z} *= {e}",
    "{z} = np.positive({a})",
    "{z} = np.asarray({a})",
    "{z} = np.asarray({a}) * 1.0",
    "{z} = np.copy({a})",
    "{z} = picked({a}, {b})",
    "{z} = first({a}, {b})",
    "if {a} > {c}:\n        {z} = {a}\n    else:\n        {z} = {b} * 1.0",
    "{z} = changed({a}, {b})",
    "{z}, t = {a}, {b}",
    "for {z} in ({a}, {b}):\n        {z} += {e}",
    "{z} = [{a}, {b}][i]",
    "{z}[...] = {e} * {a}",
    "{z}[()] += {e}",
)
HELPERS = """
def picked(a, b):
    return a if a > 0.7 else b


def first(a, b):
    if b > 1.1:
        return b * 0.5
    a *= 0.5 + b
    return a


def changed(a, b):
    for one in (a, b):
        one += 0.1
    return one
"""
TERMS = ("np.sin({a})", "0.7", "{a} * {b}", "np.sum({a})", "{a} ** 2", "1 / (2 + {a})")


class Boxed(Program):
    """A program with functions that hand on what they are given."""

    @property
    def source(self) -> str:
        before, after = super().source.split("\n\n\n", 1)
        return f"{before}\n\n{HELPERS}\n\n{after}"


def program(seed: int) -> Program:
    rng = Random(f"boxes {seed}")
    names, lines = ["x", "y"], ["i = 1"]
    for _ in range(rng.randint(2, 5)):
        new = rng.choice([*"zwv", rng.choice(names)])
        step = rng.choice(STEPS[:-2] if rng.random() < 0.8 else STEPS)
        if step[:5] != "{z} =" and new not in names:
            step = "{z} = {a}"
        names_now = dict(z=new, a=rng.choice(names), b=rng.choice(names))
        term = rng.choice(TERMS).format(**names_now)
        lines.append(step.format(e=term, c=rng.choice(("0.4", "1.1")), **names_now))
        names = list(dict.fromkeys([*names, new]))
    lines.append("return " + " + ".join(f"{n} * {rng.choice(names)}" for n in names))
    params = tuple(Parameter(name, (), "array", 0.3, 1.5, False) for name in "xy")
    return Boxed(params, tuple(lines), seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    rng = Random(f"boxes kinds {seed}")
    for told in ({}, {"x": "", "y": ""}):
        kinds = [rng.choice(list(KINDS)) for _ in "xy"]
        case = Case(made, told, "x", level=f"{kinds}")
        yield case, verdict(case, kinds, engine)


def verdict(case: Case, kinds: list[str], engine) -> Verdict:
    def arguments():
        values = map(float, case.program.arguments(0))
        return [KINDS[kind](v) for kind, v in zip(kinds, values)]

    found, function = Verdict(), case.program.function
    try:
        function(*arguments())
    except Exception:
        return found  # a number is stored into: the primal's own error
    wide = [np.array(a) if isinstance(a, np.ndarray) else float(a) for a in arguments()]
    wide = [a.astype(float) if isinstance(a, np.ndarray) else a for a in wide]
    want = numeric_gradient(function, wide, 0, 1.0)
    if np.any(want.error > tolerance(want.value) / 4):
        return Verdict(measured=False)
    try:
        gradient = engine.grad(function, shapes=case.shapes)
        args = arguments()
        for _ in range(3):  # the third call is written for its signature
            got = gradient(*args)
        found.text = gradient.source
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    loose = 1e-4 if any("float32" in kind for kind in kinds) else 0.0
    if np.shape(got) != () or abs(got - want.value) > tolerance(want.value) + loose:
        found.faults.append(Fault("value", f"{kinds}: {got}, not {want.value}"))
    dtype, own = getattr(args[0], "dtype", None), getattr(got, "dtype", None)
    if dtype is not None and own != dtype:
        found.faults.append(Fault("dtype", f"{kinds}: {own}, not {dtype}"))
    if [float(a) for a in args] != [float(a) for a in arguments()]:
        found.faults.append(Fault("argument changed", f"{kinds}"))
    return found
