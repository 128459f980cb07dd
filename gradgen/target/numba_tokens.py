"""What a statement is in a loop nest: its work at one place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Loop, Note, Ref
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import MADE_LISTS
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import all_defined, lets, reads, statements
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, ShapeConflict
from gradgen.shapes.spans import learn_span

NEW, SET, ADD, SUM = "new", "set", "add", "sum"
# an array of zeros like a variable that is not made yet
ZEROS = "zeros_for"


@dataclass(frozen=True)
class Item:
    """What a nest does at each place of `dims`: one entry of an array, or of a sum.

    `of` is the array that the entry at `place` is of, before it (`base`) and after.
    A NEW one is made before the nest; SUM adds to a number. `before` are statements that
    the nest needs, `read` the arrays that it reads, with their places. Where `rest` are
    places of further axes, the value is an array of these, which is stored entry by entry.
    """

    kind: str
    dims: tuple[Dim, ...]
    of: Var
    base: Var | None
    place: tuple[Expr, ...]
    value: Expr
    note: Note
    read: tuple[tuple[Var, tuple[Expr, ...]], ...]
    before: tuple[Let, ...] = ()
    rest: tuple[Var, ...] = ()


Token = Let | Item


def learned(function: Function, facts: Facts) -> Facts:
    """The facts, with those of what the passes before have named.

    A list of which nothing is known has the entries that it gets, also in tuples. A name that a loop goes on with has the shape
    that it enters with, where its rounds keep it.
    """
    facts = facts.copy()
    for seed in function.seeds:
        whole = facts.shapes.get(seed.of) if seed.of is not None else None
        facts.shapes.setdefault(seed, whole or facts.fresh())
        facts.kinds.setdefault(seed, Kind.LIKE)
    unknown = {let.var for let in lets(function.body) if not _is_known(let.var, facts)}
    for _ in range(_SWEEPS):
        before = _known(facts)
        _learn_spans(function, facts)
        for let in lets(function.body):
            _learn(let, facts)
        _learn_carried(function.body, facts)
        _learn_numbers(function.body, facts)
        _learn_entries(function, unknown, facts)
        _learn_unpacked(function, facts)
        if _known(facts) == before:
            break
    for var in all_defined(function.body):
        facts.shapes.setdefault(var, facts.fresh())
        facts.kinds.setdefault(var, Kind.OTHER)
    _learn_spans(function, facts)
    return facts


def _learn_spans(function: Function, facts: Facts) -> None:
    """From where to where the loops go, those of the way back too."""
    for stmt in statements(function.body):
        if isinstance(stmt, Loop) and stmt.over is not None:
            if all(_is_known(var, facts) for var in reads(stmt.over)):
                learn_span(facts, stmt)
                if stmt.index is not None and facts.size_of(stmt.index) in facts.spans:
                    facts.shapes[stmt.index] = SCALAR
                    facts.kinds[stmt.index] = Kind.COUNT


# what is learned of an entry tells of what is read of it, and this of other entries
_SWEEPS = 4


def _known(facts: Facts) -> tuple[int, int, int]:
    """How much is known: of names, of what lists hold, of ranks."""
    ranks = sum(one.rank is not None for one in facts.shapes.values())
    return len(facts.shapes), len(facts.entries), ranks


def _is_known(var: Var, facts: Facts) -> bool:
    return var in facts.shapes and var in facts.kinds


def _learn(let: Let, facts: Facts) -> None:
    value = let.value
    if isinstance(value, Apply) and value.op in ("setitem", "additem", "add_at"):
        base = value.args[0]  # a store leaves the shape, whatever is stored
        if isinstance(base, Ref) and _is_known(base.var, facts):
            if not _is_known(let.var, facts) or _is_blank(let.var, facts):
                facts.shapes[let.var] = facts.shapes[base.var]
                facts.kinds.setdefault(let.var, facts.kinds[base.var])
        return
    blank = _is_blank(let.var, facts)
    known = all(_is_known(v, facts) for v in reads(value))
    if _is_known(let.var, facts) and not blank or not known:
        return
    if facts.is_list(Ref(let.var)):
        return
    if isinstance(value, Apply) and value.op in (*MADE_LISTS, "tuple", "append"):
        return
    try:
        shape, kind = facts.of(_filled(value)), facts.kind(value)
    except (ShapeConflict, KeyError):
        return
    if not blank:
        facts.shapes[let.var], facts.kinds[let.var] = shape, kind
    elif shape.rank is not None:
        facts.shapes[let.var] = shape


def _filled(value: Expr) -> Expr:
    """np.empty((max(n, 0), m)) as np.empty((n, m)), as long as a loop over range(n)."""
    if not isinstance(value, Apply) or value.op != "numpy.empty":
        return value
    shape = value.args[0]
    if not isinstance(shape, Apply) or shape.op != "tuple":
        return value
    first = shape.args[0]
    rounds = isinstance(first, Apply) and first.spelling == "name:max"
    if not rounds or first.args[1:] != (Const(0),):
        return value
    shape = replace(shape, args=(first.args[0], *shape.args[1:]))
    return replace(value, args=(shape, *value.args[1:]))


def _is_blank(var: Var, facts: Facts) -> bool:
    """Whether the rank of a name is unknown: a list's that a pass has made an array."""
    return _is_known(var, facts) and facts.shapes[var].rank is None


def _learn_carried(body: tuple[Stmt, ...], facts: Facts) -> None:
    """The shapes of what enters a loop for the names that it goes on with."""
    sharing = Sharing(body)
    for stmt in statements(body):
        if not isinstance(stmt, Loop):
            continue
        for one in stmt.carried:
            if not all(_is_known(var, facts) for var in reads(one.entry)):
                continue
            if facts.is_list(one.entry):
                continue
            shape, kind = facts.of(one.entry), facts.kind(one.entry)
            # an array that is stored into keeps the shape that it enters with
            root = sharing.root(one.inner)
            same = isinstance(one.next, Ref) and sharing.root(one.next.var) == root
            for var in (one.inner, one.exit):
                blank = same and _is_blank(var, facts)
                if shape.rank and (blank or not _is_known(var, facts)):
                    kind = facts.kinds[var] if _is_blank(var, facts) else kind
                    facts.shapes[var], facts.kinds[var] = shape, kind


def _learn_numbers(body: tuple[Stmt, ...], facts: Facts) -> None:
    """That sums are numbers which begin with one: total = 0.0, and total += x[i]."""
    loops = [stmt for stmt in statements(body) if isinstance(stmt, Loop)]
    slots = [one for loop in loops for one in loop.carried]
    begun: set[Var] = set()
    for one in slots:  # those of outer loops before those of inner ones
        inner = isinstance(one.entry, Ref) and one.entry.var in begun
        if not _is_known(one.inner, facts) and (inner or _is_number(one.entry, facts)):
            begun.add(one.inner)
    slots = [one for one in slots if one.inner in begun]
    while slots:
        trial = facts.copy()
        for slot in slots:
            kind = _kind(slot.entry, facts)
            for var in (slot.inner, slot.exit):
                trial.shapes[var], trial.kinds[var] = SCALAR, kind
        for let in lets(body):
            _learn(let, trial)
        wide = {let.var for let in lets(body) if _adds_an_array(let, trial)}
        sure = [
            one
            for one in slots
            if all(_is_number(way, trial, wide) for way in (one.entry, one.next))
        ]
        if len(sure) == len(slots):
            break
        slots = sure
    for slot in slots:
        first = _kind(slot.entry, facts)
        kind = first if first is trial.kind(slot.next) else Kind.LIKE
        for var in (slot.inner, slot.exit):
            facts.shapes[var], facts.kinds[var] = SCALAR, kind


def _kind(value: Expr, facts: Facts) -> Kind:
    """The sort of what enters a loop; that of a sum where it is one of a loop around."""
    known = all(_is_known(var, facts) for var in reads(value))
    return facts.kind(value) if known else Kind.LIKE


def _is_number(value: Expr, facts: Facts, wide: Collection[Var] = ()) -> bool:
    known = all(_is_known(v, facts) and v not in wide for v in reads(value))
    return known and not facts.is_list(value) and facts.rank(value) == 0


def _adds_an_array(let: Let, facts: Facts) -> bool:
    """Whether what is added may have axes: it has the shape of what it is added to."""
    if not isinstance(let.value, Apply) or let.value.op != "accumulate":
        return False
    return not _is_number(let.value.args[1], facts)


def _learn_entries(function: Function, unknown: set[Var], facts: Facts) -> None:
    """What lists hold that the passes made to keep values."""
    sharing = Sharing(function.body)
    held: dict[Var, list[Expr]] = {}
    for let in lets(function.body):
        if isinstance(let.value, Apply) and let.value.op == "append":
            held.setdefault(sharing.root(let.var), []).append(let.value.args[1])
    for var in all_defined(function.body):
        found = held.get(sharing.root(var))
        fresh = var in unknown or facts.kinds.get(var, Kind.OTHER) is Kind.OTHER
        if found is None or var in facts.entries or not fresh:
            continue
        known = all(_is_known(v, facts) for one in found for v in reads(one))
        if not known or any(_is_odd(one, facts) for one in found):
            continue
        shapes = {facts.of(one) for one in found}
        if len(shapes) == 1 and shapes != {None}:
            facts.entries[var] = shapes.pop()
            facts.shapes[var] = facts.fresh()
            facts.kinds[var] = max(facts.kind(one) for one in found)


def _learn_unpacked(function: Function, facts: Facts) -> None:
    """What is read of the tuples that a list has got: h, y = cache[t]."""
    sharing, held = Sharing(function.body), dict[Var, list[tuple[Expr, ...]]]()
    made = {let.var: let.value for let in lets(function.body)}
    for let in lets(function.body):
        if isinstance(let.value, Apply) and let.value.op == "append":
            entry = let.value.args[1]
            entries = entry.args if isinstance(entry, Apply) else ()
            is_tuple = isinstance(entry, Apply) and entry.op == "tuple"
            held.setdefault(sharing.root(let.var), []).append(
                entries if is_tuple else ()
            )
    for let in lets(function.body):
        item = let.value
        if _is_known(let.var, facts) or not isinstance(item, Apply):
            continue
        if item.op != "getitem" or not isinstance(item.args[1], Const):
            continue
        row = item.args[0]
        row = made.get(row.var, row) if isinstance(row, Ref) else row
        if not isinstance(row, Apply) or row.op != "getitem":
            continue
        base, at = row.args[0], item.args[1].value
        found = held.get(sharing.root(base.var), []) if isinstance(base, Ref) else []
        if len(found) != 1 or type(at) is not int or not 0 <= at < len(found[0]):
            continue
        entry = found[0][at]
        known = all(_is_known(var, facts) for var in reads(entry))
        if known and not _is_odd(entry, facts):
            facts.shapes[let.var] = facts.of(entry)
            facts.kinds[let.var] = facts.kind(entry)


def _is_odd(entry: Expr, facts: Facts) -> bool:
    """Whether an entry is a list or a tuple itself."""
    if isinstance(entry, Apply) and entry.op in (*MADE_LISTS, "tuple"):
        return True
    return facts.is_list(entry)
