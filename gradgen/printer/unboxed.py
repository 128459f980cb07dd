"""Stores into what may be a number: NumPy's arithmetic makes numbers of arrays of rank 0."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from gradgen.ir.callee import VALUES
from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Role, Stmt, Var
from gradgen.ir.operators import STORES, call
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import statements
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL

STORED = ("setitem", "additem", "add_at")


def takes_no_store(
    base: Var, let: Let, facts: Facts, boxes: Container[Var] | None
) -> bool:
    """Whether what a store goes into may be a number, which takes none.

        e = np.array(x[..., 0])     an array, of rank 0 where x is a row
        e[e > 0.5] = 0
        d_e = 2 * e                 a number then, into which d_e[e > 0.5] = 0 cannot go

    `boxes` are the variables without axes that may be arrays, None where all are.
    Where no rank is known it is asked of keys that an array of rank 0 takes: of what is
    added to what was read there, and of stores into adjoints of such arrays. The primal's
    own store into a number raises, as it does there.
    """
    if boxes is None or let.value.op not in STORED:
        return False
    if let.note.role is Role.FORWARD:
        return False
    shape = facts.shapes.get(base)
    rank = None if shape is None else shape.rank
    if rank == 0:
        return base not in boxes
    if rank or not _takes_rank_0(let.value.args[1], facts):
        return False
    if let.value.op == "setitem" and base.of not in boxes:
        return False
    made = facts.definitions.get(base)
    helped = isinstance(made, Apply) and made.op == "helper._unbroadcast"
    return helped or base not in boxes


def made_array(var: Var, done: list[Stmt]) -> bool:
    """Whether what makes a number in a block now makes an array of rank 0.

    before:  d_y = 2 * d_out * y
    after:   d_y = np.asarray(2 * d_out * y)

    before:  d_y += total
    after:   d_y = np.asarray(d_y + total)

    before:  d_x, d_y = backprop(d)
    after:   d_x, d_y = backprop(d)
             d_y = np.asarray(d_y)
    """
    for i, stmt in enumerate(done):
        if isinstance(stmt, Let) and stmt.var == var:
            value = stmt.value
            if isinstance(value, Apply) and value.op in VALUES:  # of a line for all
                last = i + 1
                while last < len(done) and _is_of(done[last], value.args[0]):
                    last += 1
                again = call("numpy.asarray", Ref(var))
                done.insert(last, replace(stmt, value=again))
                return True
            if isinstance(value, Apply) and value.op not in STORES:
                if value.op == "accumulate":
                    value = replace(value, op="numpy.add", spelling="operator")
                elif value.spelling == "augmented":
                    value = replace(value, spelling="operator")
                done[i] = replace(stmt, value=call("numpy.asarray", value))
                return True
    return False


def _is_of(stmt: Stmt, whole: Expr) -> bool:
    """Whether a statement names one value of a call."""
    value = stmt.value if isinstance(stmt, Let) else None
    return isinstance(value, Apply) and value.op in VALUES and value.args[0] == whole


def fills(body: Iterable[Stmt], sharing: Sharing, facts: Facts) -> set[Var]:
    """The classes of memory that the primal stores into as into an array of rank 0.

    y = np.array(x[0])
    y *= 2       in place, for 2 * y is a number
    y[...] += 1

    """
    found = set()
    for stmt in statements(body):
        if isinstance(stmt, Let) and stmt.note.role is Role.FORWARD:
            value = stmt.value
            if isinstance(value, Apply) and value.op in STORED:
                if not facts.rank(value.args[0]) and _takes_rank_0(
                    value.args[1], facts
                ):
                    found.add(sharing.root(stmt.var))
    return found


def _takes_rank_0(key: Expr, facts: Facts) -> bool:
    """Whether a number of NumPy's can be read at a key: x[x > 0], x[...], x[()].

    A mask may be of rank 0, like what it was made of; integers and slices ask for axes.
    """
    keys = key.args if isinstance(key, Apply) and key.op == "chain" else (key,)
    return all(_asks_no_axis(item, facts) for one in keys for item in key_items(one))


def _asks_no_axis(item: Expr, facts: Facts) -> bool:
    if isinstance(item, Const):
        return item.value in (..., None) or isinstance(item.value, bool)
    if isinstance(item, Apply) and item.op in ("slice", "list"):
        return False
    return not facts.rank(item) and facts.kind(item) not in INTEGRAL
