"""check_grads: a backward pass written by hand, held against measured numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import LEAF, path_text
from gradgen.verify.finite import Estimate, numeric_gradient
from gradgen.verify.nested import (
    Nested,
    fits,
    is_active,
    made,
    pulled_back,
    seeds_for,
    structure_of,
)
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

    Arguments and results may be containers of arrays: their gradients and seeds are
    nested as they are (None for what has none; a callback may as well take one seed
    for each result), and `wrt` may name parts: "params.W".

    `seed` is the gradient of f's result that a callback gets, of the result's
    shape; default 1, and for the callback of an array result random numbers. A
    gradient without a callback is that of sum(seed * f(*args)).

    Raises GradgenError naming the argument, the index and both numbers; "GG601"
    for a gradient that is wrong, "GG602" for a value, "GG603" for another form
    of result, "GG604" where differences cannot tell, as at a kink.
    """
    args = tuple(args)
    parameters = _parameters(f, len(args))
    nests = tuple(map(structure_of, args))
    first = Nested(f, tuple(parameters), nests, LEAF)
    leaves = first.leaves(args)
    result = f(*first.nested(leaves))
    nested = replace(first, result=structure_of(result, True))
    names = _names(wrt, nested)
    parts = [nested.part(name) for name in names]
    for name, (structure, own) in zip(names, parts, strict=True):
        _refuse_integers(name, structure, [leaves[leaf.place] for leaf in own])
    found = hand(*nested.nested(leaves))
    value, gradients, seed = _taken_apart(
        found, names, parts, seed, nested, result, hand
    )
    if value is not None:
        _compare_results(value, result, nested.result, rtol, _title(f), _title(hand))
    errors = {}
    for (structure, own), whole in zip(parts, gradients, strict=True):
        for leaf, got in zip(own, structure.flatten(whole), strict=True):
            if structure and not is_active(leaves[leaf.place]):
                continue
            want = numeric_gradient(nested.flat, leaves, leaf.place, seed)
            if not measured(want, rtol, ATOL):
                raise GradgenError(
                    "GG604",
                    f"differences of {_title(f)} in {leaf.label} cannot be trusted at "
                    "these arguments: there is a kink, a jump or no finite value",
                    advice="other arguments",
                )
            if got is None:
                raise GradgenError(
                    "GG603",
                    f"{_title(hand)} returns None for {leaf.label}",
                    advice="its gradient, or zeros",
                )
            wrong = compare(leaf.label, got, want, rtol, ATOL)
            if wrong is not None:
                raise GradgenError("GG601", _sentence(wrong, want, f, hand))
            errors[leaf.label] = relative_error(got, want)
    return Checked(errors)


def _parameters(f: Callable, count: int) -> list[str]:
    """The names of f's positional parameters."""
    try:
        names = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        names = []
    # *args and C functions leave some without a name.
    return names[:count] + [str(i) for i in range(len(names), count)]


def _names(wrt, nested: Nested) -> tuple[str, ...]:
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


def _refuse_integers(name: str, structure, leaves: list) -> None:
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


def _taken_apart(found, names, parts, seed, nested: Nested, result, hand):
    """The value (or None), a gradient for each name, and the seed they are for."""
    structures = [structure for structure, _ in parts]
    value = None
    is_pair = isinstance(found, tuple) and len(found) == 2
    if is_pair and _are_callable(found[1]):
        value, back = found
        if seed is None:
            seed = _drawn(nested.result, result)
        seeds = _seeds(seed, nested, result)
        if callable(back):
            found = pulled_back(back, seed, seeds)
        else:
            found = tuple(one(seed) for one in back)
        gradients = _gradients(found, structures)
    else:
        gradients = _gradients(found, structures)
        if gradients is None and is_pair:
            value, gradients = found[0], _gradients(found[1], structures)
        if gradients is None and isinstance(found, tuple) and len(names) > 1:
            value, gradients = found[:1], _gradients(found[1:], structures)
            value = value[0] if value else None
        if seed is None:
            seed = _ones(nested.result, result)
        seeds = _seeds(seed, nested, result)
    if gradients is None:
        raise GradgenError(
            "GG603",
            f"{_title(hand)} returns {_form_of(found)} for {', '.join(names)}",
            advice=f"a function that returns {FORMS}",
        )
    flat = np.concatenate([np.ravel(s) for s in seeds]) if nested.result else seed
    return value, gradients, flat


def _gradients(found, structures: list) -> tuple | None:
    """A gradient for each structure, where that is what was found."""
    several = isinstance(found, (tuple, list)) and len(found) == len(structures)
    if len(structures) > 1 and not several:
        return None
    for way in ((found,), found) if len(structures) == 1 else (found,):
        if isinstance(way, (tuple, list)) and len(way) == len(structures):
            pairs = zip(way, structures, strict=True)
            if all(_is_gradient(one, structure) for one, structure in pairs):
                return tuple(way)
    return None


def _is_gradient(value, structure) -> bool:
    if not structure and (value is None or callable(value)):
        return False
    return fits(value, structure)


def _form_of(found) -> str:
    """What was returned, in words."""
    parts = found if isinstance(found, (tuple, list)) else (found,)
    kinds = ", ".join(type(part).__name__ for part in parts)
    return f"{len(parts)} gradient(s) ({kinds})"


def _drawn(structure, result):
    """A random seed for each number of a result, nested as it is."""
    rng = np.random.default_rng(0)

    def one(leaf):
        if structure and not is_active(leaf):
            return None
        shape = np.shape(leaf)
        seed = rng.uniform(0.5, 1.5, shape) if shape or structure else 1.0
        if np.iscomplexobj(leaf):
            seed = seed + 1j * rng.uniform(0.5, 1.5, shape)
        return seed

    return structure.build(
        iter([one(leaf) for leaf in structure.flatten(result)]), made
    )


def _ones(structure, result):
    if not structure:
        return 1.0
    leaves = structure.flatten(result)
    ones = [np.ones(np.shape(leaf)) if is_active(leaf) else None for leaf in leaves]
    return structure.build(iter(ones), made)


def _seeds(seed, nested: Nested, result) -> list:
    """The seeds of the numbers of a result. Raises GradgenError."""
    if not nested.result:
        return [seed]
    try:
        return seeds_for(nested.result.flatten(result), nested.result, seed)
    except (ValueError, AttributeError) as error:
        raise GradgenError(
            "GG506",
            f"the seed does not fit the result: {error}",
            advice="a seed that is nested as the result, with None for zeros",
        ) from None


def _are_callable(value) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(callable, value))
    return callable(value)


def _compare_results(value, result, structure, rtol, f: str, hand: str) -> None:
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


def _compare_values(value, result, rtol, f: str, hand: str, label: str) -> None:
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
