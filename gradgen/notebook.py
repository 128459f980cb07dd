"""Notebooks: `%load_ext gradgen.notebook`, then `%%gradgen` above a cell's function.

    %%gradgen loss --wrt w,b --shape x="n d"
    def loss(w, b, x):
        ...

runs the cell, shows the gradient's text, and defines it under its own name (here
grad_loss). The options are those of `gradgen emit`; the function may be left out
where the cell defines one alone.
"""

from __future__ import annotations

import ast
import shlex
from dataclasses import replace
from typing import Any

import click
from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from gradgen.commands.emit import emit
from gradgen.commands.order import Made, make, order_of
from gradgen.errors import GradgenError
from gradgen.runtime.exec_text import compiled
from gradgen.runtime.html import Shown

PLACES = ("out", "force", "diff", "name")  # options that a notebook has no use for


@magics_class
class GradgenMagics(Magics):
    """The magics %%gradgen, for a cell, and %gradgen, for a function that is there."""

    @cell_magic("gradgen")  # type: ignore[arg-type]  # untyped there
    def cell(self, line: str, cell: str) -> None:
        """Runs the cell and shows and defines the gradient of its function."""
        assert self.shell is not None
        done = self.shell.run_cell(cell)  # type: ignore[no-untyped-call]
        if not done.success:
            return  # IPython has shown the error
        names = [n.name for n in ast.parse(cell).body if isinstance(n, ast.FunctionDef)]
        self._define(line, names)

    @line_magic("gradgen")  # type: ignore[arg-type]  # untyped there
    def line(self, line: str) -> None:
        """Shows and defines the gradient of a function of the notebook."""
        self._define(line, [])

    def _define(self, line: str, names: list[str]) -> None:
        try:
            made = _made(line, names)
        except (GradgenError, click.UsageError) as error:
            text = error.format_message() if hasattr(error, "format_message") else error
            # Shown without a traceback.
            raise UsageError(str(text)) from None
        emitted = made.emitted
        function = compiled(emitted, made.source)
        assert self.shell is not None
        self.shell.user_ns[emitted.function] = function
        display(Shown(emitted.text))  # type: ignore[no-untyped-call]  # as IPython has it


def _made(line: str, names: list[str]) -> Made:
    """What the options on the magic's line ask for, of a function of the notebook.

    Raises GradgenError, or click.UsageError for options that do not exist.
    """
    try:
        given = shlex.split(line)
    except ValueError as error:
        raise click.UsageError(f"{line}: {error}") from None
    if not given or given[0].startswith("-"):
        if len(names) != 1:
            count = f"{len(names)} functions" if names else "no function"
            raise GradgenError(
                "GG028",
                f"the cell defines {count}, and none is named",
                advice="%%gradgen loss, and the options of gradgen emit behind it",
            )
        given = [names[0], *given]
    options = emit.make_context("%%gradgen", given).params
    for place in PLACES:
        if options.get(place):
            raise click.UsageError(f"--{place} is for the command line")
    order = order_of(options)
    if order.target.isidentifier():
        order = replace(order, target=f"__main__.{order.target}")
    return make(order)


def load_ipython_extension(shell: Any) -> None:
    """What %load_ext calls."""
    shell.register_magics(GradgenMagics)
