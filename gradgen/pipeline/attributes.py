"""Attributes of which a class tells nothing, taken for the objects that a method reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from gradgen.errors import GradgenError
from gradgen.facts.parts import UNREAD, read_alike
from gradgen.frontend.source.fields_told import UNKNOWN
from gradgen.frontend.source.holding import Anything, Held, with_field
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function
from gradgen.request.options import Request
from gradgen.request.parts import path_of

Read = Callable[[Source, Request], Function]


def with_attributes(source: Source, request: Request, read: Read) -> Source:
    """The source with objects and dictionaries for what fields and keys are read of.

    before:  self.car.mass * v, self.params["W"], of a class that tells of neither
    after:   (self.car is an object that has a mass, self.params a dictionary with a "W")
    """
    if source.receiver is None or source.instance is not None:
        return source
    own = source.node.args.args[0].id
    asked = [path_of(name) for name in request.wrt or ()]
    whole = {tuple(keys) for name, keys in asked if name == own}
    found = replace(source, asks=True)
    while True:
        try:
            primal = read(found, request)
            break
        except GradgenError as error:
            held = _with_parts(found.receiver, own, error.problems, whole)
            if held == found.receiver:
                if not found.asks:
                    return found
                found = replace(found, asks=False)
            found = replace(found, receiver=held)
    found = replace(found, asks=False)
    if found.receiver != source.receiver:
        other = replace(found, receiver=_with_another(found.receiver))
        if not read_alike(primal, read(other, request)):
            return source  # how many keys there are is asked for
    return found


def with_numbers(source: Source, request: Request) -> Source:
    """The source with numbers for the whole ones of a class that a gradient is asked of.

    before:  def __init__(self, scale=2): self.scale = scale        wrt="self.scale"
    after:   self.scale is a number, and no count
    """
    if source.receiver is None or source.instance is not None:
        return source
    own = source.node.args.args[0].id if source.node.args.args else ""
    receiver, decided = source.receiver, source.decided
    for name, keys in map(path_of, request.wrt or ()):
        if name == own and keys:
            receiver = _with_number(receiver, keys)
            decided = decided and _with_number(decided, keys)
    return replace(source, receiver=receiver, decided=decided)


def _with_number(held: Held, keys: tuple[Any, ...]) -> Held:
    if not keys:
        value = getattr(held.value, "value", None) if held.kind == "setting" else None
        is_whole = type(value) is int or held.kind == "unknown" and held.fact == ":int"
        return Held("number", fact="") if is_whole else held
    steps = held.steps()
    parts = (_with_number(one, keys[1:]) if k == keys[0] else one for k, one in steps)
    return replace(held, parts=tuple(parts)) if held.parts else held


def _with_parts(
    held: Held | None, own: str, problems: Iterable[GradgenError], whole: set[Any]
) -> Held | None:
    for problem in problems:
        path, name = problem.field_of
        if path and path[0] == own and path[1:] not in whole:
            if held is not None and _is_open(held, path[1:]):
                held = with_field(held, path[1:], name) or held
        path, key = problem.read_of
        if path and path[0] == own and held is not None:
            held = _with_key(held, path[1:], key)
    return held


def _is_open(held: Held, path: tuple[Any, ...]) -> bool:
    """Whether a class tells nothing of what is at a place, or it is an object so far."""
    for key in path:
        held = dict(held.steps()).get(key, UNKNOWN)
    return held.kind == "object" or held.kind == "unknown" and held.fact is None


def _with_key(held: Held, path: tuple[Any, ...], key: Any) -> Held:
    """The tree with a dictionary at a place, which has a key more."""
    if path:
        steps = held.steps()
        parts = tuple(
            _with_key(p, path[1:], key) if k == path[0] else p for k, p in steps
        )
        return replace(held, parts=parts)
    if held.kind == "unknown" and held.fact is None:
        held = Held("dict", cls=Anything)
    if held.kind != "dict" or held.cls is not Anything or key in held.keys:
        return held
    return replace(held, keys=(*held.keys, key), parts=(*held.parts, UNKNOWN))


def _with_another(held: Any) -> Any:
    """The tree with one more key in each dictionary that the method reads keys of."""
    parts = tuple(map(_with_another, held.parts))
    if held.kind == "dict" and held.cls is Anything:
        return replace(held, keys=(*held.keys, UNREAD), parts=(*parts, UNKNOWN))
    return replace(held, parts=parts)
