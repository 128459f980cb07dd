"""What becomes of one case: right, refused, wrong, a crash; through three doors.

- `first`: gradgen.grad(f)(*args), the gradient in the first argument, or in the first
  floating one where the first is none;
- `all`: gradgen.grad(f, wrt=...)(*args), in all floating arguments;
- `text`: gradgen.emit(f), with nothing told, the text executed alone.

The truth is measured on the function itself (verify/finite.py): the complex step where
differences confirm it, else extrapolated differences with their error.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import Estimate, numeric_gradient
from tests.wild.limits import SECONDS, TookTooLong, limited
from tests.wild.survey import Case, is_floating, leaves

TOLERANCE = 4e-6  # of a gradient's largest entry
MEASURED = 1e-4  # relative error above which nothing has been measured
DOORS = ("first", "all", "text")
# what texts raise where something else was assumed, or decided
ASSUMED = re.compile(" taken for |^expected | be broadcast| have no gradient here")
INFINITE = re.compile(r"\b(nan|inf)\b(?=.*, measured)")


@dataclass(frozen=True)
class Outcome:
    """ "right", "guarded", "refused", "wrong", "crash" or "apart"; a code, what was said.

    Guarded is what is nan or infinite alone, and right with `guard=True`.
    """

    verdict: str
    code: str = ""
    said: str = ""


class OtherSeeds(Exception):
    """With nothing told a text is for results that are not those of the call."""


class MoreArguments(Exception):
    """A text is for what the call leaves out: an optional array that is described."""


def seeded(value: Any, rng: np.random.Generator) -> Any:
    """A seed of the structure of a result; None for a leaf that has none."""
    if isinstance(value, dict):
        return {key: seeded(item, rng) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return type(value)(*(seeded(item, rng) for item in value))
    if isinstance(value, (tuple, list)):
        items = [seeded(item, rng) for item in value]
        return items if isinstance(value, list) else tuple(items)
    return rng.uniform(0.5, 1.5, np.shape(value))[()] if is_floating(value) else None


@dataclass(frozen=True)
class Truth:
    """The seed of a case, and the measured gradient in each floating argument."""

    seed: Any
    weights: tuple[Any, ...]
    gradients: dict[int, Estimate]


def measure(case: Case, doors: tuple[str, ...] = DOORS) -> Truth | Outcome:
    """The truth, or why there is none: the case is none then."""
    try:
        with limited():
            value = case.function(*case.fresh())
            again = case.function(*case.fresh())
    except TookTooLong:
        return Outcome("apart", said="the call takes too long")
    except Exception as error:
        return Outcome("apart", said=f"the call raises {type(error).__name__}")
    if not leaves(value):
        return Outcome("apart", said="no floating result")
    if not all(np.all(np.isfinite(leaf)) for leaf in leaves(value)):
        return Outcome("apart", said="the result is not finite")
    if not all(map(np.array_equal, leaves(value), leaves(again))):
        return Outcome("apart", said="it returns something else each time")
    seed = seeded(value, np.random.default_rng(1))
    if is_floating(value) and np.ndim(value) == 0:
        seed = 1.0
    weights = tuple(w for w in leaves(seed))

    def weighted(*args: Any) -> Any:
        parts = _numbers(case.function(*args))
        return sum(np.sum(w * part) for w, part in zip(weights, parts, strict=True))

    gradients = {}
    for i in case.floating if "all" in doors else case.floating[:1]:
        try:
            with limited():
                found = numeric_gradient(weighted, case.fresh(), i)
        except TookTooLong:
            return Outcome("apart", said="differences take too long")
        except Exception as error:
            said = f"differences fail: {type(error).__name__}"
            return Outcome("apart", said=said)
        scale = np.max(np.abs(found.value), initial=0.0)
        if not np.all(np.isfinite(found.value)) or not (
            np.max(found.error, initial=0.0) <= MEASURED * scale + 1e-7
        ):
            return Outcome("apart", said="differences do not settle")
        if np.any(found.value) and _is_stepped(case, i):
            return Outcome("apart", said="it rounds what it returns")
        gradients[i] = found
    return Truth(seed, weights, gradients)


def _is_stepped(case: Case, i: int) -> bool:
    """Whether the result stays as it is, to the bit, as an argument moves a little."""
    args = list(case.fresh())
    before = leaves(case.function(*case.fresh()))
    moved = np.asarray(args[i]) * (1 + 1e-13)
    args[i] = moved if np.ndim(moved) else float(moved)
    same = map(np.array_equal, before, leaves(case.function(*args)))
    return not np.array_equal(moved, case.args[i]) and all(same)


def _numbers(value: Any) -> list[Any]:
    """The floating or complex leaves of a result."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _numbers(item)]
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _numbers(item)]
    return [value] if np.asarray(value).dtype.kind in "fc" else []


def outcomes(
    case: Case, truth: Truth, doors: tuple[str, ...] = DOORS
) -> dict[str, Outcome]:
    """What each door gives."""
    first = case.floating[0]
    if truth.seed is None or (isinstance(truth.seed, float) and truth.seed == 1.0):
        seeds: dict[str, Any] = {}
    else:
        seeds = {"seed": truth.seed}
    names = tuple(case.names[i] for i in case.floating)

    def by_first(**options: Any) -> Any:
        wrt = {} if first == 0 else {"wrt": case.names[first]}
        return gradgen.grad(case.function, **wrt, **options)(*case.fresh(), **seeds)

    def by_all(**options: Any) -> Any:
        made = gradgen.grad(case.function, wrt=names, **options)
        return made(*case.fresh(), **seeds)

    def by_text(**options: Any) -> Any:
        text = gradgen.emit(case.function, wrt=case.names[first], **options)
        return executed(text, case, truth)

    alone, one = len(case.floating) == 1, (first,)
    found: dict[str, Outcome] = {}
    for door in doors:
        if door == "all" and not alone:
            found[door] = judged(by_all, case, truth, case.floating, True)
        elif door == "all":
            found[door] = found["first"]
        else:
            by = by_first if door == "first" else by_text
            found[door] = judged(by, case, truth, one, False)
    return found


def executed(text: str, case: Case, truth: Truth) -> Any:
    """The gradient by a text that stands alone."""
    space: dict[str, Any] = {"__name__": "wild_text"}
    exec(compile(text, "<wild>", "exec"), space)
    made = [found for key, found in space.items() if key.startswith("grad_")]
    function = made[-1]
    parameters = list(inspect.signature(function).parameters)
    given = {}
    if case.method and parameters[0] not in case.names:
        given[parameters[0]] = case.function.__self__
    given |= dict(zip(case.names, case.fresh(), strict=True))
    seeds = [n for n in parameters if n.startswith("d_") and n not in case.names]
    asked = inspect.signature(function).parameters[seeds[-1]] if seeds else None
    if truth.seed != 1.0 if isinstance(truth.seed, float) else True:
        of_list = f"list({seeds[0]})" in text  # one whose length no text knows
        only = of_list and len(seeds) == 1
        values = (_only_part(truth.seed),) if only else truth.weights
        if len(values) != len(seeds):
            raise OtherSeeds
        given |= dict(zip(seeds, values, strict=True))
    elif asked and asked.default in (asked.empty, None):  # it may be an array there
        given[asked.name] = truth.seed
    for name, one in inspect.signature(function).parameters.items():
        if one.default is one.empty and name not in given and name not in seeds:
            raise MoreArguments
    return function(**given)


def _only_part(seed: Any) -> Any:
    """The one part of a seed of several results that is no None."""
    while isinstance(seed, tuple) and sum(part is not None for part in seed) == 1:
        seed = next(part for part in seed if part is not None)
    return seed


def judged(
    door: Callable[..., Any],
    case: Case,
    truth: Truth,
    places: tuple[int, ...],
    several: bool,
) -> Outcome:
    """The verdict on what one door gives, and with guards where that is not finite."""
    found = answered(door, case, truth, places, several)
    if found.verdict == "wrong" and INFINITE.search(found.said):
        guarded = partial(door, guard=True)
        if answered(guarded, case, truth, places, several).verdict == "right":
            return Outcome("guarded", said=found.said)
    return found


def answered(
    door: Callable[..., Any],
    case: Case,
    truth: Truth,
    places: tuple[int, ...],
    several: bool,
) -> Outcome:
    """The verdict on what one door gives."""
    try:
        with limited():
            found = door()
    except GradgenError as refusal:
        cause = refusal.problems[0]
        verdict = "crash" if cause.code.startswith("GG9") else "refused"
        return Outcome(verdict, cause.code, cause.message)
    except OtherSeeds:
        return Outcome("refused", said="a text for results of other sorts")
    except MoreArguments:
        return Outcome("refused", said="a text for an argument that is left out")
    except TookTooLong:
        return Outcome("crash", said=f"took more than {SECONDS} s")
    except Exception as error:
        # what a text assumes with nothing told it asks of its arguments, and says
        verdict = "refused" if ASSUMED.search(str(error)) else "crash"
        return Outcome(verdict, said=f"{type(error).__name__}: {error}")
    gradients = found if several else (found,)
    for i, g in zip(places, gradients, strict=True):
        said = fault(g, case.args[i], truth.gradients[i])
        if said:
            return Outcome("wrong", said=f"d_{case.names[i]}: {said}")
    return Outcome("right")


def fault(g: Any, arg: Any, want: Estimate) -> str:
    """What is wrong with a gradient; "" if nothing."""
    if np.shape(g) != np.shape(arg):
        return f"shape {np.shape(g)}, not {np.shape(arg)}"
    if not is_floating(g):
        return f"a {type(g).__name__}, not floating"
    scale = np.max(np.abs(want.value), initial=0.0)
    room = TOLERANCE * scale + 10 * np.asarray(want.error) + 1e-9
    value, given = want.value, g
    if _is_symmetric(arg) and not np.all(np.abs(g - value) <= room):
        # of a function that reads one half of a symmetric matrix each half has its share
        value, given = ((one + np.swapaxes(one, -1, -2)) / 2 for one in (value, g))
    if not np.all(np.abs(given - value) <= room):
        return f"{np.asarray(g).tolist()}, measured {np.asarray(want.value).tolist()}"
    return ""


def _is_symmetric(value: Any) -> bool:
    """Whether a value is a symmetric matrix, or a stack of these."""
    matrix = np.asarray(value)
    square = matrix.ndim > 1 and matrix.shape[-1] == matrix.shape[-2]
    return square and np.allclose(
        matrix, np.swapaxes(matrix, -1, -2), rtol=1e-12, atol=0
    )
