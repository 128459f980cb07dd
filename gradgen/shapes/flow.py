"""Facts of a block of statements: through branches and around loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gradgen.errors import GradgenError, InternalError
from gradgen.ir.nodes import Apply, Branch, Carried, Const, Expr, Function, Let, Loop
from gradgen.ir.nodes import Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE
from gradgen.ir.walk import lets, reads, reads_of
from gradgen.shapes.begun import (
    begins_with_number,
    is_spread_at_once,
    smaller_at_first,
    shapes_inside,
)
from gradgen.shapes.complexes import refuse_complex
from gradgen.shapes.conflicts import refused
from gradgen.shapes.counted import bare
from gradgen.shapes.dims import Dim
from gradgen.shapes.growing import refuse_growth
from gradgen.shapes.infer import Facts
from gradgen.shapes.numbers import numbers
from gradgen.shapes.several import refuse_whole
from gradgen.shapes.kinds import Kind, joined
from gradgen.shapes.least_lengths import least_lengths, tell_of_slices
from gradgen.shapes.spans import learn_span, rounds
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, Within, equal, whole
from gradgen.shapes.shape import within
from gradgen.shapes.spec import RANK_0, entries_told, read_sort
from gradgen.shapes.statics import is_static
from gradgen.shapes.unified import learn_contracted, unify
from gradgen.shapes.varying import varies

ROUNDS = 50


def infer(
    function: Function, shapes: Mapping[str, Shape], complexes: Iterable[str] = ()
) -> Facts:
    """The facts of a primal, from the shapes of its parameters by name.

    `complexes` are the names of the parameters that are complex. They are found once
    more where entries of other values tell how long a slice is.

    A parameter without a shape gets one of unknown rank. Raises GradgenError,
    naming the line, when shapes conflict.
    """
    facts = _of_parameters(function, shapes, complexes)
    facts.spans |= least_lengths(facts, function)
    _learn_body(facts, function.body)
    more = least_lengths(facts, function)
    if tell_of_slices(facts, more):
        facts = _of_parameters(function, shapes, complexes)
        facts.spans |= more
        _learn_body(facts, function.body)
    return facts


def _of_parameters(
    function: Function, shapes: Mapping[str, Shape], complexes: Iterable[str]
) -> Facts:
    given = {
        param.var: shapes.get(param.label) or whole(param.label)
        for param in function.params
    }
    labels = {param.var: param.label for param in function.params}
    kinds_told = {v: k for v, k in numbers(function) if labels[v] not in shapes}
    given |= dict.fromkeys(kinds_told, SCALAR)
    # A number stays weak; what nothing is known of is taken for an array.
    kinds = {v: Kind.WEAK if s == SCALAR else Kind.LIKE for v, s in given.items()}
    kinds |= kinds_told
    for param in function.params:
        sort = read_sort(param.fact)
        if sort is not None:
            kinds[param.var] = sort
            if param.fact is not None and param.fact.startswith(":"):
                given[param.var] = SCALAR
        elif is_static(param.fact):
            given[param.var], kinds[param.var] = SCALAR, Kind.OTHER
        elif param.fact == RANK_0:
            given[param.var], kinds[param.var] = SCALAR, Kind.LIKE
    facts = Facts(given, kinds, {v for v, name in labels.items() if name in complexes})
    facts.labels = labels
    facts.sized = {one.var: one.size for one in function.params if one.size}
    told = ((param.var, entries_told(param.fact)) for param in function.params)
    facts.entries |= {var: entries for var, entries in told if entries is not None}
    nones = (param.var for param in function.params if param.default == "None")
    facts.optional = frozenset(var for var in nones if given[var].rank is None)
    facts.bare = frozenset(var for var in bare(function) if labels[var] not in shapes)
    return facts


def _learn_body(facts: Facts, body: Iterable[Stmt]) -> None:
    """The facts of a function's statements.

    Sizes that an operation takes for equal are a refusal. It tells of all that the
    statements take for equal from there on, once the sizes before are.
    """
    refusal: GradgenError | None = None
    for stmt in body:
        while True:
            try:
                learn_block(facts, (stmt,))
                break
            except (GradgenError, InternalError) as error:
                told = error if isinstance(error, GradgenError) else None
                refusal, first = refusal or told, refusal is None
                if refusal is None:
                    raise
                if told is None or not told.unequal:
                    raise refusal from None
                if not first:
                    surely = told.surely and not told.stretches
                    more = told.unequal, surely, told.contracted
                    refusal.further.append(more)
                if not unify(facts, told.unequal):
                    raise refusal from None
    if refusal is not None:
        refusal.twins = tuple(facts.twins)
        raise refusal


def learn_block(facts: Facts, body: Iterable[Stmt], path: tuple[Any, ...] = ()) -> None:
    """Adds what follows for the variables of a block. Raises GradgenError."""
    for stmt in body:
        try:
            if isinstance(stmt, Let):
                refuse_complex(stmt.value, facts.complexes)
                facts.learn(stmt)
                refuse_growth(stmt.value, facts)
                refuse_whole(stmt, facts)
                facts.homes[stmt.var] = path
                if not path:
                    learn_contracted(facts, stmt.value)
            elif isinstance(stmt, Branch):
                learn_branch(facts, stmt, path)
            elif isinstance(stmt, Loop):
                learn_loop(facts, stmt, path)
        except GradgenError as error:
            raise error.at(stmt.note.place) from None
        except ShapeConflict as error:
            raise refused(facts, stmt, error, bool(path)) from None


def learn_branch(facts: Facts, branch: Branch, path: tuple[Any, ...] = ()) -> None:
    """The facts of both arms, and of the values that leave them."""
    learn_block(facts, branch.then, (*path, (branch.mark, True)))
    learn_block(facts, branch.orelse, (*path, (branch.mark, False)))
    for merge in branch.merges:
        both = (merge.then, merge.orelse)
        ways = [way for way in both if not _is_bottom(facts, way)]
        facts.ways[merge.var] = tuple(ways)
        _set(facts.bottom, merge.var, not ways)
        _join(facts, merge.var, ways)
        if facts.shapes[merge.var].rank is None:
            facts.shapes[merge.var] = _largest(facts, merge.var, ways)
        facts.homes[merge.var] = path
        if _may_be_unset(facts, merge.then) or _may_be_unset(facts, merge.orelse):
            facts.unset.add(merge.var)


def _is_bottom(facts: Facts, way: Expr) -> bool:
    return way == Const(None) or isinstance(way, Ref) and way.var in facts.bottom


def _set(found: set[Var], var: Var, belongs: bool) -> None:
    (found.add if belongs else found.discard)(var)


def _may_be_unset(facts: Facts, way: Expr) -> bool:
    return way == Const(None) or isinstance(way, Ref) and way.var in facts.unset


def _join(facts: Facts, var: Var, ways: list[Expr]) -> None:
    """One variable that has one of several values."""
    shapes = [facts.of(way) for way in ways]
    alike = bool(shapes) and all(equal(shapes[0], shape) for shape in shapes)
    facts.shapes[var] = shapes[0] if alike else facts.fresh()
    for shape in shapes[1:]:
        _note_twins(facts, shapes[0], shape)
    facts.kinds[var] = joined(map(facts.kind, ways))
    if any(map(facts.is_complex, ways)):
        facts.complexes.add(var)
    if ways and all(map(facts.is_list, ways)):
        entries = [facts.entries_of(way) for way in ways]
        found = [entry for entry in entries if entry is not None]  # not the empty ones
        alike = all(equal(found[0], entry) for entry in found)
        facts.entries[var] = None if not found else found[0] if alike else facts.fresh()
        examples = [facts.example(way) for way in ways]
        example = next((one for one in examples if one is not None), None)
        if example is not None:
            facts.examples[var] = example
        counts = {facts.count_of(way) for way in ways}
        facts.note_count(var, counts.pop() if len(counts) == 1 else None)


def _largest(facts: Facts, var: Var, ways: list[Expr]) -> Shape:
    """The shape of one of several values, all of which broadcast to the largest.

    before:  if weights is None: weights = np.ones(n)       weights (<n)
    after:   weights broadcasts to (n), whichever it is
    """
    shapes = [facts.of(way) for way in ways]
    for shape in shapes:
        bases = [atom.base for atom in shape.atoms if isinstance(atom, Within)]
        top = bases[0] if len(bases) == len(shape.atoms) == 1 else shape
        if top.rank and all(one <= top for one in shapes):
            return within(facts.fresh_name(), top)
    return facts.shapes[var]


def _note_twins(facts: Facts, one: Shape, other: Shape) -> None:
    """Notes the sizes that differ in two shapes of one variable, of one rank."""
    pairs = list(zip(one.dims or (), other.dims or ()))
    if one.rank == other.rank:
        facts.twins += [(x, y) for x, y in pairs if x != y and x.names | y.names]


def learn_loop(facts: Facts, loop: Loop, path: tuple[Any, ...] = ()) -> None:
    """The facts of a loop's body that hold in every round.

    A carried variable has its entry's shape, where the body keeps it. What starts from a
    number has the shape of what is added to it, or that it is multiplied with; after the
    loop it broadcasts to that, as there may be no round. Others have a shape that nothing is known of.
    """
    inside = (*path, (loop.mark, None))
    for var in (loop.index, loop.count):
        facts.shapes[var], facts.kinds[var] = SCALAR, Kind.COUNT
    facts.homes[loop.index], facts.homes[loop.count] = inside, path
    learn_span(facts, loop)
    for slot in loop.carried:
        if facts.is_list(slot.entry):
            facts.entries[slot.inner] = facts.entries_of(slot.entry)
            facts.counts[slot.inner] = facts.fresh_dim()
            example = facts.example(slot.entry)
            if example is not None:
                facts.examples[slot.inner] = example
    guesses = {slot.inner: facts.of(slot.entry) for slot in loop.carried}
    unset = {s.inner for s in loop.carried if _is_bottom(facts, s.entry)}
    facts.bottom |= unset
    for slot in loop.carried:
        if _may_be_unset(facts, slot.entry):
            facts.unset |= {slot.inner, slot.exit}
    guesses.update((var, facts.fresh()) for var in unset)
    kinds = {slot.inner: facts.kind(slot.entry) for slot in loop.carried}
    stages = dict.fromkeys(guesses, 0)
    opened: set[Var] = set()
    first: dict[Var, dict[Var, Shape]] = {}
    for _ in range(ROUNDS):
        for slot in loop.carried:
            facts.shapes[slot.inner] = guesses[slot.inner]
            if facts.is_complex(slot.entry):
                facts.complexes.add(slot.inner)
            facts.kinds[slot.inner] = kinds[slot.inner]
            facts.homes[slot.inner] = inside
        learn_block(facts, loop.body, inside)
        settled = True
        for slot in loop.carried:
            if not _is_bottom(facts, slot.next):
                facts.bottom.discard(slot.inner)
            settled = _same_entries(facts, loop, slot, opened) and settled
            if slot.inner not in facts.complexes and facts.is_complex(slot.next):
                facts.complexes.add(slot.inner)
                settled = False
            kind = joined((kinds[slot.inner], facts.kind(slot.next)))
            if kind is not kinds[slot.inner]:
                kinds[slot.inner], settled = kind, False
            after = facts.of(slot.next)
            if stages[slot.inner] == 2 or equal(after, guesses[slot.inner]):
                continue
            settled = False
            _note_twins(facts, guesses[slot.inner], after)
            grows = slot.inner in unset or begins_with_number(facts, slot)
            grows = grows and not varies(facts, after, loop)
            if grows and stages[slot.inner] == 0:
                guesses[slot.inner], stages[slot.inner] = after, 1
                first[slot.inner] = shapes_inside(facts, loop)
            else:
                guesses[slot.inner], stages[slot.inner] = facts.fresh(), 2
        for slot in loop.carried if settled else ():
            if stages[slot.inner] == 1 and slot.inner not in unset:
                own = first[slot.inner]
                if not _is_sum(loop, slot) and not is_spread_at_once(
                    facts, loop, slot, own
                ):
                    guesses[slot.inner], stages[slot.inner] = facts.fresh(), 2
                    settled = False
        if settled:
            break
    else:
        raise InternalError("the facts of a loop do not settle")
    for slot in loop.carried:
        for var in (slot.inner, slot.exit):
            facts.ways[var] = slot.entry, slot.next
        known = stages[slot.inner] < 2
        if stages[slot.inner] == 1 and slot.inner not in unset:
            facts.begun |= smaller_at_first(facts, slot, first[slot.inner])
        facts.shapes[slot.exit] = guesses[slot.inner] if known else facts.fresh()
        # without a round it is a number, or has no value at all
        if stages[slot.inner] == 1 and _may_have_no_round(facts, loop):
            if facts.shapes[slot.exit] != SCALAR and slot.inner not in unset:
                larger = guesses[slot.inner]
                facts.shapes[slot.exit] = within(facts.fresh_name(), larger)
        # After one round at least; what no round has changed is a number.
        facts.kinds[slot.exit] = facts.kind(slot.next)
        if kinds[slot.inner] is not Kind.MIXED:
            facts.kinds[slot.exit] = kinds[slot.inner]
        facts.homes[slot.exit] = path
        if slot.inner in facts.complexes:
            facts.complexes.add(slot.exit)
        _set(facts.bottom, slot.exit, _is_bottom(facts, slot.next))
        if loop.over is None and loop.test is None:
            # while True has made a round
            _set(facts.unset, slot.exit, _may_be_unset(facts, slot.next))
        if slot.inner in facts.entries:
            facts.entries[slot.exit] = facts.entries[slot.inner]
            if slot.inner in facts.examples:
                facts.examples[slot.exit] = facts.examples[slot.inner]
            facts.note_count(slot.exit, _count_after(facts, loop, slot))


def _count_after(facts: Facts, loop: Loop, slot: Carried) -> Dim | None:
    """How many entries a list has after a loop, each round of which adds as many.

    before:  for t in range(len(x)): out.append(x[t])       x (n), out has k
    after:   out has k + n
    """
    first = facts.count_of(slot.entry) if facts.is_list(slot.entry) else None
    before, after = facts.counts.get(slot.inner), facts.count_of(slot.next)
    if first is None or before is None or after is None:
        return None
    more = after - before
    if any(name.startswith("?") for name in more.names):
        return None  # each round may add another number of them
    return first + more * rounds(facts, loop)


def _may_have_no_round(facts: Facts, loop: Loop) -> bool:
    """Whether a loop may end before its first round, as far as is known."""
    if loop.over is None:
        return loop.test is not None
    bounds = [one.value for one in loop.over.args if isinstance(one, Const)]
    if loop.over.op == "range" and len(bounds) == len(loop.over.args):
        return not range(*bounds)
    return (rounds(facts, loop).number or 0) < 1


def _same_entries(facts: Facts, loop: Loop, slot: Carried, opened: set[Var]) -> bool:
    """Whether a list's entries are after a round what they were taken for.

    Nothing is known of those that are `opened`, as each round may make others.
    """
    if slot.inner not in facts.entries:
        return True
    before, after = facts.entries[slot.inner], facts.entries_of(slot.next)
    example = facts.example(slot.next)
    if example is not None and facts.depth(example) != facts.depth(
        facts.example(Ref(slot.inner))
    ):
        facts.examples[slot.inner] = example
        return False
    if before is None and after is not None:
        changing = after.dims is not None and varies(facts, after, loop)
        facts.entries[slot.inner] = facts.fresh() if changing else after
        opened |= {slot.inner} if changing else set()
        return False
    if slot.inner in opened or before is None or after is None:
        return True
    if not equal(before, after):
        facts.entries[slot.inner] = facts.fresh()
        opened.add(slot.inner)
        return False
    return True


def _is_sum(loop: Loop, slot: Carried) -> bool:
    """Whether a slot is only added to."""
    readers = [let for let in lets(loop.body) if slot.inner in reads(let.value)]
    count = sum(1 for stmt in loop.body for v in reads_of(stmt) if v == slot.inner)
    if len(readers) != 1 or count != 1 or slot.next != Ref(readers[0].var):
        return False
    value = readers[0].value
    if not isinstance(value, Apply) or value.op not in ADDITIVE:
        return False
    return value.args[0] == Ref(slot.inner) or (
        value.op == "numpy.add" and value.args[1] == Ref(slot.inner)
    )
