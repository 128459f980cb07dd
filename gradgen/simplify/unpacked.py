"""Results that the user's line has names for are read under these names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Role, Stmt
from gradgen.ir.nodes import Supply, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import all_defined, map_expressions, own_expressions, rewrite
from gradgen.ir.walk import statements, subexpressions
from gradgen.shapes.infer import Facts

Places = dict[int, Var]


def unpacked(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function that reads a result by the name which the user's line gives it.

        before:  u, s, vt = factors = np.linalg.svd(A)
                 out = u @ vt
                 d_A = u @ np.diag(factors[1] * d_out) @ vt
        after:   u, s, vt = factors = np.linalg.svd(A)
                 out = u @ vt
                 d_A = u @ np.diag(s * d_out) @ vt

    It had no line, since the function itself never reads it. Not where another value
    has the name, or the whole is read otherwise than by its items.
    """
    taken = {var.name for var in all_defined(function.body)}
    taken.update(param.var.name for param in function.params)
    whole, items = _readings(function)
    new: dict[Expr, Var] = {}
    body: list[Stmt] = []
    for stmt in function.body:
        body.append(stmt)
        if not isinstance(stmt, Let) or stmt.var.origin is not Origin.TEMP:
            continue
        names, wanted = _names(stmt), items.get(stmt.var, set())
        if stmt.note.role is not Role.FORWARD or whole.get(stmt.var) or not wanted:
            continue
        if facts.several(stmt.value) != len(names):
            continue
        named = _named(function.body, stmt.var)
        for place in sorted(wanted - named.keys()):
            name = names[place] if 0 <= place < len(names) else ""
            if not name or name in taken:
                continue
            item = getitem(Ref(stmt.var), place)
            var = supply.var(name, Origin.USER)
            let = Let(var, item, stmt.note)
            facts.learn(let)
            body.append(let)
            new[item] = var
    if not new:
        return function
    own = set(new.values())

    def by_name(expr: Expr) -> Expr:
        var = new.get(expr) if isinstance(expr, Apply) else None
        return expr if var is None else Ref(var)

    def change(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let) and stmt.var in own:
            return stmt
        return map_expressions((stmt,), lambda expr: rewrite(expr, by_name))[0]

    return replace(
        function,
        body=_in_order(tuple(change(stmt) for stmt in body), set(items)),
        values=tuple(rewrite(value, by_name) for value in function.values),
        results=tuple(
            replace(result, value=rewrite(result.value, by_name))
            for result in function.results
        ),
    )


def _readings(function: Function) -> tuple[Mapping[Var, int], Mapping[Var, set[int]]]:
    """How often each variable is read but by its items, and the items that are read."""
    whole: dict[Var, int] = {}
    items: dict[Var, set[int]] = {}

    def read(expr: Expr) -> None:
        for node in subexpressions(expr):
            if isinstance(node, Ref):
                whole[node.var] = whole.get(node.var, 0) + 1
            at = _item(node)
            if at is not None:
                whole[at[0]] = whole.get(at[0], 0) - 1
                items.setdefault(at[0], set()).add(at[1])

    for stmt in statements(function.body):
        for expr in own_expressions(stmt):
            read(expr)
    for expr in (*function.values, *(result.value for result in function.results)):
        read(expr)
    return whole, items


def _item(node: Expr) -> tuple[Var, int] | None:
    """The variable and the place of x[2]."""
    if not isinstance(node, Apply) or node.op != "getitem" or node.kwargs:
        return None
    source, key = node.args
    if not isinstance(source, Ref) or not isinstance(key, Const):
        return None
    return (source.var, key.value) if type(key.value) is int else None


def _named(body: tuple[Stmt, ...], var: Var) -> Places:
    """The items that have lines of their own, by their places."""
    found: Places = {}
    for stmt in body:
        at = _item(stmt.value) if isinstance(stmt, Let) else None
        if at is not None and at[0] == var and isinstance(stmt, Let):
            found[at[1]] = stmt.var
    return found


def _names(let: Let) -> list[str]:
    """The names of u, s, vt = f(x); "" for one that says that it is not read."""
    target = let.note.lines[0].target if let.note.lines else ""
    names = [name.strip() for name in target.strip("()[]").split(",")]
    if len(names) < 2 or not all(name.isidentifier() for name in names):
        return []
    return ["" if name.startswith("_") else name for name in names]


def _in_order(body: tuple[Stmt, ...], wholes: set[Var]) -> tuple[Stmt, ...]:
    """The body in which the items of a value stand in the order of their places."""
    return tuple(_sorted(body, wholes))


def _sorted(body: tuple[Stmt, ...], wholes: set[Var]) -> Iterator[Stmt]:
    group: list[tuple[int, Stmt]] = []
    of: Var | None = None
    for stmt in body:
        at = _item(stmt.value) if isinstance(stmt, Let) else None
        if at is not None and at[0] in wholes and (of is None or at[0] == of):
            of = at[0]
            group.append((at[1], stmt))
            continue
        yield from (one for _, one in sorted(group, key=lambda pair: pair[0]))
        group, of = [], None
        if at is not None and at[0] in wholes:
            group, of = [(at[1], stmt)], at[0]
            continue
        yield stmt
    yield from (one for _, one in sorted(group, key=lambda pair: pair[0]))
