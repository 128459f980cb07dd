"""judged(original): what the doors give for a function, by the judge of tests/wild."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

import gradgen
from gradgen.errors import GradgenError
from tests.metamorphic.originals import Original
from tests.wild.judge import Outcome, measure, outcomes
from tests.wild.limits import TookTooLong, limited
from tests.wild.survey import Case, leaves

DOORS = ("first", "all", "text")


def case_of(original: Original) -> Case:
    function = original.function
    if not inspect.isroutine(function) and not isinstance(function, functools.partial):
        function = function.__call__  # of an instance
    method = inspect.ismethod(function)
    return Case("", original.label, function, original.names, original.args, method)


def judged(original: Original, rng: Random) -> dict[str, Outcome]:
    """The outcome at each door; `apart` under the door "" where nothing is measured."""
    with contextlib.redirect_stdout(io.StringIO()):
        return _judged(case_of(original), rng)


def _judged(case: Case, rng: Random) -> dict[str, Outcome]:
    doors = DOORS if is_named(case) else ("first", "text")
    if len(case.floating) > 1 and is_named(case):
        doors = ("all", "text") if rng.random() < 0.7 else ("first", "text")
    truth = measure(case, ("all",) if "all" in doors else ("first",))
    if isinstance(truth, Outcome):
        return {"": truth}
    found = outcomes(case, truth, doors)
    if rng.random() < 0.2 and found[doors[0]].verdict == "right":
        found["value"] = valued(case, truth.seed)
    if rng.random() < 0.2 and found[doors[0]].verdict == "right":
        found["forward"] = pushed(case, truth)
    return found


def is_named(case: Case) -> bool:
    """Whether the parameters have the names that the original's have."""
    try:
        parameters = inspect.signature(case.function).parameters
    except (TypeError, ValueError):
        return False
    return all(name in parameters for name in case.names)


def valued(case: Case, seed: object) -> Outcome:
    """Whether value_and_grad gives the function's own value."""
    given = {} if isinstance(seed, float) and seed == 1.0 else {"seed": seed}
    first = case.floating[0]
    wrt = {} if first == 0 else {"wrt": case.names[first]}
    try:
        with limited():
            value, _ = gradgen.value_and_grad(case.function, **wrt)(
                *case.fresh(), **given
            )
            want = case.function(*case.fresh())
    except GradgenError as refusal:
        return Outcome("refused", refusal.problems[0].code, refusal.problems[0].message)
    except (Exception, TookTooLong) as error:
        return Outcome("crash", said=f"{type(error).__name__}: {error}")
    for one, other in zip(leaves(value), leaves(want), strict=True):
        if np.shape(one) != np.shape(other):
            return Outcome("wrong", said=f"value of shape {np.shape(one)}")
        if not np.array_equal(one, other):
            return Outcome("wrong", said=f"value {one}, not {other}")
    return Outcome("right")


def pushed(case: Case, truth) -> Outcome:
    """Whether <seed, J v> is <gradient, v>, forward, along a vector."""
    first = case.floating[0]
    want = truth.gradients[first]
    v = np.random.default_rng(4).uniform(0.5, 1.5, np.shape(case.args[first]))
    v = v if np.ndim(case.args[first]) else float(v)
    wrt = {} if first == 0 else {"wrt": case.names[first]}
    try:
        with limited():
            found = gradgen.jvp(case.function, **wrt)(*case.fresh(), v)
    except GradgenError as refusal:
        return Outcome("refused", refusal.problems[0].code, refusal.problems[0].message)
    except (Exception, TookTooLong) as error:
        return Outcome("crash", said=f"{type(error).__name__}: {error}")
    tangent = leaves(found[1] if isinstance(found, tuple) else found)
    got = flat(truth.weights) @ flat(tangent)
    expected = np.sum(want.value * v)
    room = 4e-6 * np.sum(np.abs(want.value * v)) + 10 * np.sum(want.error) + 1e-9
    if abs(got - expected) > room:
        return Outcome("wrong", said=f"forward {got}, measured {expected}")
    return Outcome("right")


def flat(leaves_: Sequence[Any]) -> np.ndarray:
    """All entries of some leaves in order."""
    return np.concatenate([np.ravel(leaf) for leaf in leaves_])
