"""Lines of the rule tests where an axis has no entries, by a call and as text alone.

Where the function itself returns, its gradient does: of the shape and the dtype of the
argument, and as measured where there are entries. Where the function raises, the
gradient may raise, or may be computed. A text alone divides numbers by lengths as
Python does, and may raise ZeroDivisionError.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import RTOL, Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import FIRST_SIZES, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.3  # without facts some rules ask for them
# of no rows NumPy takes places that are not there
NO_PLACE = "np.take(x, "
DOORS = ("grad", "alone", "value_and_grad", "vjp", "jacobian")


@lru_cache(maxsize=None)
def lines() -> tuple:
    from tests.rules.test_second_order import LINES

    dims = (line for line in LINES if any("".join(facts) for facts in line.shapes))
    return tuple(line for line in dims if NO_PLACE not in line.text)


def program(seed: int) -> tuple[Program, str, bool]:
    """A line with axes of no entries, the way in, and whether facts are told."""
    from tests.rules.checker import parameters

    rng = Random(f"empty {seed}")
    line = rng.choice(lines())
    facts = rng.choice(line.shapes)
    names = sorted({c for fact in facts for c in fact.split() if c in FIRST_SIZES})
    none = set(rng.sample(names, rng.randint(1, len(names)))) if names else set()
    sizes = {name: 0 if name in none else n for name, n in FIRST_SIZES.items()}
    form = rng.choice(("{}", "np.sum({})", "np.mean({})"))
    body = f"return {form.format(line.text)}"
    made = Program(parameters(line, facts), (body,), seed, sizes=(sizes, sizes))
    return made, rng.choice(DOORS), rng.random() < 0.5


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made, door, told = program(seed)
    shapes = {p.name: p.fact for p in made.params if p.dims} if told else {}
    case = Case(made, shapes, made.params[0].name, level="full" if told else "none")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield case, verdict(case, door, engine)


def verdict(case: Case, door: str, engine) -> Verdict:
    """What is wrong with one gradient of a function of nothing."""
    made, found = replace(case.program, sizes=case.program.sizes), Verdict()
    args = made.arguments(0)
    try:
        value = np.asarray(made.function(*made.arguments(0)))
    except Exception:
        value = None  # the gradient may raise as well
    try:
        found.text = f"({door})"
        maker = getattr(engine, "grad" if door == "alone" else door)
        gradient = maker(made.function, wrt=case.wrt, shapes=case.shapes)
        if value is not None and value.dtype.kind != "f":
            return found
        try:
            got = taken(gradient, door, args)
        finally:
            found.text = f"({door})\n{gradient.source}"
    except GradgenError as refusal:
        found.refusal = str(refusal)
        if refusal.code == "GG512" and value is not None:
            found.faults.append(Fault("crash", str(refusal)))
        return found
    except Exception:
        if value is not None:
            found.faults.append(broken_off())
        return found
    if value is None or got is None:
        return found
    want = np.shape(args[0]) if door != "jacobian" else value.shape + np.shape(args[0])
    if np.shape(got) != want:
        found.faults.append(Fault("shape", f"{np.shape(got)}, not {want}"))
    elif isinstance(args[0], np.ndarray) and got.dtype != args[0].dtype:
        found.faults.append(Fault("dtype", f"{got.dtype}, not {args[0].dtype}"))
    elif np.size(got) and door != "jacobian" and np.all(np.isfinite(value)):
        true = numeric_gradient(made.function, args, 0, np.ones(value.shape)[()])
        scale = np.max(np.abs(true.value), initial=1.0)
        if np.all(true.error <= RTOL) and not np.all(
            np.abs(got - true.value) <= 4 * RTOL * scale
        ):
            found.faults.append(Fault("value", f"{got}, not {true.value}"))
    return found


def taken(gradient, door: str, args):
    """The gradient by a way in; as text alone it is run as a user's file would be."""
    if door == "alone":
        if not gradient.specialize(*args).function.__defaults__:
            return None  # it asks for a seed
        names: dict = {}
        exec(compile(gradient.source, "<gradgen alone>", "exec"), names)
        try:
            return names[gradient.__name__](*args)
        except ZeroDivisionError:
            return None
    found = gradient(*args)
    if door == "vjp":
        return found[1]()
    return found[1] if door == "value_and_grad" else found
