"""check_grads: a backward pass written by hand, held against measured numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import LEAF, Structure
from gradgen.verify.case import Case, part_of, title_of
from gradgen.verify.comparing import (
    compare_again,
    compare_leaf,
    compare_results,
    compare_wide,
    measured_or_refused,
)
from gradgen.verify.disagreement import run_foreign
from gradgen.verify.generated import EmittedText
from gradgen.verify.forms import Asked
from gradgen.verify.nested import Nested, is_active, listed, structure_of
from gradgen.verify.report import Checked, relative_bound, relative_error
from gradgen.verify.taking import taking
from gradgen.verify.tries import Tries


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
    1 by default. `rtol` is the error allowed, in parts of each entry; default 1e-8
    in float64 and 1e-5 in float32. The measurement's own error is allowed besides, and
    rounding, as it is measured at arguments with other last digits.

    Every entry is measured at `args`. Where it can be, the gradient is tried with seeds
    of both signs, at two points near, and with axes cut to lengths of 1 and 2: what is
    returned says which.

    Raises GradgenError naming the argument, the index, both numbers, and the line of
    the generated gradient that it disagrees with; "GG601" for a gradient that is
    wrong, "GG602" for a value, "GG603" for another form of result, "GG604" where
    differences cannot tell, as at a kink, "GG605" for arguments that do not fit,
    "GG606" where f or hand fails and "GG607" where hand writes into what it is given,
    or its callback is wrong when it is called again.
    """
    return checked_case(case_of(f, hand, tuple(args), wrt), seed, rtol)


def checked_case(
    case: Case, seed: Any = None, rtol: float | None = None, widely: bool = True
) -> Checked:
    """The errors of a case, each known to be small. Raises GradgenError.

    `widely` says that other points and shapes are tried as well.
    """
    errors, told = {}, {}
    found = case.answer(case.hand, seed)
    if found.value is not None:
        compare_results(case, found, rtol)
    wrong: list[GradgenError] = []
    for label, place, got in case.leaves_of(found.gradients):
        want = measured_or_refused(case, label, place, found.seed)
        try:
            compare_leaf(case, label, place, got, want, found, rtol)
        except GradgenError as error:
            wrong.append(error)
            continue
        errors[label] = relative_error(got, want)
        told[label] = want
    if wrong:
        raise all_of(wrong)
    if found.again is not None:
        compare_again(case, found, told, rtol)
    compare_wide(case, found, told, rtol)
    exact = all(want.exact for want in told.values())
    tries = Tries(case, found, exact, rtol)
    said = tries.seeds() if seed is None else []
    if widely:
        said += tries.points() + (tries.shapes() if seed is None else [])
    bounds = {label: relative_bound(want) for label, want in told.items()}
    return Checked(errors, 1, bounds, int(exact), tried=", ".join(said))


def all_of(wrong: Sequence[GradgenError]) -> GradgenError:
    """One error for all gradients that are wrong: the first in full, then the others."""
    first, *others = wrong
    if not others:
        return first
    lines = [first.message]
    lines += [f"    and {one.message.partition(chr(10))[0]}" for one in others]
    return GradgenError(first.code, "\n".join(lines), advice=first.advice)


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
    lists = {i: type(leaf) for i, leaf in enumerate(leaves) if listed(leaf)}
    first = replace(first, lists=lists)
    leaves = first.leaves(args)
    result = run_foreign(lambda: f(*first.nested(leaves)), f)
    nested = replace(first, result=structure_of(result, True))
    names = _names(wrt, nested)
    parts = [part_of(nested, name) for name in names]
    for name, (structure, own) in zip(names, parts, strict=True):
        for leaf in own:
            if leaf.place in lists and leaves[leaf.place].dtype.kind in "iu":
                leaves[leaf.place] = leaves[leaf.place].astype(np.float64)
        _refuse_integers(name, structure, [leaves[leaf.place] for leaf in own])
    listed_parts = [not s and own[0].place in lists for s, own in parts]
    shapes = [np.shape(leaves[own[0].place]) if own else () for _, own in parts]
    asked = Asked(
        nested,
        names,
        tuple(s for s, _ in parts),
        result,
        title_of(hand),
        tuple(
            shape if is_list else None for is_list, shape in zip(listed_parts, shapes)
        ),
    )
    how = taking(hand, nested.names, title_of(hand))
    return Case(f, hand, asked, how, leaves, parts, emitted)


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
