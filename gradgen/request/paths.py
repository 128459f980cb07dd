"""Facts of parts of arguments, params.W and layers[0], put together into one fact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradgen.ir.structure import LEAF, Structure
from gradgen.request.parts import path_of
from gradgen.request.request import canonical
from gradgen.shapes.tree import fact_of, tree_text


def with_paths(facts: Mapping[str, str]) -> dict[str, str]:
    """The facts by argument: {"p.W": "n"} is {"p": '{"W": "n"}'}."""
    joined = {name: text for name, text in facts.items() if name.isidentifier()}
    nests: dict[str, dict[Any, Any]] = {}
    for name, text in facts.items():
        if name.isidentifier():
            continue
        bundle, keys = path_of(name)
        nest = nests.setdefault(bundle, {})
        for key in keys[:-1]:
            nest = nest.setdefault(key, {})
        nest[keys[-1]] = text
    for bundle, nest in nests.items():
        joined[bundle] = tree_text(_structure(nest))
    return joined


def _structure(nest: dict[Any, Any] | str) -> Structure:
    if isinstance(nest, str):
        fact = fact_of(canonical(nest))
        assert fact is not None  # a text always is one
        return fact
    if all(isinstance(key, int) for key in nest):
        length = max(nest) + 1
        parts = (_structure(nest[i]) if i in nest else LEAF for i in range(length))
        return Structure("tuple", tuple(parts))
    return Structure("dict", tuple(map(_structure, nest.values())), tuple(nest))
