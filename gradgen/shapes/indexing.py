"""The shape of x[key]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import PLACES, getitem
from gradgen.ir.walk import is_static, reads, static
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.kinds import INTEGRAL
from gradgen.shapes.restored import added_axis, restored
from gradgen.shapes.sizes import axes_told
from gradgen.shapes.shape import Below, Indexed, Shape, ShapeConflict, Within
from gradgen.shapes.shape import join, ranked, whole
from gradgen.shapes.slices import sliced

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def key_items(key: Expr) -> list[Expr]:
    """The parts of a key: one for each of x[a, b, c]."""
    if isinstance(key, Apply) and key.op == "tuple":
        return list(key.args)
    return [key]


def is_basic(facts: Facts, key: Expr) -> bool:
    """Whether the key is basic: slices, numbers, None and ... only, so that the
    result is a view and no place is named twice."""
    return all(_basic(facts, item) for item in key_items(key))


def _basic(facts: Facts, item: Expr) -> bool:
    if isinstance(item, Const):
        return not isinstance(item.value, bool)
    if isinstance(item, Apply) and item.op == "slice":
        return True
    return facts.is_index(item)


def _distinct(key: Expr) -> bool:
    """Whether a key is one list of different counts: x[[0, 2]]."""
    if not isinstance(key, Apply) or key.op != "list" or not is_static(key):
        return False
    numbers = static(key)
    counts = all(type(n) is int and n >= 0 for n in numbers)
    return counts and len(set(numbers)) == len(numbers)


def is_mask(facts: Facts, key: Expr) -> bool:
    """Whether the key is one boolean mask: no place is named twice."""
    items = key_items(key)
    return len(items) == 1 and facts.is_boolean(items[0])


def names_places_once(facts: Facts, key: Expr) -> bool:
    """Whether the key surely names no place twice."""
    if any(var not in facts.kinds for var in reads(key)):
        return False  # a value of the rule's own, of which nothing is known yet
    if isinstance(key, Apply) and key.op == "chain":
        first, second = key.args
        return is_basic(facts, first) and names_places_once(facts, second)
    if _of_mask(facts, key):
        return True
    key = facts.key(key)
    arrays = [item for item in key_items(key) if not _basic(facts, item)]
    if not arrays or len(arrays) == 1 and _distinct(arrays[0]):
        return True
    return is_mask(facts, key) or _counts(facts, key) or _are_places(facts, arrays)


def _are_places(facts: Facts, arrays: list[Expr]) -> bool:
    """Whether index arrays are all results of one function of PLACES.

    i, j = np.tril_indices(n); L[i, j] names each entry once, and L[i, i] does not.
    """
    found: set[tuple[Expr, object]] = set()
    for item in arrays:
        value = facts.definitions.get(item.var) if isinstance(item, Ref) else item
        if not isinstance(value, Apply) or value.op != "getitem":
            return False
        source, index = value.args
        if not isinstance(index, Const):
            return False
        found.add((source, index.value))
    source, *others = {source for source, _ in found}
    if others:
        return False
    made = facts.definitions.get(source.var) if isinstance(source, Ref) else source
    if not isinstance(made, Apply) or made.op not in PLACES:
        return False
    return {index for _, index in found} == set(range(facts.several(source)))


def _counts(facts: Facts, key: Expr) -> bool:
    """Whether one index counts 0, 1, 2, ... and the others are no longer than it.

    logp[np.arange(len(x)), labels] names each row once.
    """
    arrays = [item for item in key_items(key) if not _basic(facts, item)]
    if any(facts.of(item).rank not in (0, 1) for item in arrays):
        return False
    # A count of length 1 would be stretched along a longer one, and repeat.
    return any(
        _is_permutation(facts, item)
        and all(o == item or facts.of(o) <= facts.of(item) for o in arrays)
        for item in arrays
    )


def _is_permutation(facts: Facts, item: Expr) -> bool:
    """Whether a 1-D index has no entry twice: np.arange(n), np.argsort(x)."""
    value = facts.definitions.get(item.var) if isinstance(item, Ref) else item
    if not isinstance(value, Apply) or facts.of(value).rank != 1:
        return False
    if value.op == "numpy.arange":
        return len(value.args) == 1 and not value.kwargs
    if value.op == "getitem":  # np.nonzero(mask)[0], of a vector
        return facts.several(value.args[0]) == 1 and _of_mask(facts, value.args[0])
    if value.op == "numpy.delete":  # fewer of them
        return _is_permutation(facts, value.args[0])
    return value.op in ("numpy.argsort", "numpy.flatnonzero")


def _of_mask(facts: Facts, key: Expr) -> bool:
    """Whether the key is what np.nonzero(mask) gives: no place is named twice."""
    value = facts.definitions.get(key.var) if isinstance(key, Ref) else key
    return isinstance(value, Apply) and value.op == "numpy.nonzero"


def _is_held(x: Expr) -> bool:
    """Whether it is read of an instance, of whose containers nothing is known."""
    while isinstance(x, Apply) and x.op == "getitem":
        x = x.args[0]
    return isinstance(x, Apply) and x.op == "field"


def indexed(facts: Facts, x: Expr, key: Expr) -> Shape:
    """The shape of x[key], for basic keys, masks and integer arrays."""
    if isinstance(key, Apply) and key.op == "chain":  # x[a][b]
        first, second = key.args
        return indexed(facts, getitem(x, first), second)
    if _is_held(x):
        return facts.fresh()
    base, key = facts.of(x), facts.key(key)
    if any(isinstance(getattr(i, "value", 0), str) for i in key_items(key)):
        raise ShapeConflict("an array is not indexed by a string", "x[0]")
    if base.dims is None:
        return _unranked(facts, base, key)
    items = key_items(key)
    if any(isinstance(item, Ref) and item.var in facts.unset for item in items):
        return facts.fresh()  # None by one way, which adds an axis
    if items.count(Const(...)) > 1:
        raise ShapeConflict("an index has one ellipsis at most", "x[..., 0]")
    arrays = [item for item in items if not _basic(facts, item)]
    if len(base.dims) == len(items) == len(arrays) == 1 and isinstance(items[0], Ref):
        if facts.of(items[0]).rank is None and facts.kind(items[0]) in INTEGRAL:
            return facts.of(items[0])  # a vector's entries, one for each place
    if any(_takes_any_number(facts, item) for item in arrays):
        return whole(_chosen_by(facts, arrays))
    consumed = sum(_consumed(facts, item) for item in items)
    if consumed > len(base.dims):
        raise ShapeConflict(f"{consumed} indices for {axes_told(len(base.dims))}")
    if Const(...) not in items:
        items.append(Const(...))
    _refuse_outside(base.dims, items)
    return _select(facts, list(base.dims), items, arrays)


def _refuse_outside(axes: tuple[Dim, ...], items: list[Expr]) -> None:
    """Raises ShapeConflict for a number that lies beyond the end of its axis.

    The axes before the first mask or array of places, and those behind an ellipsis,
    are not counted.
    """
    place = 0
    for item in items:
        if not isinstance(item, Const) or item.value is ...:
            if not isinstance(item, Apply) or item.op != "slice":
                return
        elif item.value is None:
            continue
        size = axes[place].number if place < len(axes) else None
        at = item.value if isinstance(item, Const) else None
        if type(at) is int and size is not None and not -size <= at < size:
            raise ShapeConflict(
                f"the index {at} lies outside of {size} entries", "a place that it has"
            )
        place += 1


def _select(
    facts: Facts, axes: list[Dim], items: list[Expr], arrays: list[Expr]
) -> Shape:
    """The axes that a key leaves: where it has index arrays, their axes stand in one
    place.

    That is where they are, if they and the numbers among them follow one another:
    x[:, 0, [1, 3]] has the shape (n, 2). With anything in between, a slice, None or
    ..., it is in front: x[0, :, [1, 3]] has the shape (2, n).
    """
    rest = len(axes) - sum(_consumed(facts, item) for item in items)
    out: list[Dim] = []
    place: int | None = None
    ended = scattered = False
    for item in items:
        if item in arrays or arrays and _consumes_one(item):
            del axes[: _consumed(facts, item)]
            scattered = scattered or ended
            place = len(out) if place is None else place
            continue
        ended = place is not None
        if item == Const(None):
            out.append(ONE)
        elif item == Const(...):
            out += axes[:rest]
            del axes[:rest]
        elif isinstance(item, Apply) and item.op == "slice":
            out.append(sliced(facts, axes.pop(0), item))
        else:
            axes.pop(0)
    common = _chosen_axes(facts, arrays)
    if common is None:
        return facts.fresh()
    at = 0 if scattered or place is None else place
    out[at:at] = common
    return ranked(*out)


def _consumes_one(item: Expr) -> bool:
    """Whether a basic part of a key is a number."""
    if isinstance(item, Apply):
        return item.op != "slice"
    return item not in (Const(None), Const(...))


def _chosen_axes(facts: Facts, arrays: list[Expr]) -> tuple[Dim, ...] | None:
    """The axes that index arrays and masks have together; None where not known."""
    if any(_counts_places(facts, key) for key in arrays):
        chosen = [_selected(facts, key) for key in arrays]
        try:
            return join(*chosen).dims
        except ShapeConflict as error:  # of n labels four may be meant
            ranks = [one.rank or 0 for one in chosen]
            if error.unequal is None or not any(dim.number for dim in error.unequal):
                raise
            return tuple(facts.fresh_dim() for _ in range(max(ranks)))
    # Masks, or what may be one: a mask of two axes takes two of x, and gives one.
    return (Dim.of(_chosen_by(facts, arrays)),) if arrays else ()


def _takes_any_number(facts: Facts, key: Expr) -> bool:
    """Whether it is not known how many axes an index array takes, and gives.

    A parameter of two axes may be a mask, or integers.
    """
    if facts.is_boolean(key) or _counts_places(facts, key):
        return facts.is_boolean(key) and facts.of(key).rank is None
    return facts.of(key).rank != 1


def _counts_places(facts: Facts, key: Expr) -> bool:
    """Whether a key is surely of integers, so that its length is the result's.

    A parameter of which only the shape is known may be a mask as well.
    """
    if facts.is_boolean(key):
        return False
    if isinstance(key, Apply) and key.op in ("list", "tuple"):
        return all(_counts_places(facts, item) for item in key.args)
    return facts.of(key).rank == 0 or facts.kind(key) in INTEGRAL


def _chosen_by(facts: Facts, keys: list[Expr]) -> str:
    """The size, by name, that keys choose which may be masks: the same for the same."""
    if not all(isinstance(key, Ref) for key in keys):
        return facts.fresh_name()
    return f"?[{', '.join(f'{key.var.name}.{key.var.id}' for key in keys)}]"


def _selected(facts: Facts, item: Expr) -> Shape:
    if not _counts_places(facts, item):
        return ranked(facts.fresh_dim())  # it may be a mask
    if isinstance(item, Apply) and item.op in ("list", "tuple"):
        inner = _selected(facts, item.args[0]).dims if item.args else ()
        return facts.fresh() if inner is None else ranked(len(item.args), *inner)
    return facts.of(item)


def _consumed(facts: Facts, item: Expr) -> int:
    if item in (Const(None), Const(...)):
        return 0
    rank = facts.of(item).rank if facts.is_boolean(item) else None
    return 1 if rank is None else rank


def _unranked(facts: Facts, base: Shape, key: Expr) -> Shape:
    """A basic index of an unknown shape, canonical by what slices cut off.

    Any number gives the same shape: x[0], x[-1] and x[i] have x's axes but the first.
    A mask of all entries leaves one axis, the same of all arrays of that shape.
    """
    items = key_items(key)
    exact = not any(isinstance(atom, (Within, Below)) for atom in base.atoms)
    if exact and is_mask(facts, key) and facts.of(items[0]) == base:
        return ranked(Dim.of(_chosen_by(facts, items)))
    slices = (one for one in items if isinstance(one, Apply) and one.op == "slice")
    if not is_basic(facts, key) or not all(map(is_static, slices)):
        return facts.fresh()
    if Const(None) in items and all(map(is_static, items)):
        axis = added_axis([static(item) for item in items])
        back = None if axis is None else restored(base, (axis,))
        if back is not None:
            return back
    keys = tuple(map(_canonical, items))
    row = facts.along.get(base) if keys == ("entry",) else None
    return row or Shape(frozenset([Indexed(base, keys)]))


def _canonical(item: Expr) -> str:
    """What a part of a basic index does to an axis: the same for all that do the same."""
    value = static(item) if is_static(item) else 0
    if isinstance(value, slice) and value.step in (None, 1):
        start, stop = value.start or 0, value.stop or 0
        if start >= 0 and stop <= 0 and value.stop != 0:
            return repr(("cut", start - stop))
    return "entry" if type(value) is int else repr(value)
