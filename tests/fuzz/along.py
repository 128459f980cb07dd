"""One program of a vector, judged by its gradient, its tangents and its Hessian."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from gradgen.verify.finite import directional, numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.python import Written
from tests.fuzz.program import Parameter

LARGEST = 1e6  # sines of larger numbers are told by rounding alone


def verdicts(text: str, seed: int, engine, length: int) -> Iterator[tuple]:
    """The case and the verdict of a module's function f of one vector x."""
    params = (Parameter("x", (str(length),)),)
    program = Written(params, tuple(text.split("\n")), seed, "f")
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        verdict.faults += judged(program, engine, verdict, length)
    yield case, verdict


def judged(program: Written, engine, verdict: Verdict, length: int) -> Iterator[Fault]:
    """Faults of grad, jvp and hvp at two points, and of the text of the last alone."""
    function = program.function
    points = [
        np.random.default_rng([program.seed, k]).uniform(0.1, 0.9, (2, length))
        for k in (0, 1)
    ]
    wanted = [numeric_gradient(function, [x.copy()], 0) for x, _ in points]
    values = [function(x.copy()) for x, _ in points]
    if not all(abs(value) < LARGEST for value in values) or not all(
        np.all(want.error <= tolerance(want.value) / 4) for want in wanted
    ):
        verdict.measured = False
        return
    gradient = engine.grad(function, "x")
    pushed, curved = engine.jvp(function, "x"), engine.hvp(function, "x")
    for (x, v), want, value in zip(points, wanted, values):
        got = gradient(x.copy())
        verdict.text = curved.source
        if np.shape(got) != x.shape or not _alike(got, want.value, 1e-6):
            yield Fault("value", f"grad: {got}, not {want.value}")
            continue
        primal, tangent = pushed(x.copy(), v)
        if not np.array_equal(primal, value):
            yield Fault("primal value", f"jvp: {primal}, not {value}")
        if not abs(tangent - want.value @ v) <= 3 * np.max(tolerance(want.value)):
            yield Fault("value", f"jvp: {tangent}, not {want.value @ v}")
        second = directional(gradient, [x], [v])  # of the gradient, which is right
        size = 1e-5 * np.max(np.abs(second.value)) + 1e-7
        found = curved(x.copy(), v)
        if np.all(second.error <= size / 4) and not _alike(found, second.value, 1e-5):
            yield Fault("second value", f"hvp: {found}, not {second.value}")


def _alike(got, want: np.ndarray, relative: float) -> bool:
    size = relative * np.max(np.abs(want), initial=0.0) + relative / 100
    return bool(np.all(np.abs(got - want) <= size))
