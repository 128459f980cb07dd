"""What a comparison with measured numbers found, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradgen.verify.finite import Estimate

# Of the largest entry of the measured gradient, and absolute.
TOLERANCES = {"float64": (1e-6, 1e-8), "float32": (1e-2, 1e-4)}
TOLERANCES |= {"complex128": TOLERANCES["float64"], "complex64": TOLERANCES["float32"]}
SMALL = 1e-6


@dataclass(frozen=True)
class Mismatch:
    """One way in which a gradient is wrong.

    `kind` is "number", "direction", "shape", "dtype" or "form"; `index` is where the numbers
    differ most.
    """

    argument: str
    kind: str
    got: Any
    want: Any
    index: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.kind == "form":
            return str(self.got)
        name = f"d_{self.argument}"
        if self.kind == "direction":
            return (
                f"{name} along a random direction is {_digits(self.got)}, "
                f"and differences give {_digits(self.want)}"
            )
        if self.kind != "number":
            return f"the {self.kind} of {name} is {self.got}, not {self.want}"
        place = f"[{', '.join(map(str, self.index))}]" if self.index else ""
        return (
            f"{name}{place} is {_digits(self.got)}, "
            f"and differences give {_digits(self.want)}"
        )


@dataclass(frozen=True)
class Checked:
    """A gradient that agrees: the largest relative error for each argument.

    `bounds` are those of the measurements, as these estimate them themselves; `exact`
    is the number of points measured by complex steps, `kinks` that of points left
    aside; `directions` is the number of derivatives along a direction, at `sizes`.
    """

    errors: dict[str, float]
    points: int = 1
    bounds: dict[str, float] = field(default_factory=dict)
    exact: int = 0
    kinks: int = 0
    directions: int = 0
    sizes: str = ""

    def __str__(self) -> str:
        errors = ", ".join(
            f"d_{name} {e:.1e}" + self._bound(name) for name, e in self.errors.items()
        )
        times = "" if self.points == 1 else f" at {self.points} points"
        times += f", {self.exact} of them by complex steps" if self.exact else ""
        if self.directions:
            times += f", and along {self.directions} directions at {self.sizes}"
        kinks = ""
        if self.kinks:
            count = "1 point" if self.kinks == 1 else f"{self.kinks} points"
            kinks = f"; {count} left aside, with a kink or a jump near"
        return (
            f"agrees with differences{times}{kinks}; largest relative errors: {errors}"
        )

    def _bound(self, name: str) -> str:
        return f" (± {self.bounds[name]:.0e})" if name in self.bounds else ""


def compare(
    argument: str, got: Any, want: Estimate, rtol: float, atol: float
) -> Mismatch | None:
    """Where a gradient is not the measured one, or None.

    An entry may be off by `rtol` of the largest one, plus `atol`, plus what the
    measurement itself may be off by.
    """
    numbers = np.asarray(got)
    sorts = "fiuc" if np.iscomplexobj(want.value) else "fiu"
    if numbers.dtype.kind not in sorts:
        kind = type(got).__name__
        which = "numbers" if "c" in sorts else "real numbers"
        text = f"d_{argument} is no array of {which} but of type {kind}"
        return Mismatch(argument, "form", text, None)
    if numbers.shape != want.value.shape:
        return Mismatch(argument, "shape", numbers.shape, want.value.shape)
    apart = np.abs(numbers - want.value)
    bound = tolerance(want, rtol, atol) + 2 * want.error
    over = np.where(np.isnan(apart), np.inf, apart - bound)
    if not np.any(over > 0):
        return None
    index = tuple(int(i) for i in np.unravel_index(np.argmax(over), over.shape))
    return Mismatch(
        argument, "number", numbers[index].item(), want.value[index].item(), index
    )


def tolerance(want: Estimate, rtol: float, atol: float) -> float:
    """The largest difference from a measured gradient that counts as none."""
    return float(rtol * np.max(np.abs(want.value), initial=0.0) + atol)


def measured(want: Estimate, rtol: float, atol: float) -> bool:
    """Whether a measurement is precise enough to judge by; not so near a kink."""
    return bool(
        np.all(np.isfinite(want.value))
        and np.all(want.error <= tolerance(want, rtol, atol) / 4)
    )


def relative_error(got: Any, want: Estimate) -> float:
    """The largest difference, in parts of the largest entry (of SMALL, if smaller)."""
    apart = np.max(np.abs(np.asarray(got) - want.value), initial=0.0)
    return float(apart / _size(want))


def relative_bound(want: Estimate) -> float:
    """What a measurement may be off by, in the same parts."""
    return float(np.max(want.error, initial=0.0) / _size(want))


def _size(want: Estimate) -> float:
    # Of a gradient that is 0 but for rounding, there are no parts.
    return max(float(np.max(np.abs(want.value), initial=0.0)), SMALL)


def _digits(value: Any) -> str:
    return f"{value:.8g}"
