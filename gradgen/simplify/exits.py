"""What is made of an array's shape is made of what a loop leaves under its name."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gradgen.ir.liveness import SHAPE_READS
from gradgen.ir.nodes import Apply, Expr, Function, Loop, Origin, Ref, Role, Stmt, Var
from gradgen.ir.walk import (
    map_expressions,
    own_expressions,
    rewrite,
    statements,
    subexpressions,
    with_children,
)
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal


def exits(function: Function, facts: Facts) -> Function:
    """The function whose gradient asks no array from before a loop for its shape alone.

        before:  a = e[0]
                 as_new = []
                 a_new = a
                 for t in range(1, len(e)):
                     a_new = np.tanh(a_new + e[t])
                     as_new.append(a_new)

                 d_a = np.full_like(a, d_out)
        after:   a = e[0]
                 as_new = []
                 for t in range(1, len(e)):
                     a = np.tanh(a + e[t])
                     as_new.append(a)

                 d_a = np.full_like(a, d_out)

    So that the loop need not go on under another name.
    """
    body = list(function.body)
    for i, stmt in enumerate(body):
        if isinstance(stmt, Loop) and stmt.note.role is Role.FORWARD:
            left = _left(stmt, facts)
            later = body[i + 1 :]
            left = {var: exit for var, exit in left.items() if _is_shape(var, later)}
            if left:
                body[i + 1 :] = map_expressions(later, lambda e: _changed(e, left))
    return (
        function
        if tuple(body) == function.body
        else replace(function, body=tuple(body))
    )


def _left(loop: Loop, facts: Facts) -> dict[Var, Var]:
    """What a loop leaves of the user's arrays that are as before in shape and sort."""
    found = {}
    for slot in loop.carried:
        entry = slot.entry.var if isinstance(slot.entry, Ref) else None
        if entry is None or entry.origin is not Origin.USER:
            continue
        if facts.is_list(Ref(entry)) or facts.is_list(Ref(slot.exit)):
            continue  # it may be longer
        alike = (
            entry.name == slot.exit.name
            and facts.kinds[entry] is facts.kinds[slot.exit]
        )
        alike &= equal(facts.shapes[entry], facts.shapes[slot.exit])
        alike &= (entry in facts.complexes) == (slot.exit in facts.complexes)
        if alike and slot.exit not in facts.unset and facts.rank(Ref(entry)) != 0:
            found[entry] = slot.exit
    return found


def _is_shape(var: Var, later: list[Stmt]) -> bool:
    """Whether a variable is read by what asks for its shape alone, and by that."""
    read: Counter[bool] = Counter()
    for stmt in statements(later):
        for expr in own_expressions(stmt):
            for node in subexpressions(expr):
                if node == Ref(var):
                    read[False] += 1
                read[True] += _asked(node) == Ref(var)
    return bool(read[True]) and read[True] == read[False]


def _asked(node: Expr) -> Expr | None:
    """What an operation asks for its shape alone."""
    at = SHAPE_READS.get(node.op) if isinstance(node, Apply) else None
    if not isinstance(node, Apply) or at is None or at >= len(node.args):
        return None
    return node.args[at]


def _changed(expr: Expr, left: dict[Var, Var]) -> Expr:
    def change(node: Expr) -> Expr:
        asked = _asked(node)
        if not isinstance(node, Apply) or not isinstance(asked, Ref):
            return node
        if asked.var not in left:
            return node
        args = list(node.args)
        args[SHAPE_READS[node.op]] = Ref(left[asked.var])
        return with_children(node, (*args, *(value for _, value in node.kwargs)))

    return rewrite(expr, change)
