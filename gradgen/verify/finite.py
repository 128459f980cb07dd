"""Derivatives measured by running the function: the oracle beside the compiler.

Nothing here knows how gradgen derives; it only evaluates, always in float64 or
complex128.
Two ways of measuring are used, the better one where it can be trusted:

- the complex step, Im f(x + ih) / h (Squire & Trapp, SIAM Review 40, 1998):
  exact to rounding, but silently wrong for abs, std and all else that is not
  analytic, and a TypeError for arctan2 or hypot;
- Ridders' extrapolated central differences (differences.py), with an estimate of
  their own error.

The complex step is believed only where central differences confirm it, and as far as
they do. Steps are relative to the size of what is moved.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.verify.differences import (
    CLOSE_STEPS,
    EPS,
    FIRST_STEPS,
    GOOD,
    Estimate,
    largest,
    nearer,
    noise_of,
    slope_at_zero,
)

__all__ = ["Estimate", "directional", "measured_again", "numeric_gradient", "scales"]

IMAGINARY_STEP = 1e-25  # of what is moved: its square is nothing to it
TRUSTED = 1e-5  # relative error above which differences confirm nothing
ENOUGH = 1e-8  # relative error from which on other steps are tried


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
    unit = _unit(args, tangents)
    tangents = [None if v is None else v * unit for v in tangents]
    is_real = not _speaks_of_complex(f, args, tangents)
    exact = _complex_step(f, args, tangents) if is_real else None
    rough = _ridders(f, args, tangents)
    if exact is not None and _confirms(rough, exact.value, largest(exact.value)):
        fine = _fineness(rough, largest(exact.value))
        rough = replace(exact, error=exact.error + fine * np.abs(exact.value))
    return Estimate(rough.value / unit, rough.error / unit, rough.exact)


def slope(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]
) -> np.ndarray | None:
    """The derivative along the tangents by a complex step that nothing confirms.

    For functions that are known to be analytic; None where it cannot be taken.
    """
    found = _complex_step(f, *_prepared(args, tangents))
    return None if found is None else found.value


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

    def terms(*arguments: Any) -> Any:
        return seed * f(*arguments)

    def weighted(*arguments: Any) -> Any:
        found = terms(*arguments)
        return np.sum(found) if np.ndim(found) else found

    shape, size = np.shape(args[i]), np.size(args[i])
    units = np.eye(size).reshape(size, *shape)
    if _speaks_of_complex(weighted, *_along(args, i, None)):
        return _by_real_parts(lambda *a: np.real(weighted(*a)), args, i, units)
    gradient = _by_complex_steps(terms, args, i, units)
    return gradient or _by_differences(weighted, args, i, units)


def scales(arg: Any) -> np.ndarray:
    """The size of each entry as a power of 2; that of the largest where it is 0."""
    size: np.ndarray = np.abs(np.asarray(arg)).astype(np.float64)
    size = np.where(np.isfinite(size), size, 0.0)
    size = np.where(size > 0, size, largest(size) or 1.0)
    powers: np.ndarray = 2.0 ** np.round(np.log2(size))
    return powers


def _steps(arg: Any) -> np.ndarray:
    """What an entry is moved by: its size, or a part of the others' if it is small."""
    own = scales(arg)
    steps: np.ndarray = np.maximum(own, largest(own) / 16)
    return steps


def _unit(args: Any, tangents: Any) -> float:
    """The length along the tangents that moves the arguments by their size."""
    pairs = [(a, v) for a, v in zip(args, tangents) if v is not None and np.size(v)]
    ratios = [largest(scales(a)) / largest(v) for a, v in pairs if largest(v) > 0]
    found = min(ratios, default=1.0)
    return float(2.0 ** np.round(np.log2(found))) if np.isfinite(found) else 1.0


def measured_again(
    f: Callable[..., Any],
    args: Sequence[Any],
    i: int,
    index: tuple[int, ...],
    seed: Any = 1.0,
    first_steps: Sequence[float] = CLOSE_STEPS,
) -> Estimate:
    """One entry of numeric_gradient, by differences at other steps.

    Smaller ones are less precise, but not misled by what oscillates faster than the
    larger steps see.
    """

    def weighted(*arguments: Any) -> Any:
        return np.sum(seed * f(*arguments))

    unit = np.zeros(np.shape(args[i]))
    unit[index] = 1.0
    return _entry(weighted, args, i, unit, _steps(args[i])[index], first_steps)


def stepped_again(
    f: Callable[..., Any],
    args: Sequence[Any],
    i: int,
    index: tuple[int, ...],
    seed: Any = 1.0,
) -> float | None:
    """One entry of numeric_gradient, by a complex step that nothing confirms."""
    unit = np.zeros(np.shape(args[i]))
    unit[index] = step = float(scales(args[i])[index])
    entry = _complex_step(lambda *a: seed * f(*a), *_along(args, i, unit))
    return None if entry is None else float(np.sum(entry.value) / step)


def _by_differences(weighted: Any, args: Any, i: int, units: np.ndarray) -> Estimate:
    """The gradient by central differences, entry by entry.

    An entry that is small beside the others is moved by less where that tells more.
    """
    entries = []
    steps, own = _steps(args[i]), scales(args[i])
    moved = [_along(args, i, u * s) for u, s in zip(units, steps.ravel())]
    values = [_value(weighted, *each) for each in moved]
    with np.errstate(all="ignore"):
        middle = _value(weighted, *_along(args, i, None))(0.0)
        noises = [noise_of(value, middle) for value in values]
    # Along one entry alone rounding may stay unseen by chance.
    usual = np.sort(noises, axis=0)[(len(noises) - 1) // 2] if noises else 0.0
    for k, (unit, step, smaller) in enumerate(zip(units, steps.ravel(), own.ravel())):
        noise = np.maximum(noises[k], usual)
        entry = _over(slope_at_zero(values[k], noise=noise), step)
        if smaller < step and not entry.error <= ENOUGH * np.abs(entry.value):
            entry = nearer(entry, _entry(weighted, args, i, unit, smaller, FIRST_STEPS))
        entries.append(entry)
    value = np.array([entry.value for entry in entries], dtype=np.float64)
    error = np.array([entry.error for entry in entries], dtype=np.float64)
    return Estimate(value.reshape(units.shape[1:]), error.reshape(units.shape[1:]))


def _entry(
    weighted: Any,
    args: Any,
    i: int,
    unit: Any,
    step: float,
    first_steps: Sequence[float],
) -> Estimate:
    value = _value(weighted, *_along(args, i, unit * step))
    return _over(slope_at_zero(value, first_steps), step)


def _over(found: Estimate, step: float) -> Estimate:
    """A derivative along a step, for a step of 1."""
    return Estimate(found.value / step, found.error / step, found.exact)


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
    terms: Any, args: Any, i: int, units: np.ndarray
) -> Estimate | None:
    """The gradient by complex steps, or None where they cannot be trusted."""
    steps = scales(args[i])
    found, rounding = [], []
    with np.errstate(all="ignore"):
        primal = _value(terms, *_along(args, i, None))(0.0)
    for unit in units:
        entry = _complex_step(terms, *_along(args, i, unit * steps), primal)
        if entry is None:
            return None
        found.append(np.sum(entry.value))
        rounding.append(64 * EPS * np.sum(np.abs(entry.value)))
    moved = np.array(found, dtype=np.float64).reshape(steps.shape)

    def weighted(*arguments: Any) -> Any:
        return np.sum(terms(*arguments))

    rng, fine, unsure = np.random.default_rng(0), 0.0, np.full(steps.shape, np.inf)
    for weights in (1.0, _levelled(moved)):
        direction = rng.uniform(0.5, 1.5, steps.shape) * weights
        direction *= rng.choice([-1, 1], steps.shape)
        rough = _ridders(weighted, *_along(args, i, direction * steps))
        size = np.sum(np.abs(moved * direction))
        sure = np.all(rough.error <= TRUSTED * size)
        # Small weights may leave nothing to be seen in the rounding.
        if sure or np.ndim(weights) == 0:
            if not _confirms(rough, np.sum(moved * direction), size):
                return None
            fine = max(fine, _fineness(rough, size))
            # What is known of the sum is known of an entry, over its weight.
            unsure = np.minimum(unsure, largest(rough.error) / np.abs(direction))
    value = moved / steps
    error = np.array(rounding).reshape(steps.shape) / steps + EPS * largest(value)
    error += np.minimum(fine * np.abs(value), unsure / steps)
    return Estimate(value, error, True)


def _levelled(moved: np.ndarray) -> np.ndarray:
    """Weights under which no entry outweighs another, and one of 0 least of all."""
    size = np.abs(moved)
    least = np.min(size[size > 0], initial=np.inf)
    least = max(least, 1e-8 * largest(size)) if np.isfinite(least) else 1.0
    weights: np.ndarray = least / np.maximum(size, least)
    return weights


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
            if tangent is not None and t != 0.0:
                new += t * np.asarray(tangent)
            moved.append(new)
        elif tangent is None:
            moved.append(copy.deepcopy(arg))
        else:  # a Python number stays one: type(arg) is float or np.float64
            moved.append(arg + t * type(arg)(tangent))
    return moved


def _complex_step(
    f: Callable[..., Any], args: Any, tangents: Any, primal: Any = None
) -> Estimate | None:
    """Im f(args + ih * tangents) / h, or None where f is no function of complex.

    None when f fails or warns, or returns other or infinite values. An abs
    inside f is not seen here: that takes the comparison with differences. `primal`
    is f(*args) where it is known.
    """
    if primal is None:
        with np.errstate(all="ignore"):
            primal = np.asarray(f(*_moved(args, tangents, 0.0)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = np.asarray(f(*_moved(args, tangents, 1j * IMAGINARY_STEP)))
    except Exception:  # f is foreign code: whatever it raises, this way is closed
        return None
    if result.shape != primal.shape or not np.iscomplexobj(result):
        return None
    with np.errstate(all="ignore"):
        near = np.abs(result.real - primal) <= 1e-9 * largest(primal)
        slope = result.imag / IMAGINARY_STEP  # may be too large for a number
    fine = np.all(near) and np.all(np.isfinite(result))
    return _rounded(slope) if fine else None


def _rounded(value: Any) -> Estimate:
    """A value that is exact but for rounding."""
    value = np.asarray(value, dtype=np.float64)
    error = np.full(value.shape, 64 * EPS * largest(value))
    return Estimate(value, error, True)


def _confirms(rough: Estimate, exact: Any, scale: float) -> bool:
    """Whether differences, themselves precise enough, say the same as `exact`.

    `scale` is the size of the terms that it is the sum of.
    """
    scale = scale + largest(rough.value)
    precise = np.all(rough.error <= TRUSTED * scale)
    apart = np.abs(rough.value - exact)
    return bool(precise and np.all(apart <= 10 * rough.error + GOOD * scale))


def _fineness(rough: Estimate, scale: float) -> float:
    """The relative error up to which differences have confirmed a complex step.

    A function that is not analytic may be off by less: K in np.linalg.cholesky(K), where
    what is off the diagonal is small.
    """
    found = largest(rough.error) / (scale + largest(rough.value) or 1.0)
    return 0.0 if found <= GOOD else found


def _ridders(f: Callable[..., Any], args: Any, tangents: Any) -> Estimate:
    """Central differences along the tangents, extrapolated to step 0."""
    return slope_at_zero(_value(f, args, tangents))


def _value(
    f: Callable[..., Any], args: Any, tangents: Any
) -> Callable[[float], np.ndarray]:
    """f as a function of one step along the tangents; who calls it ignores warnings."""

    def value(t: float) -> np.ndarray:
        result = np.asarray(f(*_moved(args, tangents, t)))
        return result.astype(_widest(result), copy=result.ndim > 0)

    return value
