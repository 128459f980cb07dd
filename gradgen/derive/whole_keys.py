"""Entries of rows as entries of the array: X[i][j] is X[i, j]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import BY_ROWS
from gradgen.ir.walk import lets, own_expressions, reads, statements, with_blocks
from gradgen.shapes.infer import Facts


def with_whole_keys(primal: Function, facts: Facts) -> Function:
    """The primal with the entries that are read of rows read of the array at once.

    The adjoint of an entry is added where it belongs then, and not to a row of zeros.
    The text reads it as the function does, of what may be a list of rows.

    before:  row = X[i]; s += row[j]     (of s += X[i][j])
    after:   s += X[i, j]
    """
    rows = dict(_rows(primal, facts))
    read: Counter[Var] = Counter()
    whole: Counter[Var] = Counter()
    for stmt in statements(primal.body):
        for expr in own_expressions(stmt):
            read.update(var for var in reads(expr) if var in rows)
        if isinstance(stmt, Let):
            base = _row_of(stmt.value, facts)
            if base is not None and base in rows and _notes(rows[base], stmt):
                whole[base] += 1
    read.update(var for value in primal.values for var in reads(value) if var in rows)
    gone = {var for var in rows if 0 < read[var] == whole[var]}
    if not gone:
        return primal
    known: dict[Var, Expr] = {}

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Let):
                base = _row_of(stmt.value, facts)
                if base in gone:
                    stmt = replace(stmt, value=_merged(stmt.value, known))
                if stmt.var in gone:
                    known[stmt.var] = stmt.value
                    continue
            yield with_blocks(stmt, block)

    return replace(primal, body=tuple(block(primal.body)))


def _rows(primal: Function, facts: Facts) -> Iterator[tuple[Var, Let]]:
    """The parts of expressions that are a row of an array, by one place for each axis."""
    for let in lets(primal.body):
        value = let.value
        if let.var.origin is not Origin.TEMP or not isinstance(value, Apply):
            continue
        if value.op != "getitem" or not isinstance(value.args[0], Ref):
            continue
        whole, key = value.args
        places = all(map(facts.is_index, _items(key)))
        lists = facts.is_list(whole) or facts.is_list(Ref(let.var))
        if places and not lists and not facts.several(whole):
            yield let.var, let


def _row_of(value: Expr, facts: Facts) -> Var | None:
    """The variable that places, or slices, are read of."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return None
    base, key = value.args
    basic = all(facts.is_index(item) or _is_slice(item) for item in _items(key))
    return base.var if basic and isinstance(base, Ref) else None


def _notes(row: Let, entry: Let) -> bool:
    """Whether a row and its entry are of one line: nothing is stored between them."""
    return row.note == entry.note


def _merged(value: Expr, known: dict[Var, Expr]) -> Expr:
    assert isinstance(value, Apply)
    base, key = value.args
    row = known[getattr(base, "var")]
    assert isinstance(row, Apply)
    whole, first = row.args
    items = (*_items(first), *_items(key))
    return Apply("getitem", (whole, Apply("tuple", items)), (), BY_ROWS)


def _items(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)


def _is_slice(item: Expr) -> bool:
    return isinstance(item, Apply) and item.op == "slice"
