"""Every line of a text belongs to some line of its originals: the ones with no origin."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from gradgen.explain.originals import Originals

Found = dict[int, tuple[str, ...]]


def belonging(
    text: str,
    origins: Mapping[int, tuple[str, ...]],
    heads: Mapping[str, str],
    helpers: Mapping[str, tuple[str, ...]],
    originals: Originals,
) -> Found:
    """Line of the text -> keys of lines of the originals, for each line with words.

    A statement that the printer or a pass has made, and not a line of the primal, is
    of the lines that give its name a value; else of those that read it; else of the
    next statement. A helper is of the lines whose gradients call it (`helpers`). What
    is left is of a function as a whole, the head of its original: of each function of
    the text `heads` names it.

    before:  W = self.W            # no origin
             h = np.tanh(x @ W)    # of line 5
             return d_W            # no origin
    after:   the first is of line 5, the last one of the def
    """
    found = dict(origins)
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            rows = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            head = heads.get(node.name, originals.head())
            if node.name in helpers:
                found.update(dict.fromkeys(rows, helpers[node.name] or (head,)))
            else:
                _fill(node, found, head)
                _settle(rows, text, found, head)
    for number, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            found.setdefault(number, (originals.head(),))
    return found


def _fill(function: ast.FunctionDef, found: Found, head: str) -> None:
    """The lines of one function that have no origin."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    nodes.sort(key=lambda node: node.lineno)
    known = [(node, found[n]) for node in nodes if found.get(n := node.lineno)]
    for node in nodes:
        if found.get(node.lineno):
            continue
        if isinstance(node, (ast.FunctionDef, ast.Return)) or _is_text(node):
            keys: tuple[str, ...] = (head,)
        else:
            keys = _like(node, known) or (head,)
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.FunctionDef):
            last = node.body[0].lineno - 1
        elif hasattr(node, "body"):
            last = node.lineno
        for row in range(node.lineno, last + 1):
            found.setdefault(row, keys)


def _settle(rows: range, text: str, found: Found, head: str) -> None:
    """What is left of a function, such as a comment that no line has made."""
    for row in rows:
        if text.split("\n")[row - 1].strip():
            found.setdefault(row, (head,))


def _like(
    node: ast.stmt, known: Iterable[tuple[ast.stmt, tuple[str, ...]]]
) -> tuple[str, ...]:
    """The lines of statements that store the same name, that read it, that come next."""
    known = list(known)
    stored = set(_names(node, ast.Store))
    for kind in (ast.Store, ast.Load):
        others = [keys for one, keys in known if stored & set(_names(one, kind))]
        if others:
            return tuple(dict.fromkeys(key for keys in others for key in keys))
    return next((keys for one, keys in known if one.lineno > node.lineno), ())


def _names(node: ast.stmt, kind: type[ast.expr_context]) -> Iterator[str]:
    """The names that a statement stores or reads; of a block, its head."""
    waiting: list[ast.AST] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name) and isinstance(one.ctx, kind):
            yield one.id
        inner = ast.iter_child_nodes(one)
        waiting += [child for child in inner if not isinstance(child, ast.stmt)]


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
