"""Which lines of its originals each line of an emitted text comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gradgen.explain.originals import Originals
from gradgen.ir.nodes import Note
from gradgen.printer.render import Rendered

_BLOCKS = ("body", "orelse", "finalbody")


def origins(
    text: str, functions: Iterable[Rendered], originals: Originals
) -> dict[int, tuple[str, ...]]:
    """Line of the text, from 1 -> keys of lines of the originals.

    The statements of a function carry the lines that they come from; those of
    the printed text stand in the same order, so that the two are walked together.
    So do the comments above a statement; what they tell of belongs to it as well.
    """
    defined = {
        node.name: node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
    found: dict[int, tuple[str, ...]] = {}
    for function in functions:
        body = defined[function.name].body
        for comments, origin, first, last in _statements(function.node.body, body):
            above = [_keys(comment, originals) for comment in comments]
            own = [*(n for one in above for n in one), *_keys(origin, originals)]
            rows = range(first - len(above), first)
            found.update({row: one for row, one in zip(rows, above) if one})
            lines = tuple(dict.fromkeys(own))
            found.update(dict.fromkeys(range(first, last + 1), lines) if lines else {})
        _add_kept(defined[function.name], found)
    return found


def _add_kept(function: ast.FunctionDef, found: dict[int, tuple[str, ...]]) -> None:
    """Adds the lines that keep a value in a list: those of what is kept.

    before:  xs = []  # of no line of the primal
             for i in range(n):
                 xs.append(x)
                 x = np.sin(x)  # of line 3
             ...
                 x = xs[i]
    after:   each of them is of line 3
    """
    simple = sorted(
        (n for n in ast.walk(function) if isinstance(n, (ast.Assign, ast.Expr))),
        key=lambda node: node.lineno,
    )
    made: dict[str, dict[str, None]] = {}
    for node in simple:
        if isinstance(node, ast.Assign):
            for name in _names(*node.targets):
                made.setdefault(name, {}).update(
                    dict.fromkeys(found.get(node.lineno, ()))
                )
    for node in simple:
        match node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(kept), "append"), [value])):
                if node.lineno not in found:
                    lines = [n for one in _names(value) for n in made.get(one, ())]
                    made.setdefault(kept, {}).update(dict.fromkeys(lines))
                    found[node.lineno] = tuple(dict.fromkeys(lines))
    for node in simple:
        match node:
            case ast.Assign([ast.Name(kept)], ast.List([])):
                pass
            case ast.Assign([_], ast.Subscript(ast.Name(kept))):
                pass
            case _:
                continue
        if node.lineno not in found and made.get(kept):
            found[node.lineno] = tuple(made[kept])


def _names(*nodes: ast.expr) -> list[str]:
    """The names in expressions."""
    inside = (one for node in nodes for one in ast.walk(node))
    return [one.id for one in inside if isinstance(one, ast.Name)]


def _statements(
    ours: Sequence[Any], theirs: Sequence[ast.stmt]
) -> Iterator[tuple[list[Note | None], Note | None, int, int]]:
    """(origins of the comments right above, its own, first row, last row) of each
    statement; of a block the rows of its head."""
    read = iter(theirs)
    comments: list[Note | None] = []
    for own in ours:
        kind = type(own).__name__
        if kind == "Comment":
            comments.append(getattr(own, "origin", None))
            continue
        if kind == "Blank":
            comments = []
            continue
        node = next(read)
        inside = [name for name in _BLOCKS if getattr(node, name, None)]
        last = node.end_lineno or node.lineno
        if inside:
            # the comments above its first statement belong to that one
            last = max(_rows_of_head(node), default=node.lineno)
        yield comments, getattr(own, "origin", None), node.lineno, last
        comments = []
        for name in inside:
            yield from _statements(getattr(own, name), getattr(node, name))


def _rows_of_head(node: ast.stmt) -> Iterator[int]:
    for name, value in ast.iter_fields(node):
        if name not in _BLOCKS and isinstance(value, ast.AST):
            yield from (
                getattr(n, "end_lineno")
                for n in ast.walk(value)
                if hasattr(n, "lineno")
            )


def _keys(origin: Note | None, originals: Originals) -> tuple[str, ...]:
    return originals.keys(origin.lines) if origin is not None else ()
