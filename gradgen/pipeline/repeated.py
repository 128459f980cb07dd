"""Functions that a primal calls in several places: of each the text has one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from functools import reduce
from itertools import takewhile

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed
from gradgen.frontend.lowering.callees import Identity, identity
from gradgen.frontend.source.source import Source
from gradgen.ir.callee import Callee, callee_of
from gradgen.ir.nodes import Apply, Const, Expr, Function, Note, Ref, Role, Var
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import lets, map_expressions, substitute
from gradgen.pipeline.attempts import HELPER, LONGEST, NothingMore, statements_in
from gradgen.pipeline.conventions import compared_to_told, primal_of
from gradgen.pipeline.emitted import Emitted
from gradgen.pipeline.linking import callees
from gradgen.pipeline.readings import Readings, facts_told
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.shapes.callees import common, described, is_number, renamed
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import FITS
from gradgen.target.table import target_named

Texts = tuple[str | None, ...]
Kept = tuple[tuple[Identity, Texts], ...]
Call = tuple[Callee, Texts]

# a text with calls has at most so many of the statements, and is so much shorter
SHARE, FEWER = 0.85, 8
# an operation of a called function has at most so many statements in the text
STATEMENTS = 2


def with_calls(
    short: Callable[[Source], tuple[Source, Emitted, object]],
    request: Request,
    way: Source,
    found: Emitted,
    readings: Readings,
) -> tuple[Source, Emitted]:
    """The text found, or one with calls of what is called in several places, if shorter.

    `short` may assume more of its arguments. With keep_calls all calls stay calls
    anyway, and what they are given is known by what is written out. In process they are
    written out: nobody reads that.

    before:  k1 = ...; k2 = ...; k3 = ...; k4 = ...     # each as long as slope
    after:   k1, backprop_k1 = vjp_slope(y)
             k2, backprop_k2 = vjp_slope(y + h / 2 * k1)
    """
    asked = request.keep_calls
    if not _may_have_calls(request) or way.at_hand and not asked:
        return way, found
    if asked:
        try:
            read = [readings.lowered(way, replace(request, keep_calls=False))]
        except GradgenError:  # one that calls itself, say
            return way, found
    else:
        read = list(readings.functions)
    least = 1 if asked else 2
    every = (one for each in read for one, at, _ in each.called if at >= least)
    names = tuple((one, ()) for one in dict.fromkeys(every))
    long = statements_in(found.text)
    most = long if asked else min(SHARE * long, long - FEWER)
    gone = STATEMENTS * max((_operations(each, least) for each in read), default=0)
    if not names or not asked and (long < 2 * FEWER or long - gone > most):
        return way, found
    try:
        own, other, _ = short(replace(way, kept=names))
    except (GradgenError, NothingMore):
        return way, found
    known = {(one.name, one.rank) for one in found.assumed}
    more = [one for one in other.assumed if (one.name, one.rank) not in known]
    tried = found.text.count("\n") <= LONGEST  # whether more was assumed of these
    if tried and not asked and any(one.rank >= 0 for one in more):
        return way, found  # it is for other arguments
    if other.decided != found.decided:
        return way, found
    if other.text.count(HELPER) > found.text.count(HELPER):
        return way, found
    return (own, other) if statements_in(other.text) <= most else (way, found)


def _operations(read: Function, least: int) -> int:
    """How many operations are written out of functions that are called in more places."""
    return sum(operations for _, places, operations in read.called if places >= least)


def _may_have_calls(request: Request) -> bool:
    """Whether a text of this form may have functions of its own beside the gradient."""
    compiled = target_named(request.library, request.module).compiled
    plain = not (request.stable or request.fast or compiled)
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
    plain = replace(request, keep_calls=False)
    whole, found = primal_of(replace(source, kept=()), plain, readings)
    read, bare = readings.origin(whole)
    facts = _facts_of(whole, facts_told(whole, request))
    new = {param.label: facts.get(param.label) for param in bare.params}
    same = {param.label: param.fact for param in bare.params}
    learned = {x: own for x, own in new.items() if own is not None and own != same[x]}
    assumed = tuple({**dict(read.assumed), **learned}.items())
    again = replace(read, kept=source.kept, assumed=assumed)
    assumed_of = {param.label for param in whole.params if param.assumed}

    def reading(kept: Kept) -> tuple[Function, dict[Identity, list[Call]]]:
        function = readings.read_again(replace(again, kept=kept), whole)
        function = _as_assumed(function.told(facts), assumed_of)
        known = facts_told(marked(function, readings.supply), request)
        return function, _calls(function, known)

    kept, calls = reading(source.kept)
    told: dict[Identity, Texts] = {x: _in_common(every) for x, every in calls.items()}
    if any(told.values()):
        other, calls = reading(
            tuple((one, told.get(one, ())) for one, _ in source.kept)
        )
        if all(_holds(told.get(one, ()), every) for one, every in calls.items()):
            kept = other
    if _needs_parts(kept, request):
        raise NothingMore
    own = {param.label: Ref(param.var) for param in kept.params}
    values: dict[Var, Expr] = {p.var: own[p.label] for p in whole.params}
    first = takewhile(lambda stmt: stmt.note == Note(Role.FORWARD), whole.body)
    looks = map_expressions(tuple(first), lambda expr: substitute(expr, values))
    looks = tuple(stmt for stmt in looks if stmt not in kept.body)
    kept = replace(kept, body=(*looks, *kept.body))
    primal = marked(kept, readings.supply)
    return compared_to_told(primal, found, request, readings), found


def _needs_parts(kept: Function, request: Request) -> bool:
    """Whether calls are handed objects of which gradients are asked, or that change.

    So are containers.

    A callback gives none of what an object holds, and reads it when it runs.
    """
    handed = [
        arg
        for let in lets(kept.body)
        if isinstance(let.value, Apply) and let.value.op == "kept"
        for arg in let.value.args[1:]
    ]
    variables = {arg.var for arg in handed if isinstance(arg, Ref)}
    objects = {p.bundle for p in kept.params if not p.path and p.var in variables}
    objects |= {arg.text for arg in handed if isinstance(arg, Const) and arg.text}
    asked = {path_of(name)[0] for name in request.wrt or ()}
    sharing = Sharing(kept.body)
    held = (p.var for p in kept.params if p.bundle in objects - {""} and p.path)
    return not asked.isdisjoint(objects) or any(map(sharing.is_changed, held))


def _facts_of(whole: Function, known: Facts) -> dict[str, str | None]:
    """What is known of each parameter, by what it is called: what the body asks as well.

    before:  state: "n", of a, b, c = state
    after:   state: "3"
    """
    facts = {param.label: param.fact for param in whole.params}
    arrays = [p for p in whole.params if known.rank(Ref(p.var))]
    texts = described(known, [Ref(p.var) for p in arrays])
    for param, text in zip(arrays, texts, strict=True):
        if text is not None and ":" not in (param.fact or ""):
            facts[param.label] = text.replace("?", "")
    return facts


def _as_assumed(function: Function, assumed: Set[str]) -> Function:
    """The function with the rank of these assumed: that tells nothing of their entries."""
    params = (replace(p, assumed=p.label in assumed) for p in function.params)
    return replace(function, params=tuple(params))


def _calls(primal: Function, facts: Facts) -> dict[Identity, list[Call]]:
    """The calls of each function, and what is known of the arguments of each."""
    every = [(facts, primal), *((one.facts, one.body) for one in callees(primal))]
    found: dict[Identity, list[Call]] = {}
    for known, function in every:
        for let in lets(function.body):
            if isinstance(let.value, Apply) and let.value.op == "kept":
                callee = callee_of(let.value)
                own = _of_call(callee, described(known, let.value.args[1:]))
                found.setdefault(identity(callee.source), []).append((callee, own))
    return found


def _in_common(calls: list[Call]) -> Texts:
    """What calls of a function have in common, where it was read for other facts.

    before:  for _ in range(n): y = step(y)       # y (n) when step was read
    after:   y (3), as every round goes on with three entries

    A call of which less is known may be of what another one gives.
    """
    known = [(callee, own) for callee, own in calls if None not in own]
    places = zip(*(own for _, own in known), strict=False)
    alike = len({callee.params for callee, _ in known}) == 1 and all(
        map(_agree, places)
    )
    settled = len({renamed(callee.texts) for callee, _ in calls}) == 1
    if not alike or settled and all(own == callee.texts for callee, own in calls):
        return ()
    return reduce(common, (own for _, own in known))


def _agree(texts: Iterable[str | None]) -> bool:
    """Whether facts tell of as many axes, or of numbers and what broadcasts to axes."""
    sorts = {text: _sort(text) for text in texts}
    others = {sort for text, sort in sorts.items() if not is_number(text)}
    fitting = all(isinstance(sort, tuple) and sort[0] for sort in others)
    return len(set(sorts.values())) == 1 or len(others) == 1 and fitting


def _sort(text: str | None) -> object:
    """How many axes a fact tells of, or of which sort a number is."""
    is_named = text is not None and text.startswith((":", "*", f"{FITS}*"))
    if text is None or is_named:
        return text
    return text.startswith(FITS), len(text.removeprefix(FITS).split())


def _holds(told: Texts, calls: list[Call]) -> bool:
    """Whether what is told of a function's calls is true of each."""
    return not told or all(
        len(own) == len(told) and renamed(common(own, told)) == renamed(told)
        for _, own in calls
    )


def _of_call(callee: Callee, found: Texts) -> Texts:
    """The facts of a call's arguments; what is no array stays what it is told to be."""
    pairs = zip(callee.texts, found, strict=True)
    return tuple(told if (told or "").startswith(":") else own for told, own in pairs)
