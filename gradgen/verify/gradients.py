"""An emitted function, run by itself on many arguments -> what is wrong with it."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.inputs import DRAWS, SPECIAL, Layout, layouts, left_out, related
from gradgen.verify.larger import larger
from gradgen.verify.points import USUAL, Doubtful, Point, find_point, result_of
from gradgen.verify.report import Checked, Mismatch, relative_bound, relative_error
from gradgen.verify.subject import Subject

POINTS = 3  # at each layout and dtype


@dataclass(frozen=True)
class Wrong:
    """A gradient that is wrong, and where."""

    mismatch: Mismatch
    place: str

    def __str__(self) -> str:
        return f"{self.mismatch}\n    at {self.place}"


@dataclass(frozen=True)
class Unmeasured:
    """A gradient of which the numbers say nothing, and why."""

    why: str


def function_in(text: str) -> Callable[..., Any]:
    """The gradient that an emitted module defines, run in an empty namespace."""
    namespace: dict[Any, Any] = {"__name__": "emitted"}
    exec(compile(text, "<emitted>", "exec"), namespace)
    kinds = "grad value_and_grad vjp jvp hvp jacobian hessian"
    prefixes = tuple(f"{kind}_" for kind in kinds.split())
    found = [
        value
        for name, value in namespace.items()
        if name.startswith(prefixes)
        and inspect.isfunction(getattr(value, "py_func", value))
    ]
    if not found:
        raise ValueError("the text defines no gradient")
    function: Callable[..., Any] = found[-1]
    return function


# seconds in which lengths that the primal takes are looked for
SEARCH = 10.0


def examine(subject: Subject, seed: int = 0) -> Checked | Wrong | Unmeasured:
    """The agreement of a gradient with measured numbers, or its first fault.

    Unmeasured where no arguments were found that the primal takes and at which its
    gradient can be measured. The same seed tries the same arguments: full gradients
    at two sizes, and derivatives along random directions at a larger one. Where the
    primal takes none of them, lengths are tried that hang together: k = 4 * m.
    """
    known = list(layouts(subject.parameters, subject.wrt))
    known += left_out(known, subject.wrt)
    tally: Counter[Any] = Counter()
    found = _examined(subject, known, seed, tally)
    if found is not None:
        return found
    if not any(_is_taken(subject, layout) for layout in known):
        end = time.monotonic() + SEARCH
        for several in related(subject.parameters, subject.wrt):
            if time.monotonic() > end:
                break
            if all(_is_taken(subject, layout) for layout in several):
                found = _examined(subject, several, seed, tally)
                return found or Unmeasured(_why(tally))
    return Unmeasured(_why(tally))


def _why(tally: Counter[Any]) -> str:
    """Why no point was found."""
    if tally["kink"]:
        return (
            f"at all {tally['kink']} points tried a kink or a jump is near, or no "
            "derivative is finite"
        )
    if tally["ill"]:
        return "it magnifies rounding at all arguments that were tried"
    if tally["infinite"]:
        return "its values are not finite at the arguments that were tried"
    return "no arguments were found that it takes; name the shape of each with --shape"


def _is_taken(subject: Subject, layout: Layout) -> bool:
    """Whether the primal takes arguments of these shapes."""
    rng = np.random.default_rng(0)
    tried = (layout.arguments(rng, np.float64, draw) for draw in DRAWS)
    return any(result_of(subject.primal, args) is not None for args in tried)


def _examined(
    subject: Subject, known: Iterable[Layout], seed: int, tally: Counter[Any]
) -> Checked | Wrong | None:
    errors = dict.fromkeys(subject.wrt, 0.0)
    bounds = dict.fromkeys(subject.wrt, 0.0)
    points = exact = 0
    for number, layout in enumerate(known):
        for dtype in (np.float64, np.float32):
            for k in range(POINTS):
                rng = np.random.default_rng([seed, number, dtype is np.float32, k])
                found = _sure_point(subject, layout, dtype, rng, tally, (-1) ** k)
                if found is None:
                    continue
                point, results = found
                place = f"{layout.sizes}, {dtype.__name__}, seed {seed}"
                points += 1
                exact += all(want.exact for want in point.wants)
                for name, want, got, wrong in results:
                    if wrong is not None:
                        return Wrong(wrong, place)
                    if dtype is np.float64:
                        errors[name] = max(errors[name], relative_error(got, want))
                    bounds[name] = max(bounds[name], relative_bound(want))
    if not points:
        return None
    odd = _odd(subject, seed, Counter({USUAL: tally[USUAL]}))
    if odd is not None:
        return odd
    far = larger(subject, seed)
    if far.wrong is not None:
        return Wrong(far.wrong, far.place)
    return Checked(
        errors,
        points,
        bounds,
        exact,
        tally["kink"],
        far.directions,
        far.said,
        ill=tally["ill"],
    )


# A point at which rounding is all gives way to others, with smaller numbers at last.
AGAIN = (DRAWS, DRAWS, DRAWS[4:], DRAWS[6:], DRAWS[8:])


def _sure_point(
    subject: Subject,
    layout: Layout,
    dtype: Any,
    rng: np.random.Generator,
    tally: Counter[Any],
    sign: int,
) -> tuple[Point, list[Any]] | None:
    """A point whose measurements can be believed, with what is found there."""
    for draws in AGAIN:
        point = find_point(subject, layout, dtype, rng, tally, sign, draws)
        if point is None:
            return None
        try:
            return point, list(point.results())
        except Doubtful as doubt:
            tally[doubt.why] += 1
    return None


def _odd(subject: Subject, seed: int, tally: Counter[Any]) -> Wrong | None:
    """A fault at lengths of 1, or where lengths of different names are the same."""
    for layout in layouts(subject.parameters, subject.wrt, None, SPECIAL):
        if not layout.lengths:
            continue
        rng = np.random.default_rng([seed, 2000])
        found = _sure_point(subject, layout, np.float64, rng, tally, -1)
        for *_, wrong in found[1] if found is not None else []:
            if wrong is not None:
                return Wrong(wrong, f"{layout.sizes}, float64, seed {seed}")
    return None
