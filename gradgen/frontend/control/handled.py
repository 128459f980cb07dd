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
from gradgen.frontend.source.fence import own_nodes
from gradgen.ir.handled import Handled

Kinds = tuple[tuple[type, ...], ...]
Caught = Callable[[Lowering, Any], tuple[type, ...]]


def noted(
    lowering: Lowering,
    body: list[Any],
    kinds: Kinds,
    going: tuple[bool, ...],
    raised: Exception | None,
    caught: Caught,
) -> None:
    """Notes a try block whose body is written alone, and one that surely raises.

    `kinds` are what its handlers take, of which some go on; `caught` tells what a handler
    of a try block inside takes.
    """
    if not any(going):
        return
    taken = [one for i, classes in enumerate(kinds) if going[i] for one in classes]
    inside = []
    for node in _tried(body):
        classes = [
            one for handler in node.handlers for one in caught(lowering, handler)
        ]
        inside.append(Handled(*_lines(lowering, node.body), tuple(classes)))
    found = Handled(*_lines(lowering, body), tuple(taken), tuple(inside))
    alone = raised is None and lowering.handled.get(found, True)
    lowering.handled[found] = alone


def leaves_in_finally(node: gast.Try) -> bool:
    """Whether finally leaves the block, and an exception with it."""
    jumps = (gast.Return, gast.Break, gast.Continue)
    return any(isinstance(one, jumps) for one in own_nodes(node.finalbody))


def _lines(lowering: Lowering, body: list[Any]) -> tuple[str, int, int]:
    file, above = lowering.source.file, lowering.source.first - 1
    path = file if file.startswith("<") else os.path.abspath(file)
    return path, body[0].lineno + above, body[-1].end_lineno + above


def _tried(body: list[Any]) -> Iterator[gast.Try]:
    for statement in body:
        for one in gast.walk(statement):
            if isinstance(one, gast.Try):
                yield one
