"""A primal with what is assumed of arguments that nothing tells of, and without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, product

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.facts.claimed import claimed
from gradgen.facts.assumed import Assumed, assumed, is_free
from gradgen.facts.axes import Axes
from gradgen.facts.compared import Compared, compared
from gradgen.facts.checked import looked_at
from gradgen.facts.columns import columns
from gradgen.facts.cuts import whole_cuts
from gradgen.facts.described import described_numbers, in_order
from gradgen.facts.ends import ends
from gradgen.facts.fitting import ITS
from gradgen.facts.numbers import is_parameter
from gradgen.facts.places import homogeneous, rows_labelled
from gradgen.facts.real import looked_at_as_real
from gradgen.facts.sections import sections
from gradgen.facts.lengths import lengths_asked
from gradgen.facts.slopes import of_one_length
from gradgen.facts.stretching import letters_of, stretched, stretching
from gradgen.facts.declared import shapes_told
from gradgen.facts.uncast import cast, uncast
from gradgen.facts.whole_lengths import as_long_as_told, whole_lengths, with_lengths
from gradgen.frontend.source.annotated_classes import classes_annotated
from gradgen.frontend.source.described import (
    arrays_described,
    documented,
    either_described,
    facts_described,
    tells,
)
from gradgen.frontend.source.names import is_no_option
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.unpacked import axes_compared, axes_indexed, axes_unpacked
from gradgen.frontend.source.used import axes_used
from gradgen.ir.nodes import Function, Let
from gradgen.ir.walk import lets
from gradgen.pipeline.as_untold import as_untold
from gradgen.pipeline.attempts import NothingMore
from gradgen.pipeline.containers import with_containers
from gradgen.pipeline.fitted import asked_of, fitted
from gradgen.pipeline.guesses import SERIES, TABLES, asked_for, ranks_described, untold
from gradgen.pipeline.keys_told import taken_for_masks, told_places
from gradgen.pipeline.listed import with_lists
from gradgen.pipeline.readings import Readings, facts_told
from gradgen.request.parts import path_of
from gradgen.request.options import Request
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Tables, masked_axes, square_axes
from gradgen.shapes.shape import ShapeConflict
from gradgen.shapes.spec import FITS


def ways_of(request: Request, source: Source) -> list[Source]:
    """The source, and what of it is tried where that is refused, in this order.

    What a docstring tells may be wrong, and what is assumed lead to a refusal.
    """
    ways = [source]
    if tells(source):
        ways.append(replace(source, described=False))
    names = {arg.id for arg in source.node.args.args + source.node.args.kwonlyargs}
    if source.assumes and not request.general and names - dict(request.shapes).keys():
        ways += [replace(way, assumes=False) for way in ways]
    return ways


def opened(request: Request, source: Source) -> Source | None:
    """The source where what is asked for may be an array, which a docstring calls a number.

    None where nothing is called so, or where it is a number by its default or annotation.
    """
    told = facts_described(source.node, {}) if source.described else {}
    args = (*source.node.args.args, *source.node.args.kwonlyargs)
    bare = {arg.id for arg in args if arg.annotation is None} - source.defaults.keys()
    names = [name for name in asked_for(request, source) if told.get(name) == ""]
    free = bare - dict(request.shapes).keys()
    if request.general or not names or not free.issuperset(names):
        return None
    return replace(source, opened=tuple(names))


def is_open(primal: Function, facts: Facts) -> bool:
    """Whether there are arguments that something could be assumed of."""
    return any(is_free(param, facts) for param in primal.params)


def primal_of(
    source: Source, request: Request, readings: Readings
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function as IR, and the ranks that are assumed of its arguments.

    The function raises where an argument has another one.
    """
    if source.guessed:
        rank, told = source.guess, ranks_described(source)
        told |= axes_compared(source.node) | axes_unpacked(source.node)
        least, used = axes_indexed(source.node), axes_used(source.node)
        if rank == SERIES:  # a vector, and numbers
            tables = {name: axes for name, axes in used.items() if axes > 1}
            rank, told = 0, {**least, **tables, source.guessed[0]: 1, **told}
        if rank == TABLES:
            named = (n for n in source.guessed if n not in least)
            numbers = {n: 0 for n in named if is_parameter(n)}
            rank, told = 1, numbers | used | told
        ranks = (
            (name, told.get(name, max(rank, least.get(name, 0))))
            for name in source.guessed
        )
        found = tuple(Assumed(name, rank, False, rank > 0) for name, rank in ranks)
        primal, found = _with_ranks(source, request, readings, found)
        return compared_to_told(primal, found, request, readings), found

    given = told_places(source, request)
    masks = taken_for_masks(source, request)
    if not masks:
        return _primal_of(source, request, readings, given)
    any_rank, vectors = ((*given, *kind) for kind in masks)
    primal, known = _primal_of(source, request, readings, vectors)
    # of arrays of a rank that is assumed as well, else of any
    if any(one.rank > 0 and one not in vectors for one in known):
        return primal, known
    return _primal_of(source, request, readings, any_rank)


def _primal_of(
    source: Source,
    request: Request,
    readings: Readings,
    masks: tuple[Assumed, ...] = (),
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function and what is assumed, with the arguments that are taken for masks."""

    def read(source: Source, asked: Request) -> Function:
        return readings.marked(source, asked)

    told = *request.shapes, *((one.name, one.fact) for one in masks)
    request = replace(request, shapes=told)
    held: tuple[Assumed, ...] = ()
    free = () if request.general or not source.assumes else untold(request, source)
    if not request.general and source.assumes:
        free = (*free, *options(request, source))
        classes = classes_annotated(source)
    else:
        classes = {}
    if free or classes:
        wrt = asked_for(request, source)
        known = with_containers(source, request, free, wrt, read, facts_told)
        primal, source, request, held = known
    else:
        primal = read(source, request)
    plain = primal
    primal, found = _with_assumed(source, request, readings, plain)
    listed, lists = _with_lists(source, request, readings, plain, found)
    if lists:
        held = (*lists, *held)
    if listed is not source:
        primal = read(listed, request)
        primal, found = _with_assumed(listed, request, readings, primal)
    held = (*masks, *held)
    arrays = tuple(one for one in held if one.array)
    if arrays:
        primal = marked(looked_at(primal, arrays), readings.supply)
    return compared_to_told(primal, found, request, readings), (*held, *found)


def options(request: Request, source: Source) -> list[str]:
    """The arguments of which nothing is told that are empty dictionaries by default."""
    told = {path_of(name)[0] for name, _ in request.shapes}
    empty = [name for name, value in source.defaults.items() if is_no_option(value)]
    return [name for name in empty if name not in told | source.fixed]


def compared_to_told(
    primal: Function,
    found: tuple[Assumed, ...],
    request: Request,
    readings: Readings,
) -> Function:
    """The function, which looks where what was told may be stretched.

    Of what is assumed it looks before anything else.
    """
    names = {one.name for one in found}
    told = tuple(one for one in primal.params if one.label not in names)
    try:
        facts = facts_told(primal, request)
        letters = letters_of(told, facts)
        if not letters:
            return primal
        looked = claimed(stretched(primal, facts, letters), facts, letters)
    except (GradgenError, ShapeConflict):
        return primal  # refused again, with its place
    return primal if looked is primal else marked(looked, readings.supply)


def _with_lists(
    source: Source,
    request: Request,
    readings: Readings,
    primal: Function,
    found: tuple[Assumed, ...],
) -> tuple[Source, tuple[Assumed, ...]]:
    """The source with lists for what loops go through of an instance, and these."""
    if source.receiver is None or request.general or not source.assumes:
        return source, ()
    try:
        facts, _ = readings.told(primal, request)
    except (GradgenError, ShapeConflict):
        return source, ()
    return with_lists(source, primal, facts, found, request.wrt or ())


def _with_assumed(
    source: Source, request: Request, readings: Readings, primal: Function
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function with what is assumed of the ranks of arrays and numbers."""
    try:
        facts, _ = readings.told(primal, request)
    except (GradgenError, ShapeConflict):
        return primal, ()  # refused again, with its place
    named = frozenset(dict(request.shapes)), documented(source)
    numbers = described_numbers(primal, facts, *named)
    wrt = asked_of(primal, request)
    also = _looked_at_besides(primal, request, source, facts)
    plain = looked_at(primal, numbers, also=also)
    if request.general or not source.assumes:
        return plain, ()

    def ask(primal: Function, facts: Facts, tables: Tables) -> tuple[Assumed, ...]:
        known = primal, facts, wrt, arrays_described(source), source.guess
        return assumed(*known, source.two_axes, tables)

    found = ask(*readings.uncast(primal, request))
    unequal: tuple[Dim, Dim] | None = None
    if found or source.two_axes:
        every = as_untold(source, request, readings, primal, facts, found, ask)
        told = dict(request.shapes).values()
        sized = whole_lengths(primal, facts, told) if source.two_axes else {}
        lengths = [sized, {}] if sized else [sized]
        for some, long in product(dict.fromkeys((every, found)), lengths):
            try:
                more = _with_ranks(source, request, readings, some, primal, long)
            except (GradgenError, ShapeConflict) as error:
                more, unequal = (plain, ()), error.unequal
            else:
                break
        ranks = {(one.name, one.rank, one.length) for one in more[1]}
        if not source.two_axes or not ranks <= set(source.anyway):
            return more
    if source.two_axes:
        raise NothingMore(unequal)
    return plain, ()


def _with_ranks(
    source: Source,
    request: Request,
    readings: Readings,
    found: tuple[Assumed, ...],
    primal: Function | None = None,
    sized: Mapping[str, str] = {},
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function with arguments of these ranks, and letters for their axes.

    `primal` is the function as it is without, where it can be read without them; `sized`
    are the whole numbers that are lengths. What is learned of axes is put into what was read, until that tells no more: then it is
    read again with all that.
    """
    supply = readings.supply
    params = () if primal is None else primal.params
    whole = [one.name for one in found if one.whole and request.library != "numba"]
    given = params, source, request, whole, sized
    axes = Axes({one.name: one.rank for one in found}, *given)
    if primal is not None and source.two_axes:
        axes.stand(columns(primal))
    read: Function | None = None
    while True:
        is_new = read is None
        try:
            if read is None:
                asked = replace(source, assumed=tuple(axes.facts().items()))
                read = readings.lowered(asked, request)
            again = with_lengths(read.told(axes.facts()), sized)
            facts = facts_told(marked(again, supply), request)  # lists are as told
        except GradgenError as error:
            if not axes.learn_all(error, source.two_axes) and not axes.unfit():
                if is_new:
                    raise
                read = None
        except ShapeConflict as error:
            if not axes.learn(error.unequal, False) and not axes.unfit():
                if is_new:
                    raise
                read = None
        else:
            more = axes.count(lengths_asked(again, facts))
            if source.two_axes:
                more = axes.count(homogeneous(again, facts)) or more
            # NumPy itself raises where a line surely runs; what stands in arms may not
            surely = [stmt for stmt in again.body if isinstance(stmt, Let)]
            same = square_axes, masked_axes, of_one_length
            alike = chain(*(ask(surely, facts) for ask in same))
            more = axes.learn_alike(alike, looked_at=False) or more
            more = axes.learn_alike(square_axes(lets(again.body), facts)) or more
            twins = (*facts.twins, *rows_labelled(again, facts), *ends(again, facts))
            if source.two_axes and axes.learn_alike(twins):
                more = True
            wholes = chain(sections(again, facts), whole_cuts(again, facts))
            if source.two_axes and axes.learn_wholes(wholes):
                more = True
            if source.two_axes and not more:
                bare = uncast(again)
                plain = bare is again
                told = facts if plain else facts_told(marked(bare, supply), request)
                arrays = _surer_arrays(again, request, source)
                more = fitted(bare, told, request, axes, arrays)
            if not more:
                longer, others = stretching(again, facts, axes.letters)
                if not axes.may_be_one(others):
                    if is_new:
                        break
                    read = None
    told_of = axes.facts()
    found = tuple(
        replace(one, length=told_of[one.name].partition(":")[0]) for one in found
    )
    found += tuple(
        Assumed(name, -1, False, fits=told_of[name].removeprefix(FITS), main=axes.main)
        for name in axes.largest
        if name in told_of
    )
    found += tuple(
        Assumed(name, len(told_of[name].split()), False, length=told_of[name])
        for name in axes.twins
    )
    found += tuple(
        Assumed(name, -1, False, fits=ITS, main=axes.main, alike=True)
        for name in sorted(axes.states)
    )
    known = facts
    if primal is not None:
        facts = facts_told(primal, request)
    named = frozenset(dict(request.shapes)), documented(source)
    numbers = described_numbers(primal or again, facts, *named)
    guessed = {one.name for one in found}
    numbers = tuple(one for one in numbers if one.name not in guessed)
    every = in_order(again, (*numbers, *found))
    also = _looked_at_besides(again, request, source, known)
    lengths = axes.shared, request.library, sorted(longer)
    also = as_long_as_told(also, again, sized)
    looked = looked_at(again, every, *lengths, also, axes.given, sized)
    return marked(looked, supply), in_order(again, found)


def _surer_arrays(primal: Function, request: Request, source: Source) -> frozenset[str]:
    """The arguments that are cast, where none of the gradient's is, or may be numbers."""
    known = cast(primal)
    if not known.isdisjoint(asked_of(primal, request)):
        return frozenset()
    return known | either_described(source)


def _looked_at_besides(
    primal: Function, request: Request, source: Source, facts: Facts
) -> Compared:
    """What a text looks at besides what is assumed: lengths, and that parts are real."""
    also = compared(primal, request.compare, shapes_told(primal, request))
    if source.at_hand:  # where it is known
        return also
    return looked_at_as_real(also, primal, facts, asked_of(primal, request))
