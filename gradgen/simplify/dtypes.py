"""Dtypes are asked of what there is, and nothing is computed for one."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref
from gradgen.ir.operators import AS_ARRAY, call
from gradgen.ir.walk import map_values, rewrite
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind


def dtypes(function: Function, facts: Facts) -> Function:
    """The function whose gradient computes nothing for its dtype alone.

        before:  d_S = d_out * np.eye(len(S), dtype=np.log(S).dtype) / S
        after:   d_S = d_out * np.eye(len(S), dtype=S.dtype) / S

    What is computed entry by entry has the dtype of what it is computed of, where that
    is floating; `floating` makes it so where it may be whole.
    """

    def asked(expr: Expr) -> Expr:
        is_asked = isinstance(expr, Apply) and expr.op == "dtype"
        return dtype_of(expr.args[0], facts) or expr if is_asked else expr

    def changed(let: Let) -> Expr:
        return rewrite(let.value, asked) if let.note.derived else let.value

    return map_values(function, changed)


def dtype_of(value: Expr, facts: Facts) -> Expr | None:
    """x.dtype for np.log(x), np.result_type(x, y) for x - y; None where that is not so."""
    found = list(dict.fromkeys(_sources(value, facts)))
    arrays = [one for one in found if one is not None and facts.rank(one) != 0]
    if not arrays or None in found:
        return None
    if len(found) == 1:
        return Apply("dtype", (arrays[0],), spelling="attribute:dtype")
    return call("numpy.result_type", *(one for one in found if one is not None))


def _is_array(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in AS_ARRAY


def _sources(value: Expr, facts: Facts) -> Iterator[Ref | None]:
    """The variables whose dtype a value has; None among them where it has another."""
    if facts.kind(value) < Kind.MIXED:
        return  # numbers of Python's, and whole ones, beside floats
    if isinstance(value, Ref) and value.var.origin is Origin.TEMP:
        made = facts.definitions.get(value.var, value)
        value = value if _is_array(made) else made  # of a list, perhaps
    if isinstance(value, Ref):
        yield value if facts.kind(value) is Kind.LIKE else None
        return
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or rule.kind != "elementwise" or value.kwargs or _is_array(value):
        yield None
        return
    for arg in value.args:
        if facts.is_complex(arg) != facts.is_complex(value):
            yield None
        yield from _sources(arg, facts)
