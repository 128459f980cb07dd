"""Reads a NumPy function and writes its gradient as readable Python."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradgen.api import (
        emit,
        grad,
        hessian,
        hvp,
        jacobian,
        jvp,
        stop_gradient,
        value_and_grad,
        vjp,
    )
    from gradgen.errors import GradgenError
    from gradgen.verify.hand import check_grads

__version__ = "0.1.0"
__all__ = [
    "GradgenError",
    "check_grads",
    "emit",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]


def __getattr__(name: str) -> Any:
    # Loaded when it is first asked for: pytest imports the package for its plugin,
    # and emitting needs nothing of gradgen.verify.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "check_grads":
        place = "gradgen.verify.hand"
    else:
        place = "gradgen.errors" if name == "GradgenError" else "gradgen.api"
    room = import_module("gradgen.ir.room").room
    with room():  # what loading makes stays: nothing to collect
        found = globals()[name] = getattr(import_module(place), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
