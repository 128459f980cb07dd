"""Arguments that are lists or tuples of numbers, which no operator takes."""

from __future__ import annotations

import re
from typing import Any

from gradgen.frontend.source.source import Source

# annotations of what is given as a list, and no array
ANNOTATED = re.compile(
    r"^(\w+\.)?(list|List|Sequence|tuple|Tuple)\[(float|int)(, *(float|int|\.\.\.))*\]$"
)


def is_row(source: Source, name: str, annotation: str | None, is_untold: bool) -> bool:
    """Whether an argument is one: by an example, or else by annotation and default."""
    if annotation is not None and ANNOTATED.match(annotation):
        return True
    if name in source.listed or not is_untold:
        return name in source.listed
    value: Any = source.defaults.get(name)
    listed = isinstance(value, (tuple, list)) and len(value) > 0
    return listed and all(type(one) in (int, float) for one in value)
