"""check_grads: a backward pass written by hand, held against measured numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import Estimate, numeric_gradient
from gradgen.verify.report import (
    Checked,
    Mismatch,
    compare,
    measured,
    relative_error,
)

# Differences of a smooth function are good to some 1e-9; rounding in a backward
# pass may add to that.
RTOL, ATOL = 1e-6, 1e-9
FORMS = "the gradient, (value, gradient) or (value, backprop)"


def check_grads(
    f: Callable,
    hand: Callable,
    args: Sequence,
    wrt: str | int | Sequence | None = None,
    seed=None,
    rtol: float = RTOL,
) -> Checked:
    """The errors of a hand-written gradient of f, each known to be small.

    `hand(*args)` returns the gradient; or the value and the gradient; or the
    value and a callback that takes the gradient of the value (a tuple of
    callbacks, one for each argument, will do). For several arguments in `wrt`
    (names or positions; default the first) the gradient is a tuple.

    `seed` is the gradient of f's result that a callback gets, of the result's
    shape; default 1, and for the callback of an array result random numbers. A
    gradient without a callback is that of sum(seed * f(*args)).

    Raises GradgenError naming the argument, the index and both numbers; "GG601"
    for a gradient that is wrong, "GG602" for a value, "GG603" for another form
    of result, "GG604" where differences cannot tell, as at a kink.
    """
    args = tuple(args)
    parameters = _parameters(f, len(args))
    names = _names(wrt, parameters)
    _refuse_integers(names, parameters, args)
    result = np.asarray(f(*_copies(args)))
    found = hand(*_copies(args))
    value, gradients, seed = _taken_apart(found, names, seed, result, hand)
    if value is not None:
        _compare_values(value, result, rtol, _title(f), _title(hand))
    errors = {}
    for name, got in zip(names, gradients):
        want = numeric_gradient(f, args, parameters.index(name), seed)
        if not measured(want, rtol, ATOL):
            raise GradgenError(
                "GG604",
                f"differences of {_title(f)} in {name} cannot be trusted at these "
                "arguments: there is a kink, a jump or no finite value",
                advice="other arguments",
            )
        wrong = compare(name, got, want, rtol, ATOL)
        if wrong is not None:
            raise GradgenError("GG601", _sentence(wrong, want, f, hand))
        errors[name] = relative_error(got, want)
    return Checked(errors)


def _parameters(f: Callable, count: int) -> list[str]:
    """The names of f's positional parameters."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    # *args and C functions leave some without a name.
    return names[:count] + [str(i) for i in range(len(names), count)]


def _names(wrt, parameters: list[str]) -> tuple[str, ...]:
    chosen = (wrt,) if wrt is None or isinstance(wrt, (str, int)) else tuple(wrt)
    names = []
    for one in chosen:
        one = 0 if one is None else one
        if isinstance(one, int) and -len(parameters) <= one < len(parameters):
            one = parameters[one]
        if one not in parameters:
            raise GradgenError(
                "GG605",
                f"wrt names {one}, which is none of the arguments given",
                advice="one of " + ", ".join(parameters),
            )
        names.append(one)
    return tuple(names)


def _refuse_integers(names, parameters, args) -> None:
    for name in names:
        dtype = getattr(args[parameters.index(name)], "dtype", None)
        if dtype is not None and dtype.kind not in "fc":
            raise GradgenError(
                "GG502",
                f"the argument {name} is an array of {dtype}, which has no gradient",
                advice=f"{name}.astype(float)",
            )


def _copies(args: tuple) -> tuple:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def _taken_apart(found, names, seed, result, hand):
    """The value (or None), a gradient for each name, and the seed they are for."""
    count = len(names)
    value = None
    is_pair = isinstance(found, tuple) and len(found) == 2
    if is_pair and _are_callable(found[1]):
        value, back = found
        if seed is None:
            rng = np.random.default_rng(0)
            seed = rng.uniform(0.5, 1.5, result.shape) if result.ndim else 1.0
            if np.iscomplexobj(result):
                seed = seed + 1j * rng.uniform(0.5, 1.5, result.shape)
        if callable(back):
            found = back(seed)
        else:
            found = tuple(one(seed) for one in back)
    elif is_pair and (count == 1 or isinstance(found[1], (tuple, list))):
        value, found = found
    elif isinstance(found, tuple) and len(found) == count + 1 and count > 1:
        value, *found = found
    if isinstance(found, (tuple, list)):
        gradients = tuple(found)
    else:
        gradients = (found,)
    if len(gradients) != count or any(g is None or callable(g) for g in gradients):
        kinds = ", ".join(type(g).__name__ for g in gradients)
        raise GradgenError(
            "GG603",
            f"{_title(hand)} returns {len(gradients)} gradient(s) ({kinds}) "
            f"for {', '.join(names)}",
            advice=f"a function that returns {FORMS}",
        )
    return value, gradients, 1.0 if seed is None else seed


def _are_callable(value) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(callable, value))
    return callable(value)


def _compare_values(value, result, rtol, f: str, hand: str) -> None:
    value = np.asarray(value)
    if value.shape != result.shape:
        shapes = f"the shape {value.shape}, and {f} {result.shape}"
        raise GradgenError("GG602", f"the value of {hand} has {shapes}")
    largest = np.max(np.abs(result), initial=0.0)
    apart = np.abs(value - result)
    off = ~(apart <= rtol * largest + ATOL)
    if np.any(off):
        index = tuple(int(i) for i in np.argwhere(off)[0])
        place = f"[{', '.join(map(str, index))}]" if index else ""
        numbers = f"{value[index]:.8g}, and that of {f} is {result[index]:.8g}"
        raise GradgenError("GG602", f"the value{place} of {hand} is {numbers}")


def _sentence(wrong: Mismatch, want: Estimate, f: Callable, hand: Callable) -> str:
    """What is wrong, with the size of the error where numbers differ."""
    text = f"{_title(hand)}: {wrong} for {_title(f)}"
    if wrong.kind == "number" and np.isfinite(wrong.got):
        apart = abs(wrong.got - wrong.want)
        text += f"; that is {apart:.2g} apart, and differences are good to "
        text += f"{np.max(want.error):.0e}"
    return text


def _title(function: Callable) -> str:
    return getattr(function, "__name__", type(function).__name__)
