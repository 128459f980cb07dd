"""The rows of a part of an array, x[1:][i], as rows of the array: x[i + 1]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from operator import itemgetter

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Loop, Origin, Ref
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import add, call, getitem, negative, subtract
from gradgen.ir.walk import lets, map_expressions, map_lets, own_expressions
from gradgen.ir.walk import is_static, rewrite, statements, static, subexpressions, uses
from gradgen.shapes.infer import Facts

NONE, FIRST, ONE = Const(None), Const(0), Const(1)
LEAST = "numpy.minimum"


@dataclass(frozen=True)
class _Part:
    """x[start:-left], which has no name of the user's."""

    base: Var
    start: int
    less: int  # how many entries are left out at both ends


def windows(primal: Function, facts: Facts) -> Function:
    """The primal whose loops go through parts of an array by places of the array.

        before:  for p, q in zip(x[:-1], x[1:]):
        after:   for i in range(len(x) - 1):
                     p = x[i]
                     q = x[i + 1]

    So what flows back is added where it belongs. Only of parts that are read by the
    index of loops that go no further than the part, and otherwise by len.
    """
    parts = {
        let.var: part
        for let in lets(primal.body)
        if (part := _part(let, facts)) is not None
    }
    if not parts:
        return primal
    made = {let.var: let.value for let in lets(primal.body)}
    counted = uses(primal)
    lengths, stops = _lengths(primal.body, made, counted, parts)
    read: Counter[Var] = Counter(lengths[n] for n in stops & lengths.keys())
    for loop in _loops(primal.body):
        bounds = [_left_out(made.get(n), parts) for n in _bounds(loop, made)]
        for var in _rows(loop.body, loop.index):
            read[var] += var in parts and any(
                base == parts[var].base and less >= parts[var].less
                for base, less in filter(None, bounds)
            )
    parts = {
        v: part for v, part in parts.items() if v in read and read[v] == counted[v]
    }
    if not parts:
        return primal
    return _by_places(primal, parts)


def _part(let: Let, facts: Facts) -> _Part | None:
    value = let.value
    if not isinstance(value, Apply) or value.op != "getitem":
        return None
    base, key = value.args
    if (
        let.var.origin is Origin.USER
        or not isinstance(base, Ref)
        or facts.is_list(base)
    ):
        return None
    if not isinstance(key, Apply) or key.op != "slice" or facts.rank(base) == 0:
        return None
    first, last, step = key.args
    start, left = _number(first), _number(negative(last))
    if start is None or left is None or step not in (NONE, ONE):
        return None
    return _Part(base.var, start, start + left)


def _number(limit: Expr) -> int | None:
    """How many entries a slice leaves out at an end; none where it says nothing."""
    if limit in (NONE, negative(NONE)):
        return 0
    value = static(limit) if is_static(limit) else None
    return value if type(value) is int and value > 0 else None


def _loops(body: Iterable[Stmt]) -> list[Loop]:
    """The loops over range(n)."""
    return [
        stmt
        for stmt in statements(body)
        if isinstance(stmt, Loop)
        and isinstance(stmt.over, Apply)
        and stmt.over.op == "range"
        and (stmt.over.args[0], stmt.over.args[-1]) == (FIRST, ONE)
    ]


def _bounds(loop: Loop, made: dict[Var, Expr]) -> set[Var]:
    """The variables of which the number of rounds is the least."""
    assert isinstance(loop.over, Apply)
    found: set[Var] = set()
    todo = [loop.over.args[1]]
    while todo:
        one = todo.pop()
        if isinstance(one, Apply) and one.op == LEAST:
            todo += one.args
        if isinstance(one, Ref):
            found.add(one.var)
            value = made.get(one.var)
            todo += [value] if isinstance(value, Apply) and value.op == LEAST else []
    return found


def _left_out(length: Expr | None, parts: dict[Var, _Part]) -> tuple[Var, int] | None:
    """The array that len is asked of, and how many of its entries are not counted."""
    if not isinstance(length, Apply) or length.op != "len":
        return None
    array = length.args[0]
    if not isinstance(array, Ref):
        return None
    part = parts.get(array.var)
    return (array.var, 0) if part is None else (part.base, part.less)


def _lengths(
    body: tuple[Stmt, ...],
    made: dict[Var, Expr],
    counted: Counter[Var],
    parts: dict[Var, _Part],
) -> tuple[dict[Var, Var], set[Var]]:
    """n for n = len(part), and all that only says how many rounds a loop makes."""
    lengths: dict[Var, Var] = {}
    for var, value in made.items():
        if isinstance(value, Apply) and value.op == "len":
            part = value.args[0]
            if isinstance(part, Ref) and part.var in parts:
                lengths[var] = part.var
    read = Counter(
        var
        for loop in _loops(body)
        if isinstance(loop.over, Apply) and isinstance(loop.over.args[1], Ref)
        for var in [loop.over.args[1].var]
    )
    stops: set[Var] = set()
    for var in reversed(made):  # what reads a length stands behind it
        value = made[var]
        if read[var] != counted[var]:
            continue
        stops.add(var)
        if isinstance(value, Apply) and value.op == LEAST:
            read.update(one.var for one in value.args if isinstance(one, Ref))
    return lengths, stops


def _rows(body: Iterable[Stmt], index: Var) -> Iterable[Var]:
    """The variables of which statements read rows by an index, as often as they do."""
    for stmt in statements(body):
        for expr in own_expressions(stmt):
            for node in subexpressions(expr):
                row = _row(node)
                if row is not None and row[1] == Ref(index):
                    yield row[0]


def _row(node: Expr) -> tuple[Var, Expr] | None:
    """x and i of x[i] and x[i, j]."""
    if not isinstance(node, Apply) or node.op != "getitem":
        return None
    base, key = node.args
    first = key.args[0] if isinstance(key, Apply) and key.op == "tuple" else key
    return (base.var, first) if isinstance(base, Ref) else None


def _by_places(primal: Function, parts: dict[Var, _Part]) -> Function:
    def changed(node: Expr) -> Expr:
        row = _row(node)
        if row is None or row[0] not in parts:
            return node
        assert isinstance(node, Apply)
        part, first, key = parts[row[0]], row[1], node.args[1]
        place = add(first, Const(part.start)) if part.start else first
        if isinstance(key, Apply) and key.op == "tuple":
            return getitem(Ref(part.base), replace(key, args=(place, *key.args[1:])))
        return getitem(Ref(part.base), place)

    rounds: dict[Var, tuple[Var, int]] = {}

    def counted(let: Let) -> Let:
        found = _rounds(let, parts, rounds)
        if found is None:
            return let
        rounds[let.var] = found
        length = call("len", Ref(found[0]))
        less = subtract(length, Const(found[1])) if found[1] else length
        return replace(let, value=less)

    body = map_expressions(primal.body, lambda expr: rewrite(expr, changed))
    return replace(primal, body=map_lets(body, counted))


def _rounds(
    let: Let, parts: dict[Var, _Part], known: dict[Var, tuple[Var, int]]
) -> tuple[Var, int] | None:
    """The array, and how much less than its length a number of rounds is."""
    value = let.value
    if not isinstance(value, Apply) or value.op != LEAST:
        return _left_out(value, parts)
    args = [arg.var for arg in value.args if isinstance(arg, Ref)]
    both = [known[one] for one in args if one in known]
    alike = len(both) == 2 and both[0][0] == both[1][0]
    return max(both, key=itemgetter(1)) if alike else None
