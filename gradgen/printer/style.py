"""The form of a text: a function alone, or one with a callback, by mode."""

from __future__ import annotations

from gradgen.frozen import dataclass


@dataclass(frozen=True)
class Style:
    """The form of the text: joint or callback; with the value or without.

    `name` is the function's, where others of the text call it.
    """

    callback: bool = False
    value: bool = False
    mode: str = "reverse"
    name: str = ""

    @property
    def forward(self) -> bool:
        """Whether the text is the value and its tangent."""
        return self.mode == "forward"

    @property
    def prefix(self) -> str:
        """What stands before the primal's name in that of the text's function."""
        if self.mode != "reverse":
            return "jvp_" if self.forward else f"{self.mode}_"
        if self.callback:
            return "vjp_"
        return "value_and_grad_" if self.value else "grad_"
