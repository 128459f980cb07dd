"""Entries of a gradient are read where they stand, and cleared where that is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import IN_PLACE, STORES
from gradgen.ir.walk import blocks, reads, reads_of, subexpressions, substitute
from gradgen.ir.walk import substitute_everywhere, uses, with_blocks
from gradgen.shapes.apart import Written, apart, written
from gradgen.shapes.infer import Facts
from gradgen.simplify.cleared import without
from gradgen.simplify.fold import is_temporary

# so often a number, or a view, is read before it has a name
NUMBERS, VIEWS, IN_ROUNDS = 8, 4, 3


def entries(function: Function, facts: Facts) -> Function:
    """The function that reads entries of a gradient by their places.

        before:  g = d_y[1]
                 d_y = 1.0 * d_y
                 d_y[1] = 0
                 d_b = a * g
                 g_2 = d_y[0]
                 d_c = a * g_2
                 d_a = b * g + c * g_2
        after:   d_b = a * d_y[1]
                 d_c = a * d_y[0]
                 d_a = b * d_y[1] + c * d_y[0]

    The adjoint of an entry that is stored is taken and then cleared. Outside of loops,
    where each entry is stored once, no place that was cleared is read again. In a loop
    an entry that nothing clears is read up to three times, as d_y[t].
    """
    function = _in_rounds(function, facts)
    lets = [stmt for stmt in function.body if isinstance(stmt, Let)]
    found = [let for let in lets if let.note.derived and _taken(let.value) is not None]
    if not found:
        return function
    reading = _Reading(function, lets)
    needless: dict[Var, Expr] = {}
    for chain in _chains(lets, reading):
        if chain.is_needless(reading):
            needless |= dict.fromkeys(chain.order, Ref(chain.root))
    if needless:
        function = substitute_everywhere(without(function, needless), needless)
        lets = [stmt for stmt in function.body if isinstance(stmt, Let)]
        reading = _Reading(function, lets)
    return _unnamed(function, lets, reading, facts)


def _unnamed(
    function: Function, lets: list[Let], reading: _Reading, facts: Facts
) -> Function:
    """The function without names for entries that are read a few times."""
    values: dict[Var, Expr] = {}
    for let in lets:
        source = _taken(let.value)
        if source is None or not let.note.derived or not is_temporary(let):
            continue
        most = VIEWS if facts.rank(let.value) else NUMBERS
        plain = reading.is_plain(let.var) and reading.is_plain(source)
        if plain and reading.counted[let.var] <= most:
            values[let.var] = let.value
            values.pop(source, None)  # a view of which entries are read has a name
    return substitute_everywhere(without(function, values), values)


def _in_rounds(function: Function, facts: Facts) -> Function:
    """The function without names for numbers that rounds of the gradient read."""
    loops = [one for one in function.body if isinstance(one, Loop) and one.note.derived]
    found = {let.var for let in _ours(loops) if _is_number(let, facts)}
    if not found:
        return function
    counted = uses(function)
    found = {var for var in found if counted[var] <= IN_ROUNDS}

    def block(source: Iterable[Stmt]) -> tuple[Stmt, ...]:
        body = [with_blocks(stmt, block) for stmt in source]
        for let in [one for one in body if isinstance(one, Let) and one.var in found]:
            body = _read_again(body, body.index(let), counted[let.var], facts)
        return tuple(body)

    return replace(function, body=block(function.body)) if found else function


def _ours(body: Iterable[Stmt]) -> list[Let]:
    """The names of ours in some loops; most statements are others."""
    found: list[Let] = []
    for stmt in body:
        if not isinstance(stmt, Let):
            for block in blocks(stmt):
                found += _ours(block)
        elif stmt.var.origin is Origin.LOCAL and stmt.note.derived:
            found.append(stmt)
    return found


def _is_number(let: Let, facts: Facts) -> bool:
    """Whether a name of ours stands for a number of an array: g = d_y[t]."""
    value = let.value
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    return isinstance(value.args[0], Ref) and facts.rank(value) == 0


def _read_again(body: list[Stmt], at: int, count: int, facts: Facts) -> list[Stmt]:
    """The block with an entry read where it is needed, of the array as it is there."""
    let = body[at]
    assert isinstance(let, Let) and isinstance(let.value, Apply)
    now, key = let.value.args
    done: list[Stmt] = []
    for stmt in body[at + 1 :]:
        if count and not isinstance(stmt, Let):
            return body
        if not count or not isinstance(stmt, Let):
            done.append(stmt)
            continue
        old = stmt.value
        if let.var in reads(old):
            count -= reads(old).count(let.var)
            entry = replace(let.value, args=(now, key))
            stmt = replace(stmt, value=substitute(old, {let.var: entry}))
        done.append(stmt)
        if isinstance(old, Apply) and old.op in IN_PLACE and old.args[0] == now:
            if count and not (old.op in STORES and apart(facts, key, old.args[1])):
                return body
            now = Ref(stmt.var)
    return body if count else [*body[:at], *done]


class _Reading:
    """How often variables are read, and which of them by statements of no block."""

    def __init__(self, function: Function, lets: list[Let]) -> None:
        self.counted: Counter[Var] = Counter()
        for stmt in function.body:
            self.counted.update(reads_of(stmt))
        self.here: Counter[Var] = Counter()
        self.changed: set[Var] = set()
        for let in lets:
            self.here.update(reads(let.value))
            if isinstance(let.value, Apply) and let.value.op in IN_PLACE:
                self.changed.update(reads(let.value.args[0]))
        for value in (*function.values, *(one.value for one in function.results)):
            self.counted.update(reads(value))

    def is_plain(self, var: Var) -> bool:
        """Whether plain statements alone read a variable, and none changes it."""
        return self.counted[var] == self.here[var] and var not in self.changed


@dataclass
class _Chain:
    """An array, and its states as places of it are set to zero one after the other."""

    root: Var
    order: dict[Var, int] = field(default_factory=dict)
    cleared: dict[Written, int] = field(default_factory=dict)
    seen: Counter[Var] = field(default_factory=Counter)
    known: bool = True

    def is_needless(self, reading: _Reading) -> bool:
        """Whether nothing reads a place that was set to zero, or the whole array."""
        if not self.known or len({kind for kind, _ in self.cleared}) != 1:
            return False
        return all(reading.counted[var] == self.seen[var] for var in self.order)


def _chains(lets: list[Let], reading: _Reading) -> Iterator[_Chain]:
    """The arrays that are cleared by places, with what is seen of their states."""
    chains: dict[Var, _Chain] = {}
    for let in lets:
        value = let.value
        if not let.note.derived or not isinstance(value, Apply):
            continue
        if _is_clear(value):
            assert isinstance(value.args[0], Ref)
            base, place = value.args[0].var, written(value.args[1])
            chain = chains.setdefault(base, _Chain(base))
            chain.seen[base] += 1
            number = len(chain.order)
            if place is None or number != chain.order.get(base, -1) + 1:
                chain.known = False
            else:
                chain.cleared.setdefault(place, number)
            chain.order[let.var] = number
            chains[let.var] = chain
            continue
        for node in subexpressions(value):
            source = _taken(node)
            if source in chains and source is not None:
                assert isinstance(node, Apply)
                chain, place = chains[source], written(node.args[1])
                chain.seen[source] += 1
                at = chain.order.get(source, -1)
                kinds = {kind for kind, _ in chain.cleared}
                alike = place is not None and kinds == {place[0]}
                if not alike or place is None or chain.cleared.get(place, at + 1) <= at:
                    chain.known = False
    yield from {id(chain): chain for chain in chains.values()}.values()


def _is_clear(value: Apply) -> bool:
    """Whether it is x[k] = 0 of a variable x."""
    if value.op != "setitem" or value.args[2] not in (Const(0), Const(0.0)):
        return False
    return isinstance(value.args[0], Ref)


def _taken(value: Expr) -> Var | None:
    """The array that an entry or a view is taken of, by a key that is written out."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return None
    base, key = value.args
    return base.var if isinstance(base, Ref) and written(key) is not None else None
