"""An emitted function, run by itself on many arguments -> what is wrong with it."""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gradgen.verify.finite import Estimate, numeric_gradient
from gradgen.verify.held import Measured
from gradgen.verify.limits import within
from gradgen.verify.inputs import INTERVALS, Layout, Parameter, layouts, related
from gradgen.verify.report import (
    TOLERANCES,
    Checked,
    Mismatch,
    compare,
    measured,
    relative_error,
)

OLD_PROMOTION = np.__version__.startswith("1.")
POINTS = 3  # at each layout and dtype
TRIES = 4  # at finding one where differences can measure, in each interval


@dataclass(frozen=True)
class Subject:
    """An emitted function and the primal it is a gradient of."""

    function: Callable
    primal: Measured
    parameters: tuple[Parameter, ...]
    wrt: tuple[str, ...]
    style: str = "joint"
    value: bool = False

    @property
    def names(self) -> list[str]:
        return [parameter.name for parameter in self.parameters]


@dataclass(frozen=True)
class Wrong:
    """A gradient that is wrong, and where."""

    mismatch: Mismatch
    place: str

    def __str__(self) -> str:
        return f"{self.mismatch}\n    at {self.place}"


def function_in(text: str) -> Callable:
    """The gradient that an emitted module defines, run in an empty namespace."""
    namespace: dict = {"__name__": "emitted"}
    exec(compile(text, "<emitted>", "exec"), namespace)
    kinds = "grad value_and_grad vjp jvp hvp jacobian hessian"
    prefixes = tuple(f"{kind}_" for kind in kinds.split())
    found = [
        value
        for name, value in namespace.items()
        if name.startswith(prefixes) and inspect.isfunction(value)
    ]
    if not found:
        raise ValueError("the text defines no gradient")
    return found[-1]


# seconds in which lengths that the primal takes are looked for
SEARCH = 10.0


def examine(subject: Subject, seed: int = 0) -> Checked | Wrong | None:
    """The agreement of a gradient with measured numbers, or its first fault.

    None where no arguments were found that the primal takes and at which its
    gradient can be measured. The same seed tries the same arguments. Where the
    primal takes none of them, lengths are tried that hang together: k = 4 * m.
    """
    known = list(layouts(subject.parameters, subject.wrt))
    found = _examined(subject, known, seed)
    if found is not None or any(_is_taken(subject, layout) for layout in known):
        return found
    end = time.monotonic() + SEARCH
    for several in related(subject.parameters, subject.wrt):
        if time.monotonic() > end:
            break
        if all(_is_taken(subject, layout) for layout in several):
            return _examined(subject, several, seed)
    return None


def _is_taken(subject: Subject, layout: Layout) -> bool:
    """Whether the primal takes arguments of these shapes."""
    rng = np.random.default_rng(0)
    tried = (layout.arguments(rng, np.float64, interval) for interval in INTERVALS)
    return any(result_of(subject.primal, args) is not None for args in tried)


def _examined(
    subject: Subject, known: Iterable[Layout], seed: int
) -> Checked | Wrong | None:
    errors = dict.fromkeys(subject.wrt, 0.0)
    points = 0
    for number, layout in enumerate(known):
        for dtype in (np.float64, np.float32):
            for k in range(POINTS):
                rng = np.random.default_rng([seed, number, dtype is np.float32, k])
                point = _point(subject, layout, dtype, rng)
                if point is None:
                    continue
                points += 1
                place = f"{layout.sizes}, {dtype.__name__}, seed {seed}"
                for name, want, got, wrong in point.results():
                    if wrong is not None:
                        return Wrong(wrong, place)
                    if dtype is np.float64:
                        errors[name] = max(errors[name], relative_error(got, want))
    return Checked(errors, points) if points else None


def _point(subject: Subject, layout: Layout, dtype, rng) -> _Point | None:
    """Arguments at which the gradient can be measured, with the measurements."""
    tolerances = TOLERANCES["float64"]
    for interval in INTERVALS:
        for _ in range(TRIES):
            args = layout.arguments(rng, dtype, interval)
            result = result_of(subject.primal, args)
            if result is None:
                break
            if not np.all(np.isfinite(result)):
                continue
            cotangent = _cotangent(result, rng)
            wants = _measurements(subject, args, cotangent)
            if all(want is not None and _usable(want, tolerances) for want in wants):
                return _Point(subject, args, result, cotangent, wants)
    return None


# Where a gradient is larger, float32 overflows on the way to it.
LARGEST = 1e15


def _usable(want: Estimate, tolerances) -> bool:
    size = np.max(np.abs(want.value), initial=0.0)
    return bool(size < LARGEST) and measured(want, *tolerances)


def _measurements(subject: Subject, args, cotangent) -> list[Estimate | None]:
    """A measured gradient for each argument; None where the primal fails nearby."""
    primal = subject.primal.at(args)
    found = []
    for name in subject.wrt:
        i = subject.names.index(name)
        try:
            found.append(numeric_gradient(primal, args, i, cotangent))
        except Exception:  # an index that depends on the values, for one
            found.append(None)
    return found


# seconds that a primal may take: one that does not end is not measured
LONGEST = 5.0


def result_of(primal: Callable, args: Sequence):
    """The primal's result, or None where it does not take such arguments."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with within(LONGEST):
                result = np.asarray(primal(*_copies(args)))
        except Exception:  # the primal is foreign code, and the arguments a guess
            return None
    return result if result.dtype.kind in "fc" else None


def _cotangent(result: np.ndarray, rng):
    """A seed for the gradient: of the result's shape and dtype."""
    seed = rng.uniform(0.5, 1.5, result.shape)
    if np.iscomplexobj(result):
        seed = seed + 1j * rng.uniform(0.5, 1.5, result.shape)
    return seed.astype(result.dtype) if result.ndim else seed.item()


def _copies(args: Sequence) -> list:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in args]


@dataclass(frozen=True)
class _Point:
    """One set of arguments, and the measured gradients there."""

    subject: Subject
    args: list
    result: np.ndarray
    cotangent: object
    wants: list[Estimate]

    def results(self) -> Iterator[tuple[str, Estimate, object, Mismatch | None]]:
        """Each argument with its gradients, measured and computed, and a fault."""
        args = _copies(self.args)
        try:
            with np.errstate(all="ignore"):
                answers = list(self._answers(args))
        except Exception as error:
            text = f"it fails with {type(error).__name__}: {error}"
            yield self.subject.wrt[0], self.wants[0], None, _form(text)
            return
        for value, gradients in answers:
            wrong = self._wrong_value(value) or self._changed(args)
            if wrong is not None:
                yield self.subject.wrt[0], self.wants[0], None, wrong
                return
            for name, want, got in zip(self.subject.wrt, self.wants, gradients):
                yield name, want, got, self._wrong_gradient(name, want, got)

    def _answers(self, args: list) -> Iterator[tuple[object, tuple]]:
        """Value (or None) and gradients of each call."""
        subject = self.subject
        named = dict(zip(subject.names, args))
        if subject.style == "callback":
            value, backprop = subject.function(**named)
            for _ in range(2):
                yield value, self._as_tuple(backprop(self.cotangent))
            return
        parameters = inspect.signature(subject.function).parameters
        (seed,) = (name for name in parameters if name not in named)
        found = subject.function(**named, **{seed: self.cotangent})
        value, found = found if subject.value else (None, found)
        yield value, self._as_tuple(found)

    def _as_tuple(self, found) -> tuple:
        gradients = found if isinstance(found, tuple) else (found,)
        if len(gradients) != len(self.subject.wrt):
            count = f"{len(gradients)} gradients for {len(self.subject.wrt)} arguments"
            raise ValueError(count)
        return gradients

    def _wrong_value(self, value) -> Mismatch | None:
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

    def _changed(self, args: list) -> Mismatch | None:
        for name, now, before in zip(self.subject.names, args, self.args):
            if isinstance(now, np.ndarray) and now.tobytes() != before.tobytes():
                return _form(f"it writes into the argument {name}")
        return None

    def _wrong_gradient(self, name: str, want: Estimate, got) -> Mismatch | None:
        arg = self.args[self.subject.names.index(name)]
        dtype = getattr(arg, "dtype", None)
        rtol, atol = TOLERANCES[str(dtype or "float64")]
        wrong = compare(name, got, want, rtol, atol)
        if wrong is not None:
            return wrong
        # numpy does not let a Python number promote, so it is right for any dtype;
        # before 2.0 it lets a float32 number promote wherever a Python one meets it.
        lifted = OLD_PROMOTION and np.ndim(arg) == 0
        if dtype is not None and type(got) not in (float, complex) and not lifted:
            found = np.asarray(got).dtype
            if found != dtype:
                return Mismatch(name, "dtype", found, dtype)
        return None


def _form(text: str) -> Mismatch:
    return Mismatch("", "form", text, None)
