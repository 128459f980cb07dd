"""The stages in order: source, primal, facts, gradient, shorter, text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain

from gradgen.backport.table import offered
from gradgen.backport.texts import for_python
from gradgen.derive.batch import Unbatched
from gradgen.derive.spaced import spaced_out
from gradgen.derive.whole_keys import with_whole_keys
from gradgen.errors import TOO_LARGE, GradgenError, InternalError
from gradgen.facts.words import told_of
from gradgen.facts.declared import (
    complexes_told,
    facts_told,
    numbers_found,
    shapes_told,
    unknown_shapes,
)
from gradgen.facts.required import required
from gradgen.facts.sizes import sizes_alike
from gradgen.frontend.source.source import Source
from gradgen.guard.selecting import SPARE, hazards
from gradgen.ir.callee import Link
from gradgen.ir.factors import factors
from gradgen.ir.library import chosen_by
from gradgen.ir.nodes import Function, Ref, Supply
from gradgen.ir.room import room
from gradgen.pipeline.attributes import with_attributes, with_numbers
from gradgen.pipeline.attempts import NothingMore, first_of, has_places, instances
from gradgen.pipeline.attempts import more_open, shorter, with_loops
from gradgen.pipeline.conventions import is_open, opened, ways_of
from gradgen.pipeline.guesses import other_ways
from gradgen.pipeline.counted import with_open_counts
from gradgen.pipeline.emitted import Emitted
from gradgen.pipeline.hazards import what_is_guarded
from gradgen.pipeline.linking import Linked, Whole, behind, called_by_itself, stopped
from gradgen.pipeline.modes import derived, is_stopped
from gradgen.pipeline.nested import expanded, takes_derivatives
from gradgen.pipeline.observer import UNWATCHED, Watch
from gradgen.pipeline.readings import Readings
from gradgen.pipeline.repeated import primal_with_calls, with_calls
from gradgen.pipeline.context import Context
from gradgen.pipeline.passes import FASTER, LIBRARY, SAFER, SHORTER, applied
from gradgen.pipeline.seeded import refuse_withheld, seeded_results, with_gradient
from gradgen.printer.docstring import Wording
from gradgen.printer.header import header, source_hash
from gradgen.pipeline.telling import captured, changed_arguments
from gradgen.pipeline.telling import has_no_default_seed, shown
from gradgen.printer.headings import headings, no_headings, removed_lines
from gradgen.printer.module import module_text
from gradgen.printer.render import Rendered, render
from gradgen.printer.style import Style
from gradgen.printer.rows import by_rows
from gradgen.request.options import Request
from gradgen.request.wrt import chosen
from gradgen.rules import load
from gradgen.rules.older import count_on
from gradgen.shapes.certain import items_of
from gradgen.shapes.dims import Dim
from gradgen.shapes.display import letters_of
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.simplify.along_rows import along_rows
from gradgen.simplify.alike import alike
from gradgen.simplify.counts import held
from gradgen.simplify.stable import stable
from gradgen.simplify.windows import windows
from gradgen.target.numba_inside import has_computed
from gradgen.target.numba_fence import refuse_uncompiled
from gradgen.target.numba_worth import NotWorth, is_worth
from gradgen.target.table import CHECKED, target_named
from gradgen.target.texts import refuse_helpers, refuse_missing


def run(request: Request, source: Source, watch: Watch = UNWATCHED) -> Emitted:
    """The emitted module for a request; `watch` is told of the stages.

    Raises GradgenError.
    """
    load.use(request.rules)
    count_on(offered(request.python).numpy if request.python else "")
    source = with_numbers(replace(source, real=not request.complex), request)
    if source.decided is not None:
        return first_of(lambda one: run(request, one, watch), instances(source))
    if not source.open_counts:
        source = with_open_counts(source, partial(run, request))
    readings = Readings()
    source = with_attributes(source, request, readings.marked)
    ways = ways_of(request, source)
    refusal: GradgenError | None = None
    codes: set[str] = set()
    others = other_ways(request, ways, codes)
    tried: set[object] = set()
    emit = partial(_emitted, request, watch=UNWATCHED, readings=readings)
    for way in chain(ways, others):
        if way.how in tried:
            continue
        tried.add(way.how)
        try:
            found = emit(way)
        except GradgenError as error:
            # what a way is refused for is no reason where another gets to the shapes
            fits = not way.guess and error.unequal is not None
            if refusal is None or refusal.unequal is None and fits:
                refusal = error
            if any(way is one for one in ways):
                codes |= {problem.code for problem in error.problems}
            if error.code == TOO_LARGE or error.is_final:
                break  # so it is by all ways
            continue
        except NothingMore:
            continue
        unequal = refusal.unequal if refusal else None
        way, found, lengths = _shorter(request, emit, way, found)
        short = partial(_shorter, request, emit)
        way, found = with_loops(emit, short, way, found, readings.functions)
        way, found = with_calls(short, request, way, found, readings)
        unequal = unequal or lengths
        other = opened(request, way)
        if other is not None:
            way, found = more_open(emit, way, other, found)
        if watch is UNWATCHED:
            return replace(found, unequal=unequal)
        return _emitted(request, way, watch, readings, found.left)
    if watch is not UNWATCHED:
        _emitted(request, source, watch, readings)
    assert refusal is not None
    raise refusal


def _shorter(
    request: Request,
    emit: Callable[[Source], Emitted],
    way: Source,
    found: Emitted | None = None,
) -> tuple[Source, Emitted, tuple[Dim, Dim] | None]:
    """The text found, or one that assumes more where that is shorter."""
    found = found or emit(way)
    if (found.unknown or found.helpers and found.assumed) and not request.general:
        return shorter(emit, way, found)
    return way, found, None


def _emitted(
    request: Request,
    source: Source,
    watch: Watch,
    readings: Readings,
    left: bool = False,
) -> Emitted:
    """The text; one that is `left` to NumPy is not compiled by numba."""
    try:
        with room():
            return _run(request, source, watch, readings, left)
    except NotWorth:
        return _emitted(request, source, watch, readings, left=True)
    except (GradgenError, InternalError, NothingMore):
        raise
    except ShapeConflict as error:
        refusal = source.error("GG401", str(error), advice=error.advice)
        refusal.unequal = error.unequal
        raise refusal from None
    except RecursionError:
        raise source.error(
            "GG199",
            "an expression is nested too deeply",
            advice="a name for a part of it",
        ) from None
    except ImportError as error:  # of what stands for a package that is not there
        raise source.error("GG104", str(error), advice="that package, installed")
    except Exception as error:
        kind = type(error).__name__
        raise InternalError(f"{kind} on {source.name}: {error}") from error


def _run(
    request: Request, source: Source, watch: Watch, readings: Readings, left: bool
) -> Emitted:
    supply, asked_for = readings.supply, request
    request = replace(request, library="numpy") if left else request
    primal, found = primal_with_calls(source, request, readings)
    primal, wrt, asked = chosen(primal, request)
    refuse_withheld(primal, request, source)
    bundled = {param.var for param in primal.params if param.bundle}
    if request.mode in ("jacobian", "hessian") and bundled.intersection(wrt):
        raise source.error(
            "GG117",
            f"a {request.mode} in a container is not supported",
            advice="its parts as arguments of a function around it",
        )
    complexes = complexes_told(primal, request)
    given = shapes_told(primal, request)
    primal = required(primal, given)
    facts = infer(primal, given, complexes)
    if takes_derivatives(primal):
        primal = expanded(primal, lambda one: infer(one, given, complexes), supply)
        facts = infer(primal, given, complexes)
    primal, twice = alike(primal, facts, wrt, request.stop)
    stop = stopped(primal, request)
    spaced = spaced_out(primal, wrt, stop, supply)
    spaced = windows(along_rows(with_whole_keys(spaced, facts), facts), facts)
    if twice or spaced is not primal:
        primal, facts = spaced, infer(spaced, given, complexes)
    written = primal
    if request.stable:
        primal = stable(written, facts, supply)
        facts = infer(primal, given, complexes)
    watch.primal(primal, facts)
    wrt = with_gradient(primal, wrt, facts)
    facts.held = held(primal, wrt, facts, {one.name for one in found})
    seeded = seeded_results(primal, facts, source, request, wrt, stop)
    style = Style(request.style == "callback", request.value, request.mode)
    linked = Linked(primal, facts, [style.prefix + primal.name])
    form = primal is not written, request.direction, request.diagonal
    told = told_of(found)
    whole = Whole(primal, wrt, facts, seeded, stop, asked, *form, told, twice, left)
    whole = replace(whole, looks=bool(found))
    own = called_by_itself(whole, request)
    if own is not None:
        linked.links[own] = style.prefix + primal.name
        rendered = []
    else:
        rendered = _rendered_at_once(whole, style, request, linked, supply, watch)
    made: dict[Link, Rendered] = {}
    plain, handled = replace(request, of=(), as_tuple=False), primal.handled
    while len(made) < len(linked.links):
        for link, name in [one for one in linked.links.items() if one[0] not in made]:
            own_style = Style(True, name=name)
            inner = behind(link, request, supply, linked.handed)
            inner = replace(inner, seeded_whole=link != own)
            made[link] = _rendered(inner, own_style, plain, linked, supply, watch)
            handled += inner.primal.handled
    order = [link for link in linked.in_order() if link != own]
    rendered = [made[link] for link in order] + rendered
    if own is not None:
        rendered.append(made[own])  # the function itself is the last
    helpers = tuple(dict.fromkeys(h for one in rendered for h in one.helpers))
    if request.strict and helpers and (unknown := unknown_shapes(primal, facts)):
        raise source.error(
            "GG403",
            f"{source.name} needs the helper {helpers[0]}: shapes are unknown",
            advice=" ".join(f'--shape {name}="..."' for name in unknown),
        )
    target = target_named(request.library, request.module)
    refuse_helpers(helpers, target)
    library = target.library
    if primal.chooser and target.name == "numpy":
        library = chosen_by(primal.chooser)
    texts = [one.function for one in rendered if one.function is not None]
    if target.compiled and any(has_computed(one, facts) for one in texts):
        library = replace(library, decorator=CHECKED)
    body = module_text(rendered, library)
    refuse_missing(body, target)
    longer = helpers or has_places(body)
    unknown = unknown_shapes(primal, facts) if longer else ()
    if request.python:
        body = for_python(body, request.python, source)
    general = request.general and is_open(primal, facts)
    command, shapes = replace(asked_for, general=general).command()
    top = header(request.target, source_hash(source.node), body, command, shapes)
    # without an import the function comes first, two lines below
    gap = "\n\n" if body.startswith("def ") else "\n"
    return Emitted(
        f"{top}{gap}{body}",
        rendered[-1].name,
        helpers,
        unknown,
        primal.structure,
        tuple(isinstance(v, Ref) and v.var in seeded for v in primal.values),
        tuple(sorted(complexes)),
        tuple(facts.is_complex(Ref(var)) for var in seeded),
        factors(primal),
        changed_arguments(primal, facts),
        tuple(dict.fromkeys(hazard for one in rendered for hazard in one.hazards)),
        source.file,
        captured(primal, source),
        facts_told(primal, request),
        numbers_found(primal, facts),
        primal.bundles,
        tuple((p.bundle, *(k for _, k in p.path)) for p in primal.params if p.optional),
        found,
        left,
        tuple(dict.fromkeys(sizes_alike(primal, facts))),
        handled,
        source.receiver,
        primal.decided,
        stopped=is_stopped(primal, request.stop),
    )


def _rendered_at_once(
    whole: Whole,
    style: Style,
    request: Request,
    linked: Linked,
    supply: Supply,
    watch: Watch,
) -> list[Rendered]:
    """The function; a Jacobian may be one that calls another for each row."""
    try:
        return [_rendered(whole, style, request, linked, supply, watch)]
    except Unbatched:
        if request.direction == "forward":
            raise GradgenError(
                "GG263",
                f"the columns of the Jacobian of {whole.primal.name} have no form for "
                "all at once",
                advice="facts of shapes, or --direction reverse",
            ) from None
        mode = request.mode
        taken = {param.bundle or param.var.name for param in whole.primal.params}
        taken |= set(linked.links.values())
        name = f"{'hvp' if mode == 'hessian' else 'vjp'}_{whole.primal.name}"
        while name in taken:
            name += "_"
        form = Style(mode="hvp") if mode == "hessian" else Style(callback=True)
        form = replace(form, name=name)
        linked.taken.add(name)
        if mode == "hessian" and len(whole.wrt) > 1:
            raise GradgenError(
                "GG024", "a Hessian is of one argument", advice=whole.wrt[0].name
            ) from None
        if request.library != "numpy" or request.module:
            raise GradgenError(
                "GG709",
                f"the {mode} of {whole.primal.name} has a form row by row alone, which "
                "is written for numpy",
                advice="--target numpy",
            ) from None
        inner = _rendered(whole, form, request, linked, supply, watch)
        names = tuple(var.name for var in whole.wrt)
        return [inner, by_rows(inner, whole.primal.name, mode, names)]


def _rendered(
    whole: Whole,
    style: Style,
    request: Request,
    linked: Linked,
    supply: Supply,
    watch: Watch,
) -> Rendered:
    """One function of the text; what it calls is asked for from `linked`."""
    primal, seeded = whole.primal, whole.seeded
    watch.start(primal.name)
    gradient, facts, drafted = derived(whole, style.mode, linked, supply, watch)
    if not (style.value or style.callback or style.forward):
        gradient = replace(gradient, values=())  # nobody asks for it
    target = target_named(request.library, request.module)
    library = target.library
    if primal.chooser and target.name == "numpy":
        library = chosen_by(primal.chooser)
    asked = request.save, style.callback, request.guard, target
    known = whole.twice, request.fast, whole.looks
    context = Context(facts, supply, *asked, *known)
    gradient = applied(SHORTER, gradient, context, watch)
    found = hazards(gradient, facts, context.epsilon)
    gradient = applied(SAFER, gradient, context, watch)
    gradient = applied(FASTER, gradient, context, watch)
    letters = letters_of(primal, facts)

    def printing(one: Function, facts: Facts, supply: Supply) -> Rendered:
        fast = request.fast
        worth = bool(linked.links) or not target.compiled or is_worth(one, facts)
        one = applied(LIBRARY, one, Context(facts, supply, *asked, fast=fast))
        refuse_uncompiled(one, facts, target)
        if not worth:
            raise NotWorth
        wording = Wording(
            shapes=lambda var: shown(var, facts, letters),
            headings=no_headings
            if request.bare
            else headings(removed_lines(drafted, one.body), one.body),
            items=lambda value: items_of(value, facts),
            stopped=request.stop,
            without_default=has_no_default_seed(seeded[0], facts)
            or whole.seeded_whole
            and facts.rank(Ref(seeded[0])) is None,
            of=request.of,
            as_tuple=request.as_tuple,
            asked=whole.asked,
            rewritten=whole.rewritten,
            left=whole.left,
            fast=request.fast,
            changed=changed_arguments(primal, facts),
            guarded=what_is_guarded(found, request),
            assumed=whole.assumed,
        )
        called = frozenset(linked.links.values())
        return render(one, style, wording, called, library)

    rendered = replace(printing(gradient, facts, supply), hazards=found)
    watch.printed(rendered, lambda one, known: printing(one, known, Supply(SPARE)))
    return rendered
