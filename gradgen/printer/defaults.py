"""Expressions that are kept as text: the defaults of parameters."""

from __future__ import annotations

import gast


def read_default(text: str) -> gast.expr:
    """The expression that a default's text stands for, its spelling kept."""
    node = gast.parse(text, mode="eval").body
    if isinstance(node, gast.Constant) and isinstance(node.value, (int, float)):
        if not isinstance(node.value, bool):
            node.spelling = text
    return node
