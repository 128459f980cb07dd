"""Arrays are made of a dtype in one call, as people make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import AS_ARRAY, call
from gradgen.ir.walk import map_expressions, own_expressions, rewrite, statements
from gradgen.ir.walk import reads, subexpressions, substitute_everywhere, uses
from gradgen.rules.refusals import sort_of_dtype

NO_COPY = (("copy", Const(False)),)


def casts(function: Function) -> Function:
    """The function that casts what it makes an array of in the same call.

        before:  x_new = np.asarray(x).astype(float, copy=False)
        after:   x_new = np.asarray(x, dtype=float)

    Of floating dtypes alone, and where nothing else is done with the array in between.
    What is an array already is none anew: np.asarray(x_new) is x_new.
    """
    function = _made_once(function)
    made = {
        let.var: let.value
        for let in function.body
        if isinstance(let, Let)
        and _is_made(let.value)
        and let.var.origin is Origin.TEMP
    }
    counted = uses(function)
    asked = Counter(one for expr in _expressions(function) for one in _asked(expr))
    alone = {var: made[var] for var in made if asked[var] == counted[var]}
    if alone:
        body = tuple(
            stmt
            for stmt in function.body
            if not isinstance(stmt, Let) or stmt.var not in alone
        )
        function = substitute_everywhere(replace(function, body=body), alone)
    body = map_expressions(function.body, _cast)
    return function if body == function.body else replace(function, body=body)


def _made_once(function: Function) -> Function:
    """The function without np.asarray(x) of an x that it has made an array of."""
    arrays: set[Var] = set()
    again: dict[Var, Expr] = {}
    for let in function.body:
        if not isinstance(let, Let) or not isinstance(let.value, Apply):
            continue
        value = let.value
        if (
            _is_made(value)
            and value.op == "numpy.asarray"
            and reads(value)[0] in arrays
        ):
            first = value.args[0]
            again[let.var] = again.get(reads(first)[0], first)
        if value.op in AS_ARRAY or value.op == "numpy.astype":
            arrays.add(let.var)
    if not again:
        return function
    kept = (s for s in function.body if not isinstance(s, Let) or s.var not in again)
    return substitute_everywhere(replace(function, body=tuple(kept)), again)


def _is_made(value: Expr) -> bool:
    return (
        isinstance(value, Apply)
        and value.op in AS_ARRAY
        and len(value.args) == 1
        and not value.kwargs
        and isinstance(value.args[0], Ref)
    )


def _is_written_out(value: Expr) -> TypeGuard[Apply]:
    """Whether it is np.array([a, b])."""
    if not isinstance(value, Apply) or value.op != "numpy.array" or value.kwargs:
        return False
    return len(value.args) == 1 and getattr(value.args[0], "op", "") in (
        "list",
        "tuple",
    )


def _expressions(function: Function) -> Iterator[Expr]:
    for stmt in statements(function.body):
        yield from own_expressions(stmt)
    yield from function.values
    yield from (result.value for result in function.results)


def _asked(expr: Expr) -> Iterator[Var]:
    """The variables that are cast to floats, or asked for their dtype."""
    for node in subexpressions(expr):
        if isinstance(node, Apply) and _asks(node):
            yield from (arg.var for arg in node.args if isinstance(arg, Ref))
        elif _is_cast(node) and isinstance(node.args[0], Ref):
            yield node.args[0].var


def _asks(node: Apply) -> bool:
    return node.op == "dtype" or node.op == "numpy.result_type"


def _is_cast(node: Expr) -> TypeGuard[Apply]:
    """Whether an expression is x.astype(float), or with copy=False."""
    is_cast = isinstance(node, Apply) and node.op == "numpy.astype"
    if not is_cast or len(node.args) != 2 or node.kwargs not in ((), NO_COPY):
        return False
    return isinstance(node.args[1], Const) and sort_of_dtype(node.args[1]) in ("f", "c")


def _cast(expr: Expr) -> Expr:
    return rewrite(expr, _at_once)


def _at_once(node: Expr) -> Expr:
    if not isinstance(node, Apply) or not node.args:
        return node
    inner = node.args[0]
    if not isinstance(inner, Apply) or not _is_made(inner):
        written = _is_cast(node) and not node.kwargs and _is_written_out(inner)
        return replace(inner, kwargs=(("dtype", node.args[1]),)) if written else node
    (whole,) = inner.args
    if _asks(node):
        return replace(node, args=(call("numpy.asarray", whole), *node.args[1:]))
    if not _is_cast(node) or (inner.op == "numpy.array") == (node.kwargs == NO_COPY):
        return node
    return replace(inner, kwargs=(("dtype", node.args[1]),))
