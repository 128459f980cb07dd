"""What is examined: an emitted function beside its primal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request
from gradgen.verify.inputs import Parameter


class Primal(Protocol):
    """What a derivative is one of: a function of arguments by position."""

    def __call__(self, *args: Any) -> Any:
        """The value."""

    def at(self, args: Sequence[Any], /) -> Callable[..., Any]:
        """The function around arguments, where what it holds keeps its value."""


class Remade(Protocol):
    """A primal with the request for its gradient, and what is emitted for it."""

    @property
    def source(self) -> Source:
        """The primal's text and names."""

    @property
    def request(self) -> Request:
        """What was asked for."""

    @property
    def emitted(self) -> Emitted:
        """What came of it."""

    @property
    def wrt(self) -> tuple[str, ...]:
        """The arguments that the gradient is for."""


@dataclass(frozen=True)
class Subject:
    """An emitted function and the primal it is a gradient of.

    Where the function is made of a derivative along tangents, `along(arguments,
    tangents)`, both by name, is (value, derivative).
    """

    function: Callable[..., Any]
    primal: Primal
    parameters: tuple[Parameter, ...]
    wrt: tuple[str, ...]
    style: str = "joint"
    value: bool = False
    along: Callable[..., Any] | None = None

    @property
    def names(self) -> list[str]:
        return [parameter.name for parameter in self.parameters]


class WrongForm(ValueError):
    """A derivative of another shape or dtype, in words."""


def refuse_other_default(function: Callable[..., Any], names: Sequence[str]) -> None:
    """Raises WrongForm where a seed, which is in none of `names`, is not 1 by default."""
    for parameter in inspect.signature(function).parameters.values():
        default = parameter.default
        # None is that of one that has to have some default, behind another's.
        if parameter.name in names or default in (parameter.empty, None):
            continue
        if default != 1:
            told = f"{parameter.name} is {default!r} by default, not 1.0"
            raise WrongForm(told)
