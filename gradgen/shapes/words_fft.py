"""The shapes of Fourier transforms: the lengths along the axes that they run over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import is_static, static
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import Shape, ShapeConflict, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

HALF = "?half of "  # the length of half a spectrum, as the name of a size


def transformed(facts: Facts, a: Expr, n: Expr, axis: Expr) -> Shape:
    """fft: as long as its input, or n."""
    return _along(facts, a, _sizes(facts, _one(n)), (static(axis),), None)


def halved(facts: Facts, a: Expr, n: Expr, axis: Expr) -> Shape:
    """rfft: n // 2 + 1."""
    return _along(facts, a, _sizes(facts, _one(n)), (static(axis),), half)


def restored(facts: Facts, a: Expr, n: Expr, axis: Expr) -> Shape:
    """irfft: 2 * (m - 1), or n."""
    return _along(facts, a, _sizes(facts, _one(n)), (static(axis),), None, whole)


def transformed_all(facts: Facts, a: Expr, s: Expr, axes: Expr) -> Shape:
    """fftn."""
    return _along(facts, a, _sizes(facts, s), static(axes), None)


def halved_last(facts: Facts, a: Expr, s: Expr, axes: Expr) -> Shape:
    """rfftn: half along the last of the axes."""
    return _along(facts, a, _sizes(facts, s), static(axes), half)


def restored_last(facts: Facts, a: Expr, s: Expr, axes: Expr) -> Shape:
    """irfftn: in full along the last of the axes."""
    return _along(facts, a, _sizes(facts, s), static(axes), None, whole)


def frequencies(facts: Facts, n: Expr) -> Shape:
    """fftfreq: n of them."""
    return ranked(facts.dim(n))


def half_frequencies(facts: Facts, n: Expr) -> Shape:
    """rfftfreq: n // 2 + 1 of them."""
    return ranked(half(facts.dim(n)))


def half(dim: Dim) -> Dim:
    """The length of the half spectrum of that many real numbers."""
    if dim.number is not None:
        return Dim.of(dim.number // 2 + 1)
    quotient = dim.divided_by(Dim.of(2))
    if quotient is not None:
        return quotient + ONE
    return Dim.of(f"{HALF}{dim}")


def whole(dim: Dim) -> Dim:
    """How many real numbers a half spectrum stands for when nobody says."""
    return Dim.of(2) * (dim - ONE)


def _one(n: Expr) -> Expr:
    return n if n == Const(None) else Apply("tuple", (n,))


def _sizes(facts: Facts, s: Expr) -> list[Dim] | None:
    """The lengths of s= one by one; none of them where the text does not say."""
    if s == Const(None):
        return None
    if isinstance(s, Apply) and s.op == "getitem" and is_static(s.args[1]):
        part = static(s.args[1])
        known = _sizes(facts, s.args[0]) or []
        return known[part] if isinstance(part, slice) else []
    if isinstance(s, Apply) and s.op == "numpy.shape":
        return list(facts.of(s.args[0]).dims or ())
    if isinstance(s, Const) and isinstance(s.value, tuple):
        return [Dim.of(size) for size in s.value]
    if isinstance(s, Apply) and s.op in ("tuple", "list"):
        return [facts.dim(size) for size in s.args]
    return []


def _along(
    facts: Facts,
    a: Expr,
    sizes: list[Dim] | None,
    axes: tuple[int, ...] | None,
    last: Callable[[Dim], Dim] | None,
    unsaid: Callable[[Dim], Dim] | None = None,
) -> Shape:
    """The shape of a transform of `sizes` along axes.

    `last` makes the length of the result along the last axis of the length that is
    transformed; `unsaid` makes it of the input's where no sizes are given.
    """
    base = facts.of(a)
    if base.dims is None:
        plain = sizes is None and unsaid is None and last is None
        return base if plain else facts.fresh()
    out = list(base.dims)
    axes = tuple(range(len(out))) if axes is None else axes
    for place, axis in enumerate(axes):
        if not -len(out) <= axis < len(out):
            raise ShapeConflict(f"there is no axis {axis}")
        if sizes is not None:
            told = len(sizes) == len(axes)
            out[axis] = sizes[place] if told else facts.fresh_dim()
    change = unsaid if sizes is None and unsaid is not None else last
    if change is not None and axes:
        out[axes[-1]] = change(out[axes[-1]])
    return ranked(*out)


FFT = {
    word.__name__: word
    for word in (
        transformed,
        halved,
        restored,
        transformed_all,
        halved_last,
        restored_last,
        frequencies,
        half_frequencies,
    )
}
