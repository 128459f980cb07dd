"""What comes of one call: right, refused with a reason, as the primal, or a fault.

The truth is the primal itself, by complex steps or extrapolated differences, at the
same numbers in float64 or complex128 and in containers of the same form.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import directional, numeric_gradient
from tests.arguments.kinds import leaves, rebuilt, unlike

RIGHT, REFUSED, RAISES = "right", "refused", "raises as the primal"
MODES = ("grad", "value_and_grad", "vjp", "jvp", "hvp")
CURVED = 1e-4  # of a derivative of measured gradients
STEP = 1e-4  # of differences of a gradient
KINK = 500  # a measured second derivative of two equal maxima, which is none


class Truth:
    """A primal at some arguments: its value, and the gradient in one of them."""

    def __init__(self, primal: Callable[..., Any], args: tuple[Any, ...], i: int):
        self.primal, self.i = primal, i
        self.args = [
            rebuilt(arg, leaves(arg)) if is_numeric(arg) else arg for arg in args
        ]
        self.leaves = leaves(args[i])
        with np.errstate(all="ignore"):
            self.error = raised(lambda: self.flat(self.leaves))
        self.own_error = raised(lambda: primal(*args))
        if self.error is None:
            self.value = self.flat(self.leaves)

    def flat(self, numbers: Any) -> Any:
        """The primal as a function of the leaves of one argument alone."""
        args = list(self.args)
        args[self.i] = rebuilt(args[self.i], numbers)
        return self.primal(*args)

    @property
    def is_measurable(self) -> bool:
        """Whether the value is a number, and fine enough: np.exp of bools is a half."""
        value = np.asarray(self.value)
        if value.dtype.kind not in "fc" or _closeness(value) > 1e-6:
            return value.dtype.kind in "biu"
        return not np.any(np.isnan(value))

    def gradient(self) -> np.ndarray:
        """The gradient of the sum of the result, in the leaves."""
        return numeric_gradient(self.flat, [self.leaves], 0).value

    def along(self, tangent: np.ndarray) -> np.ndarray | None:
        """The derivative along a tangent, None where rounding hides it."""
        found = directional(self.flat, [self.leaves], [tangent])
        small = found.error <= 1e-6 * (np.abs(found.value) + 1e-3)
        return found.value if np.all(small) else None

    def curvature(self, vector: np.ndarray) -> np.ndarray:
        """The derivative of the gradient along a vector."""

        def gradient(numbers: np.ndarray) -> np.ndarray:
            return numeric_gradient(self.flat, [numbers], 0).value

        ahead, behind = (self.leaves + s * vector for s in (STEP, -STEP))
        return (gradient(ahead) - gradient(behind)) / (2 * STEP)


def is_numeric(arg: Any) -> bool:
    """Whether an argument has float or complex numbers, all alike."""
    try:
        return np.asarray(arg).dtype.kind in "fc" and np.size(arg) > 0
    except ValueError:
        return False


def raised(run: Callable[[], Any]) -> Exception | None:
    try:
        run()
    except Exception as error:
        return error
    return None


def outcome(
    truth: Truth, args: tuple[Any, ...], mode: str, made: Callable[..., Any]
) -> str:
    """RIGHT, REFUSED or RAISES; else what is wrong, in words.

    `made` makes the derivative and is called here, so that its refusals count.
    """
    value = args[truth.i]
    numbers = np.random.default_rng(1).uniform(0.5, 1.5, truth.leaves.shape)
    tangent = rebuilt(value, numbers.astype(truth.leaves.dtype))
    try:
        with np.errstate(all="ignore"):
            if mode in ("grad", "value_and_grad"):
                found = made()(*args)
            elif mode == "vjp":
                result, pullback = made()(*args)
                found = result, pullback(np.ones(np.shape(result)))
            else:
                found = made()(*args, tangent)
    except GradgenError as error:
        return REFUSED if error.advice else f"no advice: {error}"
    except Exception as error:
        if type(truth.own_error) is type(error) or type(truth.error) is type(error):
            return RAISES
        return "crash: " + traceback.format_exc(limit=-3)
    if truth.error is not None:
        if mode == "hvp" and np.all(leaves(found) == 0):
            return RIGHT  # the Hessian of what is linear reads nothing
        return f"{found!r}, where the primal raises {truth.error!r}"
    with np.errstate(all="ignore"):
        if not truth.is_measurable:
            return RIGHT
        close = max(map(_closeness, args))
        return "; ".join(_wrong(truth, value, mode, found, numbers, close)) or RIGHT


def _wrong(
    truth: Truth, value: Any, mode: str, found: Any, numbers: Any, close: float
) -> Iterator[str]:
    """What is wrong with what was found, in words."""
    if mode in ("value_and_grad", "vjp", "jvp"):
        result, found = found
        if np.shape(result) != np.shape(truth.value):
            yield f"the value has the shape {np.shape(result)}"
        elif not _near(result, truth.value, close):
            yield f"the value is {result!r}, not {truth.value!r}"
    if mode == "jvp":
        want = truth.along(numbers)
        if np.size(value) == 0 or want is None:
            return  # a norm of nothing is at its kink
        if np.shape(found) != np.shape(want) or not _near(found, want, close):
            yield f"the derivative is {found!r}, not {want!r}"
        return
    difference = unlike(value, found)
    if difference:
        yield difference
        return
    noise = 1e-14 * _largest(truth.value)
    if mode == "hvp":
        want, close = truth.curvature(numbers), max(close, CURVED)
        noise /= STEP
        if np.any(np.abs(want) > KINK):
            return
    else:
        want = truth.gradient()
    if not _near(leaves(found), want, close, noise):
        yield f"{found!r}, not {want!r}"


def _largest(values: Any) -> float:
    return np.max(np.abs(np.where(np.isfinite(values), values, 0)), initial=0.0)


def _near(got: Any, want: Any, close: float, noise: float = 0.0) -> bool:
    """Noise: what rounding of the value leaves in differences."""
    atol = close * (_largest(want) + 1e-2) + noise
    return np.allclose(got, want, rtol=0, atol=atol, equal_nan=True)


def _closeness(value: Any) -> float:
    """How near a gradient is to be, for the dtype of its argument."""
    dtype = getattr(value, "dtype", np.dtype(float))
    if dtype.kind not in "fc":
        return 1e-6
    return max(1e-6, 64 * float(np.finfo(dtype).eps))
