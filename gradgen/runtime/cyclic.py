"""Lists and dictionaries that hold themselves: no gradient has their form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradgen.errors import GradgenError

CONTAINERS = (list, tuple, Mapping)


def refuse_cyclic(name: str, value: Any) -> None:
    """Raises GradgenError for a list, a tuple or a dictionary that holds itself.

    before:  rows = [1.0, 2.0]; rows.append(rows)
    after:   GG511 the argument rows holds itself
    """
    if isinstance(value, CONTAINERS) and _holds_itself(value, ()):
        raise GradgenError(
            "GG511",
            f"the argument {name} holds itself",
            advice="its parts, in a list that it is no part of",
        )


def _holds_itself(value: Any, around: tuple[int, ...]) -> bool:
    """Whether a container is a part of itself; `around` is what it stands in."""
    if id(value) in around:
        return True
    inside = *around, id(value)
    parts = value.values() if isinstance(value, Mapping) else value
    return any(
        _holds_itself(one, inside) for one in parts if isinstance(one, CONTAINERS)
    )
