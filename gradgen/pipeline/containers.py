"""Arguments of which nothing tells, taken for the containers that the body reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed
from gradgen.facts.parts import Part, Path, assumed_parts, facts_of, parted
from gradgen.facts.parts import in_reading_order, read_alike, replaced, stacked
from gradgen.facts.parts import with_another, with_keys
from gradgen.frontend.source.annotated_classes import classes_annotated
from gradgen.frontend.source.annotated_classes import held_by_annotation, with_methods
from gradgen.frontend.source.holding import with_field
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function
from gradgen.ir.structure import LEAF, Structure
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict

Read = Callable[[Source, Request], Function]
Learn = Callable[[Function, Request], Facts]


def with_containers(
    source: Source,
    request: Request,
    free: Collection[str],
    wrt: Collection[str],
    read: Read,
    learn: Learn,
) -> tuple[Function, Source, Request, tuple[Assumed, ...]]:
    """The function, its source and the request with what is assumed of containers, and that.

    It is read again with what was found: of a dictionary the parts tell more.

    before:  params["W"], params["b"]       of an argument that nothing tells of
    after:   params={"W": None, "b": None}
    """
    wholes = _asked_whole(request, wrt)
    source = replace(source, asks=True, objects=with_methods(source, wholes))
    found: dict[str, Structure] = {}
    optional: tuple[tuple[tuple[Any, ...], str], ...] = ()
    while True:
        now = _asked(request, found)
        keyed = tuple(name for name, one in found.items() if one.sort == "dict")
        source = replace(source, keyed=keyed, optional=optional)
        try:
            primal = read(source, now)
        except GradgenError as error:
            known = {*free, *classes_annotated(source)} - wholes
            objects = _with_fields(source, error.problems, known)
            if objects is not None:
                source = objects
                continue
            more = with_keys(found, error.problems, free)
            before, optional = optional, _optional(optional, error.problems)
            if more == found and optional == before:
                if not source.asks:
                    raise
                source = replace(source, asks=False)
        else:
            parts = _parts(primal, now, learn, found)
            more = _with_tuples(source, free, parts, found)
            if more == found:
                more = {
                    name: in_reading_order(one, source.constants)
                    for name, one in found.items()
                }
                if list(map(repr, more.values())) == list(map(repr, found.values())):
                    break
        found = more
    if keyed:
        others = {name: with_another(one) for name, one in found.items()}
        if not read_alike(primal, read(source, _asked(request, others)), keyed):
            raise _refused(
                source,
                f"{keyed[0]} is a dictionary, and which keys it has is not told",
                f"--shape {keyed[0]}='{dict(facts_of(found))[keyed[0]]}', or an example",
            )
    return (
        primal,
        replace(source, asks=False),
        now,
        (
            *assumed_parts(found, dict(optional)),
            *stacked(parts, wrt, free, primal.params),
        ),
    )


def _asked_whole(request: Request, wrt: Collection[str]) -> set[str]:
    """The arguments of the gradient that it is asked in as they are: no ray.origin.z."""
    asked = list(map(path_of, request.wrt or ()))
    parts = {name for name, keys in asked if keys and type(keys[0]) is str}
    return set(wrt) - (parts - {name for name, keys in asked if not keys})


def _with_fields(
    source: Source, problems: Iterable[GradgenError], free: Collection[str]
) -> Source | None:
    """The source with objects for arguments that fields are read of; None for no more.

    Of an argument that is annotated with a class the text of that tells first.

    before:  cfg.rate * x, of a cfg that nothing tells of
    after:   (cfg is an object, and its rate an argument)
    """
    objects, classes = dict(source.objects), classes_annotated(source)
    for problem in problems:
        path, name = problem.field_of
        if path and path[0] in free:
            if path[0] in classes and path[0] not in objects:
                objects[path[0]] = held_by_annotation(source, classes[path[0]])
                continue
            made = with_field(objects.get(path[0]), path[1:], name)
            if made is not None:
                objects[path[0]] = made
    found = tuple(objects.items())
    return None if found == source.objects else replace(source, objects=found)


def _optional(
    known: tuple[tuple[tuple[Any, ...], str], ...],
    problems: Iterable[GradgenError],
) -> tuple[tuple[tuple[Any, ...], str], ...]:
    """The keys that dictionaries may lack, by their paths, and what is read then.

    What is read by p["k"] somewhere has that.
    """
    found = dict(known)
    for problem in problems:
        path, key = problem.read_of
        otherwise = problem.otherwise
        if path and otherwise is None:
            found.pop((*path, key), None)
        elif path and otherwise is not None:
            found.setdefault((*path, key), otherwise)
            if not otherwise:  # one that is asked for
                found[*path, key] = ""
    return tuple(found.items())


def _asked(request: Request, found: dict[str, Structure]) -> Request:
    return replace(request, shapes=(*request.shapes, *facts_of(found)))


def _parts(
    primal: Function, request: Request, learn: Learn, found: Collection[str]
) -> dict[Path, Part]:
    try:
        return parted(primal, learn(primal, request), found)
    except (GradgenError, ShapeConflict):
        return {}  # refused again, with its place


def _with_tuples(
    source: Source,
    free: Collection[str],
    parts: dict[Path, Part],
    found: dict[str, Structure],
) -> dict[str, Structure]:
    """The containers, with those whose parts are no rows of an array.

    Refused where how many they are is not told.
    """
    more = dict(found)
    for (name, *path), part in parts.items():
        name = str(name)
        if name not in free or not part.is_container:
            continue
        if not part.has_length:
            raise _lengthless(source, name, part)
        made = part.structure()
        more[name] = replaced(more.get(name, LEAF), tuple(path), lambda _: made)
    return more


def _lengthless(source: Source, name: str, part: Part) -> GradgenError:
    return _refused(
        source,
        f"{name} is a list of arrays, and how many it has is not told",
        f"--shape {name}='{part.example()}' for two, or an example",
    )


def _refused(source: Source, message: str, advice: str) -> GradgenError:
    refusal = source.error("GG245", message, advice=advice)
    refusal.is_final = True
    return refusal
