"""Functions that a primal calls in several places: of each the text has one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from itertools import takewhile

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed
from gradgen.frontend.lowering.callees import Identity, identity
from gradgen.frontend.source.source import Source
from gradgen.ir.callee import Callee, callee_of
from gradgen.ir.nodes import Apply, Function, Note, Ref, Role
from gradgen.ir.walk import lets, map_expressions, substitute
from gradgen.pipeline.attempts import HELPER, NothingMore, Text, statements_in
from gradgen.pipeline.conventions import compared_to_told, primal_of
from gradgen.pipeline.linking import callees
from gradgen.pipeline.readings import Readings, facts_told
from gradgen.request.options import Request
from gradgen.shapes.callees import common, described
from gradgen.shapes.infer import Facts
from gradgen.target.table import target_named

Texts = tuple[str | None, ...]

# a text of fewer statements is not written a second time
LEAST = 30
# of four statements one goes at least, or calls are written out
SHARE = 0.75


def with_calls(
    emit: Callable[[Source], Text],
    short: Callable[[Source], tuple[Source, Text, object]],
    request: Request,
    way: Source,
    found: Text,
    read: Iterable[Function],
) -> tuple[Source, Text]:
    """The text found, or one with calls of what is called in several places, if shorter.

    `short` may assume more of its arguments.

    before:  k1 = ...; k2 = ...; k3 = ...; k4 = ...     # each as long as slope
    after:   k1, backprop_k1 = vjp_slope(y)
             k2, backprop_k2 = vjp_slope(y + h / 2 * k1)
    """
    every = (one for function in read for one in function.repeated)
    names = tuple((one, ()) for one in dict.fromkeys(every))
    if not names or not _may_have_calls(request) or statements_in(found.text) < LEAST:
        return way, found
    other = replace(way, kept=names)
    for made in (lambda one: (one, emit(one), None), short):
        try:
            own, text, _ = made(other)
        except (GradgenError, NothingMore):
            return way, found
        more = text.text.count(HELPER) > found.text.count(HELPER)
        if not more and statements_in(text.text) <= SHARE * statements_in(found.text):
            return own, text
    return way, found


def _may_have_calls(request: Request) -> bool:
    """Whether a text of this form may have functions of its own beside the gradient."""
    compiled = target_named(request.library, request.module).compiled
    plain = not (request.keep_calls or request.stable or request.fast or compiled)
    return plain and request.mode == "reverse"


def primal_with_calls(
    source: Source, request: Request, readings: Readings
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function as IR, and what is assumed of its arguments.

    That is found of the function with all calls written out, and holds of the one with
    calls as well; what these are given is known by it. Raises GradgenError.
    """
    if not source.kept:
        return primal_of(source, request, readings)
    whole, found = primal_of(replace(source, kept=()), request, readings)
    read, bare = readings.origin(whole)
    facts = {param.label: param.fact for param in whole.params}
    told = {
        param.label: facts[param.label]
        for param in bare.params
        if facts.get(param.label) not in (None, param.fact)
    }
    assumed = tuple({**dict(read.assumed), **told}.items())
    again = replace(read, kept=source.kept, assumed=assumed)
    kept = _with_facts(readings.read_again(again, whole), facts)
    told = _given(kept, facts_told(marked(kept, readings.supply), request))
    if told:
        known = tuple((one, told.get(one, ())) for one, _ in source.kept)
        kept = _with_facts(
            readings.read_again(replace(again, kept=known), whole), facts
        )
    own = {param.label: Ref(param.var) for param in kept.params}
    values = {param.var: own[param.label] for param in whole.params}
    first = takewhile(lambda stmt: stmt.note == Note(Role.FORWARD), whole.body)
    looks = map_expressions(tuple(first), lambda expr: substitute(expr, values))
    new = tuple(stmt for stmt in looks if stmt not in kept.body)
    kept = replace(kept, body=(*new, *kept.body))
    primal = marked(kept, readings.supply)
    return compared_to_told(primal, found, request, readings), found


def _with_facts(function: Function, facts: dict[str, str | None]) -> Function:
    """The function with what is known of its parameters, by what these are called."""
    params = (replace(p, fact=facts.get(p.label, p.fact)) for p in function.params)
    return replace(function, params=tuple(params))


def _given(primal: Function, facts: Facts) -> dict[Identity, Texts]:
    """What all calls of a function have in common, where one that is read alone has less.

    before:  for _ in range(n): y = step(y)       # y (n) when it was read
    after:   step: y (3), as every round goes on with three entries
    """
    every = [(facts, primal), *((one.facts, one.body) for one in callees(primal))]
    texts: dict[Identity, list[tuple[Callee, Texts]]] = {}
    for known, function in every:
        for let in lets(function.body):
            if isinstance(let.value, Apply) and let.value.op == "kept":
                callee = callee_of(let.value)
                own = described(known, let.value.args[1:])
                texts.setdefault(identity(callee.source), []).append((callee, own))
    return {
        one: reduce(common, (own for _, own in calls))
        for one, calls in texts.items()
        if _are_alike(calls) and any(own != callee.texts for callee, own in calls)
    }


def _are_alike(calls: list[tuple[Callee, Texts]]) -> bool:
    """Whether calls hand over the same arguments, of the same ranks."""
    ranks = {
        (callee.params, *(None if own is None else len(own.split()) for own in texts))
        for callee, texts in calls
    }
    sorts = {tuple(own and own[:1] == ":" for own in texts) for _, texts in calls}
    return len(ranks) == len(sorts) == 1
