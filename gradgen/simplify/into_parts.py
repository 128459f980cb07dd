"""What is added to a part of an array need not be brought into the shape of the part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import ARITHMETIC, getitem
from gradgen.ir.walk import lets, map_lets, uses
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, equal

UNBROADCAST = "helper._unbroadcast"
# what is stored into a part, or added to it
INTO = ("additem", "setitem")


def into_parts(function: Function, facts: Facts) -> Function:
    """The function that adds to slices what is as long, or raises: of what is assumed.

        before:  d_x[k : k + m] += _unbroadcast(d_total * w, x[k : k + m])
        after:   d_x[k : k + m] += d_total * w

    The slice of the primal may have been one entry that NumPy stretched: then it is
    shorter than g, and adding that in place raises.
    """
    read = uses(function)
    made = {let.var: let.value for let in lets(function.body)}
    anew: dict[Var, Expr] = {}
    for let in lets(function.body):
        value = let.value
        if not let.note.derived or not isinstance(value, Apply) or value.op not in INTO:
            continue
        base, key, added = value.args[:3]
        try:
            part = facts.of(getitem(base, key)).dims
        except ShapeConflict:
            continue
        cut = list(_axes(key, len(part or ()), facts))
        if part and any(cut) and len(cut) == len(part):
            of = base, key
            stripped = _Stripped(facts, made, read, of, part, cut, anew).of(added)
            if stripped is not added:
                anew[let.var] = replace(value, args=(base, key, stripped))
    if not anew:
        return function

    def changed(let: Let) -> Let:
        if let.var not in anew:
            return let
        let = replace(let, value=anew[let.var])
        facts.learn(let)
        return let

    return replace(function, body=map_lets(function.body, changed))


class _Stripped:
    """Values without what brings them into the shape of a part, axis by axis `cut`."""

    def __init__(
        self,
        facts: Facts,
        made: dict[Var, Expr],
        read: Counter[Var],
        of: tuple[Expr, Expr],
        part: tuple[Dim, ...],
        cut: list[bool],
        anew: dict[Var, Expr],
    ) -> None:
        self.facts, self.made, self.read, self.anew = facts, made, read, anew
        self.base, self.key = of
        self.part, self.cut = part, cut

    def of(self, value: Expr) -> Expr:
        """The value, or itself where nothing is to strip but in lines of its own."""
        if isinstance(value, Ref) and value.var.origin is not Origin.USER:
            inner = self.made.get(value.var)
            if inner is None or self.read[value.var] > 1:
                return value
            found = self.of(inner)
            if found is not inner:
                self.anew[value.var] = found  # where it stands
            return value
        if not isinstance(value, Apply):
            return value
        if value.op == UNBROADCAST:
            whole, like = value.args
            return whole if self._fits(whole, like) else value
        if value.op in ARITHMETIC and not value.kwargs:
            args = tuple(map(self.of, value.args))
            same = all(one is other for one, other in zip(args, value.args))
            return value if same else replace(value, args=args)
        return value

    def _fits(self, whole: Expr, like: Expr) -> bool:
        """Whether a value has the axes of the part, or would raise where it is added."""
        dims, own = self.facts.of(whole).dims, self.facts.of(like).dims
        if dims is None or own is None or len(dims) != len(own):
            return False
        if own != self.part and not self._is_part(like):
            return False
        return all(
            one == other or is_cut and _is_open(other)
            for one, other, is_cut in zip(dims, own, self.cut)
        )

    def _is_part(self, like: Expr) -> bool:
        """Whether a value is the same part of an array of the same shape."""
        value = self.made.get(like.var) if isinstance(like, Ref) else like
        if not isinstance(value, Apply) or value.op != "getitem":
            return False
        whole, key = value.args[:2]
        return key == self.key and equal(self.facts.of(whole), self.facts.of(self.base))


def _is_open(dim: Dim) -> bool:
    """Whether nothing is known of a length: x[1:] may be told to have n - 1 entries.

    Of the part of a part, x[k:][:2], it is known that it may end where x does, before 2.
    """
    return any(name[0] == "?" and name[1] != "?" for name in dim.names)


def _axes(key: Expr, rank: int, facts: Facts) -> Iterator[bool]:
    """Of each axis of a part, whether it is cut out; nothing for other keys.

    x[k : k + 1] is one entry, which is there to be stretched.
    """
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    axes = []
    for item in items:
        if isinstance(item, Apply) and item.op == "slice":
            start, stop = item.args[:2]
            one = Const(None) not in (start, stop)
            one = one and facts.dim(stop) - facts.dim(start) == ONE
            axes.append((start, stop) != (Const(None),) * 2 and not one)
        elif isinstance(item, Apply) or item in (Const(None), Const(...)):
            return
    yield from [*axes, *[False] * (rank - len(axes))]
