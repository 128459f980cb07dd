"""Skips, under NumPy before 2.0, the lines that name what that NumPy does not have."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator

import numpy as np
import pytest

from tests.rules.checker import Line

OLD = np.__version__.startswith("1.")


def pytest_collection_modifyitems(items) -> None:
    if not OLD:
        return  # there a name that is missing is a mistake
    for item in items:
        callspec = getattr(item, "callspec", None)
        values = list(callspec.params.values()) if callspec else []
        for value in [*values, getattr(item, "function", None)]:
            absent = next(missing(text_of(value)), None)
            if absent:
                reason = f"NumPy {np.__version__} has no {absent}"
                item.add_marker(pytest.mark.skip(reason=reason))
                break


def pytest_terminal_summary(terminalreporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    absent = [one for one in skipped if " has no np." in str(one.longrepr)]
    if absent:
        said = f"{len(absent)} tests skipped for what NumPy {np.__version__} lacks"
        terminalreporter.write_line(said)


def text_of(value: object) -> str:
    """The code of a test's parameter: a line's text, a statement, a function's."""
    if isinstance(value, Line):
        return value.text
    if inspect.isfunction(value):
        return textwrap.dedent(inspect.getsource(value))
    if isinstance(value, tuple) and value:  # a text and the facts of its names
        return text_of(value[0])
    return value if isinstance(value, str) else ""


def missing(text: str) -> Iterator[str]:
    """The names of numpy's, and the keywords of its functions, that do not exist."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a message, not code
        return
    for node in ast.walk(tree):
        name = dotted(node)
        if name and name.startswith("np.") and found(name) is None:
            yield name
        if isinstance(node, ast.Attribute) and node.attr == "mT":
            yield "np.ndarray.mT"
        if isinstance(node, ast.Call) and (dotted(node.func) or "").startswith("np."):
            known = keywords(found(dotted(node.func)))
            for keyword in node.keywords:
                if known and keyword.arg and keyword.arg not in known:
                    yield f"{dotted(node.func)}({keyword.arg}=)"


def dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and f"{base}.{node.attr}"
    return None


def found(name: str) -> object:
    value: object = np
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def keywords(function: object) -> set[str]:
    """The parameters that a function of numpy's tells; none where it tells none."""
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()
