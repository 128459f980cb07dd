"""Walks over expressions and statements: reads, substitution, rewriting, counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import Any

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Merge,
    Ref,
    Stmt,
    Var,
)


# what has no parts
LEAVES = (Ref, Const)
# what is said of an expression whose value is not known while emitting
NO_CONSTANT = "not a constant"


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, positional before keyword."""
    # that of most by its type, which costs no call
    if type(expr) in LEAVES or type(expr) is not Apply and not isinstance(expr, Apply):
        return ()
    if not expr.kwargs:
        return expr.args
    return expr.args + tuple(value for _, value in expr.kwargs)


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, outermost first, left to right."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        if type(node) is Apply or type(node) not in LEAVES and isinstance(node, Apply):
            stack.extend(node.args[::-1] if not node.kwargs else children(node)[::-1])


def reads(expr: Expr) -> tuple[Var, ...]:
    """The variables an expression reads, once for each time it reads them.

    They are found once and kept with the operation, which never changes.
    """
    if type(expr) is Ref:
        return (expr.var,)
    if type(expr) is Const or type(expr) is not Apply and not isinstance(expr, Apply):
        return ()
    kept: dict[str, tuple[Var, ...]] = expr.__dict__
    if "_reads" not in kept:
        kept["_reads"] = tuple(_read(expr))
    return kept["_reads"]


def _read(expr: Apply) -> list[Var]:
    """The variables in an operation: those of known parts are not looked for again."""
    found: list[Var] = []
    stack: list[Expr] = [expr]
    while stack:
        node = stack.pop()
        if type(node) is Const:
            continue
        if type(node) is Ref:
            found.append(node.var)
        elif type(node) is Apply or isinstance(node, Apply):
            known = node.__dict__.get("_reads")
            if known is not None:
                found += known
            else:
                stack += children(node)[::-1]
    return found


def with_children(expr: Apply, new: Iterable[Expr]) -> Apply:
    """The same operation on other arguments."""
    new, old = tuple(new), children(expr)
    if len(new) == len(old) and all(map(is_, new, old)):
        return expr
    split = len(expr.args)
    kwargs = tuple((k, v) for (k, _), v in zip(expr.kwargs, new[split:], strict=True))
    if type(expr) is not Apply:
        return replace(expr, args=new[:split], kwargs=kwargs)
    return Apply(expr.op, new[:split], kwargs, expr.spelling)  # quicker than replace


def rewrite(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`change` applied to every node, innermost first."""
    if type(expr) is Apply or isinstance(expr, Apply):
        expr = with_children(expr, [rewrite(child, change) for child in children(expr)])
    return change(expr)


def substitute(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """The expression with variables replaced by expressions."""
    if values.keys().isdisjoint(reads(expr)):
        return expr

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref):
            return values.get(node.var, node)
        return node

    return rewrite(expr, change)


def own_expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions of a statement itself, not of the blocks inside it."""
    if isinstance(stmt, (Let, Effect)):
        yield stmt.value
    elif isinstance(stmt, Branch):
        yield stmt.test
        for merge in stmt.merges:
            yield merge.then
            yield merge.orelse
    elif isinstance(stmt, Loop):
        for expr in (stmt.over, stmt.test, stmt.until):
            if expr is not None:
                yield expr
        for slot in stmt.carried:
            yield slot.entry
            yield slot.next


def blocks(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The blocks inside a statement."""
    if isinstance(stmt, Branch):
        return (stmt.then, stmt.orelse)
    return (stmt.body,) if isinstance(stmt, Loop) else ()


def with_located(
    stmt: Stmt,
    path: tuple[Any, ...],
    change: Callable[[tuple[Stmt, ...], tuple[Any, ...]], Iterable[Stmt]],
) -> Stmt:
    """The statement with its blocks changed, each given the loops and arms around it.

    A path has (mark, True) or (mark, False) for an arm, (mark, None) for a loop.
    """
    if isinstance(stmt, Branch):
        then = tuple(change(stmt.then, (*path, (stmt.mark, True))))
        orelse = tuple(change(stmt.orelse, (*path, (stmt.mark, False))))
        if then == stmt.then and orelse == stmt.orelse:
            return stmt
        return replace(stmt, then=then, orelse=orelse)
    if isinstance(stmt, Loop):
        body = tuple(change(stmt.body, (*path, (stmt.mark, None))))
        return stmt if body == stmt.body else replace(stmt, body=body)
    return stmt


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Every statement of a block and of the blocks inside it, in order."""
    waiting = [iter(body)]
    while waiting:
        for stmt in waiting[-1]:  # goes on where it was left
            yield stmt
            if type(stmt) is not Let:
                waiting += [iter(block) for block in reversed(blocks(stmt))]
                break
        else:
            waiting.pop()


def lets(body: Iterable[Stmt]) -> Iterator[Let]:
    """Every assignment of a block and of the blocks inside it, in order."""
    return (stmt for stmt in statements(body) if type(stmt) is Let)


def defined(stmt: Stmt) -> tuple[Var, ...]:
    """The variables that the rest of a statement's own block may read."""
    if isinstance(stmt, Let):
        return (stmt.var,)
    if isinstance(stmt, Branch):
        return tuple(merge.var for merge in stmt.merges)
    if isinstance(stmt, Loop):
        return (*(slot.exit for slot in stmt.carried), stmt.count)
    return ()


def defined_inside(stmt: Stmt) -> tuple[Var, ...]:
    """The variables that only the blocks of a statement may read, found once."""
    if not isinstance(stmt, (Branch, Loop)):
        return ()
    known: tuple[Var, ...] | None = stmt.__dict__.get("_inside")
    if known is None:
        found: list[Var] = []
        if isinstance(stmt, Loop):
            found = [stmt.index, *(slot.inner for slot in stmt.carried)]
        for block in blocks(stmt):
            for inner in block:
                found += defined(inner)
                found += defined_inside(inner)
        known = stmt.__dict__["_inside"] = tuple(found)
    return known


def all_defined(body: Iterable[Stmt]) -> Iterator[Var]:
    """Every variable that a block or a block inside it defines."""
    for stmt in body:
        yield from defined(stmt)
        yield from defined_inside(stmt)


def reads_of(stmt: Stmt) -> tuple[Var, ...]:
    """The variables that a statement reads, with those that its blocks read."""
    if isinstance(stmt, (Let, Effect)):
        return reads(stmt.value)
    kept: dict[str, tuple[Var, ...]] = stmt.__dict__
    if "_reads" not in kept:
        found = [var for expr in own_expressions(stmt) for var in reads(expr)]
        for block in blocks(stmt):
            for inner in block:
                found += reads_of(inner)
        kept["_reads"] = tuple(found)
    return kept["_reads"]


def joins(stmt: Stmt, entries: bool = True) -> Iterator[tuple[Var, Expr]]:
    """(variable, a value it may have) for what joins in a loop or a branch."""
    if isinstance(stmt, Branch):
        for merge in stmt.merges:
            yield merge.var, merge.then
            yield merge.var, merge.orelse
    elif isinstance(stmt, Loop):
        for slot in stmt.carried:
            for var in (slot.inner, slot.exit):
                yield var, slot.next
                if entries:
                    yield var, slot.entry


def uses(function: Function) -> Counter[Var]:
    """How often each variable is read, results included."""
    counted: Counter[Var] = Counter()
    for stmt in function.body:
        counted.update(reads_of(stmt))
    for value in function.values:
        counted.update(reads(value))
    for result in function.results:
        counted.update(reads(result.value))
    return counted


def with_blocks(
    stmt: Stmt, change: Callable[[tuple[Stmt, ...]], Iterable[Stmt]]
) -> Stmt:
    """The statement with each of its blocks changed."""
    return with_located(stmt, (), lambda block, path: change(block))


def with_expressions(stmt: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """The statement with its own expressions changed, not those of its blocks."""
    if isinstance(stmt, Let):
        value = change(stmt.value)
        return stmt if value is stmt.value else Let(stmt.var, value, stmt.note)
    if isinstance(stmt, Effect):
        value = change(stmt.value)
        return stmt if value is stmt.value else replace(stmt, value=value)
    before = tuple(own_expressions(stmt))
    after = tuple(map(change, before))
    if all(map(is_, before, after)):
        return stmt
    given = iter(after)
    if isinstance(stmt, Branch):
        test = next(given)
        merges = tuple(Merge(m.var, next(given), next(given)) for m in stmt.merges)
        return replace(stmt, test=test, merges=merges)
    assert isinstance(stmt, Loop)
    over, test_, until = (
        None if expr is None else next(given)
        for expr in (stmt.over, stmt.test, stmt.until)
    )
    carried = tuple(
        Carried(slot.inner, next(given), next(given), slot.exit)
        for slot in stmt.carried
    )
    return replace(stmt, over=over, test=test_, until=until, carried=carried)


def map_expressions(
    body: Iterable[Stmt], change: Callable[[Expr], Expr]
) -> tuple[Stmt, ...]:
    """The block with every expression in it changed."""

    def changed(stmt: Stmt) -> Stmt:
        stmt = with_expressions(stmt, change)
        if isinstance(stmt, (Let, Effect)):
            return stmt
        return with_blocks(stmt, lambda b: map_expressions(b, change))

    return tuple(map(changed, body))


def rewrite_derived(function: Function, change: Callable[[Expr], Expr]) -> Function:
    """The function with `change` applied to every node of its gradient.

    A tangent stands among the statements of the primal, in its loops and arms as well.
    """

    def derived(stmt: Stmt) -> Stmt:
        if not stmt.note.derived:
            return with_blocks(stmt, lambda block: map(derived, block))
        (stmt,) = map_expressions((stmt,), lambda expr: rewrite(expr, change))
        return stmt

    return replace(function, body=tuple(map(derived, function.body)))


def map_lets(body: Iterable[Stmt], change: Callable[[Let], Let]) -> tuple[Stmt, ...]:
    """The block with every assignment in it changed."""
    return tuple(
        (
            change(stmt)
            if isinstance(stmt, Let)
            else with_blocks(stmt, lambda b: map_lets(b, change))
        )
        for stmt in body
    )


def map_values(function: Function, change: Callable[[Let], Expr]) -> Function:
    """The function with each assignment's value replaced by `change(let)`."""

    def changed(let: Let) -> Let:
        value = change(let)
        return let if value == let.value else replace(let, value=value)

    body = map_lets(function.body, changed)
    return function if body == function.body else replace(function, body=body)


def substitute_everywhere(function: Function, values: Mapping[Var, Expr]) -> Function:
    """The function with variables replaced by expressions in body and results."""
    if not values:
        return function

    def change(expr: Expr) -> Expr:
        return substitute(expr, values)

    return replace(
        function,
        body=map_expressions(function.body, change),
        values=tuple(map(change, function.values)),
        results=tuple(
            replace(result, value=change(result.value)) for result in function.results
        ),
    )


def static(expr: Expr | None) -> Any:
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
    raise ValueError(NO_CONSTANT)


def is_static(expr: Expr | None) -> bool:
    """Whether `static` knows the value."""
    try:
        static(expr)
    except ValueError:
        return False
    return True


def raises(body: Sequence[Stmt]) -> bool:
    """Whether a block surely ends with a raise."""
    last = body[-1] if body else None
    return isinstance(last, Effect) and getattr(last.value, "op", "") == "raise"
