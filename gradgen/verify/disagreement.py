"""What is told of a hand-written backward pass that is wrong, or that fails."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable

import numpy as np

from gradgen.api import grad
from gradgen.errors import GradgenError
from gradgen.verify.blame import Run, blamed
from gradgen.verify.finite import Estimate
from gradgen.verify.report import Mismatch
from gradgen.verify.traced import Trace, traced, traced_text

LETTERS = "nmkpqrstuvwabcdefghij"


def run_foreign(run: Callable, function: Callable):
    """What `run` returns; an error of the function becomes one of ours, with its line.

    Raises GradgenError.
    """
    try:
        with np.errstate(all="ignore"):
            return run()
    except GradgenError:
        raise
    except Exception as error:
        title = getattr(function, "__name__", type(function).__name__)
        raise GradgenError(
            "GG606", f"{title} fails with {type(error).__name__}: {error}"
        ).at(_place(error, function)) from error


class _Place:
    """A line of a file, as an error names it."""

    def __init__(self, file: str, row: int, text: str):
        self.file, self.row, self.column, self.text = file, row, None, text


def _place(error: Exception, function: Callable) -> _Place | None:
    """The innermost line of the function's own file that an error went through."""
    code = getattr(function, "__code__", None)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if code is not None and frame.filename == code.co_filename:
            text = (frame.line or "").strip()
            return _Place(near(frame.filename), frame.lineno or 1, text)
    return None


def near(file: str) -> str:
    """A file's name as seen from the working directory, where it is below it."""
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return file if relative.startswith("..") else relative


def disagreement(case, wrong: Mismatch, want: Estimate, seed) -> GradgenError:
    """The error for a gradient that is not the measured one, with what can be told."""
    f, hand = _title(case.f), _title(case.hand)
    text = f"{hand}: {wrong} for {f}"
    if wrong.kind == "number" and np.isfinite(wrong.got):
        apart = abs(wrong.got - wrong.want)
        text += f"; that is {apart:.2g} apart, and differences are good to "
        text += f"{np.max(want.error):.0e}"
    if np.shape(seed) == () and seed != 1:
        text += f"; the gradient of the result is {seed:.6g}"
    if case.how.remark:
        text += f"; {case.how.remark} (by position)"
    if wrong.kind == "form":
        return GradgenError("GG601", text)
    try:
        with np.errstate(all="ignore"):
            blame = _blamed(case, wrong, seed)
    except Exception:  # foreign code run in another way than it was written for
        blame = None
    if blame is None:
        return GradgenError("GG601", text)
    file = near(getattr(getattr(case.hand, "__code__", None), "co_filename", ""))
    own = [f"{file}:{blame.line}: {blame.text}"] if blame.line else []
    text = "\n    ".join([text, *own, *blame.said])
    return GradgenError("GG601", text)


def _title(function: Callable) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _blamed(case, wrong: Mismatch, seed):
    """The lines that disagree; None where the hand's text cannot be run apart."""
    nested = case.asked.nested
    wide = [_wide(leaf) for leaf in case.leaves]
    mine = traced(case.hand)
    at = next(
        (i for i, (_, own) in enumerate(case.parts) if own[0].label == wrong.argument),
        None,
    )
    if at is None:
        return None
    generated, where = _generated(case, at, wide, seed)
    if mine is None:
        return _only_generated(generated, where)
    function, trace = mine
    args = lambda: nested.nested(wide)  # noqa: E731
    found = _answer(case, function, args(), seed)
    hand = Run(trace, np.array(found.gradients[at]))
    weighted = []
    primal = traced(case.f)
    if primal is not None:
        weighted.append((primal[1], lambda: _weigh(nested, primal[0](*args()), seed)))
    if found.value is not None:
        again = traced(case.hand)

        def value():
            return _answer(case, again[0], args(), seed).value

        weighted.append((again[1], lambda: _weigh(nested, value(), seed)))
    return blamed(hand, generated, where, weighted, wrong.argument)


def _only_generated(generated: Run | None, where: str):
    """What is said where the hand's text is not known."""
    empty = Run(Trace("", []), np.zeros(()))
    return blamed(empty, generated, where, [], "")


def _answer(case, hand: Callable, args, seed):
    from gradgen.verify.forms import answer

    given = seed if not case.asked.nested.result else None
    return answer(hand, case.how, args, case.asked, given)


def _weigh(nested, value, seed):
    """sum(seed * value), the number that the gradient is of."""
    leaves = nested.result.flatten(value) if nested.result else [value]
    return np.sum(seed * nested.vector(leaves))


def _generated(case, at: int, leaves: list, seed) -> tuple[Run | None, str]:
    """A run of the generated gradient for one name, None where gradgen refuses it."""
    nested, name = case.asked.nested, case.asked.names[at]
    if any(nested.arguments) or nested.result:
        return None, ""
    for shapes in (_shapes(nested.names, leaves), {}):
        try:
            made = grad(case.f, name, shapes=shapes)
        except GradgenError:
            continue
        function, trace = traced_text(made.source, made.__name__, made.function)
        given = np.broadcast_to(seed, np.shape(case.asked.result)).astype(float)
        found = function(*nested.nested(leaves), given[()])
        return Run(trace, np.array(found)), "generated"
    return None, ""


def _shapes(names, leaves) -> dict[str, str]:
    """Shape facts of the arguments at hand: equal lengths have equal names."""
    letters: dict[int, str] = {}
    facts = {}
    for name, leaf in zip(names, leaves, strict=True):
        if not isinstance(leaf, (float, np.ndarray, np.floating)):
            continue
        for length in np.shape(leaf):
            if length > 1 and length not in letters:
                letters[length] = LETTERS[len(letters)]
        facts[name] = " ".join(letters.get(n, str(n)) for n in np.shape(leaf))
    return facts


def _wide(leaf):
    """A leaf in float64, so that terms are told apart by more than rounding."""
    dtype = getattr(leaf, "dtype", None)
    return leaf.astype(np.float64) if dtype is not None and dtype.kind == "f" else leaf
