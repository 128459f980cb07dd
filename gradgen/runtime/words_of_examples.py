"""Strings of an example, where a function is refused of which they are not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.request.parts import path_of
from gradgen.request.paths import with_paths
from gradgen.request.request import Request, request
from gradgen.runtime.arguments import leaves_of
from gradgen.shapes.statics import static_fact

T = TypeVar("T")


def with_words_told(
    emit: Callable[[Request], T],
    asked: Request,
    source: Source,
    example: Mapping[str, Any],
) -> T:
    """What is emitted for an example; a text that is refused is one for its strings.

    before:  s + "II", of a string of which a text knows nothing
    after:   s='="ZZ"' is told, and the text raises for another one
    """
    try:
        return emit(asked)
    except GradgenError as problem:
        words = {} if source.at_hand else _words(asked, source, example)
        if not words:
            raise
        told = with_paths({**dict(asked.shapes), **words})
        known = request(source.name, shapes=told, parameters=source.parameters)
        try:
            return emit(replace(asked, shapes=known.shapes))
        except GradgenError:
            raise problem from None


def _words(
    asked: Request, source: Source, example: Mapping[str, Any]
) -> dict[str, str]:
    """The facts of strings without a default, and of lists that hold some."""
    taken = {path_of(name)[0] for name, _ in asked.shapes}
    taken |= {path_of(name)[0] for name in asked.wrt or source.parameters[:1]}
    found = {}
    for name, value in example.items():
        is_list = type(value) in (list, tuple)
        leaves = leaves_of(value) if is_list else (value,)
        if name in taken or not any(isinstance(one, str) for one in leaves):
            continue
        fact = static_fact(value)
        if fact is not None:
            found[name] = fact
    return found
