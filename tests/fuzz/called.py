"""A module whose function is called with arguments of a profile's own making.

There are no smaller ones: what fails is printed as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.program import Parameter, Program


@dataclass(frozen=True)
class Text(Program):
    """A module as it stands."""

    text: str = ""

    @property
    def source(self) -> str:
        return self.text.replace("\n", "\n\n\n", 1)


@dataclass(frozen=True)
class Called:
    """One request: the program, and what the gradient is in."""

    program: Text
    wrt: Any
    level: str = "none"
    shapes: Mapping[str, str] = field(default_factory=dict)


def called(text: str, seed: int, wrt: Any) -> Called:
    """One request of a function f of a module's text."""
    param = (Parameter("x", ("n",)),)
    return Called(Text(param, ("return x",), seed, "f", text=text), wrt)
