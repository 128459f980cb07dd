"""One answer of a backward pass, compared number by number with what is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import path_text
from gradgen.verify.case import Case, title_of
from gradgen.verify.disagreement import disagreement
from gradgen.verify.differences import EPS
from gradgen.verify.finite import Estimate, numeric_gradient, scales
from gradgen.verify.forms import Answer
from gradgen.verify.nested import fits, is_active
from gradgen.verify.report import Mismatch, bound_of, compare, measured, wrong_form
from gradgen.verify.rounding import RUNS, SPREADS, Look, moved_leaves

# Differences that are less precise, in parts of the largest entry, tell nothing; of
# those that do the error is allowed for. Of values, this much may be off.
ROUGH = 1e-3
# What cancels in a value is so many times as large as the arguments, at most.
INSIDE = 100
# float32 in a text's own constants, run at arguments in float64
NARROW = 1e-5


def measured_or_refused(case: Case, label: str, place: int, seed: Any) -> Estimate:
    """The gradient as it is measured. Raises GradgenError where it cannot be."""
    want = measured_leaf(case, place, seed)
    if want is None:
        raise GradgenError(
            "GG604",
            f"differences of {title_of(case.f)} in {label} cannot be trusted at "
            "these arguments: there is a kink, a jump or no finite value",
            advice="other arguments",
        )
    return want


def measured_leaf(case: Case, place: int, seed: Any) -> Estimate | None:
    """The gradient in one leaf, or None where differences cannot tell it."""
    flat = case.asked.nested.flat
    try:
        want = numeric_gradient(flat, case.leaves, place, seed)
        weighed = np.abs(seed * np.asarray(flat(*case.leaves)))
    except Exception:  # foreign code, at arguments next to those that it takes
        return None
    # A gradient of 0 is known in parts of what the values are worth.
    step = np.max(scales(case.leaves[place]), initial=0.0) or 1.0
    size = float(np.sum(weighed))
    if measured(want, 4 * ROUGH, 1e-9 * size / step):
        return want
    size = _size_inside(case, seed, size)
    return want if measured(want, 4 * ROUGH, 1e-9 * size / step) else None


def _size_inside(case: Case, seed: Any, size: float) -> float:
    """The size of what a value is computed of, of which all may cancel: mean(t - t.mean()).

    What the last digits of the arguments change is rounding of that size. What changes
    by more than rounding of numbers like the arguments jumps there: nothing is told then.
    """
    flat, found = case.asked.nested.flat, []
    for leaves in [case.leaves, *moved_leaves(case.leaves, 4 * RUNS)]:
        try:
            with np.errstate(all="ignore"):
                found.append(float(np.sum(seed * np.asarray(flat(*leaves)))))
        except Exception:  # foreign code
            continue
    apart = max((abs(one - found[0]) for one in found), default=0.0)
    numbers = (one for one in case.leaves if np.asarray(one).dtype.kind in "fc")
    largest = max((np.max(scales(one), initial=1.0) for one in numbers), default=1.0)
    return max(size, apart / EPS) if apart <= INSIDE * EPS * largest else size


def compare_leaf(
    case: Case,
    label: str,
    place: int,
    got: Any,
    want: Estimate,
    found: Answer,
    rtol: float | None,
    dtype: Any = None,
) -> None:
    """Raises GradgenError where a gradient is not the measured one."""
    if got is None:
        raise GradgenError(
            "GG603",
            f"{title_of(case.hand)} returns None for {label}",
            advice="its gradient, or zeros",
        )
    wrong = _wrong(case, label, place, got, want, found, rtol, dtype)
    own = getattr(case.leaves[place], "dtype", None)
    plain = place in case.asked.nested.lists or dtype is not None
    if wrong is None and np.ndim(got) and own is not None and not plain:
        if np.asarray(got).dtype != own:
            wrong = Mismatch(label, "dtype", np.asarray(got).dtype, own)
    if wrong is not None:
        raise disagreement(case, wrong, want, found.seed)


def _wrong(
    case: Case,
    label: str,
    place: int,
    got: Any,
    want: Estimate,
    found: Answer,
    rtol: float | None,
    dtype: Any,
) -> Mismatch | None:
    """Where a gradient is off by more than rounding makes of it."""
    wrong = wrong_form(label, got, want)
    if wrong is not None:
        return wrong
    if np.isrealobj(want.value) and np.iscomplexobj(got):
        got = np.asarray(got)
    bound = bound_of(want, dtype or case.dtype(place), rtol)
    wrong = compare(label, got, want, bound)
    if wrong is None or not np.isfinite(wrong.got):
        return wrong

    def run(leaves: list[Any]) -> Any:
        return case.gradient_at(leaves, label, found.given)

    look = Look(case.asked.nested.flat, case.leaves, place, found.seed, run)
    return compare(label, got, want, look.bound(got, want, bound))


def compare_again(
    case: Case, found: Answer, told: Mapping[str, Estimate], rtol: float | None
) -> None:
    """Raises GradgenError where a callback gives another gradient the second time."""
    assert found.again is not None
    try:
        with np.errstate(all="ignore"):
            gradients = found.again()
    except Exception:  # it is for one call, and says so
        return
    if gradients is None:
        return
    for label, place, got in case.leaves_of(gradients):
        wrong = _wrong(case, label, place, got, told[label], found, rtol, None)
        if wrong is not None:
            title, of = title_of(case.hand), title_of(case.f)
            raise GradgenError(
                "GG607",
                f"{title}: at the second call of its callback {wrong} for {of}",
                advice="a callback that leaves what it reads as it is",
            )


def compare_wide(
    case: Case, found: Answer, told: Mapping[str, Estimate], rtol: float | None
) -> None:
    """The same arguments in float64, where small entries are not lost in rounding.

    Raises GradgenError where the gradient is wrong there. One that computes in float32
    whatever it is given says nothing.
    """
    wide = [_wide(leaf) for leaf in case.leaves]
    if all(one is leaf for one, leaf in zip(wide, case.leaves)):
        return
    try:
        wider = replace(case.at(wide), said="in float64")
        given = found.given
        if isinstance(given, np.ndarray):
            given = _wide(given)
        again = wider.answer(case.hand, given if found.seeded else None)
    except GradgenError:
        return  # it is for float32
    for label, place, got in wider.leaves_of(again.gradients):
        if np.asarray(got).dtype not in (np.float64, np.complex128):
            continue
        allowed = NARROW if rtol is None else max(rtol, NARROW)
        want = told[label]
        error = want.error + 2e-7 * np.max(np.abs(want.value), initial=0.0)
        want = replace(want, error=error)
        compare_leaf(wider, label, place, got, want, again, allowed, np.float64)


def _wide(leaf: Any) -> Any:
    """A leaf in float64 where it is narrower."""
    dtype = getattr(leaf, "dtype", None)
    if dtype is None or dtype.kind not in "fc" or np.finfo(dtype).eps < 1e-15:
        return leaf
    return leaf.astype(np.complex128 if dtype.kind == "c" else np.float64)


def compare_results(case: Case, found: Answer, rtol: float | None) -> None:
    """Raises GradgenError where the value is not the function's."""
    structure, result = case.asked.nested.result, case.asked.result
    value, f, hand = found.value, title_of(case.f), title_of(case.hand)
    if not fits(value, structure):
        raise GradgenError("GG602", f"the value of {hand} is not nested as that of {f}")
    leaves = structure.flatten(value), structure.flatten(result)
    for at, ((path, _), one, other) in enumerate(
        zip(structure.leaves(), *leaves, strict=True)
    ):
        label = path_text("", path)
        if structure and not is_active(other):
            if type(one) is not type(other) or not np.all(one == other):
                raise GradgenError(
                    "GG602", f"the value{label} of {hand} is {one!r}, not {other!r}"
                )
            continue

        def runs(at: int = at) -> list[np.ndarray]:
            return _values_near(case, found.given, at)

        _compare_values(case, one, np.asarray(other), rtol, label, runs)


def _compare_values(
    case: Case,
    value: Any,
    result: Any,
    rtol: float | None,
    label: str,
    runs: Callable[[], list[np.ndarray]],
) -> None:
    f, hand = title_of(case.f), title_of(case.hand)
    value = np.asarray(value)
    if value.shape != result.shape:
        shapes = f"the shape {value.shape}, and {f} {result.shape}"
        raise GradgenError("GG602", f"the value{label} of {hand} has {shapes}")
    bound = bound_of(Estimate(result, np.zeros(())), case.dtype(), rtol)
    with np.errstate(all="ignore"):
        apart = np.where(value == result, 0.0, np.abs(value - result))
        if np.any(~(apart <= bound)):
            # What is 0 but for rounding moves with the last digits.
            bound = bound + SPREADS * sum(runs(), np.zeros(()))
    off = ~(apart <= bound)
    if np.any(off):
        index = tuple(int(i) for i in np.argwhere(off)[0])
        place = f"[{', '.join(map(str, index))}]" if index else ""
        numbers = f"{value[index]:.8g}, and that of {f} is {result[index]:.8g}"
        raise GradgenError("GG602", f"the value{label}{place} of {hand} is {numbers}")


def _values_near(case: Case, given: Any, at: int) -> list[np.ndarray]:
    """How far a leaf of the value, of either function, moves with the last digits."""
    structure = case.asked.nested.result
    runs: list[list[np.ndarray]] = []
    for leaves in [case.leaves, *moved_leaves(case.leaves, RUNS)]:
        try:
            near = case.at(leaves)
            values = near.asked.result, near.answer(case.hand, given).value
            runs.append([np.asarray(list(structure.flatten(v))[at]) for v in values])
        except Exception:  # foreign code
            continue
    apart = [
        np.abs(one - first) for run in runs[1:] for one, first in zip(run, runs[0])
    ]
    return apart if all(one.shape == apart[0].shape for one in apart) else []
