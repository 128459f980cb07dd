"""Stores into what may be a number: NumPy's arithmetic makes numbers of arrays of rank 0."""

from __future__ import annotations

from collections.abc import Container

from gradgen.ir.nodes import Apply, Const, Let, Ref, Role, Var
from gradgen.shapes.infer import Facts

WHOLE = Const(...)  # x[...] = 0


def takes_no_store(
    base: Var, let: Let, facts: Facts, boxes: Container[Var] | None
) -> bool:
    """Whether what a store goes into may be a number, which takes none.

        e = np.array(x[..., 0])     an array, of rank 0 where x is a row
        e[e > 0.5] = 0
        d_e = 2 * e                 a number then, into which d_e[e > 0.5] = 0 cannot go

    `boxes` are the variables without axes that may be arrays, None where all are.
    Where no rank is known it is asked of adjoints of such, and of keys that an array
    of rank 0 takes. The primal's own store into a number raises, as it does there.
    """
    if boxes is None or let.value.op not in ("setitem", "additem"):
        return False
    if let.note.role is Role.FORWARD:
        return False
    shape = facts.shapes.get(base)
    rank = None if shape is None else shape.rank
    if rank == 0:
        return base not in boxes
    key, made = let.value.args[1], facts.definitions.get(base)
    if rank or base.of not in boxes or not (isinstance(key, Ref) or key == WHOLE):
        return False
    if facts.rank(key) or facts.is_index(key):
        return False
    helped = isinstance(made, Apply) and made.op == "helper._unbroadcast"
    return helped or base not in boxes
