"""Lines of the rule tests as texts of an example, whose axes may be 1, and of other lengths.

An example tells of ranks, not of lengths: where the function itself takes arguments of
other lengths, the text is right for them, or it raises.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import RTOL, Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.empty import lines
from tests.fuzz.program import FIRST_SIZES, Program

PROGRAMS = 20
REFUSED_AT_MOST = 0.3  # where an example has no entries
FORMS = (
    ("return {line}",),
    ("p = {line}", "return np.sum(p ** 2) * np.sum({x})"),
    ("p = {line}", "return np.sum(p * 0.5 + np.sum({x}) ** 2)"),
    ("p = {line}", "return np.sum((p - np.mean(p)) ** 3)"),
)
LENGTHS = (0, 1, 1, 2)


def program(seed: int) -> Program:
    """A line at the sizes of an example, and at others."""
    from tests.rules.checker import parameters

    rng = Random(f"examples {seed}")
    line = rng.choice(lines())
    facts = rng.choice([fs for fs in line.shapes if set(fs) - {"", "float"}])
    params = parameters(line, facts)
    names = sorted({dim for p in params for dim in p.dims if not dim.isdecimal()})
    arrays = [p.name for p in params if p.dims]

    def drawn() -> dict[str, int]:
        first = rng.random() < 0.5
        own = {name: rng.choice(LENGTHS) for name in names}
        return FIRST_SIZES | (own if first else {name: own[name] for name in names[:1]})

    form = rng.choice(FORMS)
    body = tuple(one.format(line=line.text, x=arrays[0]) for one in form)
    return Program(params, body, seed, sizes=(drawn(), drawn()))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    case = Case(made, {}, tuple(param.name for param in made.params), level="none")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield case, verdict(case, engine)


def verdict(case: Case, engine) -> Verdict:
    """What is wrong with the text of the first sizes, at both."""
    made, found = replace(case.program, sizes=case.program.sizes), Verdict()
    if _value(made, 0) is None:
        found.measured = False
        return found
    wrt = case.names if len(case.names) > 1 else case.names[0]
    try:
        found.text = engine.emit(made.function, wrt, example=tuple(made.arguments(0)))
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    names: dict = {}
    exec(compile(found.text, "<gradgen text>", "exec"), names)
    for sample in (0, 1):
        value = _value(made, sample)
        if value is not None:
            seed = np.random.default_rng(sample).uniform(0.5, 1.5, value.shape)[()]
            gradient = names[f"grad_{made.name}"]
            found.faults += _faults(made, sample, gradient, seed)
    return found


def _value(made: Program, sample: int) -> np.ndarray | None:
    """The value of the program, if it has one of finite floats."""
    try:
        value = np.asarray(made.function(*made.arguments(sample)))
    except Exception:
        return None
    return value if value.dtype.kind == "f" and np.all(np.isfinite(value)) else None


def _faults(made: Program, sample: int, gradient, seed) -> Iterator[Fault]:
    args = made.arguments(sample)
    try:
        got = gradient(*made.arguments(sample), seed)
    except (ValueError, IndexError, ZeroDivisionError):
        return  # it is looked at, by the text or by NumPy
    several = got if len(args) > 1 else (got,)
    for at, (param, one) in enumerate(zip(made.params, several, strict=True)):
        if np.shape(one) != np.shape(args[at]):
            told = f"d_{param.name}: {np.shape(one)}, not {np.shape(args[at])}"
            yield Fault("shape", told)
            continue
        if not np.size(one) or not np.all(np.isfinite(one)):
            continue  # a deviation of one entry has no slope
        true = numeric_gradient(made.function, args, at, seed)
        scale = np.max(np.abs(true.value), initial=1.0)
        known = np.all(true.error <= RTOL * scale)
        if known and not np.all(np.abs(one - true.value) <= 4 * RTOL * scale):
            yield Fault("value", f"d_{param.name}: {one}, not {true.value}")
