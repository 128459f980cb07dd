"""What an attribute is that __init__ takes of the module, or makes by turns.

`self.table = TABLE` is the module's dictionary, as far as it holds numbers, words and
others of the kind. `[Head(n) for _ in range(3)]` is a list of three instances; of how
many nothing tells else, and the text looks at it.
"""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradgen.frontend.source.fields_told import PLAIN, UNKNOWN, plain
from gradgen.frontend.source.holding import DICTIONARIES, LONGEST, Held, setting


def of_module(value: Any) -> Held:
    """What a value of the module is where an attribute holds it."""
    if isinstance(value, float):
        return Held("number", fact="")
    plain = (*PLAIN, type(None), enum.Enum, types.ModuleType)
    if isinstance(value, plain) or callable(value):
        return setting(value)
    return _of_dictionary(value, ()) or UNKNOWN


def _of_dictionary(value: Any, around: tuple[int, ...]) -> Held | None:
    """A dictionary by its words, None for another value."""
    if type(value) not in DICTIONARIES or not value or len(value) > LONGEST:
        return None
    if id(value) in around or not all(isinstance(key, str) for key in value):
        return None
    inside = (*around, id(value))
    parts = (_of_part(one, inside) for one in value.values())
    return Held("dict", keys=tuple(value), parts=tuple(parts))


def _of_part(value: Any, around: tuple[int, ...]) -> Held:
    if type(value) in PLAIN or value is None:
        return plain(value)
    if isinstance(value, np.ndarray):
        return Held("unknown")
    return _of_dictionary(value, around) or UNKNOWN


def by_turns(
    node: ast.ListComp | ast.GeneratorExp,
    read: Callable[[ast.expr], Held],
    made: Callable[[dict[str, Held]], Held],
) -> Held | None:
    """A list of as many instances as there are turns; None where nothing tells that.

    `made` is the entry where the names of a turn are known.
    """
    (first, *others), target = node.generators, node.generators[0].target
    if others or first.ifs or first.is_async or not isinstance(target, ast.Name):
        return None
    turns = _turns(first.iter, read)
    if turns is None or not 0 < len(turns) <= LONGEST:
        return None
    entry = made({target.id: turns[0]})
    if entry.kind != "object":
        return None
    rest = (made({target.id: one}) for one in turns[1:])
    return Held("list", parts=(entry, *rest))


def _turns(node: ast.expr, read: Callable[[ast.expr], Held]) -> list[Held] | None:
    """What a loop goes over, where that is known: range(3), (4, 8)."""
    if isinstance(node, (ast.List, ast.Tuple)):
        starred = any(isinstance(one, ast.Starred) for one in node.elts)
        return None if starred else list(map(read, node.elts))
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "range":
        return None
    bounds = list(_bounds(map(read, node.args)))
    if node.keywords or None in bounds or len(bounds) not in (1, 2):
        return None
    return [setting(i) for i in range(*bounds)]


def _bounds(each: Iterator[Held]) -> Iterator[Any]:
    for one in each:
        value = one.value.value if one.kind == "setting" else None
        yield value if type(value) is int else None
