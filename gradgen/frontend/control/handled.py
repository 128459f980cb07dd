"""What is noted of a try block of which the text has the body alone.

A text leaves out what no gradient reads, and so what raises there:

    try:
        y = x * x + table[k]       d_x = 2 * d_y * x, whether the table has k or not
    except KeyError:
        y = x**3

A derivative at hand looks whether the function goes into the handler.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.handled import Handled

Kinds = tuple[tuple[type, ...], ...]


def handled_in(
    lowering: Lowering,
    body: list[Any],
    kinds: Kinds,
    going: tuple[bool, ...],
    caught: Callable[[Any], tuple[type, ...]],
) -> Handled:
    """The lines of the body of a try block, with what its handlers go on behind.

    `caught` tells what a handler of a try block inside takes.
    """
    place, taken = _lines(lowering, body), []
    for i, classes in enumerate(kinds):
        if going[i]:
            taken += classes
    inside = []
    for node in _tried(body):
        classes = [one for handler in node.handlers for one in caught(handler)]
        inside.append(Handled(*_lines(lowering, node.body), tuple(classes)))
    return Handled(*place, tuple(taken), tuple(inside))


def _lines(lowering: Lowering, body: list[Any]) -> tuple[str, int, int]:
    file, above = lowering.source.file, lowering.source.first - 1
    path = file if file.startswith("<") else os.path.abspath(file)
    return path, body[0].lineno + above, body[-1].end_lineno + above


def _tried(body: list[Any]) -> Iterator[gast.Try]:
    for statement in body:
        for one in gast.walk(statement):
            if isinstance(one, gast.Try):
                yield one
