"""What a request and annotations tell of the arguments: shapes, complex numbers."""

from __future__ import annotations

from typing import Any

from gradgen.facts.conjugated import conjugated
from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir.nodes import Function
from gradgen.ir.structure import path_text
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.asked import asked_lengths
from gradgen.shapes.shape import SCALAR, Shape
from gradgen.shapes.spec import is_complex_annotation, read_annotation, read_shape
from gradgen.shapes.statics import is_static
from gradgen.shapes.unified import with_size


def shapes_told(primal: Function, request: Request) -> dict[str, Shape]:
    """The shape facts of annotations and of the request; a conflict is an error."""
    texts: dict[str, str] = {}
    for param in primal.params:
        text = read_annotation(param.annotation)
        if text is not None:
            texts[param.var.name] = text
    bundles = [name for name, _ in primal.bundles]
    known = [p.var.name for p in primal.params if not p.bundle] + bundles
    for name, text in request.shapes:
        if name not in known:
            raise GradgenError(
                "GG404",
                f"--shape names {name}, which is no argument",
                advice=did_you_mean(name, known),
            )
        if name in bundles:
            continue
        if is_static(text) or texts.get(name) == "":  # x: float is called with arrays
            texts.pop(name, None)
        if is_static(text):
            continue
        if name in texts and read_shape(texts[name]) != read_shape(text):
            raise GradgenError(
                "GG405",
                f"{name} is annotated as {texts[name]!r}, and --shape says {text!r}",
                advice="one of the two",
            )
        texts[name] = text
    for param in primal.params:
        if param.fact is not None and not param.fact.startswith((":", "=")):
            texts[param.label] = param.fact
    return _counted(primal, {n: read_shape(text, n) for n, text in texts.items()})


def _counted(primal: Function, shapes: dict[str, Shape]) -> dict[str, Shape]:
    """The shapes with the numbers of entries that the function asks for.

    before:  {"x": (n)} of a, b, c = x
    after:   {"x": (3)}
    """
    # what is assumed learns its numbers elsewhere, and is looked at
    labels = {param.var: param.label for param in primal.params if param.fact is None}
    for var, number in asked_lengths(primal.body):
        told = shapes.get(labels.get(var, ""))
        letter = told.dims[0].symbol if told is not None and told.dims else None
        if letter is not None:
            solved = letter, Dim.of(number)
            shapes = {name: with_size(one, solved) for name, one in shapes.items()}
    return shapes


def facts_told(
    primal: Function, request: Request
) -> tuple[tuple[str, tuple[Any, ...], str], ...]:
    """The facts that an argument of a call can be held against: name, path, text."""
    asked = dict(request.shapes)
    found = []
    for param in primal.params:
        if param.bundle:
            text = param.fact
        else:
            known = (
                asked.get(param.label),
                param.fact,
                read_annotation(param.annotation),
            )
            text = next((one for one in known if one is not None), None)
        # of a leaf that is a whole number or a string, nothing is checked
        if text is not None and not (param.bundle and text.startswith(":")):
            found.append((param.bundle or param.label, param.path, text))
    return tuple(found)


def numbers_found(primal: Function, facts: Facts) -> tuple[str, ...]:
    """The arguments that are taken for numbers, since a test or a range reads them."""
    return tuple(
        param.label
        for param in primal.params
        if not param.bundle and facts.shapes[param.var] == SCALAR
        if not is_static(param.fact)
    )


def complexes_told(primal: Function, request: Request) -> set[str]:
    """The complex parameters: named by the request, annotated, or so by default.

    In a text those count as well that the function conjugates; of a call all is known.
    What an instance holds is named as wrt names it: self.modes, self.params["W"].
    What the text does not read of it may be named as well.
    """
    known = {path_of(param.label): param.label for param in primal.params}
    held = {
        path_of(path_text(name, path))
        for name, structure in primal.bundles
        for path, _ in structure.leaves()
    }
    for name in request.complex:
        if path_of(name) not in known.keys() | held:
            raise GradgenError(
                "GG406",
                f"--complex names {name}, which is no argument",
                advice=did_you_mean(name, list(known.values())),
            )
    ways = [path_of(name) for name in request.complex]
    wrt = request.wrt or [param.label for param in primal.params[:1]]
    also = set() if request.general else conjugated(primal, wrt)
    return (
        also
        | {known[way] for way in ways if way in known}
        | {
            param.label
            for param in primal.params
            if is_complex_annotation(param.annotation) or param.is_complex
        }
    )


def unknown_shapes(primal: Function, facts: Facts) -> tuple[str, ...]:
    """The arguments, and parts of arguments, of unknown rank."""
    return tuple(
        param.label
        for param in primal.params
        if param.var in facts.shapes and facts.shapes[param.var].rank is None
        if param.path or not param.bundle  # and no instance
    )
