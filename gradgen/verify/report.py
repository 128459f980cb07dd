"""What a comparison with measured numbers found, as data and in words."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.finite import Estimate

# How well a gradient has to be known to judge by: of the largest entry, and of 1.
TOLERANCES = {"float64": (1e-6, 1e-8), "float32": (1e-2, 1e-4)}
TOLERANCES |= {"complex128": TOLERANCES["float64"], "complex64": TOLERANCES["float32"]}
# What an entry may be off by, in parts of itself, and in units of rounding.
PRECISE = 1e-8
UNITS = 64
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
    aside; `directions` is the number of derivatives along a direction, at `sizes`;
    `tried` says what else was tried; `ill` counts points left aside for rounding.
    """

    errors: dict[str, float]
    points: int = 1
    bounds: dict[str, float] = field(default_factory=dict)
    exact: int = 0
    kinks: int = 0
    directions: int = 0
    sizes: str = ""
    tried: str = ""
    ill: int = 0

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
        if self.ill:
            count = "1 point" if self.ill == 1 else f"{self.ill} points"
            kinks += f"; {count} left aside, where rounding is magnified"
        tried = f"; also {self.tried}" if self.tried else ""
        return (
            f"agrees with differences{times}{kinks}{tried}; "
            f"largest relative errors: {errors}"
        )

    def _bound(self, name: str) -> str:
        return f" (± {self.bounds[name]:.0e})" if name in self.bounds else ""


def compare(
    argument: str, got: Any, want: Estimate, bound: np.ndarray
) -> Mismatch | None:
    """Where a gradient is not the measured one, or None; `bound` is of each entry."""
    wrong = wrong_form(argument, got, want)
    if wrong is not None:
        return wrong
    numbers = np.asarray(got)
    apart = np.abs(numbers - want.value)
    apart = np.where(np.isnan(apart), np.inf, apart)
    off = np.where(apart > bound, apart, -1.0)
    if not np.any(off > 0):
        return None
    index = tuple(int(i) for i in np.unravel_index(np.argmax(off), off.shape))
    return Mismatch(
        argument, "number", numbers[index].item(), want.value[index].item(), index
    )


def wrong_form(argument: str, got: Any, want: Estimate) -> Mismatch | None:
    """Whether a gradient is no array of numbers, or of another shape."""
    numbers = np.asarray(got)
    sorts = "fiuc" if np.iscomplexobj(want.value) else "fiu"
    if numbers.dtype.kind not in sorts:
        kind = type(got).__name__
        which = "numbers" if "c" in sorts else "real numbers"
        text = f"d_{argument} is no array of {which} but of type {kind}"
        return Mismatch(argument, "form", text, None)
    if numbers.shape != want.value.shape:
        return Mismatch(argument, "shape", numbers.shape, want.value.shape)
    return None


def bound_of(want: Estimate, dtype: Any, rtol: float | None = None) -> np.ndarray:
    """What each entry may be off by before anybody looks again.

    That is a part of itself, some rounding of the largest entry, and what the
    measurement may be off by. `dtype` is that of what is computed.
    """
    eps = float(np.finfo(dtype).eps)
    if rtol is None:
        rtol = max(PRECISE, UNITS * eps)
    size = np.abs(want.value)
    rounding = UNITS * eps * np.max(size, initial=0.0)
    bound: np.ndarray = np.asarray(rtol * size + rounding + 2 * want.error)
    return bound


def tolerance(want: Estimate, rtol: float, atol: float) -> float:
    """The error of a measurement, as a part of the largest entry, that is small."""
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
    largest = float(np.max(np.abs(want.value), initial=0.0))
    return largest if largest > np.max(want.error, initial=0.0) else SMALL


def _digits(value: Any) -> str:
    return f"{value:.8g}"
