"""Two ways to emit, where the first may be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gradgen.errors import GradgenError

Way = TypeVar("Way")
Found = TypeVar("Found")


def either(emit: Callable[[Way], Found], first: Way, second: Way) -> Found:
    """What the first way gives, else the second; where both fail, the first's refusal."""
    try:
        return emit(first)
    except GradgenError as refusal:
        try:
            return emit(second)
        except GradgenError:
            raise refusal from None
