"""Where a hand-written backward pass goes wrong: its line, and the generated one.

Its adjoints, variables called as the gradient of another (d_norm, dnorm, norm_bar),
are held against differences in that variable. Then the terms that its gradient is
the sum of are held against those of the generated text, each at the same arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.finite import numeric_gradient
from gradgen.verify.traced import Term, Trace

# Two ways to the same number differ by rounding, of float32 too.
ALIKE = 1e-4
_ADJOINT = re.compile(r"(?:d_?|b_?|g_|grad_?|bar_)(?P<after>\w+)$|(?P<before>\w+)_bar$")


@dataclass(frozen=True)
class Run:
    """One run of a text: what it noted, and the gradient that it came to."""

    trace: Trace
    gradient: np.ndarray


@dataclass(frozen=True)
class Blame:
    """What is said of a wrong gradient; `line` is of the hand's file, 0 for none."""

    said: tuple[str, ...]
    line: int = 0
    text: str = ""


def blamed(
    hand: Run,
    generated: Run | None,
    where: str,
    weighted: Sequence[tuple[Trace, Callable[[], object]]],
    adjoint_of: str,
) -> Blame:
    """The lines that disagree, in words.

    `weighted` are texts that compute the result, each with a function that runs it
    to sum(seed * result); `where` is how the generated text is called. `adjoint_of`
    is the argument whose gradient is wrong.
    """
    said: list[str] = []
    wrong = _wrong_adjoint(hand.trace, weighted, adjoint_of)
    line = text = None
    if wrong is not None:
        term, got, want = wrong
        line, text = term.line, hand.trace.line(term.line)
        said.append(f"{term.name} is {got}, and differences give {want}")
    final = _final(hand)
    theirs = None if generated is None else _final(generated)
    if generated is not None and theirs is not None:
        place = generated.trace.terms[theirs].line
        said.append(f"{where}, line {place}: {generated.trace.line(place)}")
        if final is not None:
            said += _terms(hand.trace, final, generated.trace, theirs)
    if line is None and final is not None:
        line = hand.trace.terms[final].line
        text = hand.trace.line(line)
    return Blame(tuple(said), line or 0, text or "")


def _final(run: Run) -> int | None:
    """The place that the gradient comes from: the last with just that value."""
    for number, value in run.trace.seen[::-1]:
        # The whole of a sum is noted after its terms.
        if run.trace.terms[number].sums and _same(value, run.gradient, 0.0):
            return number
    return None


def _wrong_adjoint(
    trace: Trace, weighted: Sequence[tuple[Trace, Callable[..., Any]]], argument: str
) -> tuple[Term, str, str] | None:
    """The first adjoint of the hand's text that differences contradict."""
    tried = set()
    for number, _ in list(trace.seen):
        term = trace.terms[number]
        match = _ADJOINT.match(term.name)
        name = match and (match["after"] or match["before"])
        if not name or name in tried or name == argument:
            continue
        tried.add(name)
        want = _measured_adjoint(name, weighted)
        got = _last_of(trace, term.name)
        if want is None or want.shape != np.shape(got):
            continue
        if not _same(got, want, ALIKE):
            apart = np.abs(np.asarray(got) - want)
            at = np.unravel_index(int(np.argmax(apart)), want.shape)
            numbers = (f"{np.asarray(one)[at]:.6g}" for one in (got, want))
            index = f"{term.name}{list(map(int, at))}: " if at else ""
            found, measured = numbers
            return term, index + found, measured
    return None


def _last_of(trace: Trace, name: str) -> np.ndarray:
    """The last value that a name had."""
    numbers = {n for n, term in enumerate(trace.terms) if term.name == name}
    return next(value for n, value in reversed(trace.seen) if n in numbers)


def _measured_adjoint(
    name: str, weighted: Sequence[tuple[Trace, Callable[[], object]]]
) -> np.ndarray | None:
    """The derivative of the weighted result in a variable that is set once."""
    for trace, run in weighted:
        places = [n for n, term in enumerate(trace.terms) if term.name == name]
        trace.seen.clear()
        run()
        values = [value for n, value in trace.seen if n in places]
        if len(values) != 1 or values[0].dtype.kind != "f":
            continue

        def along(
            bump: Any,
            place: int = places[0],
            trace: Trace = trace,
            run: Callable[[], object] = run,
        ) -> object:
            trace.seen.clear()
            trace.bumps = {place: bump}
            try:
                return run()
            finally:
                trace.bumps = {}

        try:
            found = numeric_gradient(along, (np.zeros(values[0].shape),), 0)
        except Exception:  # foreign code; there is nothing to say then
            continue
        scale = np.max(np.abs(found.value), initial=0.0)
        if np.all(np.isfinite(found.value)) and np.all(
            found.error <= 0.1 * ALIKE * scale + 1e-12
        ):
            return found.value
    return None


def _terms(mine: Trace, at: int, theirs: Trace, there: int) -> list[str]:
    """How each term of one sum stands to the terms of the other."""
    own = _values(mine, at)
    other = _values(theirs, there)
    left, rest = list(other), []
    for text, value in own:
        match = next((t for t in left if _same(value, t[1], ALIKE)), None)
        if match is not None:
            left.remove(match)
        else:
            rest.append((text, value))
    said = []
    for text, value in rest:
        near = next(((t, v) for t, v in left if _factor(value, v) is not None), None)
        if near is None:
            if len(other) > 1:
                said.append(f"{text} is none of its terms")
            continue
        left.remove(near)
        factor = _factor(value, near[1])
        if factor == -1:
            said.append(f"{text} is {near[0]} with the other sign")
        else:
            said.append(f"{text} is {factor:.6g} times {near[0]}")
    return said + [
        f"{text} is missing" for text, _ in left if len(own) > len(rest) or not rest
    ]


def _values(trace: Trace, number: int) -> list[tuple[str, np.ndarray]]:
    """The terms of a sum with their values, signs included."""
    found = []
    for n, sign, factor in trace.terms[number].sums:
        text, value = trace.terms[n].text, trace.last(n)
        named = [m for m, t in enumerate(trace.terms) if t.name == text]
        if len(named) == 1 and len(trace.terms[named[0]].sums) > 1:
            inner = _values(trace, named[0])  # -d_x, where d_x = a + b
        else:
            inner = [(text, value)] if value is not None else []
        times = trace.last(factor) if factor is not None else 1.0
        if times is None:
            continue
        front = f"{trace.terms[factor].text} * " if factor is not None else ""
        found += [(_signed(front + t, sign), sign * times * v) for t, v in inner]
    return found


def _signed(text: str, sign: int) -> str:
    if sign > 0:
        return text
    return text[1:] if text.startswith("-") else f"-{text}"


def _factor(value: Any, other: Any) -> float | None:
    """c where value is c * other, None where it is no multiple of it."""
    value, other = np.asarray(value), np.asarray(other)
    if value.shape != other.shape or value.dtype.kind != "f" or value.size < 2:
        return None
    square = np.sum(other * other)
    if not square > 0 or not np.all(np.isfinite(value)):
        return None
    factor = float(np.sum(value * other) / square)
    if factor == 0 or not _same(value, factor * other, ALIKE):
        return None
    return -1 if abs(factor + 1) < ALIKE else factor


def _same(value: Any, other: Any, tolerance: float) -> bool:
    value, other = np.asarray(value), np.asarray(other)
    if value.shape != other.shape:
        return False
    scale = np.max(np.abs(other), initial=0.0)
    with np.errstate(invalid="ignore"):
        return bool(np.all(np.abs(value - other) <= tolerance * scale))
