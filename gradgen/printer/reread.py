"""Whether a printed text reads as the tree it was printed from; InternalError if not."""

from __future__ import annotations

import ast
from typing import Any

import gast

from gradgen.errors import GradgenError, InternalError
from gradgen.printer.literal import as_python

_PSEUDO = ("Comment", "Blank")
_UNSEEN = ("ctx", "type_comment", "kind", "type_ignores")  # fields without a text


def check(module: gast.Module, text: str) -> None:
    """InternalError unless the text reads as the module; comments do not count."""
    try:
        pairs: list[tuple[Any, Any]] = [(module, ast.parse(text))]
    except IndentationError as error:
        if "too many levels" not in str(error):
            raise InternalError(f"the printed text is not Python: {error}") from error
        raise GradgenError(
            "GG199",
            "the gradient's loops and branches stand deeper in one another than "
            "Python reads",
            advice="branches one behind the other, not in one another",
        ) from None
    except SyntaxError as error:
        raise InternalError(f"the printed text is not Python: {error}") from error
    line = 0
    while pairs:
        wanted, got = pairs.pop()
        line = getattr(got, "lineno", line)
        parts = _parts(wanted, got)
        if parts is None:
            raise InternalError(f"line {line} of the printed text reads differently")
        pairs += parts


def string(node: ast.AST) -> str | None:
    """The text of a statement that is a string, as a docstring is, else None."""
    value = node.value if isinstance(node, (ast.Expr, gast.Expr)) else None
    text = value.value if isinstance(value, (ast.Constant, gast.Constant)) else None
    return text if isinstance(text, str) else None


def _parts(wanted: Any, got: Any) -> list[Any] | tuple[Any, ...] | None:
    """The pairs that must agree for these two to agree; None where they differ."""
    kind = type(wanted).__name__
    if kind == "Constant":
        return () if _same_constant(wanted.value, got) else None
    if isinstance(got, list):
        wanted = [w for w in wanted or () if type(w).__name__ not in _PSEUDO]
        return list(zip(wanted, got)) if len(wanted) == len(got) else None
    if isinstance(got, ast.AST) and kind == type(got).__name__:
        if isinstance(got, ast.Name):
            return () if wanted.id == got.id else None
        said = string(wanted) if kind == "Expr" else None
        if said is not None:
            return () if said.split() == (string(got) or "").split() else None
        seen = [field for field in got._fields if field not in _UNSEEN]
        return [(getattr(wanted, field, None), getattr(got, field)) for field in seen]
    if isinstance(got, ast.arg) and kind == "Name":
        return [(wanted.id, got.arg), (wanted.annotation, got.annotation)]
    if kind == "Name":  # of `except ... as name`
        wanted = wanted.id
    return () if wanted == got or not wanted and not got else None


def _same_constant(value: object, got: ast.AST) -> bool:
    """Whether a constant, with its sign, is the value and of the value's type."""
    try:
        read = got.value if isinstance(got, ast.Constant) else ast.literal_eval(got)
    except (TypeError, ValueError):
        return False
    if isinstance(value, (str, bytes)) or value is None or value is ...:
        return value == read
    number = as_python(value)
    return type(number) is type(read) and number == read
