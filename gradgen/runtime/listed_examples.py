"""Example arguments that are lists of numbers, which a text takes for arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.pipeline.emitted import Emitted
from gradgen.request.parts import path_of
from gradgen.request.paths import with_paths
from gradgen.request.request import Request, request
from gradgen.runtime.alike import difference
from gradgen.runtime.arguments import leaves_of
from gradgen.runtime.as_lists import has_floats, is_listed, is_of_lists, of_floats
from gradgen.runtime.copied import copied
from gradgen.shapes.statics import static_fact
from gradgen.shapes.tree import example_of, is_tree, tree_text


SEQUENCES = (list, tuple)
Found = tuple[Request, Emitted]


def with_lists_taken(
    emit: Callable[[Request], Found],
    asked: Request,
    source: Source,
    examples: Mapping[str, Any],
) -> tuple[Request, Found]:
    """What is emitted for an example, and the request: lists are arrays, or else lists.

    before:  shift = shift or [0, 0, 0]        # which no array of three has a truth for
    after:   shift=["", "", ""] is told
    """
    try:
        found = emit(asked)
        if not source.at_hand:
            refuse_lists(found[0], source, examples)
        return asked, found
    except GradgenError as problem:
        if not is_of_lists(problem):
            raise
        refusal = problem
    lists = {} if source.at_hand else _facts_as_lists(asked, source, examples)
    if lists:
        told = with_paths({**dict(asked.shapes), **lists})
        known = request(source.name, shapes=told, parameters=source.parameters)
        other = replace(asked, shapes=known.shapes)
        with suppress(GradgenError):
            return other, emit(other)
    raise refusal


def refuse_lists(asked: Request, source: Source, examples: Mapping[str, Any]) -> None:
    """Raises GradgenError where the function computes otherwise with lists.

    before:  def f(a, b): c = a + b        # [1.0] and [2.0] joined, or 1.0 + 2.0
    after:   the example is refused, np.asarray([1.0]) is taken

    It is run at the example as it is, with arrays, and at numbers near by.
    """
    facts = dict(asked.shapes)
    arrays = {
        name: np.asarray(value)
        for name, value in examples.items()
        if isinstance(value, SEQUENCES) and is_array(facts.get(name))
    }
    function = source.function
    if not arrays or source.receiver is not None or not callable(function):
        return

    def call(given: Mapping[str, Any]) -> Any:
        return function(**given)

    given = {name: examples[name] for name in source.parameters if name in examples}
    try:
        call(copied(given))
    except Exception:
        return  # what the example lacks, or the function does not take
    wrt = frozenset(path_of(name)[0] for name in asked.wrt or source.parameters[:1])
    found = difference(call, given, given | arrays, wrt)
    if found:
        each = " and ".join(f"{n} is a {type(given[n]).__name__}" for n in arrays)
        raise GradgenError(
            "GG511",
            f"the example's {each}, {found}",
            advice=", ".join(f"np.asarray({name})" for name in arrays),
        )


def _facts_as_lists(
    asked: Request, source: Source, examples: Mapping[str, Any]
) -> dict[str, str]:
    """The facts of lists of a few numbers as lists: shift=["", "", ""].

    Of whole numbers that no gradient is asked of it is their value.
    """
    told = {path_of(name)[0] for name, _ in asked.shapes}
    wrt = asked.wrt or source.parameters[:1]
    found = {}
    for name, given in examples.items():
        if name in told or not is_listed(given):
            continue
        value = of_floats(given) if name in wrt else given
        if any(type(one) is complex for one in leaves_of(value)):
            continue
        held = None if has_floats(value) else static_fact(value)
        found[name] = held or tree_text(example_of(value))
    return found


def is_array(fact: str | None) -> bool:
    """Whether a fact tells the axes of an array, and no sort or container."""
    return fact is not None and not is_tree(fact) and fact[:1] not in ("=", ":")
