"""Derivatives measured by running the function: the oracle beside the compiler.

Nothing here knows how gradgen derives; it only evaluates, always in float64 or
complex128.
Two ways of measuring are used, the better one where it can be trusted:

- the complex step, Im f(x + ih) / h (Squire & Trapp, SIAM Review 40, 1998):
  exact to rounding, but silently wrong for abs, std and all else that is not
  analytic, and a TypeError for arctan2 or hypot;
- Ridders' extrapolated central differences (Advances in Engineering Software
  4, 1982): right for every smooth function, about ten digits, with an estimate
  of its own error that is large when a kink is near.

The complex step is believed only where central differences confirm it.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

EPS = np.finfo(np.float64).eps
IMAGINARY_STEP = 1e-30  # its square is no underflow, and nothing to a number of size 1
FIRST_STEPS = (1e-2, 1e-4, 1e-6)  # a smaller one is tried when a kink spoils a larger
CLOSE_STEPS = (1e-7, 1e-8)  # for a second look, where the first may have been misled
LEVELS = 7  # halvings per first step
TINY_STEP = 1e-12  # at which every smooth function is straight
GOOD = 1e-10  # relative error at which measuring stops
TRUSTED = 1e-7  # relative error above which differences confirm nothing

# for a step: the slope, its bend, and its rounding error
_Difference = Callable[[float], tuple[np.ndarray, np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Estimate:
    """A measured derivative and, entry by entry, its absolute error, estimated.

    `exact` says that it is one of complex steps, right but for rounding.
    """

    value: np.ndarray
    error: np.ndarray
    exact: bool = False


def directional(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]
) -> Estimate:
    """The derivative of f(*args) along the tangents, of the shape of f(*args).

    `tangents` is parallel to `args`: an array of the argument's shape (a number
    for a number), or None for an argument that is held fixed, which may be of
    any type. Every evaluation gets fresh copies, so f may write into its
    arguments. Raises ValueError when lengths or shapes disagree.
    """
    args, tangents = _prepared(args, tangents)
    is_real = not _speaks_of_complex(f, args, tangents)
    exact = _complex_step(f, args, tangents) if is_real else None
    rough = _ridders(f, args, tangents)
    return exact if exact is not None and _confirms(rough, exact) else rough


def numeric_gradient(
    f: Callable[..., Any], args: Sequence[Any], i: int, seed: float = 1.0
) -> Estimate:
    """The gradient of sum(seed * f(*args)) in args[i], of that argument's shape.

    args[i] is an array of floats or a number; the other arguments may be of any
    type. `seed` is a number or broadcasts to f's result. The complex step, one
    evaluation per entry, is used when Ridders' differences along two random
    directions confirm it; else each entry is measured by differences.

    Of complex numbers the real part of the sum is meant, and the gradient in a
    complex args[i] is the derivative along the real parts minus i times that along
    the imaginary ones.
    """

    def weighted(*arguments: Any) -> Any:
        return np.sum(seed * f(*arguments))

    shape, size = np.shape(args[i]), np.size(args[i])
    units = np.eye(size).reshape(size, *shape)
    if _speaks_of_complex(weighted, *_along(args, i, None)):
        return _by_real_parts(lambda *a: np.real(weighted(*a)), args, i, units)
    gradient = _by_complex_steps(weighted, args, i, units)
    return gradient or _by_differences(weighted, args, i, units)


def measured_again(
    f: Callable[..., Any],
    args: Sequence[Any],
    i: int,
    index: tuple[int, ...],
    seed: Any = 1.0,
) -> Estimate:
    """One entry of numeric_gradient, by differences at smaller steps.

    Less precise, but not misled by what oscillates faster than the larger steps see.
    """

    def weighted(*arguments: Any) -> Any:
        return np.sum(seed * f(*arguments))

    unit = np.zeros(np.shape(args[i]))
    unit[index] = 1.0
    return _ridders(weighted, *_along(args, i, unit), CLOSE_STEPS)


def _by_differences(weighted: Any, args: Any, i: int, units: np.ndarray) -> Estimate:
    """The gradient by central differences, entry by entry."""
    entries = [_ridders(weighted, *_along(args, i, unit)) for unit in units]
    value = np.array([entry.value for entry in entries], dtype=np.float64)
    error = np.array([entry.error for entry in entries], dtype=np.float64)
    return Estimate(value.reshape(units.shape[1:]), error.reshape(units.shape[1:]))


def _by_real_parts(weighted: Any, args: Any, i: int, units: np.ndarray) -> Estimate:
    """The gradient of a function of complex numbers: by differences, in both parts."""
    real = _by_differences(weighted, args, i, units)
    if not np.iscomplexobj(args[i]):
        return real
    imaginary = _by_differences(weighted, args, i, 1j * units)
    value = real.value - 1j * imaginary.value
    return Estimate(value, np.maximum(real.error, imaginary.error))


def _speaks_of_complex(f: Callable[..., Any], args: Any, tangents: Any) -> bool:
    """Whether an argument or the result is complex: then no step may be."""
    with np.errstate(all="ignore"):
        return any(map(np.iscomplexobj, (*args, f(*_moved(args, tangents, 0.0)))))


def _by_complex_steps(
    weighted: Any, args: Any, i: int, units: np.ndarray
) -> Estimate | None:
    """The gradient by complex steps, or None where they cannot be trusted."""
    entries = []
    for unit in units:
        entry = _complex_step(weighted, *_along(args, i, unit))
        if entry is None:
            return None
        entries.append(entry.value)
    value = np.array(entries, dtype=np.float64).reshape(units.shape[1:])
    rng = np.random.default_rng(0)
    for _ in range(2):
        direction = rng.uniform(0.5, 1.5, value.shape)
        direction *= rng.choice([-1, 1], value.shape)
        rough = _ridders(weighted, *_along(args, i, direction))
        if not _confirms(rough, _rounded(np.sum(value * direction))):
            return None
    return _rounded(value)


def _along(args: Any, i: int, direction: Any) -> tuple[list[Any], list[Any]]:
    """Arguments and tangents, prepared, for a move of args[i] alone."""
    return _prepared(args, [direction if k == i else None for k in range(len(args))])


def _prepared(args: Any, tangents: Any) -> tuple[list[Any], list[Any]]:
    """Arguments in float64 and tangents of their shapes."""
    ready: list[Any] = []
    for k, (arg, tangent) in enumerate(zip(args, tangents, strict=True)):
        if tangent is not None and np.shape(arg) != np.shape(tangent):
            raise ValueError(f"argument {k} and its tangent differ in shape")
        if isinstance(arg, np.ndarray):
            wide = tangent is not None or np.issubdtype(arg.dtype, np.inexact)
            ready.append(arg.astype(_widest(arg)) if wide else arg)
        elif isinstance(arg, np.inexact):
            ready.append(_widest(arg)(arg))
        elif isinstance(arg, complex):
            ready.append(arg)
        else:
            ready.append(arg if tangent is None else float(arg))
    return ready, list(tangents)


def _widest(arg: Any) -> type:
    return np.complex128 if np.iscomplexobj(arg) else np.float64


def _moved(args: Any, tangents: Any, t: Any) -> list[Any]:
    """Fresh arguments args + t * tangents; complex throughout when t is."""
    moved = []
    for arg, tangent in zip(args, tangents):
        if isinstance(arg, np.ndarray):
            # All arrays turn complex: f may store one argument into another.
            turns = isinstance(t, complex) and np.issubdtype(arg.dtype, np.floating)
            new = arg.astype(complex) if turns else arg.copy()
            if tangent is not None:
                new += t * np.asarray(tangent)
            moved.append(new)
        elif tangent is None:
            moved.append(copy.deepcopy(arg))
        else:  # a Python number stays one: type(arg) is float or np.float64
            moved.append(arg + t * type(arg)(tangent))
    return moved


def _complex_step(f: Callable[..., Any], args: Any, tangents: Any) -> Estimate | None:
    """Im f(args + ih * tangents) / h, or None where f is no function of complex.

    None when f fails or warns, or returns other or infinite values. An abs
    inside f is not seen here: that takes the comparison with differences.
    """
    with np.errstate(all="ignore"):
        primal = np.asarray(f(*_moved(args, tangents, 0.0)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = np.asarray(f(*_moved(args, tangents, 1j * IMAGINARY_STEP)))
    except Exception:  # f is foreign code: whatever it raises, this way is closed
        return None
    same = result.shape == primal.shape and np.iscomplexobj(result)
    same = same and np.allclose(result.real, primal, rtol=1e-12, atol=1e-12)
    fine = same and np.all(np.isfinite(result))
    return _rounded(result.imag / IMAGINARY_STEP) if fine else None


def _rounded(value: Any) -> Estimate:
    """A value that is exact but for rounding."""
    value = np.asarray(value, dtype=np.float64)
    error = np.full(value.shape, 64 * EPS * _largest(value))
    return Estimate(value, error, True)


def _confirms(rough: Estimate, exact: Estimate) -> bool:
    """Whether differences, themselves precise enough, say the same as `exact`."""
    scale = _largest(rough.value) + _largest(exact.value)
    precise = np.all(rough.error <= TRUSTED * scale)
    apart = np.abs(rough.value - exact.value)
    return bool(precise and np.all(apart <= 10 * rough.error + GOOD * scale))


def _ridders(
    f: Callable[..., Any],
    args: Any,
    tangents: Any,
    first_steps: Sequence[float] = FIRST_STEPS,
) -> Estimate:
    """Central differences along the tangents, extrapolated to step 0."""

    def value(t: float) -> np.ndarray:
        with np.errstate(all="ignore"):
            result = np.asarray(f(*_moved(args, tangents, t)))
            return result.astype(_widest(result))

    middle = value(0.0)
    noise = _noise(value, middle)

    def difference(h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slope, bend (the difference of the one-sided slopes), rounding error."""
        up, down = value(h), value(-h)
        with np.errstate(all="ignore"):
            bend = np.abs((up - middle) - (middle - down)) / h
            return (up - down) / (2 * h), bend, noise / h

    best: Estimate | None = None
    for first in first_steps:
        best = _better(best, _extrapolated(difference, first))
        if _good(best):
            break
    assert best is not None  # there is a first step
    return best


def _noise(value: Callable[[float], np.ndarray], middle: np.ndarray) -> np.ndarray:
    """How far f's results are off by rounding, terms that cancel included.

    Second differences at tiny steps hold nothing but rounding (More & Wild,
    Estimating Computational Noise, SIAM J. Sci. Comput. 33, 2011).
    """
    a, b, c, d = (value(k * TINY_STEP) for k in (-2, -1, 1, 2))
    with np.errstate(all="ignore"):
        seconds = [a - 2 * b + middle, b - 2 * middle + c, middle - 2 * c + d]
        noise: np.ndarray = np.max(np.abs([*seconds, 4 * EPS * middle]), axis=0)
        return noise


def _extrapolated(difference: _Difference, h: float) -> Estimate:
    """Ridders' tableau from first step h: the entries of least estimated error.

    Row k holds the difference at h / 2**k and its extrapolations; column m has
    error O(h**(2m + 2)). The error of an entry is its distance from its two
    parents, but not below the rounding error of its row, nor below its bend
    where that has not shrunk with h: between a jump or a kink on either side,
    two slopes can agree by accident.
    """
    best: Estimate | None = None
    above: list[np.ndarray] = []
    last_bend: np.ndarray | float = np.inf
    for level in range(LEVELS):
        slope, bend, floor = difference(h / 2**level)
        least = np.where(bend > 0.7 * last_bend + 4 * floor, bend, floor)
        row = [slope]
        for m, parent in enumerate(above, start=1):
            better = row[-1] + (row[-1] - parent) / (4**m - 1)
            apart = np.maximum(np.abs(better - row[-1]), np.abs(better - parent))
            error = np.where(np.isfinite(apart), np.maximum(apart, least), np.inf)
            best = _better(best, Estimate(better, error))
            row.append(better)
        above, last_bend = row, bend
        if level >= 2 and best is not None and _good(best):
            break
    assert best is not None  # there are several levels
    return best


def _better(one: Estimate | None, other: Estimate) -> Estimate:
    """Entry by entry, the estimate of the smaller error."""
    if one is None:
        return other
    takes = other.error < one.error
    error = np.where(takes, other.error, one.error)
    return Estimate(np.where(takes, other.value, one.value), error)


def _good(estimate: Estimate) -> bool:
    """Whether every entry is known to GOOD, relative to the largest."""
    return bool(np.all(estimate.error <= GOOD * _largest(estimate.value) + 1e-14))


def _largest(value: Any) -> float:
    largest: float = np.max(np.abs(value), initial=0.0)
    return largest
