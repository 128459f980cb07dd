"""check_grads: a backward pass written by hand, held against measured numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import LEAF, Structure, path_text
from gradgen.verify.disagreement import disagreement, run_foreign
from gradgen.verify.generated import EmittedText
from gradgen.verify.finite import Estimate, numeric_gradient
from gradgen.verify.forms import Answer, Asked, answer, is_same
from gradgen.verify.nested import Leaf, Nested, fits, is_active, structure_of
from gradgen.verify.report import (
    Checked,
    Mismatch,
    compare,
    measured,
    relative_error,
)
from gradgen.verify.taking import Taking, taking

# Differences of a smooth function are good to some 1e-9; rounding in a backward
# pass may add to that.
RTOL, ATOL = 1e-6, 1e-9


def check_grads(
    f: Callable[..., Any],
    hand: Callable[..., Any],
    args: Sequence[Any],
    wrt: str | int | Sequence[Any] | None = None,
    seed: Any = None,
    rtol: float | None = None,
) -> Checked:
    """The errors of a hand-written gradient of f, each known to be small.

    `hand` takes the arguments of f, by name where its parameters are called so (in
    any order, and without those that it does not need) and by position else, and
    may take the gradient of f's result besides: `hand(x, w, d_out)`. It returns the
    gradient; or the value and the gradient; or the value and a callback that takes
    the gradient of the value (a tuple of callbacks, one for each argument, will do).
    For several arguments in `wrt` (names or positions; default the first) the
    gradient is a tuple, or a dict by name.

    Arguments and results may be containers of arrays: their gradients and seeds are
    nested as they are (None for what has none; a callback may as well take one seed
    for each result), and `wrt` may name parts: "params.W".

    `seed` is the gradient of f's result that hand gets, of the result's shape;
    default 1, and for an array result np.random.default_rng(0).uniform(0.5, 1.5,
    shape). Where hand takes none its gradient is that of sum(seed * f(*args)), for
    1 by default. `rtol` is the error allowed, in parts of the largest entry; default
    1e-6, and 1e-2 for arguments in float32.

    Raises GradgenError naming the argument, the index, both numbers, and the line of
    the generated gradient that it disagrees with; "GG601" for a gradient that is
    wrong, "GG602" for a value, "GG603" for another form of result, "GG604" where
    differences cannot tell, as at a kink, "GG605" for arguments that do not fit,
    "GG606" where f or hand fails and "GG607" where hand writes into what it is given,
    or its callback is wrong when it is called again.
    """
    return checked_case(case_of(f, hand, tuple(args), wrt), seed, rtol)


def checked_case(case: Case, seed: Any = None, rtol: float | None = None) -> Checked:
    """The errors of a case, each known to be small. Raises GradgenError."""
    errors, told = {}, {}
    found = case.answer(case.hand, seed)
    if found.value is not None:
        structure = case.asked.nested.result
        titles = _title(case.f), _title(case.hand)
        _compare_results(
            found.value, case.asked.result, structure, case.rtol(rtol), *titles
        )
    for label, place, got in case.leaves_of(found.gradients):
        want = _measured_or_refused(case, label, place, found.seed, rtol)
        _compare(case, label, place, got, want, found, rtol)
        errors[label] = relative_error(got, want)
        told[label] = want
    if found.again is not None:
        _compare_again(case, found, told, rtol)
    if seed is None and found.seeded and np.shape(found.seed) == ():
        # Of 1 no one knows whether it was used.
        half = case.answer(case.hand, 0.5 * found.seed)
        for label, place, got in case.leaves_of(half.gradients):
            want = Estimate(0.5 * told[label].value, 0.5 * told[label].error)
            _compare(case, label, place, got, want, half, rtol)
    return Checked(errors)


@dataclass(frozen=True)
class Case:
    """A function with a backward pass, at arguments given as leaves.

    `parts` are the structure and the leaves of each name in wrt. `emitted` is the
    generated gradient that lines are named of; one is made where it is None.
    """

    f: Callable[..., Any]
    hand: Callable[..., Any]
    asked: Asked
    how: Taking
    leaves: list[Any]
    parts: list[Any]
    emitted: EmittedText | None = None

    def answer(self, hand: Callable[..., Any], seed: Any = None) -> Answer:
        """What the backward pass says. Raises GradgenError where it fails."""
        args = self.asked.nested.nested(self.leaves)
        found = run_foreign(
            lambda: answer(hand, self.how, args, self.asked, seed), self.hand
        )
        changed = self._changed(args)
        if changed and not changed <= self._changed_by_itself():
            raise GradgenError(
                "GG607",
                f"{_title(self.hand)} writes into {', '.join(sorted(changed))}",
                advice="a copy: x = x * 2 in place of x *= 2, or x.copy() first",
            )
        return found

    def _changed(self, args: Sequence[Any]) -> set[str]:
        """The arguments that are not what they were."""
        nested = self.asked.nested
        now = nested.leaves(args)
        return {
            leaf.label
            for name in nested.names
            for leaf in _part(nested, name)[1]
            if not is_same(now[leaf.place], self.leaves[leaf.place])
        }

    def _changed_by_itself(self) -> set[str]:
        """The arguments that the function changes, which its gradient may then, too."""
        args = self.asked.nested.nested(self.leaves)
        run_foreign(lambda: self.f(*args), self.f)
        return self._changed(args)

    def leaves_of(self, gradients: Sequence[Any]) -> Iterator[tuple[str, int, object]]:
        """Each leaf's label, its place among the arguments, and its gradient."""
        for (structure, own), whole in zip(self.parts, gradients, strict=True):
            for leaf, got in zip(own, structure.flatten(whole), strict=True):
                if not structure or is_active(self.leaves[leaf.place]):
                    yield leaf.label, leaf.place, got

    def rtol(self, asked: float | None, place: int | None = None) -> float:
        """The relative error that is allowed in a gradient, or in the value."""
        if asked is not None:
            return asked
        leaves = self.leaves if place is None else [self.leaves[place]]
        dtypes = {str(getattr(leaf, "dtype", "float64")) for leaf in leaves}
        return 1e-2 if dtypes & {"float32", "complex64", "float16"} else RTOL


def case_of(
    f: Callable[..., Any],
    hand: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: str | int | Sequence[Any] | None,
    emitted: EmittedText | None = None,
) -> Case:
    """The function and its backward pass, ready to be compared."""
    parameters = _parameters(f, len(args))
    nests = tuple(map(structure_of, args))
    first = Nested(f, tuple(parameters), nests, LEAF)
    leaves = first.leaves(args)
    result = run_foreign(lambda: f(*first.nested(leaves)), f)
    nested = replace(first, result=structure_of(result, True))
    names = _names(wrt, nested)
    parts = [_part(nested, name) for name in names]
    for name, (structure, own) in zip(names, parts, strict=True):
        _refuse_integers(name, structure, [leaves[leaf.place] for leaf in own])
    asked = Asked(nested, names, tuple(s for s, _ in parts), result, _title(hand))
    how = taking(hand, nested.names, _title(hand))
    return Case(f, hand, asked, how, leaves, parts, emitted)


def _measured_or_refused(
    case: Case, label: str, place: int, seed: Any, rtol: float | None
) -> Estimate:
    """The gradient by differences. Raises GradgenError where they cannot tell."""
    try:
        want = numeric_gradient(case.asked.nested.flat, case.leaves, place, seed)
    except Exception:  # foreign code, at arguments next to those that it takes
        want = None
    if want is None or not measured(want, min(case.rtol(rtol), RTOL), ATOL):
        raise GradgenError(
            "GG604",
            f"differences of {_title(case.f)} in {label} cannot be trusted at "
            "these arguments: there is a kink, a jump or no finite value",
            advice="other arguments",
        )
    return want


def _compare(
    case: Case,
    label: str,
    place: int,
    got: Any,
    want: Estimate,
    found: Answer,
    rtol: float | None,
) -> None:
    """Raises GradgenError where a gradient is not the measured one."""
    if got is None:
        raise GradgenError(
            "GG603",
            f"{_title(case.hand)} returns None for {label}",
            advice="its gradient, or zeros",
        )
    allowed = case.rtol(rtol, place)
    wrong = compare(label, got, want, allowed, ATOL if allowed <= RTOL else 1e-4)
    dtype = getattr(case.leaves[place], "dtype", None)
    if wrong is None and np.ndim(got) and dtype is not None:
        if np.asarray(got).dtype != dtype:
            wrong = Mismatch(label, "dtype", np.asarray(got).dtype, dtype)
    if wrong is not None:
        raise disagreement(case, wrong, want, found.seed)


def _compare_again(
    case: Case, found: Answer, told: dict[str, Estimate], rtol: float | None
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
        allowed = case.rtol(rtol, place)
        atol = ATOL if allowed <= RTOL else 1e-4
        wrong = compare(label, got, told[label], allowed, atol)
        if wrong is not None:
            title = _title(case.hand)
            raise GradgenError(
                "GG607",
                f"{title}: at the second call of its callback {wrong} for {_title(case.f)}",
                advice="a callback that leaves what it reads as it is",
            )


def _parameters(f: Callable[..., Any], count: int) -> list[str]:
    """The names of f's positional parameters."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    # *args and C functions leave some without a name.
    return names[:count] + [str(i) for i in range(len(names), count)]


def _names(wrt: str | int | Sequence[Any] | None, nested: Nested) -> tuple[str, ...]:
    """The arguments and the parts of containers that are asked for."""
    chosen = (wrt,) if wrt is None or isinstance(wrt, (str, int)) else tuple(wrt)
    parameters = nested.names
    names = []
    for one in chosen:
        one = 0 if one is None else one
        if isinstance(one, int) and -len(parameters) <= one < len(parameters):
            one = parameters[one]
        if one not in parameters and (isinstance(one, int) or not nested.part(one)):
            raise GradgenError(
                "GG605",
                f"wrt names {one}, which is none of the arguments given",
                advice="one of " + ", ".join(parameters),
            )
        names.append(one)
    return tuple(names)


def _part(nested: Nested, name: str) -> tuple[Structure, list[Leaf]]:
    """The nesting and the leaves of an argument, or a part, that is there."""
    found = nested.part(name)
    assert found is not None
    return found


def _refuse_integers(name: str, structure: Structure, leaves: list[Any]) -> None:
    if structure:
        if not any(map(is_active, leaves)):
            raise GradgenError(
                "GG502",
                f"no part of {name} has a gradient",
                advice="arrays of floats in it",
            )
        return
    dtype = getattr(leaves[0], "dtype", None)
    if dtype is not None and dtype.kind not in "fc":
        raise GradgenError(
            "GG502",
            f"the argument {name} is an array of {dtype}, which has no gradient",
            advice=f"{name}.astype(float)",
        )


def _compare_results(
    value: Any, result: Any, structure: Structure, rtol: float, f: str, hand: str
) -> None:
    """The values of all leaves, each under its label."""
    if not fits(value, structure):
        raise GradgenError("GG602", f"the value of {hand} is not nested as that of {f}")
    leaves = structure.flatten(value), structure.flatten(result)
    for (path, _), one, other in zip(structure.leaves(), *leaves, strict=True):
        label = path_text("", path)
        if structure and not is_active(other):
            if type(one) is not type(other) or not np.all(one == other):
                raise GradgenError(
                    "GG602", f"the value{label} of {hand} is {one!r}, not {other!r}"
                )
            continue
        _compare_values(one, np.asarray(other), rtol, f, hand, label)


def _compare_values(
    value: Any, result: Any, rtol: float, f: str, hand: str, label: str
) -> None:
    value = np.asarray(value)
    if value.shape != result.shape:
        shapes = f"the shape {value.shape}, and {f} {result.shape}"
        raise GradgenError("GG602", f"the value{label} of {hand} has {shapes}")
    largest = np.max(np.abs(result), initial=0.0)
    apart = np.abs(value - result)
    off = ~(apart <= rtol * largest + ATOL)
    if np.any(off):
        index = tuple(int(i) for i in np.argwhere(off)[0])
        place = f"[{', '.join(map(str, index))}]" if index else ""
        numbers = f"{value[index]:.8g}, and that of {f} is {result[index]:.8g}"
        raise GradgenError("GG602", f"the value{label}{place} of {hand} is {numbers}")


def _title(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)
