"""Reads a NumPy function and writes its gradient as readable Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def __getattr__(name: str):
    # Loaded when it is first asked for: pytest imports the package for its plugin,
    # and emitting needs nothing of gradgen.verify.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "check_grads":
        from gradgen.verify import hand as module
    elif name == "GradgenError":
        from gradgen import errors as module
    else:
        from gradgen import api as module
    found = globals()[name] = getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
