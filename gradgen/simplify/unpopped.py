"""What flows back to the items of a list is read by the round's number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Carried, Const, Expr, Function, Let, Loop, Ref
from gradgen.ir.nodes import Role, Stmt, Var
from gradgen.ir.operators import add, getitem
from gradgen.ir.walk import lets, map_expressions, own_expressions, rewrite
from gradgen.ir.walk import statements, subexpressions, uses, with_blocks
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts

LAST = Const(-1)
FORWARDS = Const(0), Const(1)  # the start and the step of range(n)


def unpopped(function: Function, facts: Facts) -> Function:
    """The function that takes nothing from the end of a list for each round.

        before:  d_sim = list(2 * d_out * (np.array(sim) - seen))
                 d_k = d_y = 0.0
                 for t in reversed(range(len(seen))):
                     d_y = d_y + d_sim.pop()
        after:   d_sim = 2 * d_out * (np.array(sim) - seen)
                 d_k = d_y = 0.0
                 for t in reversed(range(len(seen))):
                     d_y = d_y + d_sim[t]

    Where the array has surely an entry for each round, and some more in front: those of
    a list that had items before the loop are `d_xs[t + 1]`.
    """
    if not any(_is_popped(let) for let in lets(function.body)):
        return function
    counted = uses(function)
    made = {let.var: let for let in lets(function.body)}
    body = tuple(_within(function.body, made, counted, facts.remembering()))
    return function if body == function.body else replace(function, body=body)


def _is_popped(let: Let) -> bool:
    return isinstance(let.value, Apply) and let.value.op == "popped"


def _within(
    body: Iterable[Stmt], made: dict[Var, Let], counted: Counter[Var], facts: Facts
) -> list[Stmt]:
    done: list[Stmt] = []
    arrays: dict[Var, Expr] = {}  # of lists that are arrays by now
    for stmt in body:
        stmt = with_blocks(stmt, lambda b: _within(b, made, counted, facts))
        if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD:
            for slot in stmt.carried:
                ahead = _items_ahead(stmt, slot, made, counted, facts)
                if ahead is None:
                    continue
                assert isinstance(slot.entry, Ref)
                listed = made[slot.entry.var]
                assert isinstance(listed.value, Apply)
                array = arrays[listed.var] = listed.value.args[0]
                facts.shapes[listed.var] = facts.of(array)
                named = array if isinstance(array, Ref) else slot.entry
                stmt = _by_index(stmt, slot, named, ahead)
        done.append(stmt)
    return [one for stmt in done for one in _as_array(stmt, arrays)]


def _as_array(stmt: Stmt, arrays: dict[Var, Expr]) -> Iterable[Stmt]:
    """The array in place of its list; none where it has a name already."""
    if not isinstance(stmt, Let) or stmt.var not in arrays:
        yield stmt
    elif not isinstance(arrays[stmt.var], Ref):
        yield replace(stmt, value=arrays[stmt.var])


def _items_ahead(
    loop: Loop,
    slot: Carried,
    made: dict[Var, Let],
    counted: Counter[Var],
    facts: Facts,
) -> int | None:
    """How many entries an array has that no round reads; None where it stays a list."""
    rounds = _rounds(loop)
    listed = made.get(slot.entry.var) if isinstance(slot.entry, Ref) else None
    popped = made.get(slot.next.var) if isinstance(slot.next, Ref) else None
    if rounds is None or listed is None or popped is None or counted[slot.exit]:
        return None
    value = listed.value
    if (
        not isinstance(value, Apply)
        or value.op != "entries"
        or value.args[1:] != (Const(1),)
    ):
        return None
    if counted[listed.var] != 1 or counted[popped.var] != 1 or popped not in loop.body:
        return None
    if popped.value != Apply("popped", (Ref(slot.inner),)):
        return None
    if counted[slot.inner] != 1 + _reads(loop.body, slot.inner):
        return None
    dims = facts.of(value.args[0]).dims
    if not dims:
        return None
    ahead = [k for k in range(3) if dims[0] == facts.dim(rounds) + Dim.of(k)]
    return ahead[0] if ahead else None


def _rounds(loop: Loop) -> Expr | None:
    """n of `for i in reversed(range(n))`."""
    over = loop.over
    if not isinstance(over, Apply) or over.op != "reversed" or loop.until is not None:
        return None
    inner = over.args[0]
    if not isinstance(inner, Apply) or inner.op != "range":
        return None
    start, stop, step = inner.args
    return stop if (start, step) == FORWARDS else None


def _reads(body: tuple[Stmt, ...], items: Var) -> int:
    """How often a block reads the last item, in front of the line that takes it away."""
    last = getitem(Ref(items), LAST)
    return sum(
        node == last
        for stmt in statements(body)
        for expr in own_expressions(stmt)
        for node in subexpressions(expr)
    )


def _by_index(loop: Loop, slot: Carried, array: Expr, ahead: int) -> Loop:
    index: Expr = Ref(loop.index)
    place = add(index, Const(ahead)) if ahead else index
    read = getitem(array, place)
    last = getitem(Ref(slot.inner), LAST)

    def changed(node: Expr) -> Expr:
        return read if node == last else node

    body = map_expressions(loop.body, lambda expr: rewrite(expr, changed))
    left = slot.next.var if isinstance(slot.next, Ref) else None
    return replace(
        loop,
        carried=tuple(one for one in loop.carried if one is not slot),
        body=tuple(s for s in body if not (isinstance(s, Let) and s.var == left)),
    )
