"""Indices that are inside of their arrays whatever a call gives, and those that may not be."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Loop, Origin, Ref
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import lets, own_expressions, reads, statements, subexpressions
from gradgen.ir.walk import substitute
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spans import is_no_less
from gradgen.target.numba_tokens import learned

# what makes a list or a tuple, which numba looks into with care
_LISTS = ("append", "list", "tuple", "repeated", "numpy.shape")


def has_computed(function: Function, facts: Facts) -> bool:
    """Whether an index is computed, or is an array: only a call knows where it points.

    So x[k], x[2 * i] and x[mask], and not x[0], x[1:], the places of a loop nest, or
    x[i - 1] of a loop over range(1, len(x)).
    """
    facts = learned(function, facts)
    inside = _Inside(function, facts)
    sharing = Sharing(function.body)
    made = [let.var for let in lets(function.body) if _op(let.value) in _LISTS]
    lists = {sharing.root(var) for var in made}
    for stmt in statements(function.body):
        for expr in own_expressions(stmt):
            for one in subexpressions(expr):
                if not isinstance(one, Apply) or one.op not in ("getitem", *STORES):
                    continue
                base, key = one.args[:2]
                if _op(base) == "numpy.shape" or facts.is_list(base):
                    continue
                if isinstance(base, Ref) and sharing.root(base.var) in lists:
                    continue
                if not inside.has(base, key):
                    return True
    return False


class _Inside:
    """Which indices of a function are surely inside of their arrays."""

    def __init__(self, function: Function, facts: Facts):
        self.facts = facts
        loops = [one for one in statements(function.body) if isinstance(one, Loop)]
        # what a nest goes over is as long as the arrays in it
        self.places = {one.index for one in loops if one.index.origin is Origin.LOCAL}
        self.made = {let.var: let.value for let in lets(function.body)}

    def has(self, base: Expr, key: Expr) -> bool:
        """Whether the index of each axis is a slice, a nest's place, or surely inside."""
        items = [*key.args] if isinstance(key, Apply) and key.op == "tuple" else [key]
        items = [one for one in items if one != Const(None)]
        dims = self.facts.of(base).dims
        if Const(...) in items:
            if dims is None:
                return all(map(self._is_plain, items))
            at = items.index(Const(...))
            whole = Apply("slice", (Const(None),) * 3)
            items[at : at + 1] = [whole] * (len(dims) - len(items) + 1)
        for axis, one in enumerate(items):
            if self._is_plain(one):
                continue
            if dims is None or axis >= len(dims) or not self.facts.is_index(one):
                return False
            if not is_place(self.facts.dim(self._written(one)), dims[axis], self.facts):
                return False
        return True

    def _written(self, index: Expr) -> Expr:
        """An index with what its names stand for: s_in = i - 1."""
        for _ in range(_DEPTH):
            names = set(reads(index)) & self.made.keys()
            named = {v: self.made[v] for v in names if _is_sum(self.made[v])}
            if not named:
                break
            index = substitute(index, named)
        return index

    def _is_plain(self, item: Expr) -> bool:
        """Whether an index is written, a slice, or the place of a nest: i + 1."""
        if isinstance(item, Const) or _op(item) == "slice":
            return True
        if isinstance(item, Ref):
            return item.var in self.places
        if _op(item) == "numpy.negative":
            return isinstance(item.args[0], Const)
        if _op(item) in ("numpy.add", "numpy.subtract"):
            return self._is_plain(item.args[0]) and isinstance(item.args[1], Const)
        return False


# names that stand for names, and loops inside of loops
_DEPTH = 4


def is_place(index: Dim, length: Dim, facts: Facts) -> bool:
    """Whether 0 <= index < length, in all rounds of the loops around it."""
    return all(_is_no_less(one, facts) for one in (index, length - ONE - index))


def _is_no_less(size: Dim, facts: Facts) -> bool:
    """Whether a size is surely 0 or more; i - j is, where j goes over range(i).

    The bounds of an inner index are put in its place first, which may name an outer one.
    """
    for _ in range(2 * _DEPTH):
        known = {name: facts.spans[name] for name in size.names if name in facts.spans}
        named = {one for low, high in known.values() for one in low.names | high.names}
        inner = sorted(known.keys() - named)
        factors = {names[0]: k for names, k in size.terms if len(names) == 1}
        if not inner or inner[0] not in factors:
            break
        low, high = known[inner[0]]
        factor = factors[inner[0]]
        end = low if factor > 0 else high
        size = size + Dim.of(factor) * (end - Dim.of(inner[0]))
    return is_no_less(facts, size)


def _is_sum(value: Expr) -> bool:
    """Whether a value is a sum of integers: i - 1."""
    if isinstance(value, (Ref, Const)):
        return True
    return _op(value) in ("numpy.add", "numpy.subtract", "numpy.multiply") and all(
        map(_is_sum, value.args)
    )


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""
