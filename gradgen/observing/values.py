"""What is noted of an argument, as JSON, and an example that is made of it again.

Shapes and sorts alone: no entry of an array is kept.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradgen.signature.abstract import LONGEST, SORTS, parts_of

DEEPEST = 6


def noted(value: Any, depth: int = 0) -> Any:
    """What is noted of a value.

    before:  np.ones((5, 3), np.float32)
    after:   {"array": [5, 3], "dtype": "float32"}
    """
    if isinstance(value, (np.ndarray, np.generic)):
        if type(value).__module__ != "numpy" or value.dtype.kind not in SORTS:
            return {"other": type(value).__name__}
        if value.ndim:
            return {"array": list(value.shape), "dtype": value.dtype.name}
        return {"number": SORTS[value.dtype.kind]}
    if isinstance(value, (bool, int, float, complex)):
        return {"number": type(value).__name__}
    if value is None or isinstance(value, str):
        return {"static": type(value).__name__}
    parts = parts_of(value) if depth < DEEPEST else None
    if parts is None or len(parts[3]) > LONGEST:
        return {"other": type(value).__name__}
    kind, _, keys, values = parts
    if not all(isinstance(key, (str, int)) for key in keys):
        return {"other": type(value).__name__}
    cls = [type(value).__module__, type(value).__qualname__] if kind == "record" else []
    inner = [noted(one, depth + 1) for one in values]
    return {"parts": inner, "kind": kind, "keys": list(keys), "class": cls}


def example(told: Mapping[str, Any]) -> Any:
    """A value like the one that was noted; None where nothing is told of it."""
    if "array" in told:
        zero = np.zeros((), told["dtype"])
        return np.broadcast_to(zero, tuple(told["array"]))
    if "number" in told:
        return {"bool": False, "int": 1, "complex": 1j}.get(told["number"], 1.0)
    if "parts" not in told:
        return None
    parts = [example(one) for one in told["parts"]]
    if told["kind"] == "dict":
        return dict(zip(told["keys"], parts))
    if told["kind"] == "record":
        cls: Any = importlib.import_module(told["class"][0])
        for name in told["class"][1].split("."):
            cls = getattr(cls, name)
        return cls(**dict(zip(told["keys"], parts)))
    return tuple(parts) if told["kind"] == "tuple" else parts


def has_arrays(told: Mapping[str, Any]) -> bool:
    """Whether a value is an array, or holds one."""
    return "array" in told or any(map(has_arrays, told.get("parts", ())))


def is_floating(told: Mapping[str, Any]) -> bool:
    """Whether a value is an array of floating entries, or holds one."""
    if "array" in told:
        return np.dtype(told["dtype"]).kind in "fc"
    return any(map(is_floating, told.get("parts", ())))


def skeleton(told: Mapping[str, Any]) -> Any:
    """What of a value may not differ between the calls of one text: ranks, structure."""
    if "array" in told:
        kind = np.dtype(told["dtype"]).kind
        return len(told["array"]), kind if kind in "cb" else "real"
    if "parts" in told:
        inner = tuple(map(skeleton, told["parts"]))
        return told["kind"], tuple(told["keys"]), inner
    return "number" if "number" in told else told.get("static", "other")
