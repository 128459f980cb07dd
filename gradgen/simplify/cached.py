"""What a round keeps for the way back is one record, not a list for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Carried,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import getitem
from gradgen.ir.sharing import changes
from gradgen.ir.walk import all_defined, reads, rewrite, statements, with_blocks
from gradgen.ir.walk import with_expressions
from gradgen.simplify.kept_lists import Kept, entry, kept_lists
from gradgen.simplify.rounds import plural, singular
from gradgen.simplify.rows_read import rows_read

# The record of most of a round, in the first loop that keeps one and in others; what
# enters a round; and what is left. A nest keeps caches.
NAMES, STATES, OTHERS = ("cache", "history", "trace"), "states", "others"
# what a name had when a round began
BEFORE = "before"
# so many values may get a name for it
EARLY = 2


NAMED = (Origin.USER, Origin.PARAM)


def cached(function: Function, supply: Supply) -> Function:
    """The function with one list where a loop keeps several values of a round.

        before:  for t in range(T):
                     hs.append(h)
                     gate = np.tanh(w * h)
                     gates.append(gate)
                     new = np.sin(h)
                     news.append(new)
        after:   for t in range(T):
                     gate = np.tanh(w * h)
                     new = np.sin(h)
                     cache.append((h, gate, new))

    The way back takes them apart in one line: `h, gate, new = cache[t]`. A value whose
    name gets another value before the others are there is called x_before until then;
    more than two such go into a record of their own. On the way back, of two with
    one name that which entered the round is x_before.
    """
    found, plain = kept_lists(function), rows_read(function)
    if plain is not function:
        others = kept_lists(plain)
        if len(others) > len(found):
            function, found = plain, others
    together: dict[object, list[Kept]] = {}
    for kept in found:
        key = kept.place, *(id(level.loop) for level in kept.levels)
        together.setdefault(key, []).append(kept)
    records: list[_Record] = []
    names = iter(NAMES)
    for members in together.values():
        groups, early = _joined(_groups(members))
        for name, group in _named([one for one in groups if len(one) > 1], names):
            records.append(_Record(group, name, supply, early))
    if not records:
        return function
    _tell_apart(records)
    return replace(function, body=_rewritten(function.body, records))


def _groups(members: list[Kept]) -> Iterator[list[Kept]]:
    """The values that one line of the round can keep, in as few lines as possible.

    A value may be kept from where it is appended now, until the name that the user
    gave it is given to another; a copy until something changes in place.
    """
    body = members[0].loop.body
    at = {id(stmt): i for i, stmt in enumerate(body)}
    starts = {id(kept): at[id(kept.levels[0].append)] for kept in members}
    ends = {id(kept): _end(kept.item, body, starts[id(kept)]) for kept in members}
    left = sorted(members, key=lambda kept: starts[id(kept)])
    while left:
        until = min(ends[id(kept)] for kept in left)
        yield [kept for kept in left if starts[id(kept)] < until]
        left = [kept for kept in left if starts[id(kept)] >= until]


def _joined(
    groups: Iterable[list[Kept]],
) -> tuple[list[list[Kept]], set[int]]:
    """The groups that one record can keep, and the values that get a name for it.

    Those are the user's, whose names get other values before the last of the round are
    there. A record of its own would cost more lines than these names do.
    """
    done: list[list[Kept]] = []
    early: dict[int, Kept] = {}
    for group in groups:
        before = done[-1] if done else []
        # one value at least needs a name, else they were one group
        lines = _cost(before) + _cost(group) - 3 if before else 0
        if lines < 2:
            done.append(group)
            continue
        found = [kept for kept in before if not _lasts(kept, group)]
        names = early | {id(kept): kept for kept in found}
        whole = {kept.item for kept in names.values()}
        may = all(isinstance(kept.item, Ref) for kept in found)
        may = may and all(kept.item.var.origin in NAMED for kept in found)
        may = may and len(whole) == len(names) <= EARLY
        if may and lines > len(found):
            done[-1] = before + group
            early = names
        else:
            done.append(group)
    return done, set(early)


def _cost(group: list[Kept]) -> int:
    """How many lines keep a group: a list, what appends to it, and what reads it."""
    return 3 if len(group) > 1 or _line(group[0]) is not None else 2


def _lasts(kept: Kept, group: list[Kept]) -> bool:
    """Whether a value may be kept where the last of a group are."""
    body = kept.loop.body
    at = {id(stmt): i for i, stmt in enumerate(body)}
    last = max(at[id(one.levels[0].append)] for one in group)
    return last < _end(kept.item, body, at[id(kept.levels[0].append)])


def _end(item: Expr, body: tuple[Stmt, ...], start: int) -> int:
    for i in range(start + 1, len(body)):
        if not isinstance(item, Ref):
            if _changes(body[i], item):
                return i
        elif item.var.origin in NAMED and item.var.name in {
            var.name for var in all_defined((body[i],))
        }:
            return i
    return len(body)


def _changes(stmt: Stmt, item: Expr) -> bool:
    """Whether what is read by an expression may change in place in a statement.

    s[-1] is another one behind s.append(y).
    """
    if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
        if stmt.value.op == "append":
            return stmt.value.args[0] in {Ref(var) for var in reads(item)}
        return changes(stmt)
    return not isinstance(stmt, Let)


def _named(
    groups: list[list[Kept]], names: Iterator[str]
) -> Iterator[tuple[str, list[Kept]]]:
    """The groups with the names of their records; one without a word is left out."""
    others = [OTHERS]
    largest = max(groups, key=len, default=[])
    for group in groups:
        inners = [Ref(slot.inner) for slot in group[0].loop.carried]
        if group is largest:
            yield next(names, NAMES[0]), group
        elif all(kept.item in inners for kept in group):
            yield STATES, group
        elif others:
            yield others.pop(), group


def _tell_apart(records: list[_Record]) -> None:
    """Calls what entered a round x_before, where a later x of the round is kept too."""
    for record in records:
        there = [one for one in records if one.back is record.back]
        for i, kept in enumerate(record.group):
            var = record.taken[i]
            inners = [Ref(slot.inner) for slot in kept.loop.carried]
            named = [one.name for other in there for one in other.taken]
            if var.origin is Origin.USER and kept.item in inners:
                if named.count(var.name) > 1:
                    name = f"{var.name}_{BEFORE}"
                    record.taken[i] = replace(var, name=name, origin=Origin.LOCAL)


class _Record:
    """The lists of a group as one: fresh variables, and what takes them apart."""

    def __init__(
        self, group: list[Kept], name: str, supply: Supply, early: set[int]
    ) -> None:
        self.group, self.back = group, group[0].back
        # what a value is called between its place and that of the record
        self.early = {
            id(kept): supply.var(f"{kept.item.var.name}_{BEFORE}", Origin.LOCAL)
            for kept in group
            if id(kept) in early
        }
        self.levels = []
        for _ in group[0].levels:
            self.levels.append([supply.var(name, Origin.SAVED) for _ in range(4)])
            name = plural(name)
        self.whole = supply.var(name, Origin.SAVED)
        # the lines of the way back that take a value from its list give way
        self.lines = [_line(kept) for kept in group]
        self.taken = [
            _taken(kept, line, supply, self.early.get(id(kept)))
            for kept, line in zip(group, self.lines, strict=True)
        ]
        # what is kept for two is there once
        self.own: list[int] = []
        several = len({kept.item for kept in group}) > 1
        for i, kept in enumerate(group):
            first = next((j for j in self.own if group[j].item == kept.item), i)
            first = first if several else i
            if first == i or self.lines[i] is not None or id(kept) in early:
                self.own.append(i)
            else:
                self.taken[i] = self.taken[first]

    def entry(self, level: int) -> Carried:
        """What goes round in the loop of a level."""
        start, inner, end, out = self.levels[level]
        return Carried(inner, Ref(start), Ref(end), out)

    def start(self, level: int, note: Note) -> Let:
        """The empty list, before the loop."""
        return Let(self.levels[level][0], Apply("list", ()), note)

    def append(self, level: int, note: Note) -> Let:
        """The line of a round that keeps the record, or the inner loop's list."""
        _, inner, end, _ = self.levels[level]
        items = tuple(
            Ref(self.early[id(kept)]) if id(kept) in self.early else kept.item
            for kept in (self.group[i] for i in self.own)
        )
        item = Ref(self.levels[level - 1][3]) if level else Apply("tuple", items)
        return Let(end, Apply("append", (Ref(inner), item)), note)

    def apart(self) -> Iterator[Let]:
        """The first line of the round on the way back."""
        value: Expr = Ref(self.levels[-1][3])
        for key in self.group[0].place:
            value = getitem(value, key)
        note = Note(Role.GRAD)
        yield Let(self.whole, value, note)
        for place, i in enumerate(self.own):
            item = getitem(Ref(self.whole), Const(place))
            yield Let(self.taken[i], item, note)


def _line(kept: Kept) -> Let | None:
    """The line of the way back that only names the value."""
    for stmt in kept.back.body:
        if isinstance(stmt, Let) and _reads(stmt.value) == (
            kept.whole,
            len(kept.levels),
        ):
            return stmt
    return None


def _reads(expr: Expr) -> tuple[Var, int] | None:
    """The list that an expression reads an entry of, and how deep."""
    read = entry(expr)
    return read and (read[0], len(read[1]))


COPIES = ("numpy.copy", "numpy.positive")


def _taken(kept: Kept, line: Let | None, supply: Supply, early: Var | None) -> Var:
    """The variable of the way back, which has the name of the primal's."""
    item = kept.item
    if early is not None:
        var = supply.var(early.name, Origin.LOCAL) if line is None else line.var
        return replace(var, name=early.name, origin=Origin.LOCAL)
    if isinstance(item, Apply) and item.op in COPIES:
        item = item.args[0]
    if not isinstance(item, Ref):
        name = singular(kept.levels[0].slot.inner.name)
        return supply.var(name, Origin.LOCAL) if line is None else line.var
    user = item.var.origin in NAMED
    origin = Origin.USER if user else Origin.TEMP
    if line is None:
        var = supply.var(item.var.name, origin)
    else:
        var = replace(line.var, origin=origin)
    return var if user else replace(var, of=item.var)


def _rewritten(body: Iterable[Stmt], records: list[_Record]) -> tuple[Stmt, ...]:
    """The block with the records in place of the lists."""
    # statements that go, and those that stand where the last of a group stood
    instead: dict[int, list[Stmt]] = {}
    slots: dict[Var, list[Carried]] = {}
    firsts: dict[int, list[Let]] = {}
    body = tuple(body)
    order = {id(stmt): i for i, stmt in enumerate(statements(body))}
    for record in records:
        for number in range(len(record.levels)):
            levels = [kept.levels[number] for kept in record.group]
            for level in levels:
                instead[id(level.start)] = instead[id(level.append)] = []
                slots[level.slot.inner] = []
            slots[levels[0].slot.inner] = [record.entry(number)]
            first = min((level.start for level in levels), key=lambda s: order[id(s)])
            instead[id(first)] = [record.start(number, first.note)]
            last = max((level.append for level in levels), key=lambda s: order[id(s)])
            instead[id(last)] = [record.append(number, last.note)]
            if not number:
                for kept in record.group:
                    var, own = record.early.get(id(kept)), kept.levels[0].append
                    if var is not None:
                        instead[id(own)] = [Let(var, kept.item, own.note)]
        firsts.setdefault(id(record.back), []).extend(record.apart())
        instead |= {id(line): [] for line in record.lines if line is not None}

    taken = {
        (kept.whole, len(kept.levels)): Ref(var)
        for record in records
        for kept, var in zip(record.group, record.taken, strict=True)
    }

    def read(expr: Expr) -> Expr:
        found = _reads(expr)
        return expr if found is None else taken.get(found, expr)

    def change(expr: Expr) -> Expr:
        return rewrite(expr, read)

    def block(source: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in source:
            if id(stmt) in instead:
                yield from instead[id(stmt)]
                continue
            # which entry it is may have been kept as well, in another record
            first = [with_expressions(one, change) for one in firsts.get(id(stmt), ())]
            stmt = with_expressions(stmt, change)
            if isinstance(stmt, Loop):
                carried = [
                    one
                    for slot in stmt.carried
                    for one in slots.get(slot.inner, [slot])
                ]
                stmt = replace(stmt, carried=tuple(carried))
            stmt = with_blocks(stmt, block)
            if first:
                assert isinstance(stmt, Loop)
                stmt = replace(stmt, body=(*first, *stmt.body))
            yield stmt

    return tuple(block(body))
