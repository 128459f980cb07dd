"""Larger arguments: the gradient along random directions, against one measurement."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.conditioning import is_steady
from gradgen.verify.differences import EPS, Estimate
from gradgen.verify.finite import directional
from gradgen.verify.inputs import DRAWS, LARGER, Layout, layouts
from gradgen.verify.points import TRIES, Doubtful, Point, result_of, seed_for
from gradgen.verify.report import TOLERANCES, Mismatch
from gradgen.verify.rounding import RUNS, moved_leaves
from gradgen.verify.subject import Subject

DIRECTIONS = 2
CLOSE = 2e-7  # in parts of the derivative
FAR = 1e-2  # what no last digits change a derivative by that can be judged
SLOW = 0.02  # seconds for one run of a primal, of which a measurement takes dozens


@dataclass(frozen=True)
class Larger:
    """What was found at a larger size; `said` tells of it."""

    directions: int = 0
    said: str = ""
    wrong: Mismatch | None = None
    place: str = ""


def larger(subject: Subject, seed: int = 0) -> Larger:
    """The derivatives along random directions at the first larger size that is quick.

    <gradient, v> is held against the derivative of sum(seed * primal) along v: for
    all arguments at once, and for each where that disagrees.
    """
    for lengths in LARGER:
        known = list(layouts(subject.parameters, subject.wrt, None, (lengths,)))
        if not known or not (known[0].lengths or known[0].guess):
            return Larger()  # scalars and fixed lengths have no larger size
        if known[0].guess:
            return Larger()
        layout, done = known[0], 0
        for k in range(DIRECTIONS):
            rng = np.random.default_rng([seed, 1000, k])
            drawn = _drawn(subject, layout, rng)
            if drawn is None:
                break
            wrong, measured = _compared(subject, *drawn, rng)
            if wrong is not None:
                place = f"{layout.sizes}, float64, seed {seed}"
                return Larger(done, "", wrong, place)
            done += measured
        if done:
            return Larger(done, layout.sizes)
    return Larger()


def _drawn(
    subject: Subject, layout: Layout, rng: np.random.Generator
) -> tuple[list[Any], np.ndarray] | None:
    """Arguments that the primal takes, with its result; None for none, or slow ones."""
    for draw in DRAWS:
        for _ in range(TRIES):
            args = layout.arguments(rng, np.float64, draw)
            result, took = _timed(subject, args)
            if took > SLOW:
                took = min(took, _timed(subject, args)[1])  # its first run may import
            if took > SLOW:
                return None
            if result is None:
                break
            steady = is_steady(subject.primal.at(args), args)
            if np.all(np.isfinite(result)) and steady:
                return args, result
    return None


def _timed(subject: Subject, args: list[Any]) -> tuple[np.ndarray | None, float]:
    """The primal's result, and the time that this thread computed: others may too."""
    start = time.thread_time()
    result = result_of(subject.primal, args, 50 * SLOW)
    return result, time.thread_time() - start


def _compared(
    subject: Subject, args: list[Any], result: np.ndarray, rng: np.random.Generator
) -> tuple[Mismatch | None, bool]:
    """A fault, and whether there was a measurement."""
    seed = seed_for(result, rng)
    tangents = {x: _tangent(args[subject.names.index(x)], rng) for x in subject.wrt}
    computed = _computed(subject, args, result, seed, tangents)
    if isinstance(computed, Mismatch):
        return computed, False
    if not computed:
        return None, False
    want = _measured(subject, args, seed, tangents)
    if want is None:
        return None, False
    total, size = (
        sum(c for c, _ in computed.values()),
        sum(s for _, s in computed.values()),
    )
    # What the values are worth is rounded, too.
    floor = 64 * EPS * float(np.sum(np.abs(seed * result)))
    if not _off(total, want, size, floor):
        return None, True
    if _moves(subject, args, seed, tangents, total, size):
        return None, False
    for x, tangent in tangents.items():
        alone = _measured(subject, args, seed, {x: tangent})
        got, its_size = computed[x]
        if alone is not None and _off(got, alone, its_size, floor):
            return Mismatch(x, "direction", got, float(alone.value)), True
    names = ", ".join(tangents)
    return Mismatch(names, "direction", total, float(want.value)), True


def _moves(
    subject: Subject, args: Any, seed: Any, tangents: Any, total: float, size: float
) -> bool:
    """Whether the computed derivative is another one for other last digits.

    A loop that wanders before it settles has a slope of its own for each way that it
    takes, whatever its value tends to.
    """
    for leaves in moved_leaves(args, RUNS):
        result = result_of(subject.primal, leaves)
        if result is None or not np.all(np.isfinite(result)):
            return True
        found = _computed(subject, leaves, result, seed, tangents)
        if isinstance(found, Mismatch) or not found:
            return True
        other = sum(c for c, _ in found.values())
        if not abs(other - total) <= FAR * max(abs(total), 1e-2 * size):
            return True
    return False


def _tangent(arg: Any, rng: np.random.Generator) -> Any:
    tangent = rng.uniform(0.5, 1.5, np.shape(arg))
    tangent = tangent * rng.choice([-1, 1], np.shape(arg))
    if np.iscomplexobj(arg):
        tangent = tangent * np.exp(1j * rng.uniform(0, 6, np.shape(arg)))
    return tangent if np.ndim(arg) else tangent.item()


def _computed(
    subject: Subject, args: Any, result: Any, seed: Any, tangents: Any
) -> dict[Any, Any] | Mismatch:
    """For each argument Re <gradient, tangent>, and the size of its terms."""
    if subject.along is not None:
        named = dict(zip(subject.names, args, strict=True))
        found = {}
        for x in tangents:
            zeros = {y: 0 * v for y, v in tangents.items()} | {x: tangents[x]}
            _, change = subject.along(named, zeros)
            terms = np.real(seed * change)
            found[x] = float(np.sum(terms)), float(np.sum(np.abs(terms)))
        return found
    blank = Estimate(np.zeros(()), np.zeros(()))
    point = Point(subject, args, result, seed, [blank] * len(subject.wrt))
    try:
        gradients = point.gradients()
    except Doubtful:
        return {}
    if isinstance(gradients, Mismatch):
        return gradients
    found = {}
    for x, gradient in zip(tangents, gradients, strict=True):
        arg = args[subject.names.index(x)]
        if np.shape(gradient) != np.shape(arg):
            return Mismatch(x, "shape", np.shape(gradient), np.shape(arg))
        terms = np.real(gradient * tangents[x])
        found[x] = float(np.sum(terms)), float(np.sum(np.abs(terms)))
    return found


def _measured(
    subject: Subject, args: Any, seed: Any, tangents: dict[Any, Any]
) -> Estimate | None:
    """The derivative along the tangents; None where it cannot be measured."""
    primal = subject.primal.at(args)

    def weighted(*arguments: Any) -> Any:
        return np.real(np.sum(seed * primal(*arguments)))

    def plain(*arguments: Any) -> Any:
        return np.sum(seed * primal(*arguments))

    along: Sequence[Any] = [tangents.get(name) for name in subject.names]
    speaks = any(map(np.iscomplexobj, (seed, *args)))
    try:
        found = directional(weighted if speaks else plain, args, along)
    except Exception:  # an index that depends on the values, for one
        return None
    rtol, atol = TOLERANCES["float64"]
    fine = np.all(np.isfinite(found.value))
    precise = np.all(found.error <= rtol * np.abs(found.value) + atol)
    return found if fine and precise else None


def _off(got: float, want: Estimate, size: float, floor: float) -> bool:
    """Whether a derivative is not the measured one, but for rounding of its terms."""
    bound = CLOSE * max(abs(float(want.value)), 1e-2 * size) + floor
    return not abs(got - want.value) <= bound + 2 * float(want.error)
