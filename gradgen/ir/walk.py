"""Walks over expressions: variables read, substitution, rewriting, counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, positional before keyword."""
    if isinstance(expr, Apply):
        return expr.args + tuple(value for _, value in expr.kwargs)
    return ()


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, outermost first, left to right."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def reads(expr: Expr) -> Iterator[Var]:
    """The variables an expression reads, once for each time it reads them."""
    for node in subexpressions(expr):
        if isinstance(node, Ref):
            yield node.var


def with_children(expr: Apply, new: Iterable[Expr]) -> Apply:
    """The same operation on other arguments."""
    new = tuple(new)
    split = len(expr.args)
    kwargs = tuple((k, v) for (k, _), v in zip(expr.kwargs, new[split:], strict=True))
    return replace(expr, args=new[:split], kwargs=kwargs)


def rewrite(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`change` applied to every node, innermost first."""
    if isinstance(expr, Apply):
        old = children(expr)
        new = tuple(rewrite(child, change) for child in old)
        if any(a is not b for a, b in zip(old, new, strict=True)):
            expr = with_children(expr, new)
    return change(expr)


def substitute(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """The expression with variables replaced by expressions."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref):
            return values.get(node.var, node)
        return node

    return rewrite(expr, change)


def uses(function: Function) -> Counter[Var]:
    """How often each variable is read, results included."""
    counted: Counter[Var] = Counter()
    for let in function.body:
        counted.update(reads(let.value))
    for value in function.values:
        counted.update(reads(value))
    for result in function.results:
        counted.update(reads(result.value))
    return counted


def map_values(function: Function, change: Callable[[Let], Expr]) -> Function:
    """The function with each statement's value replaced by `change(let)`."""
    body = tuple(replace(let, value=change(let)) for let in function.body)
    return function if body == function.body else replace(function, body=body)


def substitute_everywhere(function: Function, values: Mapping[Var, Expr]) -> Function:
    """The function with variables replaced by expressions in body and results."""
    if not values:
        return function
    return replace(
        function,
        body=tuple(
            replace(let, value=substitute(let.value, values)) for let in function.body
        ),
        values=tuple(substitute(value, values) for value in function.values),
        results=tuple(
            replace(result, value=substitute(result.value, values))
            for result in function.results
        ),
    )


def static(expr: Expr | None):
    """The Python value of a constant expression (tuples and lists included).

    Raises ValueError when the value is not known while emitting.
    """
    if expr is None:
        return None
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Apply) and expr.op in ("tuple", "list"):
        items = [static(arg) for arg in expr.args]
        return tuple(items) if expr.op == "tuple" else items
    if isinstance(expr, Apply) and expr.op == "numpy.negative":
        value = static(expr.args[0])
        if isinstance(value, (int, float)):
            return -value
    if isinstance(expr, Apply) and expr.op == "slice":
        return slice(*(static(arg) for arg in expr.args))
    raise ValueError("not a constant")


def is_static(expr: Expr | None) -> bool:
    """Whether `static` knows the value."""
    try:
        static(expr)
    except ValueError:
        return False
    return True
