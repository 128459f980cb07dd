"""The steps of slices that a function is written with: 2 of x[::2] and x[1::2]."""

from __future__ import annotations

import gast


def strides(node: gast.AST) -> set[int]:
    """The whole numbers above 1 that slices go on by."""
    steps = (one.step for one in gast.walk(node) if isinstance(one, gast.Slice))
    found = {getattr(step, "value", None) for step in steps}
    return {step for step in found if type(step) is int and step > 1}
