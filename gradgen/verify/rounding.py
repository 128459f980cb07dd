"""What rounding does to a gradient: measured, where it is more than is allowed at first.

At arguments moved by a few units of their last place a gradient that is right gives
numbers that are as far apart as its rounding and the conditioning of the function make
them; a wrong one is off by the same at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.differences import EPS, FIRST_STEPS, Estimate
from gradgen.verify.finite import measured_again, scales, stepped_again

RUNS = 4  # at moved arguments
SPREADS = 16  # how many times the spread of the runs a number may be off by
UNITS = 32  # of the last place of the values, in a gradient that is 0
ENTRIES = 64  # that are looked at again, the worst first
OTHER_STEPS = tuple(0.37 * step for step in FIRST_STEPS)


@dataclass(frozen=True)
class Look:
    """A gradient to be looked at again.

    `f` is the function as it is measured, of `leaves`; `place` is that of the
    argument, `run(leaves)` its gradient as it is computed, for `seed`.
    """

    f: Callable[..., Any]
    leaves: Sequence[Any]
    place: int
    seed: Any
    run: Callable[[list[Any]], Any]

    def bound(
        self, got: Any, want: Estimate, bound: np.ndarray, runs: int = RUNS
    ) -> np.ndarray:
        """What each entry may be off by, rounding as measured in so many runs included.

        Infinite where the measurement itself is in doubt.
        """
        got = np.asarray(got)
        bound = np.array(bound + SPREADS * self._spread(got, runs) + self._rounding())
        off = np.abs(got - want.value)
        order = np.argsort(-np.where(off > bound, off, 0.0), axis=None)[:ENTRIES]
        for at in order:
            index = tuple(int(i) for i in np.unravel_index(at, off.shape))
            if off[index] > bound[index]:
                bound[index] += self._doubt(index, got[index], want)
        return bound

    def _spread(self, got: np.ndarray, runs: int) -> np.ndarray:
        """How far the gradient itself moves with the last digits of the arguments."""
        spread, first = np.zeros(got.shape), None
        for leaves in [list(self.leaves), *moved_leaves(self.leaves, runs)]:
            try:
                with np.errstate(all="ignore"):
                    other = np.asarray(self.run(leaves))
            except TimeoutError:  # whether a loop ends is up to the last digits
                return np.full(got.shape, np.inf)
            except Exception:  # foreign code
                continue
            first = other if first is None else first
            if other.shape == got.shape == first.shape:
                spread = np.fmax(spread, np.abs(other - first))
        return spread

    def _doubt(self, index: tuple[int, ...], got: Any, want: Estimate) -> float:
        """What one measured number may be off by besides."""
        value = want.value[index]
        if np.iscomplexobj(want.value) or np.iscomplexobj(got):
            return 0.0
        if not want.exact:
            again = self._again(index, OTHER_STEPS)
            return np.inf if again is None else 4 * abs(float(again.value) - value)
        found = [
            stepped_again(self.f, leaves, self.place, index, self.seed)
            for leaves in moved_leaves(self.leaves, RUNS)
        ]
        spread = max(
            (abs(one - value) for one in found if one is not None), default=0.0
        )
        more = SPREADS * spread
        if abs(value) <= more:
            # 0 but for rounding: that of the values is all that there is.
            more += UNITS * float(self._rounding()[index])
        if abs(got - value) <= more + 2 * want.error[index]:
            return float(more)
        again = self._again(index, FIRST_STEPS)
        if again is None:
            return float(more)
        near = 4 * float(again.error) + 1e-8 * abs(float(again.value))
        misled = abs(got - again.value) <= near < abs(value - again.value)
        return np.inf if misled else float(more)

    def _rounding(self) -> np.ndarray:
        """What a unit in the last place of the value is worth in each entry.

        Terms that are as large may cancel in a gradient, and always in the same way. In
        float32 more units are allowed: the text is held to float64 besides.
        """
        kinds = [leaf.dtype for leaf in self.leaves if hasattr(leaf, "dtype")]
        eps = [float(np.finfo(kind).eps) for kind in kinds if kind.kind in "fc"]
        unit = max([EPS, *(8 * one for one in eps if one > EPS)])
        weighed = np.abs(self.seed * np.asarray(self.f(*self.leaves)))
        found: np.ndarray = 2 * unit * np.sum(weighed) / scales(self.leaves[self.place])
        return found

    def _again(self, index: tuple[int, ...], steps: Sequence[float]) -> Estimate | None:
        try:
            return measured_again(
                self.f, self.leaves, self.place, index, self.seed, steps
            )
        except Exception:  # foreign code, at arguments next to those that it takes
            return None


def moved_leaves(leaves: Sequence[Any], runs: int) -> list[list[Any]]:
    """The arguments, several times, each number moved by units of its last place."""
    rng = np.random.default_rng(7)
    return [[_moved(leaf, rng) for leaf in leaves] for _ in range(runs)]


def _moved(leaf: Any, rng: np.random.Generator) -> Any:
    """A number or an array with other last digits; anything else as it is."""
    kind = getattr(getattr(leaf, "dtype", None), "kind", "")
    if isinstance(leaf, float) or kind in ("f", "c"):
        dtype = getattr(leaf, "dtype", np.dtype(np.float64))
        units = rng.choice([-3, -2, -1, 1, 2, 3], np.shape(leaf)) * np.finfo(dtype).eps
        changed = leaf + leaf * units.astype(np.finfo(dtype).dtype)
        if isinstance(leaf, np.ndarray):
            return np.asarray(changed, dtype)
        return type(leaf)(changed)
    return leaf
