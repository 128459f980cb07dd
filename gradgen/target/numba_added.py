"""np.add.at of a vector of places, which numba does not have, as a loop over these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Carried, Const, Expr, Let, Loop, Origin
from gradgen.ir.nodes import Ref, Stmt, Supply
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.numba_scalars import entry, length


def added(body: Iterable[Stmt], facts: Facts, supply: Supply) -> Iterator[Stmt]:
    """Statements with loops for what is added at places that may repeat.

    before:  np.add.at(d_x, k, d_y)
    after:   for i in range(k.shape[0]):
                 d_x[k[i]] += d_y[i]

    So it is where a nest is none, as the lengths of k and d_y are not known to be one:
    a shorter d_y raises IndexError.
    """
    for stmt in body:
        if isinstance(stmt, Let) and _is_of_vectors(stmt, facts):
            base, key, stored = stmt.value.args[:3]
            if not isinstance(stored, Ref):
                rows = supply.var(stmt.var.name + "_rows", Origin.TEMP)
                yield Let(rows, stored, stmt.note)
                stmt = replace(stmt, note=replace(stmt.note, lines=()))
                stored = Ref(rows)
            yield _loop(stmt, (base, key, stored), supply)
        else:
            yield with_blocks(stmt, lambda own: tuple(added(own, facts, supply)))


def _is_of_vectors(let: Let, facts: Facts) -> bool:
    value = let.value
    if not isinstance(value, Apply) or value.op != "add_at":
        return False
    if not all(isinstance(arg, Ref) for arg in value.args[:2]):
        return False
    for arg in value.args[:3]:
        if facts.is_list(arg) or facts.is_complex(arg) or facts.rank(arg) != 1:
            return False
    kinds = [facts.kind(arg) for arg in value.args[:3]]
    floats = {kinds[0], kinds[2]} <= {Kind.LIKE, Kind.WIDE}
    return floats and kinds[1] in INTEGRAL


def _loop(let: Let, args: tuple[Expr, Expr, Expr], supply: Supply) -> Loop:
    base, key, stored = args
    own = let.var
    inner, after = (supply.var(own.name, own.origin, own.of, own.order) for _ in "ab")
    index = supply.var("i", Origin.LOCAL)
    place = entry(key, (Ref(index),))
    what = Apply("additem", (Ref(inner), place, entry(stored, (Ref(index),))))
    over = Apply("range", (Const(0), length(key, 0), Const(1)))
    carried = Carried(inner, base, Ref(after), own)
    count = supply.var("count", Origin.COUNT)
    plain = replace(let.note, lines=())
    body = (Let(after, what, plain),)
    return Loop(index, over, None, None, (carried,), body, count, let.note)
