"""Reads a NumPy function and writes its gradient as readable Python."""

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
    # Loaded when it is first asked for: emitting needs nothing of gradgen.verify.
    if name == "check_grads":
        from gradgen.verify.hand import check_grads

        return check_grads
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
