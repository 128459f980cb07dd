"""Whether a function is steady at arguments: small changes of them stay small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

# Where float32 in the place of float64 changes a value by more, in parts of the largest,
# the function magnifies rounding a hundred thousand times: its last digits, and those
# of a gradient, are another processor's to choose.
STEADY = 1e-2


def is_steady(f: Callable[..., Any], args: Sequence[Any]) -> bool:
    """Whether a value is nearly the same at arguments rounded to float32."""
    rng = np.random.default_rng(11)
    with np.errstate(all="ignore"):
        try:
            first = np.asarray(f(*[_rounded(arg, rng, 0) for arg in args]))
            other = np.asarray(f(*[_rounded(arg, rng, 1) for arg in args]))
        except Exception:  # foreign code, at arguments next to those that it takes
            return False
    if first.shape != other.shape or not np.all(np.isfinite(other)):
        return False
    if first.dtype.kind not in "fc":
        return True
    # What cancels to nearly nothing is judged by the measurement.
    size = max(float(np.max(np.abs(first), initial=0.0)), 1e-3)
    return bool(np.all(np.abs(other - first) <= STEADY * size))


def _rounded(arg: Any, rng: np.random.Generator, far: int) -> Any:
    """An argument in float64, its numbers moved by as much as float32 would."""
    kind = getattr(getattr(arg, "dtype", None), "kind", "")
    if not isinstance(arg, float) and kind not in ("f", "c"):
        return arg.copy() if isinstance(arg, np.ndarray) else arg
    wide = np.complex128 if np.iscomplexobj(arg) else np.float64
    eps = far * np.finfo(np.float32).eps
    moved = np.asarray(arg, wide) * (1 + eps * rng.choice([-1, 1], np.shape(arg)))
    if isinstance(arg, np.ndarray):
        return np.asarray(moved)
    return float(moved) if isinstance(arg, float) else wide(moved)
