"""Instances that a call which stays one hands over as they are: slope(self, state)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gradgen.frontend.lowering.callees import Unkept
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Apply, Const, Expr, Ref

# the fact of an instance, of which no gradient is asked for as a whole
INSTANCE = ":str"


def hold_first(lowering: Lowering) -> None:
    """Notes what the objects and containers hold that arguments are."""
    every = lowering.state.versions.items()
    lowering.held_first = {x: own for x, own in every if isinstance(own, Apply)}


def given_instance(lowering: Lowering, handle: Expr) -> Expr | None:
    """What stands for an argument's object or container in a call.

    None where it is none. Raises Unkept where something has been stored into it.
    """
    found: Expr | None = None
    for own, var, _ in lowering.instances:
        if own == handle:
            found = Ref(var)
    for name, own in lowering.containers.items():
        if own == handle:
            found = Const(name, name)
    if found is None or not lowering.callees.chosen:
        return None
    if not is_as_given(lowering):
        raise Unkept("what its instance holds is changed")
    return found


def name_of(value: Expr) -> str:
    """What an argument is called that a call hands over as it is."""
    return value.var.name if isinstance(value, Ref) else str(getattr(value, "text", ""))


def is_as_given(lowering: Lowering) -> bool:
    """Whether the objects that arguments are hold what they held at first."""
    state = lowering.state
    held = all(state.versions.get(v) == one for v, one in lowering.held_first.items())
    arrays = (var for var in lowering.leaf_paths if state.version(var) != Ref(var))
    stored = lowering.left or lowering.own_dictionaries
    return held and not (stored or any(True for _ in arrays))


def with_instances(
    lowering: Lowering, source: Source, handed: Mapping[str, Expr]
) -> Source:
    """The source of a called function whose arguments `handed` are a caller's objects.

    What is known of their arrays there is known in the function as well.
    """
    own = lowering.root.source
    first = source.node.args.args[0].id if source.node.args.args else ""
    facts: dict[str, str] = {}
    for name, value in handed.items():
        label = name_of(value)
        every = (held for _, var, held in lowering.instances if Ref(var) == value)
        held = next(every, None)
        if held is None:
            pass  # a container, of which a fact tells
        elif name == first:
            source = replace(source, receiver=held, instance=own.instance)
        else:
            source = replace(source, objects=(*source.objects, (name, held)))
        for place, fact in own.assumed:
            if place.startswith((f"{label}.", f"{label}[")):
                facts[name + place.removeprefix(label)] = fact
    return replace(source, assumed=tuple(facts.items()), as_set=own.as_set)


def texts_of(lowering: Lowering, handed: Mapping[str, Expr]) -> dict[str, str]:
    """The facts of the containers that a call hands over, by the names they have there."""
    known = {name: name_of(value) for name, value in handed.items()}
    return {x: lowering.texts[y] for x, y in known.items() if y in lowering.containers}
