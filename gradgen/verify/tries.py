"""A backward pass that is right at its arguments, tried with others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.verify.case import Case
from gradgen.verify.comparing import compare_leaf, measured_leaf
from gradgen.verify.finite import directional, slope
from gradgen.verify.forms import Answer, other_seed
from gradgen.verify.others import (
    Direction,
    Trial,
    direction,
    other_points,
    other_shapes,
)

# A derivative along a direction that is off by more, in parts of its terms, is a reason
# to measure every entry.
CLOSE, CLOSE_NARROW = 1e-9, 1e-4


@dataclass(frozen=True)
class Tries:
    """A case that is right for one seed; `found` is its answer there.

    `exact` says that its function was measured by complex steps.
    """

    case: Case
    found: Answer
    exact: bool
    rtol: float | None

    def seeds(self) -> list[str]:
        """Seeds of the other sign, and of both. Raises GradgenError at a wrong one."""
        if not self.found.seeded:
            return []
        rng = np.random.default_rng(1)

        def turned(leaf: Any) -> Any:
            return -0.75 * leaf

        def mixed(leaf: Any) -> Any:
            by = rng.uniform(0.5, 1.5, np.shape(leaf))
            by = by * rng.choice([-1, 1], np.shape(leaf))
            by = (
                by.astype(getattr(leaf, "dtype", float)) if np.ndim(leaf) else float(by)
            )
            return leaf * by

        for change in (lambda leaf: 0.5 * leaf, turned, mixed):
            given = other_seed(self.found.given, self.case.asked.nested, change)
            self._tried(self.case, given)
        return ["seeds of both signs"]

    def points(self) -> list[str]:
        """Other numbers, near those given. Raises GradgenError at a wrong one."""
        rng = np.random.default_rng(2)
        trials = other_points(self.case.leaves, self._places(), rng)
        count = sum(self._trial(trial) for trial in trials)
        return [f"{count} other point" + "s" * (count > 1)] if count else []

    def shapes(self) -> list[str]:
        """Axes of other lengths. Raises GradgenError at a wrong one."""
        case = self.case
        trials = other_shapes(case.leaves, case.f, case.hand)
        said = [trial.said for trial in trials if self._trial(trial)]
        return said

    def _places(self) -> list[int]:
        found = self.case.leaves_of(self.found.gradients)
        return [place for _, place, _ in found]

    def _trial(self, trial: Trial) -> bool:
        """Whether the gradient could be tried at other arguments."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._tried_at(trial)

    def _tried_at(self, trial: Trial) -> bool:
        try:
            case = self.case.at(trial.leaves, trial.said)
            before, result = _vector(self.case), _vector(case)
        except Exception:  # foreign code, that does not take these
            return False
        same = result.ndim == before.ndim and result.dtype == before.dtype
        if not same or not np.all(np.isfinite(result)):
            return False
        if trial.resized:
            found = self._fitting(case)
            return found is not None and self._tried(case, None, found)
        given, rng = self.found.given, np.random.default_rng(3)
        if self.found.seeded:
            nested = case.asked.nested
            given = other_seed(given, nested, lambda leaf: _signs(leaf, rng))
        return self._tried(case, given)

    def _fitting(self, case: Case) -> Answer | None:
        """The answer of a backward pass that is one for other lengths, too."""
        try:
            found = case.answer(case.hand)
        except Exception:  # it says so
            return None
        for _, place, got in case.leaves_of(found.gradients):
            shape = np.shape(self.case.leaves[place])
            if np.shape(got) == shape != np.shape(case.leaves[place]):
                return None
        return found

    def _tried(self, case: Case, given: Any, found: Answer | None = None) -> bool:
        """Whether a case could be measured. Raises GradgenError where it is wrong."""
        other = case is not self.case
        try:
            found = found or case.answer(case.hand, given)
        except GradgenError:
            if other:
                return False
            raise
        gradients = list(case.leaves_of(found.gradients))
        if other and not all(_is_finite(got) for _, _, got in gradients):
            return False  # it says so
        off = any(
            np.shape(got) != np.shape(case.leaves[place])
            or np.asarray(got).dtype.kind not in "fciu"
            for _, place, got in gradients
        )
        if not off:
            along = self._along(case, found, gradients)
            if along is None:
                return False
            off = along
        if off:
            for label, place, got in gradients:
                want = measured_leaf(case, place, found.seed)
                if want is None:
                    return False
                compare_leaf(case, label, place, got, want, found, self.rtol)
        return True

    def _along(
        self, case: Case, found: Answer, gradients: Iterable[Any]
    ) -> bool | None:
        """Whether a gradient is off along a direction; None where nothing tells."""
        places = [place for _, place, _ in gradients]
        numbers = [np.asarray(got) for _, _, got in gradients]
        rng = np.random.default_rng(4)
        nested = case.asked.nested
        along = direction(nested, case.leaves, places, numbers, self.exact, rng)
        measured = _slope(nested.flat, case.leaves, along, self.exact)
        if measured is None:
            return None
        change, error = measured
        want = float(np.real(np.sum(found.seed * change)))
        got, size = along.of(numbers, places)
        narrow = case.dtype() not in (np.float64, np.complex128)
        close = max(CLOSE_NARROW if narrow else CLOSE, self.rtol or 0.0)
        bound = close * size + 2 * float(np.sum(np.abs(found.seed) * error))
        return not abs(got - want) <= bound


def _slope(
    f: Callable[..., Any], leaves: Any, along: Direction, exact: bool
) -> tuple[Any, Any] | None:
    """The derivative along a direction with its error, None where nothing tells."""
    try:
        with np.errstate(all="ignore"):
            if exact:
                value = slope(f, leaves, along.tangents)
                if value is not None:
                    return value, np.zeros(())
            found = directional(f, leaves, along.tangents)
    except Exception:  # foreign code, at arguments next to those that it takes
        return None
    if not np.all(np.isfinite(found.value)):
        return None
    return found.value, found.error


def _vector(case: Case) -> np.ndarray:
    """The numbers of a case's result."""
    nested, result = case.asked.nested, case.asked.result
    leaves = list(nested.result.flatten(result)) if nested.result else [result]
    return np.asarray(nested.vector(leaves))


def _is_finite(gradient: Any) -> bool:
    numbers = np.asarray(gradient)
    return numbers.dtype.kind not in "fc" or bool(np.all(np.isfinite(numbers)))


def _signs(leaf: Any, rng: np.random.Generator) -> Any:
    """A seed with signs of both kinds."""
    if not np.ndim(leaf):
        return -leaf
    return leaf * rng.choice([-1, 1], np.shape(leaf)).astype(np.asarray(leaf).dtype)
