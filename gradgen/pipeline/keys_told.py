"""Arguments by which entries are read: masks by their names, integers by their axes."""

from __future__ import annotations

import re
from functools import partial

from gradgen.facts.assumed import Assumed
from gradgen.facts.checked import A_MASK, A_VECTOR, PLACES
from gradgen.frontend.source.described import facts_described
from gradgen.frontend.source.masks import keyed, masks_read
from gradgen.frontend.source.source import Source
from gradgen.pipeline.guesses import asked_for
from gradgen.request.options import Request
from gradgen.request.parts import path_of

# letters and numbers of axes, and no sort
PLAIN = re.compile(r"\w+( \w+)*")


def taken_for_masks(
    source: Source, request: Request
) -> tuple[tuple[Assumed, ...], ...]:
    """The arguments that are taken for masks by their names: of any rank, and vectors."""
    if request.general or not source.assumes:
        return ()
    told = {path_of(name)[0] for name, _ in request.shapes}
    told |= {*facts_described(source.node, source.defaults), *(request.wrt or ())}
    told |= {name for name, value in source.defaults.items() if value is not None}
    names = [name for name in masks_read(source.node) if name not in told]
    if not names:
        return ()
    kind = partial(Assumed, asked=False, array=True)
    return (
        tuple(kind(n, -1, told=A_MASK, fact=f"*{n}:bool") for n in names),
        tuple(kind(n, 1, told=A_VECTOR, fact=f"{n}_size:bool") for n in names),
    )


def told_places(source: Source, request: Request) -> tuple[Assumed, ...]:
    """The arguments whose axes are told alone, and that entries are read by: integers.

    before:  E[i], --shape E="v d" --shape i=b
    after:   E[i], --shape E="v d" --shape i=b:int

    What has the first axes of an array that it reads of may be a mask.
    """
    if request.general or not source.assumes or source.at_hand:
        return ()
    told = {name: fact for name, fact in request.shapes if PLAIN.fullmatch(str(fact))}
    known = {arg.id for arg in source.node.args.args if arg.annotation is None}
    names = known - {*asked_for(request, source)} - source.defaults.keys()
    bases = {
        key: [told.get(base, "") for base in read]
        for key, read in keyed(source.node).items()
    }
    kind = partial(Assumed, rank=-1, asked=False, array=True, told=PLACES)
    return tuple(
        kind(name, fact=f"{fact}:int")
        for name, fact in told.items()
        if name in names and name in bases
        if all(base and not f"{base} ".startswith(f"{fact} ") for base in bases[name])
    )
