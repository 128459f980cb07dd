"""The shapes that a text is tried at: those that it is for, whoever told them."""

from __future__ import annotations

import inspect
from dataclasses import replace

from gradgen.frontend.source.described import described
from gradgen.signature.proposal import completed
from gradgen.verify.subject import Remade


def facts_of(made: Remade) -> dict[str, str]:
    """The shapes of arguments by name: told, described, or assumed.

    Where some are known and others are not, these get shapes that go with them: one
    guess for all would not fit.
    """
    request, source = made.request, made.source
    asked = dict(request.shapes)
    assumed = {one.name for one in made.emitted.assumed}
    places = {one.name: ":int" for one in made.emitted.assumed if one.is_place}
    if places:  # what is read at them has the axes that the text looks at
        assumed = set(places)
    known = {
        name: text
        for name, path, text in made.emitted.facts
        if not path and name not in assumed and not text.startswith(":")
    }
    known |= places | asked
    args = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    # what annotations and defaults tell is read elsewhere
    docstring = inspect.getdoc(source.globals.get(source.node.name)) or ""
    if not assumed and not described(docstring):
        return asked
    if known.keys() >= set(args):
        return known
    shapes = tuple((name, known[name]) for name in args if name in known)
    found = completed(replace(request, shapes=shapes, strict=False), source)
    if found is not None:
        return dict(found[0].shapes)
    # of containers nothing completes what is assumed, which the text looks at
    looked_at = {name: text for name, path, text in made.emitted.facts if not path}
    return {x: own for x, own in looked_at.items() if not own.startswith(":")} | known
