"""The shape words of the rule files: shapes of arguments -> shape of the result.

Each word gets the Facts of the place and the argument expressions.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static
from gradgen.rules.words_products import explicit
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import indexed
from gradgen.shapes.restored import restored
from gradgen.shapes.shape import (
    SCALAR,
    Atom,
    Dropped,
    Kept,
    Shape,
    ShapeConflict,
    join,
    ranked,
    replaced,
)
from gradgen.shapes.sizes import axes_told, filled, match
from gradgen.shapes.words_fft import FFT
from gradgen.shapes.words_given import GIVEN, given
from gradgen.shapes.words_linalg import LINALG
from gradgen.shapes.words_lists import LISTS, with_axes
from gradgen.shapes.words_parts import WORDS as PARTS, Word
from gradgen.shapes.words_products import PRODUCTS
from gradgen.shapes.words_shaping import SHAPING, made_of, made_with_an_axis
from gradgen.shapes.words_sequences import WORDS as SEQUENCES, flat

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def reduced(facts: Facts, x: Expr, axis: Expr, keepdims: Expr) -> Shape:
    """The shape after a reduction over axis (None: all), as numpy's keepdims says."""
    base = facts.of(x)
    axes: tuple[Any, ...] | None
    try:
        axes = axes_of(axis)
    except ShapeConflict:
        raise
    except ValueError:
        axes = (axis,)
    try:
        keep = bool(static(keepdims))
    except ValueError:
        return facts.fresh()
    dims = base.dims
    if axes == () or dims == () and set(axes or (1,)) <= {0, -1}:
        return base  # NumPy takes the first axis of a number for none
    if axes is None:
        if not keep:
            return SCALAR
        return _single(Kept(base, None)) if dims is None else ranked(*[1] * len(dims))
    if dims is None or isinstance(axes[0], Expr):
        facts.along.setdefault(base, None)
        return _single((Kept if keep else Dropped)(base, axes))
    axes = _within(axes, len(dims))
    if keep:
        return ranked(*(ONE if i in axes else dim for i, dim in enumerate(dims)))
    return ranked(*(dim for i, dim in enumerate(dims) if i not in axes))


def reduced_rows(facts: Facts, x: Expr, axis: Expr, keepdims: Expr) -> Shape:
    """reduced, of a function that takes a number for an array of one entry."""
    keep = keepdims == Const(True)
    return (
        ranked(1)
        if keep and facts.of(x) == SCALAR
        else reduced(facts, x, axis, keepdims)
    )


def squeezed_rows(facts: Facts, x: Expr, row: Expr) -> Shape:
    """One number for each row of x that is as long as `row`: a single one is a number.

    Of vectors of one entry x may be the entries alone.
    """
    dims = facts.of(x).dims
    if dims is None:
        return reduced(facts, x, Const(-1), Const(False))
    if len(dims) > 1 or facts.of(row).dims != (ONE,):
        dims = dims[:-1]
    return ranked(*(dim for dim in dims if dim != ONE))


def quantiles(facts: Facts, x: Expr, q: Expr, axis: Expr, keepdims: Expr) -> Shape:
    """quantile: reduced, for one q; the axes of several come first."""
    each = reduced(facts, x, axis, keepdims)
    if isinstance(q, Apply) and q.op in ("tuple", "list") and each.dims is not None:
        return ranked(len(q.args), *each.dims)
    return each if facts.of(q) == SCALAR else facts.fresh()


def _single(atom: Atom) -> Shape:
    return Shape(frozenset([atom]))


def axes_of(axis: Expr) -> tuple[int, ...] | None:
    """A constant axis argument as a tuple. Raises ValueError when not constant."""
    value = static(axis)
    if value is None:
        return None
    axes = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    for one in axes:
        if not isinstance(one, int) or isinstance(one, bool):
            raise ShapeConflict(f"an axis is an integer, not {one!r}", "axis=0")
    return axes


def _within(axes: tuple[int, ...], rank: int) -> tuple[int, ...]:
    for axis in axes:
        if not -rank <= axis < rank:
            raise ShapeConflict(f"there is no axis {axis}")
    return tuple(sorted(axis % rank for axis in axes))


def same(facts: Facts, x: Expr, *rest: Expr) -> Shape:
    return facts.of(x)


def broadcast(facts: Facts, *args: Expr) -> Shape:
    return join(*(facts.of(arg) for arg in args))


def contracted(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    """matmul: stacks broadcast, the inner axes contract."""
    a, b = facts.of(x1).dims, facts.of(x2).dims
    if a is None and b is not None and len(b) == 2:
        return replaced(facts.of(x1), b[1], b[0], True)
    if b is None and a is not None and len(a) == 2:
        return replaced(facts.of(x2), a[0], a[1], False)
    if a is None or b is None or not a or not b:
        return facts.fresh()
    match(a[-1], b[-2] if len(b) > 1 else b[0])
    lead = join(ranked(*a[:-2]), ranked(*b[:-2])).dims
    assert lead is not None  # of axis lists
    return ranked(*lead, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def dotted(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    """dot: the last axis of the first with the last but one of the second."""
    a, b = facts.of(x1).dims, facts.of(x2).dims
    if a == () or b == ():
        return join(facts.of(x1), facts.of(x2))
    if a is None or b is None:
        return facts.fresh()
    match(a[-1], b[-2] if len(b) > 1 else b[0])
    return ranked(*a[:-1], *b[:-2], *(b[-1:] if len(b) > 1 else ()))


def innered(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    a, b = facts.of(x1).dims, facts.of(x2).dims
    if a == () or b == ():
        return join(facts.of(x1), facts.of(x2))
    if a is None or b is None:
        return facts.fresh()
    match(a[-1], b[-1])
    return ranked(*a[:-1], *b[:-1])


def summed(facts: Facts, subscripts: Expr, operands: Expr) -> Shape:
    """einsum: each letter is an axis."""
    sizes: dict[str, Dim] = {}
    text = static(subscripts)
    ranks = [facts.rank(operand) for operand in operands.args]
    if isinstance(text, str) and "." in text and None in ranks:
        return facts.fresh()
    inputs, output = explicit(text, ranks)
    if len(inputs) != len(operands.args):
        raise ShapeConflict(f"{len(inputs)} subscripts for {len(operands.args)} arrays")
    unknown_letters: set[str] = set()
    for letters, operand in zip(inputs, operands.args, strict=False):
        dims = facts.of(operand).dims
        if dims is not None and len(dims) != len(letters):
            raise ShapeConflict(f"{letters!r} does not name {axes_told(len(dims))}")
        if dims is None:
            unknown_letters.update(letters)
        for letter, dim in zip(letters, dims or ()):
            if letter not in sizes or sizes[letter] == ONE:
                sizes[letter] = dim
            elif dim != ONE:
                match(sizes[letter], dim, stretches=True)
    for letter in output:
        if not any(letter in letters for letters in inputs):
            raise ShapeConflict(f"the axis {letter!r} of the result is none of theirs")
    for letter in unknown_letters:
        if sizes.get(letter) == ONE:
            del sizes[letter]  # the other operand may be longer there
    return ranked(*(sizes.get(letter) or facts.fresh_dim() for letter in output))


def fresh(facts: Facts, z: Expr) -> Shape:
    """A shape that nothing is known of."""
    return facts.fresh()


def reshaped(facts: Facts, x: Expr, shape: Expr) -> Shape:
    """reshape: one -1 is what is left."""
    minus_one = Const(-1)
    if shape == minus_one:
        return flat(facts, x)
    if not (isinstance(shape, Apply) and minus_one in shape.args):
        wanted = given(facts, shape)
        filled(facts.of(x), wanted)
        return wanted
    others = [facts.dim(item) for item in shape.args if item != minus_one]
    dims = facts.of(x).dims
    rest = None
    if dims is not None:
        rest = prod(dims, start=ONE).divided_by(prod(others, start=ONE))
    position = shape.args.index(minus_one)
    others.insert(position, rest or facts.fresh_dim())
    return ranked(*others)


def permuted(facts: Facts, x: Expr, axes: Expr) -> Shape:
    dims, order = facts.of(x).dims, axes_of(axes)
    if dims is None:
        return facts.fresh()
    if order is None:
        return ranked(*reversed(dims))
    if _within(order, len(dims)) != tuple(range(len(dims))):
        raise ShapeConflict(
            f"{static(axes)} does not name each of {len(dims)} axes once"
        )
    return ranked(*(dims[axis] for axis in order))


def swapped(facts: Facts, x: Expr, axis1: Expr, axis2: Expr) -> Shape:
    dims = facts.of(x).dims
    if dims is None:
        return facts.fresh()
    i, j = _axis(axis1, len(dims)), _axis(axis2, len(dims))
    axes = list(dims)
    axes[i], axes[j] = axes[j], axes[i]
    return ranked(*axes)


def _axis(axis: Expr, rank: int) -> int:
    return _within((static(axis),), rank)[0]


def expanded(facts: Facts, x: Expr, axis: Expr) -> Shape:
    dims, axes = facts.of(x).dims, axes_of(axis)
    if axes is None:
        raise ShapeConflict("an axis is an integer, not None", "axis=0")
    if dims is None:
        return restored(facts.of(x), axes) or facts.fresh()
    axes = _within(axes, len(dims) + len(axes))
    rest = iter(dims)
    total = len(dims) + len(axes)
    return ranked(*(ONE if i in axes else next(rest) for i in range(total)))


def squeezed(facts: Facts, x: Expr, axis: Expr) -> Shape:
    """The shape without axes of length 1: all, or those that a reduction has kept."""
    dims, axes = facts.of(x).dims, axes_of(axis)
    kept = [atom for atom in facts.of(x).atoms if isinstance(atom, Kept)]
    if dims is None and len(kept) == len(facts.of(x).atoms) == 1:
        if axes == kept[0].axes:
            return SCALAR if axes is None else _single(Dropped(kept[0].base, axes))
    if dims is None or (axes is None and any(d.number is None for d in dims)):
        return facts.fresh()
    if axes is None:
        return ranked(*(dim for dim in dims if dim != ONE))
    axes = _within(axes, len(dims))
    return ranked(*(dim for i, dim in enumerate(dims) if i not in axes))


def _sequence(arrays: Expr) -> tuple[Expr, ...]:
    """The arrays of a list or tuple that is written out."""
    if not isinstance(arrays, Apply) or arrays.op not in ("tuple", "list"):
        raise ShapeConflict(
            "the arrays to join are not written out one by one", "[a, b, c]"
        )
    return arrays.args


def joined(facts: Facts, arrays: Expr, axis: Expr) -> Shape:
    """concatenate: lengths along axis add up."""
    lists = [made_of(facts, array).dims for array in _sequence(arrays)]
    where = static(axis)
    known = [dims for dims in lists if dims is not None]
    if len(known) != len(lists):
        return with_axes(facts)
    if where is None:
        return ranked(reduce(Dim.__add__, (prod(dims, start=ONE) for dims in known)))
    where = _within((where,), len(known[0]))[0]
    axes = list(known[0])
    if any(len(other) != len(axes) for other in known):
        raise ShapeConflict("concatenated arrays have the same number of axes")
    for other in known[1:]:
        for place, dim in enumerate(other):
            if place != where:
                match(axes[place], dim)
        axes[where] = axes[where] + other[where]
    axes[where] = facts.rejoined(axes[where])
    return ranked(*axes)


def stacked(facts: Facts, arrays: Expr, axis: Expr) -> Shape:
    base = join(*(made_of(facts, array) for array in _sequence(arrays))).dims
    if base is None:
        return with_axes(facts)
    axes = list(base)
    axes.insert(_axis(axis, len(base) + 1), Dim.of(len(_sequence(arrays))))
    return ranked(*axes)


def stretched(facts: Facts, x: Expr, shape: Expr) -> Shape:
    return given(facts, shape)


def lengths(facts: Facts, x: Expr) -> Shape:
    rank = facts.rank(x)
    return ranked(facts.fresh_dim() if rank is None else rank)


def scalar(facts: Facts, z: Expr) -> Shape:
    return SCALAR


def unknown(facts: Facts, z: Expr) -> Shape:
    return facts.fresh()


WORDS: dict[str, Word] = {
    **{
        function.__name__: function
        for function in (
            same,
            broadcast,
            reduced,
            reduced_rows,
            squeezed_rows,
            quantiles,
            contracted,
            dotted,
            innered,
            summed,
            indexed,
            reshaped,
            permuted,
            swapped,
            expanded,
            squeezed,
            joined,
            stacked,
            made_of,
            made_with_an_axis,
            stretched,
            fresh,
            lengths,
            scalar,
            unknown,
        )
    },
    **GIVEN,
    **SEQUENCES,
    **SHAPING,
    **PRODUCTS,
    **LINALG,
    **PARTS,
    **LISTS,
    **FFT,
}
