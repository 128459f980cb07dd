"""Shape words of functions with as many results as their arguments say.

Each gives a tuple of shapes, or one shape where the function has one result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.walk import is_static, static
from gradgen.rules.words_parts import block_rows, in_order, split_axis
from gradgen.rules.words_shaping import entries
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import Shape, ShapeConflict, join, ranked
from gradgen.shapes.slices import sliced
from gradgen.shapes.words_shaping import made_of, one_at_least

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def parts(
    facts: Facts, ary: Expr, sections: Expr, axis: Expr, even: Expr
) -> tuple[Shape, ...]:
    """split and its like: the lengths of the sections along one axis."""
    dims = facts.of(ary).dims
    where = split_axis(axis, None if dims is None else len(dims))
    count = _sections(sections)
    if dims is None:
        return tuple(facts.fresh() for _ in range(count))
    if not isinstance(where, int) or not -len(dims) <= where < len(dims):
        raise ShapeConflict(f"there is no axis {where}")
    where %= len(dims)
    lengths = _lengths(facts, dims[where], sections, count, even.value)
    return tuple(ranked(*dims[:where], n, *dims[where + 1 :]) for n in lengths)


def _sections(sections: Expr) -> int:
    """How many parts np.split makes."""
    places = entries(sections)
    if places is not None:
        return len(places) + 1
    count = static(sections) if is_static(sections) else None
    if type(count) is not int or count < 1:
        raise ShapeConflict(
            "the number of parts of a split is not a constant", "np.split(x, 2)"
        )
    return count


def _lengths(
    facts: Facts, size: Dim, sections: Expr, count: int, even: bool
) -> list[Dim]:
    places = entries(sections)
    if size.number is None or not is_static(sections):
        if places is None and even:
            part = size.divided_by(Dim.of(count)) or Dim.of(f"?{size}/{count}")
            if part.symbol:
                facts.split[part.symbol] = size, count
            return [part] * count
        if places is None:
            known = [Dim.of(f"?{size}//{count}[{i}]") for i in range(count - 1)]
            return [*known, reduce(Dim.__sub__, known, size)]
        lengths = _between_cuts(facts, size, places)
        if in_order(facts.rank, sections).value and reduce(add, lengths) != size:
            lengths[-1] = reduce(Dim.__sub__, lengths[:-1], size)
        return lengths
    n = size.number
    if places is not None:
        return _between_cuts(facts, size, places)
    if even and n % count:
        raise ShapeConflict(f"{n} entries do not split into {count} equal parts")
    return [Dim.of(n // count + (i < n % count)) for i in range(count)]


def _between_cuts(facts: Facts, size: Dim, places: list[Expr]) -> list[Dim]:
    """The lengths of x[:a], x[a:b], x[b:]."""
    none = Const(None)
    ends = zip([none, *places], [*places, none], strict=True)
    return [sliced(facts, size, Apply("slice", (a, b, none))) for a, b in ends]


def at_least(facts: Facts, arys: Expr, n: Expr) -> Shape | tuple[Shape, ...]:
    """atleast_1d and its like: axes of length 1 until there are n."""
    found = tuple(one_at_least(facts, array, n.value) for array in arys.args)
    return found[0] if len(found) == 1 else found


def layers(facts: Facts, x: Expr, axis: Expr) -> tuple[Shape, ...]:
    """unstack: as many as the axis is long."""
    dims, where = facts.of(x).dims, static(axis)
    length: int | None = None
    if dims and -len(dims) <= where < len(dims):
        length = dims[where].number
    if dims is None or length is None:
        raise ShapeConflict(
            "how many results np.unstack has is not known", 'x[0], x[1], or x="2 n"'
        )
    where %= len(dims)
    one = ranked(*dims[:where], *dims[where + 1 :])
    return (one,) * length


def meshed(facts: Facts, xi: Expr, indexing: Expr, sparse: Expr) -> tuple[Shape, ...]:
    """meshgrid: an axis for each vector; "xy" has the first two the other way."""
    lengths = [reduce(Dim.__mul__, _dims(facts, x), ONE) for x in xi.args]
    order = list(range(len(lengths)))
    if static(indexing) == "xy" and len(order) > 1:
        order[:2] = 1, 0
    if not static(sparse):
        return (ranked(*(lengths[k] for k in order)),) * len(order)
    return tuple(
        ranked(*(lengths[k] if k == own else ONE for k in order))
        for own in range(len(order))
    )


def _dims(facts: Facts, x: Expr) -> tuple[Dim, ...]:
    dims = facts.of(x).dims
    return (facts.fresh_dim(),) if dims is None else dims


def together(facts: Facts, args: Expr) -> tuple[Shape, ...]:
    """broadcast_arrays: all have the common shape."""
    return (join(*(facts.of(arg) for arg in args.args)),) * len(args.args)


def places(facts: Facts, a: Expr) -> tuple[Shape, ...]:
    """nonzero: a vector of places for each axis, all of one length."""
    rank = made_of(facts, a).rank
    if rank is None:
        raise ShapeConflict(
            "how many results np.nonzero has is not known",
            "np.flatnonzero, x[mask], or a shape fact",
        )
    return (ranked(Dim.of(f"?nonzero({_written(a)})")),) * rank


def of_triangle(facts: Facts, *told: Expr) -> tuple[Shape, ...]:
    """triu_indices: a vector of rows and one of columns, both of one length."""
    return (ranked(Dim.of(f"?triangle({', '.join(map(_written, told))})")),) * 2


def _written(expr: Expr) -> str:
    """An expression as a part of the name of a size: the same for the same one."""
    if isinstance(expr, Ref):
        return f"{expr.var.name}.{expr.var.id}"
    if isinstance(expr, Apply):
        return f"{expr.op}({', '.join(map(_written, expr.args))})"
    return repr(expr.value)


def crossing(facts: Facts, args: Expr) -> tuple[Shape, ...]:
    """ix_: each vector along an axis of its own."""
    found = []
    for place, arg in enumerate(args.args):
        inner = entries(arg)
        dims = (Dim.of(len(inner)),) if inner is not None else _dims(facts, arg)
        if len(dims) != 1 or facts.is_boolean(arg):
            raise ShapeConflict("np.ix_ takes vectors of integers", "np.flatnonzero")
        axes = [ONE] * len(args.args)
        axes[place] = dims[0]
        found.append(ranked(*axes))
    return tuple(found)


def slopes(facts: Facts, f: Expr, axis: Expr) -> Shape | tuple[Shape, ...]:
    """gradient: one for each axis, and no list for one axis."""
    base, axes = facts.of(f), static(axis)
    if isinstance(axes, int):
        return base
    count = base.rank if axes is None else len(axes)
    if count is None or count == 1:
        return base
    return (base,) * count


# one shape, or one for each of several results
Word = Callable[..., Shape | tuple[Shape, ...]]
PARTS: dict[str, Word] = {
    function.__name__: function
    for function in (
        parts,
        at_least,
        layers,
        meshed,
        together,
        places,
        of_triangle,
        crossing,
        slopes,
    )
}


def blocks(facts: Facts, arrays: Expr) -> Shape:
    """block: rows of arrays side by side, on top of each other."""
    rows = block_rows(arrays)
    lists = [[facts.of(array).dims for array in row] for row in rows]
    known = [[dims for dims in row if dims is not None] for row in lists]
    if known != lists:
        return facts.fresh()
    depth = (
        2 if isinstance(arrays.args[0], Apply) and arrays.args[0].op == "list" else 1
    )
    ndim = max(depth, *(len(dims) for row in known for dims in row))
    padded = [[(ONE,) * (ndim - len(d)) + d for d in row] for row in known]
    first = list(padded[0][0])
    first[-1] = reduce(add, (dims[-1] for dims in padded[0]))
    if depth == 2:
        first[-2] = reduce(add, (row[0][-2] for row in padded))
    return ranked(*first)


def outered(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    """A ufunc's outer: the axes of the first, then those of the second."""
    first, second = facts.of(x1).dims, facts.of(x2).dims
    if first is None or second is None:
        return facts.fresh()
    return ranked(*first, *second)


WORDS: dict[str, Word] = PARTS | {"blocks": blocks, "outered": outered}
