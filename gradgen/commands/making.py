"""One entry of a project made into its text, in a process of its own."""

from __future__ import annotations

import os
import traceback

from gradgen.commands.entries import Entry
from gradgen.commands.reads import Reads
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass


@dataclass(frozen=True)
class Making:
    """What came of an entry: a text and its notes, a refusal, or a fault of gradgen.

    `source` is the file of the function; `reads` is what the text was made of.
    """

    text: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    reads: Reads | None = None
    refusal: GradgenError | None = None
    fault: str = ""


def made(entry: Entry) -> Making:
    """The text that `gradgen emit` makes for an entry in the working directory."""
    try:
        return _made(entry)
    except GradgenError as error:
        return Making(refusal=error)
    except Exception:
        return Making(fault=traceback.format_exc())


def _made(entry: Entry) -> Making:
    import click

    from gradgen.commands.emit import emit
    from gradgen.commands.notes import notes
    from gradgen.commands.noting import watch
    from gradgen.commands.order import make, order_of

    ended = watch()
    try:
        context = emit.make_context("gradgen emit", list(entry.arguments))
        order = order_of(context.params)
    except click.UsageError as error:
        raise GradgenError("GG032", error.format_message()) from None
    one = make(order)
    reads = ended(entry.arguments, one.emitted.text)
    source = os.path.abspath(one.source.file)
    return Making(one.emitted.text, tuple(notes(one)), source, reads)
