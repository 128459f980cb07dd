"""The functions of gradgen that make derivatives, and what they make."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from gradgen.frontend.lowering.memory import State
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Ref, Var

# the functions of gradgen that make derivatives, by their names in the library
STOP = "stop_gradient"
MAKERS = ("grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian", "hessian")
# where the classes of derivatives are that are functions
OUTSIDE = {f"gradgen.runtime.{one}" for one in "gradient pullback dispatcher".split()}


@dataclass(frozen=True, eq=False)
class Derivative:
    """What gradgen.grad(f) is, before it is called."""

    maker: str
    function: Callable[..., Any]
    # names or numbers of arguments, one or several, as they were given
    wrt: Any = None

    @property
    def __name__(self) -> str:
        return f"gradgen.{self.maker}"

    def __call__(self) -> None:
        raise TypeError("a derivative is only read")


@dataclass(frozen=True, eq=False)
class Pullback:
    """The second result of gradgen.vjp(f)(x), before it is called.

    `read` are the variables that f has read or made, `state` what held then.
    """

    out: Ref
    points: tuple[Var, ...]
    as_tuple: bool
    read: frozenset[Var]
    state: State
    __name__ = "the pullback"

    def __call__(self) -> None:
        raise TypeError("a pullback is only read")


def maker_of(value: object) -> str:
    """Which of gradgen's functions a value is, "" for another."""
    if not isinstance(value, types.FunctionType) or value.__module__ != "gradgen.api":
        return ""
    return value.__name__ if value.__name__ in (*MAKERS, STOP) else ""


def made_outside(value: Any) -> Derivative | None:
    """The derivative that an object of the module is: g = gradgen.grad(f)."""
    maker = getattr(value, "maker", None)
    module = type(value).__module__
    if maker is None or module not in OUTSIDE:
        return None
    return Derivative(maker, value.primal, value.given_wrt)
