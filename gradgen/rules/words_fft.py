"""Words of the rules of Fourier transforms: which axes, and how long they are."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import call, getitem, lift
from gradgen.rules.refusals import constant_value, refusal

Rank = Callable[[Expr], int | None]


def axes_given(rank: Rank, a: Expr, axes: Expr, s: Expr) -> tuple[int, ...]:
    """The axes of a transform, of all of a for None, each of them once.

    Raises GradgenError where the text does not say which.
    """
    given, total = constant_value(axes, "axes"), rank(a)
    if given is None:
        if s != Const(None):
            refusal("an n-dimensional transform with s= and without axes=", "axes=")
        if total is None:
            refusal("a transform over all axes of unknown rank", "axes=, or a fact")
        given = range(total)
    if isinstance(s, Apply) and Const(-1) in s.args or s == Const(-1):
        refusal("a transform with -1 in s=", "the length itself")
    given = tuple(given)
    known = [axis % total for axis in given] if total else given
    if len(set(known)) < len(given) or not given:
        refusal("a transform over an axis twice, or over none", "each axis once")
    return given


def resized(rank: Rank, g: Expr, a: Expr, n: Expr) -> Expr:
    """resized(g, a, n): cut off to the shape of a, or zeros behind, where n is given."""
    return g if n == Const(None) else Apply("resized", (g, a))


def along(rank: Rank, a: Expr, axes: Expr, s: Expr) -> Expr:
    """along(a, axes, s): the axes of a transform, written out."""
    return lift(axes_given(rank, a, axes, s))


def last_of(rank: Rank, a: Expr, axes: Expr, s: Expr) -> Expr:
    """last_of(a, axes, s): the axis of a transform over several that is halved."""
    return Const(axes_given(rank, a, axes, s)[-1])


def rest_of(rank: Rank, a: Expr, axes: Expr, s: Expr) -> Expr:
    """rest_of(a, axes, s): the axes of a transform but the one that is halved."""
    return lift(axes_given(rank, a, axes, s)[:-1])


def sizes_of(rank: Rank, a: Expr, axes: Expr, s: Expr) -> Expr:
    """sizes_of(a, axes, s): the lengths of a transform: s, or a's along the axes."""
    given = axes_given(rank, a, axes, s)
    if _may_be_none(s):
        return call("helper._lengths_along", a, s, lift(given))
    if s != Const(None):
        return s
    shape = Apply("numpy.shape", (a,))
    if given == tuple(range(rank(a) or 0)):
        return shape
    if given == tuple(range(-len(given), 0)):
        return shape if rank(a) == len(given) else getitem(shape, slice(given[0], None))
    return Apply("tuple", tuple(Apply("extent", (a, Const(k))) for k in given))


def size_along(rank: Rank, x: Expr, axis: Expr, n: Expr) -> Expr:
    """size_along(x, axis, n): n, or the length of x along one axis where n is None."""
    where = Const(constant_value(axis, "axis"))
    if _may_be_none(n):
        return call("helper._length_along", x, n, where)
    return Apply("extent", (x, where)) if n == Const(None) else n


def length_of(rank: Rank, z: Expr, axis: Expr, n: Expr) -> Expr:
    """length_of(z, axis, n): n, or the length of z, as long as that, where n may be None."""
    return size_along(rank, z, axis, Const(None) if _may_be_none(n) else n)


def _may_be_none(n: Expr) -> bool:
    """Whether a caller may hand over None for it."""
    return isinstance(n, Ref) and n.var.origin is Origin.PARAM


FFT: dict[str, Callable[..., Expr]] = {
    word.__name__: word
    for word in (along, last_of, length_of, resized, rest_of, sizes_of, size_along)
}
