"""Forward mode, held against the measured gradients: <seed, J v> = <gradient, v>."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import directional
from tests.fuzz.case import ATOL, RTOL, Case, Truth
from tests.fuzz.program import SAMPLES
from tests.fuzz.judge import (
    Fault,
    TooLong,
    Verdict,
    as_tuple,
    broken_off,
    patience,
    side_by_side,
)


def pushed(case: Case, engine, truth: Truth) -> Verdict:
    """The verdict on the forward mode of one case."""
    verdict = Verdict()
    if not truth.measures(case.names):
        verdict.measured = False
        return verdict
    try:
        with np.errstate(all="ignore"), patience():
            verdict.faults += of_forward(case, engine, truth)
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except TooLong:
        verdict.faults.append(Fault("too long", "the forward mode"))
    except Exception:  # whatever else comes out of the engine is a fault of its own
        verdict.faults.append(broken_off())
    return verdict


def of_forward(case: Case, engine, truth: Truth) -> Iterator[Fault]:
    """Faults of jvp: its value, and its derivative along random tangents."""
    function = case.program.function
    forward = engine.jvp(function, wrt=case.wrt, shapes=dict(case.shapes))
    names = [param.name for param in case.program.params]
    for sample in SAMPLES:
        args, seed = case.program.arguments(sample), truth.seed(sample)
        rng = np.random.default_rng([case.program.seed, sample, 1])
        chosen = [args[names.index(name)] for name in case.names]
        tangents = [_like(arg, rng) for arg in chosen]
        primal = np.asarray(function(*case.program.arguments(sample)))
        value, change = forward(*args, *tangents)
        value = np.asarray(value)
        if value.dtype != primal.dtype or value.tobytes() != primal.tobytes():
            yield Fault("primal value", f"jvp: {value}, not {primal}")
        if np.shape(change) != primal.shape:
            yield Fault("shape", f"jvp: {np.shape(change)}, not {primal.shape}")
            continue
        want, size = 0.0, 0.0
        for name, tangent in zip(case.names, tangents):
            terms = truth.gradient(sample, name).value * tangent
            want, size = want + np.sum(terms), size + np.sum(np.abs(terms))
        got = np.sum(change * seed)
        if not abs(got - want) <= RTOL * size + ATOL * max(1, np.size(terms)):
            yield Fault("forward value", f"<seed, J v> is {got}, <gradient, v> {want}")
        for arg, original in zip(args, case.program.arguments(sample)):
            if np.asarray(arg).tobytes() != np.asarray(original).tobytes():
                yield Fault("changed", "an argument of jvp")


def curved(case: Case, engine, truth: Truth) -> Verdict:
    """The verdict on the Hessian times a vector of one case, by its gradient."""
    verdict = Verdict()
    if np.ndim(case.program.function(*case.program.arguments(0))):
        verdict.measured = False  # a Hessian is of one number
        return verdict
    try:
        with np.errstate(all="ignore"), patience():
            faults = of_hessian(case, engine)
            if faults is None:
                verdict.measured = False
            else:
                verdict.faults += faults
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except TooLong:
        verdict.faults.append(Fault("too long", "the Hessian"))
    except Exception:  # whatever else comes out of the engine is a fault of its own
        verdict.faults.append(broken_off())
    return verdict


def of_hessian(case: Case, engine) -> list[Fault] | None:
    """Faults of hvp against differences of the gradient; None where those are rough."""
    request = dict(wrt=case.wrt, shapes=dict(case.shapes), save=case.save)
    gradient = engine.grad(case.program.function, **request)
    times = engine.hvp(case.program.function, **request)
    names = [param.name for param in case.program.params]
    places = [names.index(name) for name in case.names]
    faults = []
    for sample in SAMPLES:
        args = case.program.arguments(sample)
        rng = np.random.default_rng([case.program.seed, sample, 2])
        tangents = {place: _like(args[place], rng) for place in places}
        along = [tangents.get(i) for i in range(len(args))]
        found = as_tuple(case, times(*args, *tangents.values()))
        for k, place in enumerate(places):
            want = directional(
                lambda *a, k=k: as_tuple(case, gradient(*a))[k], args, along
            )
            size = np.max(np.abs(want.value), initial=0.0)
            if np.any(want.error > (1e-5 * size + 1e-7) / 4):
                return None
            name = f"v_d_{names[place]}"
            if np.shape(found[k]) != np.shape(args[place]):
                faults.append(Fault("shape", f"{name}: {np.shape(found[k])}"))
            elif not np.all(np.abs(found[k] - want.value) <= 1e-5 * size + 1e-7):
                told = side_by_side(found[k], want.value)
                faults.append(Fault("second value", f"{name}\n{told}"))
        for arg, original in zip(args, case.program.arguments(sample)):
            if np.asarray(arg).tobytes() != np.asarray(original).tobytes():
                faults.append(Fault("changed", "an argument of hvp"))
    return faults


def _like(arg, rng: np.random.Generator):
    """A tangent for an argument: a number for a number."""
    if np.ndim(arg) == 0 and not isinstance(arg, np.ndarray):
        return float(rng.uniform(-1, 1))
    return rng.uniform(-1, 1, np.shape(arg))
