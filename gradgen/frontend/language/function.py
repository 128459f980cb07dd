"""The function as a whole: its parameters, its statements, its results."""

from __future__ import annotations

from typing import Any

from gradgen.errors import GradgenError, gather
from gradgen.frontend.calls.arguments import surely_raised
from gradgen.frontend.calls.by_entries import with_entries
from gradgen.frontend.calls.given_instances import hold_first
from gradgen.frontend.calls.kept import through_itself
from gradgen.frontend.calls.parameters import final_parameters, hint_of_result
from gradgen.frontend.calls.parameters import own_parameters
from gradgen.frontend.calls.results import results, wish_for_results
from gradgen.frontend.calls.settings import looks
from gradgen.frontend.control.bindings import begin, raise_where
from gradgen.frontend.control.branches import block, leave
from gradgen.frontend.control.module_names import hold_outer, refuse_bound
from gradgen.frontend.heap.arguments_changed import other_keys
from gradgen.frontend.heap.one_object import one_object
from gradgen.frontend.heap.stores import taken_apart
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.prune import prune
from gradgen.frontend.source.falling import raising
from gradgen.frontend.source.names import is_mark
from gradgen.frontend.source.rest import may_have_more
from gradgen.frontend.source.source import parameters
from gradgen.ir.nodes import Const, Function, Note, Role
from gradgen.ir.walk import own_expressions, statements, subexpressions


LAST = "return result, as the last statement"
WITHOUT = "a way to compute it that does not raise"


@answers(Lowering.lowered)
def lowered(lowering: Lowering) -> Function:
    """The whole function."""
    hold_outer(lowering)
    params = tuple(own_parameters(lowering))
    hold_first(lowering)
    if not lowering.callees.working and lowering.callees.must_stay(lowering.source):
        _call_itself(lowering)
    else:
        begin(lowering, lowering.frame)
        taken_apart(lowering, lowering.frame)
        for test, told in lowering.guards:
            raise_where(lowering, test, ValueError, told)
        try:
            source = lowering.source
            ended = (source.at_hand or source.ended) and not lowering.of
            block(lowering, raising(source.node) if ended else source.node.body)
        except Refusal:  # of what arms hand on, which no statement gives up
            raise gather(_once(lowering.problems)) from None
    if not lowering.state.dead and not lowering.problems:
        refuse_bound(lowering)
    values, structure = results(lowering)
    if (not values or REFUSED in values) and not lowering.problems:
        name, last = lowering.source.node.name, lowering.source.node.body[-1]
        told, advice = f"{name} returns nothing that can be told", LAST
        raised = surely_raised(lowering)
        if raised is not None:
            told, advice = f"{name} surely raises {raised}", WITHOUT
        elif lowering.given_up and not values:  # in every arm that returns
            lowering.problems += lowering.given_up
        if raised is not None or not lowering.problems:
            lowering.problem("GG111", told, last, advice)
    if lowering.problems:
        refusal = gather(_once(lowering.problems))
        refusal.unequal = refusal.unequal or lowering.unequal
        raise refusal
    name, context = lowering.source.node.name, tuple(lowering.context.items())
    function = Function(
        name,
        (*final_parameters(lowering, params), *lowering.captured.values()),
        (
            *looks(lowering, params),
            *other_keys(lowering),
            *one_object(lowering),
            *lowering.preamble,
            *lowering.body,
        ),
        values,
        context=context,
        structure=structure,
        bundles=tuple(lowering.bundles.items()),
        hint=hint_of_result(lowering),
        chooser=lowering.chooser,
        decided=(*lowering.decisions, *lowering.settings),
        starred=may_have_more(lowering.source) and not lowering.source.at_hand,
        left=(*lowering.left, *sorted(lowering.own_dictionaries)),
        keys_found=()
        if lowering.source.at_hand
        else tuple(sorted(lowering.keys_found)),
        counted=() if lowering.source.at_hand else tuple(sorted(lowering.counted)),
        called=lowering.callees.called,
        handled=tuple(one for one, alone in lowering.handled.items() if alone),
    )
    pruned = with_entries(prune(function, lowering.renamed), lowering.facts)
    _refuse_marks(lowering, pruned)
    return pruned


def _refuse_marks(lowering: Lowering, function: Function) -> None:
    """Refuses what computes with an object that stands for itself alone, or returns it."""
    last = Note(Role.FORWARD, (), lowering.source.place(lowering.source.node.body[-1]))
    found = [
        (s.note, one) for s in statements(function.body) for one in own_expressions(s)
    ]
    for note, expr in (*found, *((last, value) for value in function.values)):
        for one in subexpressions(expr):
            if isinstance(one, Const) and is_mark(one.value):
                raise GradgenError(
                    "GG211",
                    f"a {type(one.value).__name__} is not a plain number",
                    advice="a parameter of the function",
                ).at(note.place)


def _call_itself(lowering: Lowering) -> None:
    """Writes the function as one call of it: what it does is told elsewhere."""
    node = lowering.source.node
    given = ", ".join(arg.id for arg in parameters(node))
    lowering.start(node, "out", f"return {node.name}({given})")
    mark = lowering.mark()
    try:
        value = through_itself(lowering)
    except Refusal:
        return leave(lowering, REFUSED)
    wish_for_results(lowering, value, mark)
    leave(lowering, value)


def _once(problems: list[GradgenError]) -> list[GradgenError]:
    """Each problem once, though loops are read more than once."""
    seen: dict[tuple[Any, ...], GradgenError] = {}
    for problem in problems:
        for each in problem.problems:
            place = (each.code, each.file, each.line, each.column, each.message)
            seen.setdefault(place, each)
    return list(seen.values())
