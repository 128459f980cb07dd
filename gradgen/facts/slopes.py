"""Convention C of what is computed of one array or of several: np.cov and np.gradient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradgen.facts.keys import is_place
from gradgen.facts.matrices import Step
from gradgen.facts.numbers import NUMBERS
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import OF_PAIRS
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts


def slopes(primal: Function, facts: Facts) -> Iterator[Step]:
    """The axes of what slopes are taken of, and of two arrays with one covariance.

    before:  gx, gy = np.gradient(h)     np.gradient(y, dx)       np.cov(x, y)[0, 1]
    after:   h is a matrix               y is a vector            x and y are vectors
                                         and dx a number
    """
    whole: dict[Var, Ref] = {}
    spacings: dict[Ref, tuple[Expr, ...]] = {}
    counts: dict[Ref, int] = {}
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Ref) and value.var in whole:
            whole[let.var] = whole[value.var]
        if not isinstance(value, Apply) or not value.args:
            continue
        first = value.args[0]
        if value.op in OF_PAIRS and len(value.args) > 1:
            if value.args[1] != Const(None):
                both = (one.var for one in value.args[:2] if isinstance(one, Ref))
                yield from ([(var, 1)] for var in both)
        elif value.op == "numpy.gradient" and isinstance(first, Ref):
            if "axis" in dict(value.kwargs):
                yield from ([(var, 0)] for var in map(_step, value.args[1:]) if var)
            else:
                whole[let.var] = first
                spacings[first] = value.args[1:]
                counts.setdefault(first, 0)
        elif value.op in ("getitem", "item") and isinstance(first, Ref):
            if first.var in whole and is_place(value.args[1]):
                of, place = whole[first.var], getattr(value.args[1], "value")
                counts[of] = max(counts[of], place + 1)
    for of, count in counts.items():
        axes = max(count, len(spacings[of]), 1)
        yield [(of.var, axes)]
        for one in spacings[of]:
            if isinstance(one, Ref):
                yield [(one.var, 1 if _step(one) is None else 0)]


def _step(value: Expr) -> Var | None:
    """A spacing that is called as a number is: dx, h."""
    if not isinstance(value, Ref):
        return None
    is_step = value.var.name[:1] in "dh" or value.var.name in NUMBERS
    return value.var if is_step else None


def of_one_length(body: Iterable[Let], facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The sizes that are one where two vectors have one covariance, or slope.

    before:  np.cov(x, y)     np.gradient(h, y, x)        x (n), y (m), h (d, k)
    after:   n and m          d and m, k and n
    """
    for let in body:
        value = let.value
        if not isinstance(value, Apply) or not value.args:
            continue
        first, *rest = [facts.of(one).dims or () for one in value.args]
        slopes = value.op == "numpy.gradient" and not value.kwargs  # no axis=0
        if (
            slopes
            and len(first) == len(rest)
            or value.op in OF_PAIRS
            and len(first) == 1
        ):
            yield from ((one, own[0]) for one, own in zip(first, rest) if len(own) == 1)
