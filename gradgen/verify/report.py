"""What a comparison with measured numbers found, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradgen.verify.finite import Estimate

# Of the largest entry of the measured gradient, and absolute.
TOLERANCES = {"float64": (1e-6, 1e-8), "float32": (1e-2, 1e-4)}
TOLERANCES |= {"complex128": TOLERANCES["float64"], "complex64": TOLERANCES["float32"]}


@dataclass(frozen=True)
class Mismatch:
    """One way in which a gradient is wrong.

    `kind` is "number", "shape", "dtype" or "form"; `index` is where the numbers
    differ most.
    """

    argument: str
    kind: str
    got: object
    want: object
    index: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.kind == "form":
            return str(self.got)
        name = f"d_{self.argument}"
        if self.kind != "number":
            return f"the {self.kind} of {name} is {self.got}, not {self.want}"
        place = f"[{', '.join(map(str, self.index))}]" if self.index else ""
        return (
            f"{name}{place} is {_digits(self.got)}, "
            f"and differences give {_digits(self.want)}"
        )


@dataclass(frozen=True)
class Checked:
    """A gradient that agrees: the largest relative error for each argument."""

    errors: dict[str, float]
    points: int = 1

    def __str__(self) -> str:
        errors = ", ".join(f"d_{name} {e:.1e}" for name, e in self.errors.items())
        times = "" if self.points == 1 else f" at {self.points} points"
        return f"agrees with differences{times}; largest relative errors: {errors}"


def compare(
    argument: str, got, want: Estimate, rtol: float, atol: float
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


def relative_error(got, want: Estimate) -> float:
    """The largest difference, in parts of the largest entry."""
    apart = np.max(np.abs(np.asarray(got) - want.value), initial=0.0)
    return float(apart / (np.max(np.abs(want.value), initial=0.0) or 1.0))


def _digits(value) -> str:
    return f"{value:.8g}"
