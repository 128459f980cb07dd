"""One set of arguments: the measured gradients there, and those that are computed."""

from __future__ import annotations

import inspect
import math
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradgen.errors import words_of
from gradgen.frozen import dataclass
from gradgen.verify.conditioning import is_steady
from gradgen.verify.finite import Estimate, numeric_gradient
from gradgen.verify.inputs import DRAWS, Draw, Layout
from gradgen.verify.limits import LONGEST, within
from gradgen.verify.report import (
    TOLERANCES,
    Mismatch,
    bound_of,
    compare,
    measured,
    wrong_form,
)
from gradgen.verify.rounding import RUNS, Look
from gradgen.verify.subject import Subject, WrongForm, refuse_other_default

TRIES = 4  # at finding one where differences can measure, in each interval


def find_point(
    subject: Subject,
    layout: Layout,
    dtype: Any,
    rng: np.random.Generator,
    tally: Counter[Any] | None = None,
    sign: int = 1,
    draws: Sequence[Draw] = DRAWS,
) -> Point | None:
    """Arguments at which the gradient can be measured, with the measurements.

    `tally` counts what stood in the way at others: "kink", "infinite", "refused", and
    "ill" where the function magnifies rounding. `sign` is the seed's, if it is a number.
    """
    tally = Counter() if tally is None else tally
    tolerances = TOLERANCES["float64"]
    for draw in draws:
        for _ in range(TRIES):
            args = layout.arguments(rng, dtype, draw)
            limit = _limit(tally)
            start = time.monotonic()
            result = result_of(subject.primal, args, limit)
            took = time.monotonic() - start
            if result is None and took >= limit:
                tally["endless"] += 1
                if tally["endless"] > ENDLESS:
                    return None
            if result is None:
                tally["refused"] += 1
                break
            if not np.all(np.isfinite(result)):
                tally["infinite"] += 1
                continue
            if not is_steady(subject.primal.at(args), args):
                tally["ill"] += 1
                continue
            tally[USUAL] = max(tally[USUAL], math.ceil(took * 1e6))
            cotangent = seed_for(result, rng, sign)
            wants = _measurements(subject, args, cotangent)
            good = [w for w in wants if w is not None and _usable(w, tolerances)]
            if len(good) == len(wants):
                return Point(subject, args, result, cotangent, good)
            tally["kink"] += 1
    return None


# Where a gradient is larger, float32 overflows on the way to it.
LARGEST = 1e15


def _usable(want: Estimate, tolerances: tuple[float, float]) -> bool:
    size = np.max(np.abs(want.value), initial=0.0)
    return bool(size < LARGEST) and measured(want, *tolerances)


def _measurements(subject: Subject, args: Any, cotangent: Any) -> list[Estimate | None]:
    """A measured gradient for each argument; None where the primal fails nearby."""
    primal = subject.primal.at(args)
    found: list[Estimate | None] = []
    for name in subject.wrt:
        i = subject.names.index(name)
        try:
            found.append(numeric_gradient(primal, args, i, cotangent))
        except Exception:  # an index that depends on the values, for one
            found.append(None)
    return found


# A call has half as long after each that did not end; after so many, none is tried.
ENDLESS = 12
# the longest time of a call at which the primal was steady, in microseconds
USUAL = "usual"
# A call that takes so many times as long, and at least QUICK seconds, does not end.
FAR_LONGER, QUICK = 200, 0.5


def _limit(tally: Counter[Any]) -> float:
    """The seconds that a call may take, after those before it."""
    limit = max(LONGEST / float(2 ** tally["endless"]), 0.1)
    if not tally[USUAL]:
        return limit
    return min(limit, max(QUICK, FAR_LONGER * float(tally[USUAL]) / 1e6))


def result_of(
    primal: Callable[..., Any], args: Sequence[Any], longest: float = LONGEST
) -> np.ndarray | None:
    """The primal's result, or None where it does not take such arguments."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with within(longest):
                found = primal(*copies(args))
                result = np.asarray(found)
        except Exception:  # the primal is foreign code, and the arguments a guess
            return None
    if type(found) is complex and not any(map(np.iscomplexobj, args)):
        return None  # (-2.0) ** 0.5 of Python's numbers, where NumPy's give nan
    return result if result.dtype.kind in "fc" else None


def seed_for(
    result: np.ndarray, rng: np.random.Generator, sign: int = 1
) -> np.ndarray | float | complex:
    """A seed for the gradient: of the result's shape and dtype, with both signs."""
    seed = rng.uniform(0.5, 1.5, result.shape)
    seed = seed * (rng.choice([-1, 1], result.shape) if result.ndim else sign)
    if np.iscomplexobj(result):
        seed = seed + 1j * rng.uniform(0.5, 1.5, result.shape)
    return seed.astype(result.dtype) if result.ndim else seed.item()


def copies(args: Sequence[Any]) -> list[Any]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


# A gradient that is known to less, in parts of its largest entry, is no measure.
LOOSE = {"float64": 1e-4, "complex128": 1e-4, "float32": 0.05, "complex64": 0.05}


class Doubtful(Exception):
    """Measurements of a derivative contradict each other, or rounding is all.

    `why` is "kink" or "ill", as points are counted.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Point:
    """One set of arguments, and the measured gradients there."""

    subject: Subject
    args: list[Any]
    result: np.ndarray
    cotangent: object
    wants: list[Estimate]

    def results(self) -> Iterator[tuple[str, Estimate, object, Mismatch | None]]:
        """Each argument with its gradients, measured and computed, and a fault."""
        args = copies(self.args)
        try:
            with np.errstate(all="ignore"):
                answers = list(self._answers(args))
        except np.linalg.LinAlgError as error:
            raise Doubtful(
                "ill"
            ) from error  # the matrix is singular to its last digits
        except Exception as error:
            yield self.subject.wrt[0], self.wants[0], None, _failure(error)
            return
        for value, gradients in answers:
            wrong = self._wrong_value(value) or self._changed(args)
            if wrong is not None:
                yield self.subject.wrt[0], self.wants[0], None, wrong
                return
            for name, want, got in zip(self.subject.wrt, self.wants, gradients):
                yield name, want, got, self._wrong_gradient(name, want, got)

    def gradients(self) -> tuple[Any, ...] | Mismatch:
        """The gradients of one call, or what is wrong with it."""
        args = copies(self.args)
        try:
            with np.errstate(all="ignore"):
                value, gradients = next(self._answers(args))
        except np.linalg.LinAlgError as error:
            raise Doubtful("ill") from error
        except Exception as error:
            return _failure(error)
        return self._wrong_value(value) or self._changed(args) or gradients

    def _answers(self, args: list[Any]) -> Iterator[tuple[object, tuple[Any, ...]]]:
        """Value (or None) and gradients of each call."""
        subject = self.subject
        named = dict(zip(subject.names, args))
        if subject.style == "callback":
            value, backprop = _ended(subject.function, **named)
            refuse_other_default(backprop, ())
            for _ in range(2):
                yield value, self._as_tuple(_ended(backprop, self.cotangent))
            return
        refuse_other_default(subject.function, subject.names)
        parameters = inspect.signature(subject.function).parameters
        (seed,) = (name for name in parameters if name not in named)
        found = _ended(subject.function, **named, **{seed: self.cotangent})
        value, found = found if subject.value else (None, found)
        yield value, self._as_tuple(found)

    def _as_tuple(self, found: Any) -> tuple[Any, ...]:
        gradients = found if isinstance(found, tuple) else (found,)
        if len(gradients) != len(self.subject.wrt):
            count = f"{len(gradients)} gradients for {len(self.subject.wrt)} arguments"
            raise ValueError(count)
        return gradients

    def _wrong_value(self, value: Any) -> Mismatch | None:
        """The value has to be the primal's, to the last bit."""
        if value is None:
            return None
        value = np.asarray(value)
        if value.dtype != self.result.dtype or value.shape != self.result.shape:
            kinds = f"{value.dtype} {value.shape}"
            want = f"{self.result.dtype} {self.result.shape}"
            return _form(f"the value is of type {kinds}, not {want}")
        if value.tobytes() != self.result.tobytes():
            return _form(f"the value is {value}, and that of the primal {self.result}")
        return None

    def _changed(self, args: list[Any]) -> Mismatch | None:
        for name, now, before in zip(self.subject.names, args, self.args):
            if isinstance(now, np.ndarray) and now.tobytes() != before.tobytes():
                return _form(f"it writes into the argument {name}")
        return None

    def _wrong_gradient(self, name: str, want: Estimate, got: Any) -> Mismatch | None:
        arg = self.args[self.subject.names.index(name)]
        dtype = getattr(arg, "dtype", None)
        wrong = wrong_form(name, got, want)
        if wrong is not None:
            return wrong
        bound = bound_of(want, dtype or np.float64)
        wrong = compare(name, got, want, bound)
        if wrong is not None and np.isfinite(wrong.got):
            largest = np.max(np.abs(want.value), initial=0.0)
            for runs in (RUNS, 8 * RUNS):  # few may move no digit that counts
                bound = self._look(name, want).bound(got, want, bound, runs)
                loose = LOOSE[str(dtype or "float64")] * largest
                if largest > 0 and np.any(bound > loose):
                    raise Doubtful("ill" if want.exact else "kink")
                wrong = compare(name, got, want, bound)
                if wrong is None:
                    break
        if wrong is not None:
            return wrong
        # numpy does not let a Python number promote, so it is right for any dtype. The
        # gradient of a number has the dtype that the arithmetic has given it.
        kind = np.asarray(got).dtype.kind
        lifted = isinstance(arg, np.generic) and kind == arg.dtype.kind
        if dtype is not None and type(got) not in (float, complex) and not lifted:
            found = np.asarray(got).dtype
            if found != dtype:
                return Mismatch(name, "dtype", found, dtype)
        return None

    def _look(self, name: str, want: Estimate) -> Look:
        """The gradient in one argument, to be looked at again."""
        place, at = self.subject.names.index(name), self.subject.wrt.index(name)

        def run(leaves: list[Any]) -> Any:
            return next(self._answers(copies(leaves)))[1][at]

        primal = self.subject.primal.at(self.args)
        return Look(primal, self.args, place, self.cotangent, run)


def _ended(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """What a gradient returns; TimeoutError where its loops do not end."""
    with within(LONGEST):
        return function(*args, **named)


def _failure(error: Exception) -> Mismatch:
    """What is wrong with a function that fails."""
    if isinstance(error, WrongForm):
        return _form(str(error))
    return _form(f"it fails with {words_of(error)}")


def _form(text: str) -> Mismatch:
    return Mismatch("", "form", text, None)
