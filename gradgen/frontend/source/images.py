"""Matrices of pixels: by what they are called, and by the filters that they go through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

# what matrices of pixels are called
IMAGES = ("image", "img", "im")
# the library of filters of these
FILTERS = "ndimage"


def filters_images(node: gast.AST, names: Mapping[str, Any]) -> bool:
    """Whether a filter of scipy.ndimage is called, but for those along one axis.

    `names` are those of the function's module.

    before:  ndimage.sobel(x)        gaussian_filter1d(x, 2.0)
    after:   True                    False
    """
    called = [one.func for one in gast.walk(node) if isinstance(one, gast.Call)]
    return any(
        FILTERS in _library(func, names) and not _name(func).endswith("1d")
        for func in called
    )


def _name(func: gast.AST) -> str:
    return str(getattr(func, "attr", getattr(func, "id", "")))


def _library(func: gast.AST, names: Mapping[str, Any]) -> list[str]:
    """The parts of the name that a function is called by, or of its module's."""
    if isinstance(func, gast.Attribute):
        return [_name(one) for one in gast.walk(func.value)]
    module = getattr(names.get(_name(func)), "__module__", "")
    return str(module).split(".")
