"""Example arguments that are lists of numbers, which a text takes for arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.request.parts import path_of
from gradgen.request.request import Request
from gradgen.runtime.alike import difference
from gradgen.runtime.copied import copied
from gradgen.shapes.tree import is_tree


SEQUENCES = (list, tuple)


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
        if isinstance(value, SEQUENCES) and _is_array(facts.get(name))
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


def _is_array(fact: str | None) -> bool:
    """Whether a fact tells the axes of an array, and no sort or container."""
    return fact is not None and not is_tree(fact) and fact[:1] not in ("=", ":")
