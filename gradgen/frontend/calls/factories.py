"""Fields of dataclasses that a function makes for each instance: field(default_factory=list)."""

from __future__ import annotations

import dataclasses
from typing import Any

import gast


def has_to_make(cls: Any, node: gast.Call) -> bool:
    """Whether a call of a dataclass leaves out a field that a function makes: []."""
    if issubclass(cls, tuple) or any(isinstance(x, gast.Starred) for x in node.args):
        return False
    names = [one.name for one in dataclasses.fields(cls) if one.init]
    given = {*names[: len(node.args)], *(one.arg for one in node.keywords)}
    made = (
        one.name
        for one in dataclasses.fields(cls)
        if one.default_factory is not dataclasses.MISSING
    )
    return None not in given and not given.issuperset(made)
