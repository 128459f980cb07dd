"""What was seen of a function's calls -> the facts of its arguments, one set for each rank.

The axes of the calls get letters, as those of an example do. An axis that is 1 in
some calls and longer in others is `#n`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gradgen.commands.running import Seen
from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source, find
from gradgen.frozen import dataclass
from gradgen.observing.values import example, has_arrays, is_floating, skeleton
from gradgen.request.options import Request
from gradgen.request.request import request
from gradgen.runtime.arguments import complex_arguments, example_arguments
from gradgen.runtime.examples import emitted_like


@dataclass(frozen=True)
class Facts:
    """What one text of a function is told: the request that was emitted, and its calls."""

    target: str
    request: Request
    calls: int


def target_of(seen: Seen) -> str:
    """How a function is named: by its module, or a script's by its path."""
    if seen.module:
        return f"{seen.module}.{seen.name}"
    near = os.path.relpath(seen.file)
    return f"{(seen.file if near.startswith('..') else near)}:{seen.name}"


def facts_of(seen: Seen, asked: Request | None = None) -> list[Facts]:
    """The facts for all that a function was called with arrays for.

    `asked` is what else is asked of the text. Raises GradgenError where the function
    cannot be differentiated.
    """
    source = _source(seen)
    groups: dict[Any, list[dict[str, Any]]] = {}
    for call in seen.calls:
        if any(map(has_arrays, call.values())):
            key = tuple((name, skeleton(told)) for name, told in call.items())
            groups.setdefault(key, []).append(call)
    found: list[Facts] = []
    for calls in groups.values():
        joined = _joined(source, calls, asked)
        parts = [calls] if joined is not None else _by_ones(calls)
        for part in parts:
            one = joined or _emitted(source, part[0], asked)
            if all(one.shapes != other.request.shapes for other in found):
                found.append(Facts(source.name, one, len(part)))
    return found


def facts_seen(seen: Seen, asked: Request) -> tuple[Request, tuple[str, ...]]:
    """A request with the facts of the calls that were seen, and what is said of others."""
    found = sorted(facts_of(seen, asked), key=lambda one: -one.calls)
    if not found:
        raise GradgenError(
            "GG036",
            f"{target_of(seen)} was called without arrays",
            advice="a command that calls it with arrays",
        )
    if len(found) == 1:
        return found[0].request, ()
    told = f"note: {target_of(seen)} was called with arguments of {len(found)} kinds"
    return found[0].request, (f"{told}; this text is for the most frequent",)


def _source(seen: Seen) -> Source:
    try:
        return find(target_of(seen))
    except GradgenError:
        if not seen.module:
            raise
        # what a test's own way of importing calls a module is no name elsewhere
        return find(target_of(replace(seen, module="")))


def _emitted(source: Source, call: dict[str, Any], asked: Request | None) -> Request:
    """The request for arguments like those of one call. Raises GradgenError."""
    names = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    values = {name: example(call[name]) for name in names if name in call}
    known = example_arguments(list(values.values()), list(values))
    if asked is None:
        wrt = next((name for name in names if is_floating(call.get(name, {}))), None)
        first = call.get(names[0], {})
        plain = wrt is None or wrt == names[0] or "number" in first
        asked = request(
            source.name,
            wrt=None if plain else wrt,
            parameters=names,
            complex=complex_arguments(known),
        )
    found, _ = emitted_like(asked, source, known)
    return found


def _joined(
    source: Source, calls: Sequence[dict[str, Any]], asked: Request | None
) -> Request | None:
    """The request for all calls of these ranks; None where one cannot serve them."""
    mixed = _mixed(calls)
    most = max(calls, key=_longer)
    one = _emitted(source, most, asked)
    if not mixed:
        return one
    shapes = dict(one.shapes)
    fresh = iter(f"k{i}" for i in range(1, 100))
    for name, axis in mixed:
        words = shapes.get(name, "").partition(":")[0].split()
        if axis >= len(words) or "{" in shapes[name]:
            return None
        word = words[axis]
        if word == "1":
            words[axis] = f"#{next(fresh)}"
        elif word.isidentifier():
            words[axis] = f"#{word}"
        else:
            return None
        shapes[name] = " ".join(words)
    try:
        again = replace(one, shapes=tuple(shapes.items()))
        return emitted_like(again, source, {})[0]
    except GradgenError:
        return None


def _mixed(calls: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """The axes that are 1 in some of the calls, and longer in others."""
    found = []
    for name, told in calls[0].items():
        for axis in range(len(told.get("array", ()))):
            ones = {call[name]["array"][axis] == 1 for call in calls}
            if len(ones) == 2:
                found.append((name, axis))
    return found


def _longer(call: dict[str, Any]) -> int:
    """How many axes are longer than 1."""
    return sum(n != 1 for told in call.values() for n in told.get("array", ()))


def _by_ones(calls: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for call in calls:
        key = tuple(
            (name, tuple(n == 1 for n in told.get("array", ())))
            for name, told in call.items()
        )
        groups.setdefault(key, []).append(call)
    return list(groups.values())
