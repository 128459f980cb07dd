"""What is told of a hand-written backward pass that is wrong, or that fails."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gradgen.errors import GradgenError, words_of
from gradgen.verify.blame import Blame, Run, blamed
from gradgen.verify.finite import Estimate
from gradgen.verify.generated import generated_run
from gradgen.verify.nested import Nested
from gradgen.verify.report import Mismatch
from gradgen.verify.traced import Trace, traced

if TYPE_CHECKING:
    from gradgen.verify.forms import Answer

T = TypeVar("T")


def run_foreign(run: Callable[[], T], function: Callable[..., Any]) -> T:
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
        raise GradgenError("GG606", f"{title} fails with {words_of(error)}").at(
            _place(error, function)
        ) from error


class _Place:
    """A line of a file, as an error names it."""

    def __init__(self, file: str, row: int, text: str) -> None:
        self.file, self.row, self.column, self.text = file, row, None, text


def _place(error: Exception, function: Callable[..., Any]) -> _Place | None:
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


def disagreement(case: Any, wrong: Mismatch, want: Estimate, seed: Any) -> GradgenError:
    """The error for a gradient that is not the measured one, with what can be told."""
    f, hand = _title(case.f), _title(case.hand)
    text = f"{hand}: {wrong} for {f}"
    if case.said:
        text += f", {case.said}"
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


def _title(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _blamed(case: Any, wrong: Mismatch, seed: Any) -> Blame | None:
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
    generated, where = generated_run(case, at, wide, seed)
    if mine is None:
        return _only_generated(generated, where)
    function, trace = mine

    def args() -> tuple[Any, ...]:
        return tuple(nested.nested(wide))

    found = _answer(case, function, args(), seed)
    hand = Run(trace, np.array(found.gradients[at]))
    weighted: list[tuple[Trace, Callable[[], object]]] = []
    primal = traced(case.f)
    if primal is not None:
        weighted.append((primal[1], lambda: _weigh(nested, primal[0](*args()), seed)))
    if found.value is not None:
        again = traced(case.hand)
        assert again is not None  # as before

        def value() -> object:
            return _answer(case, again[0], args(), seed).value

        weighted.append((again[1], lambda: _weigh(nested, value(), seed)))
    return blamed(hand, generated, where, weighted, wrong.argument)


def _only_generated(generated: Run | None, where: str) -> Blame:
    """What is said where the hand's text is not known."""
    empty = Run(Trace("", []), np.zeros(()))
    return blamed(empty, generated, where, [], "")


def _answer(case: Any, hand: Callable[..., Any], args: Any, seed: Any) -> Answer:
    from gradgen.verify.forms import answer

    given = seed if not case.asked.nested.result else None
    return answer(hand, case.how, args, case.asked, given)


def _weigh(nested: Nested, value: Any, seed: Any) -> Any:
    """sum(seed * value), the number that the gradient is of."""
    leaves = nested.result.flatten(value) if nested.result else [value]
    return np.sum(seed * nested.vector(leaves))


def _wide(leaf: Any) -> Any:
    """A leaf in float64, so that terms are told apart by more than rounding."""
    dtype = getattr(leaf, "dtype", None)
    return leaf.astype(np.float64) if dtype is not None and dtype.kind == "f" else leaf
