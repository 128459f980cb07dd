"""Arguments that are lists or tuples of numbers, which no operator takes."""

from __future__ import annotations

import re
from typing import Any

from gradgen.frontend.source.source import Source

# annotations of what is given as a list, and no array: of numbers, of rows of them
ROW = r"(\w+\.)?(list|List|Sequence|tuple|Tuple)\[{0}(, *({0}|\.\.\.))*\]"
NUMBERS = ROW.format("(float|int)")
ANNOTATED = re.compile(f"{NUMBERS}$")
ROWS = re.compile(f"{ROW.format(NUMBERS)}$")


def tells_of_rows(annotation: str | None) -> bool:
    """Whether an annotation is one of rows of numbers: list[tuple[float, float]]."""
    return ROWS.match((annotation or "").strip("\"'")) is not None


def depth_of(source: Source, name: str, annotation: str | None, is_untold: bool) -> int:
    """How deep a list of numbers an argument is: by an example, or annotation and default.

    0 for what is none, 2 for a list of rows.
    """
    if annotation is not None and ANNOTATED.match(annotation):
        return 1
    depth = dict(source.listed).get(name, 0)
    if depth or not is_untold:
        return depth
    value: Any = source.defaults.get(name)
    listed = isinstance(value, (tuple, list)) and len(value) > 0
    return int(listed and all(type(one) in (int, float) for one in value))
