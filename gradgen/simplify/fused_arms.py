"""Branches whose values only their own gradient reads go with it, arm by arm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.sharing import changes
from gradgen.ir.operators import ARITHMETIC
from gradgen.ir.walk import lets, map_expressions, reads_of, statements, substitute
from gradgen.ir.walk import uses, with_blocks
from gradgen.simplify.wording import in_words


def fused_arms(function: Function) -> Function:
    """The function that tests once what decides on a value and on its adjoint.

        before:  if k == 1:
                     y = np.tanh(x)
                 else:
                     y = np.exp(x)

                 if k == 1:
                     d_x = d_y * (1 - y**2)
                 else:
                     d_x = d_y * y
        after:   if k == 1:
                     y = np.tanh(x)
                     d_x = d_y * (1 - y**2)
                 else:
                     y = np.exp(x)
                     d_x = d_y * y

    Only where nothing else reads what the arms of the primal hand on, and nothing is
    changed in place between the two. A test that only one branch is left to read stands
    in it.
    """
    first = function
    while True:
        body = _block(function.body, uses(function))
        if body == function.body:
            break
        function = replace(function, body=body)  # now inside the arms
    if function is first:
        return function
    read = uses(function)
    return replace(function, body=_with_tests(function.body, read))


def _with_tests(source: Iterable[Stmt], read: Counter[Var]) -> tuple[Stmt, ...]:
    """The block with tests that have no name of the user's in the branches behind them."""
    body = [
        with_blocks(stmt, lambda block: _with_tests(block, read)) for stmt in source
    ]
    for at in range(len(body) - 1, 0, -1):
        let, branch = body[at - 1 : at + 1]
        if not isinstance(let, Let) or not isinstance(branch, Branch):
            continue
        own = let.var.origin is Origin.TEMP and read[let.var] == 1
        if own and branch.test == Ref(let.var):
            body[at - 1 : at + 1] = [replace(branch, test=let.value)]
    return tuple(body)


def _block(source: Iterable[Stmt], read: Counter[Var]) -> tuple[Stmt, ...]:
    body = list(source)
    for back in [stmt for stmt in body if _is_of(stmt, Role.GRAD)]:
        assert isinstance(back, Branch)
        ahead = body[: body.index(back)]
        first = next((one for one in ahead if _mirrors(one, back)), None)
        if not isinstance(first, Branch):
            continue
        between = ahead[ahead.index(first) + 1 :]
        if _is_read_there_alone(first, back, read) and not any(map(_acts, between)):
            body[body.index(back)] = _together(first, back)
            body.remove(first)
            return tuple(body)  # what is read how often has to be counted again
    return tuple(with_blocks(stmt, lambda block: _block(block, read)) for stmt in body)


def _is_of(stmt: Stmt, role: Role) -> bool:
    return isinstance(stmt, Branch) and stmt.note.role is role and not stmt.is_try


def _mirrors(stmt: Stmt, back: Branch) -> bool:
    """Whether a branch of the primal is the one that another goes back through."""
    return (
        isinstance(stmt, Branch)
        and _is_of(stmt, Role.FORWARD)
        and (stmt.mark, stmt.test) == (back.mark, back.test)
    )


def _is_read_there_alone(first: Branch, back: Branch, read: Counter[Var]) -> bool:
    """Whether some of what the arms hand on is read, and by the other branch alone."""
    inside = Counter(reads_of(back))
    counts = [(read[merge.var], inside[merge.var]) for merge in first.merges]
    used = any(there for _, there in counts)
    primal = all(one.note.role is Role.FORWARD for one in statements([first]))
    return used and primal and all(every == there for every, there in counts)


def _acts(stmt: Stmt) -> bool:
    """Whether a statement may do more than to compute a value, or an adjoint."""
    if not isinstance(stmt, Let):
        return True
    return stmt.note.role is Role.FORWARD and changes(stmt)


def _together(first: Branch, back: Branch) -> Branch:
    then: dict[Var, Expr] = {merge.var: merge.then for merge in first.merges}
    orelse: dict[Var, Expr] = {merge.var: merge.orelse for merge in first.merges}
    arms: list[tuple[Stmt, ...]] = []
    merges = []
    for own, other, values in (
        (first.then, back.then, then),
        (first.orelse, back.orelse, orelse),
    ):
        arms.append((*own, *_with_names(own, _with(other, values), values)))
    for merge in back.merges:
        ways = substitute(merge.then, then), substitute(merge.orelse, orelse)
        merges.append(replace(merge, then=ways[0], orelse=ways[1]))
    return replace(back, then=arms[0], orelse=arms[1], merges=tuple(merges))


def _with_names(
    own: Sequence[Stmt], body: tuple[Stmt, ...], values: dict[Var, Expr]
) -> tuple[Stmt, ...]:
    """What goes back through an arm, with the names that the user has in it.

    `values` grows by those that go.

    before:  u = x / sigma                     after:  u = x / sigma
             d_x = d_y * (x / sigma) ** 2              d_x = d_y * u**2
    """
    if any(changes(stmt) for stmt in lets((*own, *body))):
        return body
    words: dict[Expr, Expr] = {}
    for stmt in own:
        if isinstance(stmt, Let) and stmt.var.origin is Origin.USER:
            if isinstance(stmt.value, Apply) and stmt.value.op in ARITHMETIC:
                words.setdefault(stmt.value, Ref(stmt.var))
    kept = []
    for stmt in body:
        same = words.get(stmt.value) if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and same is not None and not stmt.note.derived:
            values[stmt.var] = same
        else:
            kept.append(stmt)
    return map_expressions(kept, lambda expr: in_words(substitute(expr, values), words))


def _with(body: Sequence[Stmt], values: dict[Var, Expr]) -> tuple[Stmt, ...]:
    return map_expressions(body, lambda expr: substitute(expr, values))
