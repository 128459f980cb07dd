"""What is tried where a text is refused: ranks of what nothing tells of, and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gradgen.facts.numbers import is_parameter
from gradgen.frontend.source.images import IMAGES, filters_images
from gradgen.frontend.source.bundles import tells_no_parts
from gradgen.frontend.source.described import arrays_described, facts_described
from gradgen.frontend.source.options import axes_by_default, better_known
from gradgen.frontend.source.places import counts_read, lengths_read, places_read
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.unpacked import axes_indexed
from gradgen.frontend.source.used import axes_used
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.shapes.spec import read_shape

# refusals of operations, and of statements, that a rank is missing for: of no number
OF_RANKS = {"GG302", "GG306", "GG316", "GG401"}
# and of an axis that is an argument, which has to be known
OF_CONSTANT_AXES = "GG303"
OF_AXES = {"GG214", OF_CONSTANT_AXES, *OF_RANKS}
# and of what may be a view: an entry of a vector is none
OF_SHARING = "GG220"
# ... and of what changes if it is an array, and not if it is a number
OF_CHANGE = "GG233"
# and of what it is besides: a list, a view, a number, how long it is
OF_KINDS = {
    "GG204",
    "GG207",
    OF_SHARING,
    "GG222",
    "GG223",
    "GG232",
    OF_CHANGE,
    "GG243",
    "GG251",
    *OF_AXES,
}
# a helper that a target has not, or that is not wanted: more is assumed then
OF_HELPERS = {"GG708", "GG403"}
# and of a list that a loop fills, which short loops need not: they are written out first
OF_LISTS = "GG310"
# the first argument is a vector, the others are numbers
SERIES = -1
# what is multiplied is a matrix by its capital, what a parameter is called is a number
TABLES = -2


def other_ways(
    request: Request, ways: Sequence[Source], codes: set[str]
) -> Iterator[Source]:
    """What is tried where all ways were refused, with these codes, in this order."""
    yield from fixed_axes(request, ways[0], codes)
    yield from guesses(request, ways[0], codes)
    yield from options(request, ways[-1], codes)


def guesses(request: Request, source: Source, codes: set[str]) -> Iterator[Source]:
    """The source with a rank for what operations take that need to know one.

    Tried where a text for any rank is refused: what is assumed of how arrays are used
    first, then matrices and vectors, or the other way round where no matrix is spoken
    of; then the arguments themselves are vectors. The text looks at what is assumed, as at all that is.
    """
    if request.general or not codes & (OF_KINDS | OF_HELPERS):
        return
    both = source, replace(source, described=False)
    if source.assumes:
        yield from (replace(way, two_axes=True) for way in both)
    if not codes & OF_KINDS:
        return
    for way in both:
        for rank in (2, 1) if source.has_matrices else (1, 2):
            if codes & OF_RANKS:
                yield replace(way, assumes=True, guess=rank)
    for way in both:
        yield from with_ranks(request, way, codes)


def fixed_axes(request: Request, source: Source, codes: set[str]) -> Iterator[Source]:
    """The function with the axes of its reductions as by default, of any number of them.

    Tried where the axis has to be known, ahead of vectors: axis=-1 is of all of these.
    """
    if OF_CONSTANT_AXES not in codes:
        return
    told = {*dict(request.shapes), *(request.wrt or ())}
    names = axes_by_default(source) - told
    if names:
        yield replace(source, fixed=frozenset(names))


def options(request: Request, source: Source, codes: set[str]) -> Iterator[Source]:
    """The function with short loops written out, and with options as by default."""
    if "GG401" in codes:  # lengths that do not fit, whatever else is known
        return
    named = {name.partition(".")[0] for name in request.wrt or ()}
    told = named | dict(request.shapes).keys()
    yield from better_known(source, told, codes)
    if not request.general and OF_LISTS in codes:
        yield from with_ranks(request, source, codes)
    if not request.general and codes & OF_KINDS:
        for way in with_ranks(request, source, codes):
            yield from better_known(way, told, codes)


def with_ranks(request: Request, source: Source, codes: set[str]) -> Iterator[Source]:
    """The source with vectors for the arguments of the gradient, or for all.

    What is made of a list may be of the rows of what has a capital, and a matrix is what
    has one and is multiplied. With numbers for all where the refusals do not speak of axes, and else matrices.
    """
    lengths = lengths_read(source.node, source.globals)
    free = tuple(name for name in untold(request, source) if name not in lengths)
    own = tuple(name for name in asked_for(request, source) if name in free)
    others = [(2, own), (2, free)] if codes & OF_AXES else [(0, free)]
    # np.geomspace(1, a, n): numbers beside a length
    others += [(0, free)] if lengths and codes & OF_AXES else []
    if OF_SHARING in codes:  # numbers share no memory, and nobody means them
        others = []
    # np.vstack(rows), of rows of a matrix by its name
    large = tuple(name for name in own if name[:1].isupper() and OF_LISTS in codes)
    large = large or tuple(name for name in own if name in IMAGES)
    large = large or (own if filters_images(source.node, source.globals) else ())
    # of model(t, period, phase) with a gradient in phase t alone is an array
    series = free if free[:1] != own[:1] and len(free) > 1 else ()
    # center=0 is a number beside a vector, unless it counts or reads
    read = places_read(source.node) | counts_read(source.node)
    plain = [n for n, one in source.defaults.items() if type(one) is int]
    beside = tuple(n for n in plain if n not in read | dict(request.shapes).keys())
    centred = (*own, *beside) if len(own) == 1 and beside else ()
    used = axes_used(source.node)
    tables = [name for name in free if used.get(name, 0) > 1]
    mixed = [name for name in free if used.get(name) == 0 or is_parameter(name)]
    ranks = [(2, large), (SERIES, series)]
    ranks += [(TABLES, own)] if set(own).intersection(tables) else []
    ranks += [(1, own), *([(TABLES, free)] if tables or mixed else []), (1, free)]
    ranks += [(SERIES, centred), *others]
    if OF_CHANGE in codes and source.compares:  # E -= step; if abs(step) < 1e-9: ...
        ranks.insert(0, (0, free))
    for rank, names in dict.fromkeys(ranks):
        if names:
            yield replace(source, assumes=True, guess=rank, guessed=names)
    # of what may be left out entries are read where it is given: mask[t]
    read = axes_indexed(source.node).keys() - dict(request.shapes).keys() - set(free)
    kept = tuple(name for name, told in source.defaults.items() if told is None)
    kept = tuple(name for name in kept if name in read)
    if kept:
        yield replace(source, assumes=True, guess=1, guessed=(*free, *kept))
    # what is described as an array may be a list all the same: the text looks at it
    asked = dict(request.shapes)
    called = tuple(n for n in ranks_described(source) if n not in asked)
    if called and OF_SHARING not in codes:
        yield replace(source, assumes=True, guess=1, guessed=(*called, *free))


def ranks_described(source: Source) -> dict[str, int]:
    """How many axes the arrays have that a docstring tells of."""
    told = facts_described(source.node, source.defaults) if source.described else {}
    arrays = arrays_described(source)
    found = {name: read_shape(fact).rank for name, fact in told.items()}
    own = arrays.intersection(source.parameters)
    return {name: rank for name, rank in found.items() if rank and name in own}


def untold(request: Request, source: Source) -> tuple[str, ...]:
    """The arguments that may be arrays, and of which nothing is told."""
    args = source.node.args
    told = {*dict(request.shapes), *facts_described(source.node, source.defaults)}
    told |= {name.partition(".")[0].partition("[")[0] for name, _ in request.shapes}
    told |= source.defaults.keys()
    arrays = arrays_described(source)
    free = [
        arg.id
        for arg in (*args.args, *args.kwonlyargs)
        if arg.annotation is None
        or arg.id in arrays
        or tells_no_parts(source.one_line(arg.annotation))
    ]
    return tuple(
        name for name in free if name in source.parameters and name not in told
    )


def asked_for(request: Request, source: Source) -> list[str]:
    """The arguments of the gradient; the first where none is named."""
    return [path_of(name)[0] for name in request.wrt or ()] or source.parameters[:1]
