"""Which entry of a small array each entry of a larger one goes with."""

from __future__ import annotations


from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Kept, Shape

WHOLE = Apply("slice", (Const(None),) * 3)


@dataclass(frozen=True)
class Lanes:
    """Along which axes of an array a smaller one m varies, and along which of m's.

    Axes are counted from the last, from 1. `axes` has m's axis for each, None where
    m is one number along it. Further axes: m's axis is `beyond` more than the
    array's, and none where that is None.

    Where it is not known which axis a reduction removes, m has those of an array of the
    shape `base` all the same, and is one number along what `removed` tells.
    """

    axes: tuple[int | None, ...] = ()
    beyond: int | None = None
    removed: Expr | None = None
    base: Shape | None = None

    def __post_init__(self) -> None:
        axes = self.axes
        while axes and axes[-1] == self._farther(len(axes)):
            axes = axes[:-1]
        object.__setattr__(self, "axes", axes)

    @staticmethod
    def of(value: Apply, facts: Facts) -> Lanes | None:
        """Those of a value with itself; None where its axes are not known."""
        dims = facts.of(value).dims
        if dims is not None:
            back = reversed(dims)
            return Lanes(
                tuple(None if dim.number == 1 else k for k, dim in enumerate(back, 1))
            )
        atoms = facts.of(value).atoms
        if atoms and all(isinstance(a, Kept) and a.axes is None for a in atoms):
            return Lanes()  # one number, with the axes of what it is of
        try:
            axis, keepdims = _axis(value), _keepdims(value)
        except ValueError:
            return _of_any_axis(value, facts)
        if type(axis) is not int or axis >= 0:
            return _of_any_axis(value, facts)
        known = tuple(range(1, -axis))
        return Lanes((*known, None), 0) if keepdims else Lanes((), 0)

    def at(self, k: int) -> int | None:
        """m's axis along the k-th axis from the end."""
        if self.removed is not None:
            return k  # it may be any of them
        return self.axes[k - 1] if k <= len(self.axes) else self._farther(k)

    def _farther(self, k: int) -> int | None:
        return None if self.beyond is None else k + self.beyond

    def without(self, reduction: Apply, facts: Facts) -> Lanes | None:
        """After a reduction along axes on which m does not vary."""
        if {name for name, _ in reduction.kwargs} - {"axis", "keepdims"}:
            return None
        if self.removed is not None:
            return self if _of_any_axis(reduction, facts) == self else None
        rank = facts.rank(reduction.args[0])
        try:
            axis, keepdims = _axis(reduction), _keepdims(reduction)
        except ValueError:
            return None
        if rank == 0:
            return self  # NumPy lets an axis be named of a number, which has none
        if axis is None and self.beyond is None and not any(self.axes):
            return Lanes()
        gone = set()
        for one in axis if isinstance(axis, tuple) else (axis,):
            if type(one) is not int:
                return None
            if one < 0:
                gone.add(-one)
            elif rank is None:
                return None
            else:
                gone.add(rank - one)
        if any(self.at(k) is not None for k in gone):
            return None
        if keepdims:
            return self
        count = max(len(self.axes), *gone)
        left = tuple(self.at(k) for k in range(1, count + 1) if k not in gone)
        beyond = None if self.beyond is None else self.beyond + len(gone)
        return Lanes(left, beyond)

    def expanded(self, items: list[Expr], rank: int | None) -> Lanes | None:
        """After an index that puts axes of length 1 in.

        An axis along which m is one number may go as well: x[:, 0].
        """
        if self.removed is not None:
            return None
        if Const(...) not in items:
            items = [*items, Const(...)]
        front = items[: items.index(Const(...))]
        back = items[len(front) + 1 :]
        if rank is not None:
            taken = sum(item != Const(None) for item in front + back)
            front, back = [], [*front, *[WHOLE] * (rank - taken), *back]
        if front:
            return None
        found: list[int | None] = []
        k = 0
        for item in reversed(back):
            k += item != Const(None)
            if item in (WHOLE, Const(None)):
                found.append(self.at(k) if item == WHOLE else None)
            elif self.at(k) is not None:
                return None
        if rank is not None:
            return Lanes(tuple(found))
        beyond = None if self.beyond is None else self.beyond + k - len(found)
        return Lanes((*found, *self.axes[k:]), beyond)


def key_items(key: Expr) -> list[Expr] | None:
    """The items of an index of slices `:`, new axes and whole numbers, None of others."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    plain = all(
        item in (WHOLE, Const(None), Const(...))
        or isinstance(item, Const)
        and type(item.value) is int
        for item in items
    )
    return list(items) if plain else None


def _of_any_axis(value: Apply, facts: Facts) -> Lanes | None:
    """Of what keeps the axis that an argument names: np.max(x, axis=axis, keepdims=True)."""
    given = dict(value.kwargs)
    if given.keys() != {"axis", "keepdims"} or len(value.args) != 1:
        return None
    base = facts.of(value.args[0])
    known = base.rank is None and given["keepdims"] == Const(True)
    return Lanes(removed=given["axis"], base=base) if known else None


def _axis(reduction: Apply) -> object:
    """The axis of a reduction. Raises ValueError where it is not a constant."""
    if len(reduction.args) > 2:
        raise ValueError("more than an axis")
    if len(reduction.args) == 2:
        return static(reduction.args[1])
    return static(dict(reduction.kwargs).get("axis"))


def _keepdims(reduction: Apply) -> bool:
    return bool(static(dict(reduction.kwargs).get("keepdims")))
