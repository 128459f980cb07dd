"""Who is told what the stages hand on while a gradient is made: nobody, or explain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.ir.nodes import Function
from gradgen.printer.render import Rendered
from gradgen.shapes.infer import Facts

# the text of a function in any of its states; the function itself stays as it is
Printing = Callable[[Function, Facts], Rendered]


class Watch:
    """Is told of each state of each function of a text; this one forgets them."""

    def primal(self, function: Function, facts: Facts) -> None:
        """The primal that the text is about, and what is known of its variables."""

    def start(self, name: str) -> None:
        """The next steps are those of the derivative of the function of that name."""

    def step(self, run: Callable[..., Any], function: Function, facts: Facts) -> None:
        """What a pass made: the function `run` returned `function`."""

    def printed(self, rendered: Rendered, printing: Printing) -> None:
        """The final form, and what prints the earlier ones."""


UNWATCHED = Watch()
