"""Names that each round binds to another instance: from round to round go its fields.

before:  for _ in range(n): p = p.step(dt)
after:   for _ in range(n): p_x, p_y = p_x + dt * p_y, p_y - dt * p_x
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gradgen.frontend.lowering.guess import Guess, Slot
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import State, field_names, is_object
from gradgen.frontend.lowering.memory import is_structure, map_leaves, same_structure
from gradgen.ir.nodes import Apply, Expr, Ref, Var


def as_value(lowering: Lowering, handle: Expr, state: State) -> Expr:
    """An instance as its fields are now; what is none as it is.

    What is stored into the instance later is not seen in the value, so it is refused.
    """
    seen: dict[Var, type] = {}
    value = _fields(handle, state, seen)
    lowering.memory.valued |= seen
    return value


def _fields(handle: Expr, state: State, seen: dict[Var, type]) -> Expr:
    """The fields of an instance, and of those that it holds, which are `seen`."""
    if is_structure(handle):
        return map_leaves(lambda leaf: _fields(leaf, state, seen), handle)
    known = state.held(handle)
    if not is_object(known) or not isinstance(handle, Ref) or handle.var in seen:
        return handle
    seen[handle.var] = known.cls
    return replace(known, args=tuple(_fields(one, state, seen) for one in known.args))


def alike(lowering: Lowering, before: Expr, now: Expr, state: State) -> Expr:
    """What a name holds at the end of a round, in the nesting that it had at its start."""
    known = now if is_structure(now) else state.held(now)
    if same_structure(before, now) or not is_structure(known):
        return now
    if not same_structure(before, _fields(now, state, {})):
        return now
    return as_value(lowering, now, state)


def are_alike(slot: Slot, before: State, end: State) -> bool:
    """Whether a name is bound to an instance of the same class and fields at the end."""
    first = before.held(slot.entry)
    last = None if slot.end is None else end.held(slot.end)
    if not isinstance(slot.place[0], tuple) or not is_object(first):
        return False
    if not is_object(last) or first.outer or last.outer:
        return False
    return first.cls is last.cls and field_names(first) == field_names(last)


def stays(
    lowering: Lowering, guess: Guess, before: State, place: tuple[Any, ...], entry: Ref
) -> bool:
    """Whether a container is an instance, or held by the one of a buffer.

    before:  self.items = []                    after:   self.items is the same list in
             for x in xs:                                each round, and grows
                 self.items.append((x, f(x)))
                 self.last = x
    """
    versions, key = before.versions, place[0]
    known = versions.get(entry.var)
    if not isinstance(known, Apply) and entry.var not in lowering.memory.lists:
        return False
    holder = None if isinstance(key, tuple) else versions.get(key)
    return is_object(known) or is_object(holder) and place not in guess.rebound
