"""Instances that a call which stays one hands over as they are: slope(self, state)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gradgen.frontend.lowering.callees import Unkept
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Expr, Function, Ref

# the fact of an instance, of which no gradient is asked for as a whole
INSTANCE = ":str"


def given_instance(lowering: Lowering, handle: Expr) -> Ref | None:
    """What stands for an argument's object in a call; None where it is no such object.

    Raises Unkept where something has been stored into it.
    """
    for own, var, _ in lowering.instances:
        if own == handle and lowering.callees.chosen:
            if not is_as_given(lowering):
                raise Unkept("what its instance holds is changed")
            return Ref(var)
    return None


def is_as_given(lowering: Lowering) -> bool:
    """Whether the objects that arguments are hold what they held at first."""
    state = lowering.state
    held = all(state.versions.get(v) == one for v, one in lowering.held_first.items())
    arrays = (var for var in lowering.leaf_paths if state.version(var) != Ref(var))
    return held and not lowering.left and next(arrays, None) is None


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
        held, label = next(
            (held, var.name) for _, var, held in lowering.instances if Ref(var) == value
        )
        if name == first:
            source = replace(source, receiver=held, instance=own.instance)
        else:
            source = replace(source, objects=(*source.objects, (name, held)))
        for place, fact in own.assumed:
            if place.startswith((f"{label}.", f"{label}[")):
                facts[name + place.removeprefix(label)] = fact
    return replace(source, assumed=tuple(facts.items()), as_set=own.as_set)


def with_facts(function: Function, facts: Mapping[str, str]) -> Function:
    """The function with what is known of its parameters, by what these are called."""
    params = (replace(p, fact=facts.get(p.label, p.fact)) for p in function.params)
    return replace(function, params=tuple(params))
