"""The loops of a function, as they are written."""

from __future__ import annotations

import gast

from gradgen.frontend.source.source import Source
from gradgen.frontend.source.walked import nodes_in


def goes_through_lists(source: Source) -> bool:
    """Whether the function has a loop over something else than a range."""
    loops = (node for node in nodes_in(source.node) if isinstance(node, gast.For))
    return any(
        getattr(getattr(loop.iter, "func", None), "id", "") != "range" for loop in loops
    )
