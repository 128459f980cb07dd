"""An array whose every row is stored is written as the array of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Origin
from gradgen.ir.nodes import Ref, Role, Stmt, Var
from gradgen.ir.operators import STORES, call, getitem
from gradgen.ir.walk import raises, uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.shapes.shape import SCALAR, equal, ranked
from gradgen.simplify.filled_parts import concatenated, dtype_of

# more rows than a person writes out
MOST = 8


def tiled(function: Function, facts: Facts, is_numpy: bool = True) -> Function:
    """The function with arrays of their rows for stores that fill an array.

        before:  d_q = np.zeros_like(q)
                 d_q[1] = d_x
                 d_q[0] = d_w
        after:   d_q = np.array([d_w, d_x])

    Each row is stored once, has the shape of a row, and is of the array's dtype, or of
    float64, and then is cast: np.array([...], q.dtype). So are the entries of a vector,
    of which half are zeros at most: np.array([d_w, 0.0], q.dtype). What is
    stored along the diagonal of zeros, a number for each place, is np.diag(d_v), and
    parts along an axis, d_q[:h] and d_q[h:], are np.concatenate (`filled_parts.py`);
    other libraries join no numbers. A row that is added to later waits for that.
    """
    counts = _counts(function.body, facts)
    body = _block(function.body, uses(function), facts, is_numpy, counts)
    return function if body == function.body else replace(function, body=body)


def _counts(body: Iterable[Stmt], facts: Facts) -> dict[Expr, int]:
    """How many rows what is taken apart has: x, y, z = state raises for others."""
    found: dict[Expr, int] = {}
    for stmt in body:
        test = stmt.test if isinstance(stmt, Branch) and raises(stmt.then) else None
        test = facts.definitions.get(test.var) if isinstance(test, Ref) else test
        if isinstance(test, Apply) and test.op == "numpy.not_equal":
            length, count = test.args
            is_length = isinstance(length, Apply) and length.op == "len"
            if is_length and isinstance(count, Const) and type(count.value) is int:
                found[length.args[0]] = count.value
    return found


def _block(
    source: Iterable[Stmt],
    counted: Counter[Var],
    facts: Facts,
    is_numpy: bool,
    counts: dict[Expr, int],
) -> tuple[Stmt, ...]:
    body = [
        with_blocks(stmt, lambda b: _block(b, counted, facts, is_numpy, counts))
        for stmt in source
    ]
    rows: dict[Var, list[Let]] = {}
    new: dict[Var, Expr | None] = {}
    for stmt in body:
        if not isinstance(stmt, Let) or stmt.note.role is not Role.GRAD:
            continue
        value = stmt.value
        if not isinstance(value, Apply):
            continue
        if value.op == "numpy.zeros_like" and len(value.args) == 1:
            if {name for name, _ in value.kwargs} <= {"dtype"}:
                rows[stmt.var] = [stmt]
        elif value.op in ("setitem", "additem") and isinstance(value.args[0], Ref):
            before = value.args[0].var
            if before in rows and counted[before] == 1:
                rows[stmt.var] = [*rows.pop(before), stmt]
    for chain in rows.values():
        added = (i for i, let in enumerate(chain) if let.value.op == "additem")
        stored = chain[: next(added, len(chain))]
        array = concatenated(chain, facts) if is_numpy else None
        again = {let.value.args[1] for let in chain[len(stored) :]}
        if array is None and again.isdisjoint(let.value.args[1] for let in stored[1:]):
            chain = stored
            array = _array(chain, facts, is_numpy, counts) or _diagonal(chain, facts)
            array = _put_together(array, counted, facts) or array
        if array is not None:
            new |= {let.var: None for let in chain}
            new[chain[-1].var] = array
    done: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, Let) or stmt.var not in new:
            done.append(stmt)
            continue
        found = new[stmt.var]
        if found is not None:
            done.append(replace(stmt, value=found))
    return tuple(done)


def _array(
    chain: list[Let], facts: Facts, is_numpy: bool, counts: dict[Expr, int]
) -> Expr | None:
    """The array of the rows that are stored one by one into zeros."""
    like = chain[0].value.args[0]
    dims, kind = facts.of(like).dims, facts.kind(like)
    count = dims[0].number if dims else counts.get(like) if dims is None else None
    if count is None or not 1 < len(chain) - 1 <= count <= MOST:
        return None
    row = facts.of(getitem(like, 0)) if dims is None else ranked(*dims[1:])
    if kind not in (Kind.LIKE, Kind.WIDE):
        return None
    found: dict[int, Expr] = {}
    for let in chain[1:]:
        _, key, value = let.value.args
        if not isinstance(key, Const) or type(key.value) is not int:
            return None
        if not equal(facts.of(value), row):
            return None
        found[key.value] = value
    if len(found) != len(chain) - 1 or not found.keys() <= set(range(count)):
        return None
    full = len(found) == count
    if not full and (row != SCALAR or 2 * len(found) < count or not is_numpy):
        return None
    items = tuple(found.get(i, Const(0.0)) for i in range(count))
    if full and all(facts.kind(item) is kind for item in items):
        return Apply("numpy.array", (Apply("list", items),))
    if any(facts.is_complex(item) for item in items) or not is_numpy:
        return None
    return Apply("numpy.array", (Apply("list", items), dtype_of(chain[0], facts)))


def _put_together(
    array: Expr | None, counted: Counter[Var], facts: Facts
) -> Expr | None:
    """What is taken apart into the rows of an array, and is nothing else.

    before:  d_x, d_y = d_p; d_q = np.array([d_x, d_y])
    after:   d_q = d_p
    """
    if not isinstance(array, Apply) or array.op != "numpy.array" or len(array.args) > 1:
        return None
    (rows,) = array.args
    assert isinstance(rows, Apply)
    made = [
        facts.definitions.get(x.var) if isinstance(x, Ref) else x for x in rows.args
    ]
    whole = made[0].args[0] if isinstance(made[0], Apply) and made[0].args else None
    if not isinstance(whole, Ref) or whole.var.origin is not Origin.ADJOINT:
        return None
    places = [getitem(whole, Const(i)) for i in range(len(made))]
    value = facts.definitions.get(whole.var)
    is_fresh = isinstance(value, Apply) and value.op not in ("getitem", *STORES)
    if made != places or not is_fresh or counted[whole.var] != len(places):
        return None
    dims = facts.of(whole).dims
    alike = dims is not None and dims[0].number == len(places)
    return whole if alike and facts.kind(whole) is facts.kind(rows.args[0]) else None


def _diagonal(chain: list[Let], facts: Facts) -> Expr | None:
    """The matrix of what is stored along the diagonal of zeros."""
    zeros = chain[0].value.args[0]
    dims = facts.of(zeros).dims
    if len(chain) != 2 or dims is None or len(dims) != 2 or dims[0] != dims[1]:
        return None
    _, key, value = chain[1].value.args
    if facts.of(value).dims != dims[:1] or facts.kind(value) is not facts.kind(zeros):
        return None
    if facts.is_complex(value) != facts.is_complex(zeros):
        return None
    places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
    if len(places) != 2 or places[0] != places[1] or facts.kind(value) in INTEGRAL:
        return None
    place = places[0]
    whole = isinstance(place, Apply) and place.op == "numpy.arange" and not place.kwargs
    if not whole or len(place.args) != 1 or facts.of(place).dims != dims[:1]:
        return None
    return call("numpy.diag", value)
