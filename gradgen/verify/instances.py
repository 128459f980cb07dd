"""Instances to try a method with: made of random arrays, and of the class's settings."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gradgen.frontend.source.holding import LEAVES, Held
from gradgen.frontend.calls.receiver import structure_of
from gradgen.pipeline.emitted import Emitted
from gradgen.ir.structure import LEAF, Structure
from gradgen.shapes.spec import LISTED
from gradgen.shapes.tree import read_tree


# how long the axes of a list's entries are, so that these fit each other
LENGTH = "4"


def nest_of(held: Held, told: str | None) -> Structure:
    """The nesting of an instance, which makes one of the leaves in order."""
    held = with_two(held)
    nest = _inner(structure_of(held, read_tree(told) if told else LEAF))
    return replace(nest, cls=functools.partial(_made, held))


def with_facts(held: Held, name: str, emitted: Emitted) -> Held:
    """The tree with what is assumed of the parts of an instance, which the text asks."""
    for bundle, path, text in emitted.facts:
        if bundle == name and path:
            held = _told(held, tuple(key for _, key in path), text)
    return held


def _told(held: Held, path: tuple[Any, ...], text: str) -> Held:
    if not path:
        is_open = held.kind == "unknown" and held.fact is None
        return replace(held, fact=text) if is_open else held
    steps = held.steps()
    parts = (_told(p, path[1:], text) if key == path[0] else p for key, p in steps)
    return replace(held, parts=tuple(parts))


def with_two(held: Held) -> Held:
    """The tree with a list of two entries for each that may have any number."""
    if held.kind == "several":
        axes = (held.fact or "").removeprefix(LISTED).split()
        fact = None if "*" in axes else " ".join([LENGTH] * len(axes))
        return Held("list", parts=(Held("unknown", fact=fact),) * 2)
    return replace(held, parts=tuple(map(with_two, held.parts)))


def _inner(structure: Structure) -> Structure:
    """The nesting of what an instance holds; instances in it are tables of fields."""
    parts = tuple(map(_inner, structure.parts))
    if structure.is_object:
        return replace(structure, parts=parts, cls=dict)
    return replace(structure, parts=parts)


def _made(held: Held, **fields: Any) -> Any:
    """The instance with these values in the places of its leaves."""
    return _Making().value(held, fields)


class _Making:
    """One instance: what its parts share is one object."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}

    def value(self, held: Held, given: Any) -> Any:
        if held.kind == "same":
            return self.made[held.number]
        found = self._new(held, given)
        if held.number >= 0:
            self.made[held.number] = found
        return found

    def _new(self, held: Held, given: Any) -> Any:
        if held.kind in LEAVES:
            return given
        if held.kind == "setting":
            return held.value.value
        if held.kind == "object":
            instance = object.__new__(held.cls)
            if held.number >= 0:
                self.made[held.number] = instance
            for name, part in held.steps():
                object.__setattr__(instance, name, self.value(part, given[name]))
            return instance
        if held.kind == "method":
            inner = self.value(held.parts[0], given["__self__"])
            return functools.partial(held.value.value, inner)
        parts = [self.value(part, _at(given, key)) for key, part in held.steps()]
        if held.kind == "dict":
            return dict(zip(held.keys, parts))
        if held.kind == "namedtuple":
            return held.cls(*parts)
        return tuple(parts) if held.kind == "tuple" else parts


def _at(given: Any, key: Any) -> Any:
    is_field = isinstance(key, str) and not isinstance(given, Mapping)
    return getattr(given, key) if is_field else given[key]
