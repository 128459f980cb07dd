"""The states that a gradient goes through, recorded while it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Function
from gradgen.pipeline.observer import Printing, Watch
from gradgen.printer.render import Rendered
from gradgen.shapes.infer import Facts


@dataclass(frozen=True)
class Step:
    """A function as a pass left it; `says` is what came out, in words."""

    name: str
    says: str
    function: Function
    facts: Facts


@dataclass(frozen=True)
class Recorded:
    """One function of the text: its states, its final form, and what prints them."""

    name: str
    steps: tuple[Step, ...]
    rendered: Rendered
    printing: Printing

    @property
    def facts(self) -> Facts:
        """What is known of the variables of the final form."""
        return self.steps[-1].facts


class Record(Watch):
    """Keeps what it is told, in the order in which it was told."""

    def __init__(self) -> None:
        self.read: tuple[Function, Facts] | None = None
        self.functions: list[Recorded] = []
        self._name = ""
        self._steps: list[Step] = []

    def primal(self, function: Function, facts: Facts) -> None:
        self.read = function, facts

    def start(self, name: str) -> None:
        self._name, self._steps = name, []

    def step(self, run: Callable[..., Any], function: Function, facts: Facts) -> None:
        name = run.__name__.replace("_", " ")
        self._steps.append(Step(name, says(run), function, facts))

    def printed(self, rendered: Rendered, printing: Printing) -> None:
        steps = tuple(self._steps)
        self.functions.append(Recorded(self._name, steps, rendered, printing))


def says(run: Callable[..., Any]) -> str:
    """What comes out of a pass, as the first line of its docstring has it."""
    first = (run.__doc__ or "").strip().split("\n")[0]
    return first.removeprefix("The function ").replace("`", "").rstrip(".")
