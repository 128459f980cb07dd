"""What each round hands on to the one before it unchanged is no variable of the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Carried, Function, Let, Loop, Ref, Role, Stmt, Var
from gradgen.ir.walk import lets, statements, substitute_everywhere, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape
from gradgen.simplify.summed_once import Sums, has_sums, is_sum


def passed_on(function: Function, facts: Facts) -> Function:
    """The function without adjoints of a sum that its rounds pass on to each other.

        before:  for i in reversed(range(len(x))):
                     x_i = x[i]
                     d_x[i] += 2 * _unbroadcast(d_total, x_i) * x_i
                     d_total = _unbroadcast(d_total + np.zeros_like(totals[i]), totals[i])
        after:   for i in reversed(range(len(x))):
                     x_i = x[i]
                     d_x[i] += 2 * _unbroadcast(d_total + np.zeros_like(x_i), x_i) * x_i
                 return d_x

    All that reads d_total sums it further, to what has been added to the total. So
    nothing keeps the totals of the rounds either, whose shapes were asked for.
    """
    while has_sums(function):
        web = next(_webs(function, facts), None)
        if web is None:
            return function
        function = _without(function, web)
    return function


@dataclass(frozen=True)
class _Web:
    """Variables that stand for one adjoint, and the value it has before the loop."""

    members: frozenset[Var]
    entry: Ref


def _webs(function: Function, facts: Facts) -> Iterator[_Web]:
    loops = [
        stmt
        for stmt in statements(function.body)
        if isinstance(stmt, Loop) and stmt.note.role is not Role.FORWARD
    ]
    if not any(map(_hands_on, loops)):
        return
    sums = Sums(function, facts)
    slots = [slot for loop in loops for slot in loop.carried]
    defined = {let.var: let for let in lets(function.body) if let.note.derived}
    for slot in slots:
        if isinstance(slot.entry, Ref):
            members = _members(slot, slots, defined)
            if members and all(_is_summed(var, members, sums) for var in members):
                yield _Web(members, slot.entry)


def _hands_on(loop: Loop) -> bool:
    """Whether a round hands on no more than a sum of what it has been given."""
    summed = {let.var: let.value for let in loop.body if isinstance(let, Let)}
    return any(
        isinstance(slot.next, Ref) and is_sum(summed.get(slot.next.var, slot.entry))
        for slot in loop.carried
    )


def _members(
    first: Carried, slots: Sequence[Carried], defined: Mapping[Var, Let]
) -> frozenset[Var]:
    """What a slot and those within it hand on of the first value; none if it is more."""
    members = {first.inner, first.exit}
    web = [first]
    for slot in slots:  # those of a loop stand before those of the loops in it
        if isinstance(slot.entry, Ref) and slot.entry.var in members:
            if slot is not first:
                members |= {slot.inner, slot.exit}
                web.append(slot)
    for slot in web:
        if not isinstance(slot.next, Ref):
            return frozenset()
        let = defined.get(slot.next.var)
        if let is None or slot.next.var in members:
            continue
        if not is_sum(let.value) or not isinstance(let.value.args[0], Ref):
            return frozenset()
        if let.value.args[0].var not in members:
            return frozenset()
        members.add(let.var)
    handed = {slot.next.var for slot in web if isinstance(slot.next, Ref)}
    return frozenset(members) if handed <= members else frozenset()


def _is_summed(var: Var, members: frozenset[Var], sums: Sums) -> bool:
    """Whether all other readers of a member sum it further."""
    return _is_read_by_sums(var, sums.facts.shapes[var], members, sums)


def _is_read_by_sums(var: Var, of: Shape, members: frozenset[Var], sums: Sums) -> bool:
    """The same of a value of a member's shape; products with it are read by sums."""
    for reader in sums.readers[var]:
        if isinstance(reader, Carried):
            if {reader.inner, reader.exit}.isdisjoint(members):
                return False
        elif reader is None:
            return False
        elif reader.var in members or sums.is_summed_in(reader, var, of, of):
            continue
        elif sums.between(reader, var, of) is None:
            return False
        elif not _is_read_by_sums(reader.var, of, members, sums):
            return False
    return True


def _without(function: Function, web: _Web) -> Function:
    """The function with the first value in place of the members."""

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Let) and stmt.var in web.members:
                continue
            if isinstance(stmt, Loop):
                carried = [s for s in stmt.carried if s.inner not in web.members]
                if len(carried) < len(stmt.carried):
                    stmt = replace(stmt, carried=tuple(carried))
            yield with_blocks(stmt, block)

    whole = replace(function, body=tuple(block(function.body)))
    return substitute_everywhere(whole, dict.fromkeys(web.members, web.entry))
