"""Indices that are inside of their arrays whatever a call gives, and those that may not be."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import lets, own_expressions, statements, subexpressions
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
                if not _is_inside(base, key, facts):
                    return True
    return False


def _is_inside(base: Expr, key: Expr, facts: Facts) -> bool:
    """Whether an index of each axis is a slice, a nest's place, or surely inside."""
    items = [*key.args] if isinstance(key, Apply) and key.op == "tuple" else [key]
    items = [one for one in items if one != Const(None)]
    dims = facts.of(base).dims
    if Const(...) in items:
        if dims is None:
            return all(map(_is_plain, items))
        at = items.index(Const(...))
        whole = Apply("slice", (Const(None),) * 3)
        items[at : at + 1] = [whole] * (len(dims) - len(items) + 1)
    for axis, one in enumerate(items):
        if _is_plain(one):
            continue
        if dims is None or axis >= len(dims):
            return False
        if not facts.is_index(one) or not is_place(facts.dim(one), dims[axis], facts):
            return False
    return True


def is_place(index: Dim, length: Dim, facts: Facts) -> bool:
    """Whether 0 <= index < length, in all rounds of the loops around it."""
    return is_no_less(facts, index) and is_no_less(facts, length - ONE - index)


def _is_plain(item: Expr) -> bool:
    """Whether an index is written, a slice, or the place of a nest: i + 1."""
    if isinstance(item, Const) or _op(item) == "slice":
        return True
    if isinstance(item, Ref):
        return item.var.origin is Origin.LOCAL
    if _op(item) == "numpy.negative":
        return isinstance(item.args[0], Const)
    if _op(item) in ("numpy.add", "numpy.subtract"):
        return _is_plain(item.args[0]) and isinstance(item.args[1], Const)
    return False


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""
