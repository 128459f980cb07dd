"""Lists of arrays that __init__ makes, of which nothing tells how many there are.

[np.zeros(n) for n in sizes], a list that a loop fills, [None] * n: each entry has the
axes of what is put into it, and lengths of its own.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from gradgen.frontend.source.fields_told import UNKNOWN
from gradgen.frontend.source.holding import Held
from gradgen.shapes.spec import LISTED

ANY = f"{LISTED} *"
MAKING = (list, tuple)
ANNOTATED = re.compile(
    r"(?:\w+\.)*(?P<kind>list|List|Sequence|tuple|Tuple)"
    r"\[(?:\w+\.)*(?P<entry>ndarray|float)(?P<more>, ?\.\.\.)?\]"
)


def several(*entries: Held) -> Held:
    """A list of such entries, however many; nothing is known of one of objects.

    before:  a matrix, a matrix           a matrix, a vector
    after:   ":list ? ?"                  ":list *"
    """
    facts = set()
    for one in entries:
        if one.kind not in ("number", "unknown") or (one.fact or "").startswith(":"):
            return UNKNOWN
        facts.add("*" if one.fact is None else " ".join("?" for _ in one.fact.split()))
    axes = facts.pop() if len(facts) == 1 else "*"
    return Held("several", fact=f"{LISTED} {axes}".strip())


def filled(old: Held | None, entry: Held) -> Held | None:
    """What a list is after an entry was put into it; None of what is no list so far."""
    if old is None or old.kind not in ("list", "several"):
        return None
    if old.kind == "list":
        empty = all(_is_none(part) for part in old.parts)
        return several(*(() if empty else old.parts), entry)
    new = several(entry)
    return old if new.fact == old.fact else new if old.fact == NONES else _any(new)


# a list of None in each place, [None] * n
NONES = f"{LISTED} None"


def repeated(node: ast.BinOp, read: Callable[[ast.expr], Held]) -> Held | None:
    """[np.zeros(n)] * k, [None] * k; None of another product."""
    sides = node.left, node.right
    if not isinstance(node.op, ast.Mult):
        return None
    for one in sides:
        if isinstance(one, ast.List) and len(one.elts) == 1:
            entry = read(one.elts[0])
            return Held("several", fact=NONES) if _is_none(entry) else several(entry)
    return None


def annotated(annotation: str) -> Held | None:
    """A list by its annotation: list[np.ndarray], Sequence[float], tuple[float, ...]."""
    found = ANNOTATED.fullmatch(annotation.strip().strip("\"'"))
    if found is None or found["kind"].lower() == "tuple" and not found["more"]:
        return None
    return Held("several", fact=LISTED if found["entry"] == "float" else ANY)


def of_objects(node: ast.expr) -> Held | None:
    """np.empty(n, dtype=object), which holds an array of its own in each place."""
    words = {word.arg: word.value for word in getattr(node, "keywords", ())}
    kind = words.get("dtype")
    is_object = isinstance(kind, ast.Name) and kind.id == "object"
    return Held("several", fact=NONES) if is_object else None


def comprehended(node: ast.expr) -> ast.ListComp | ast.GeneratorExp | None:
    """[... for ...], list(... for ...), tuple([... for ...])"""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        maker = getattr(builtins, node.func.id, None)
        if maker in MAKING and len(node.args) == 1 and not node.keywords:
            inner = node.args[0]
            return (
                inner if isinstance(inner, (ast.ListComp, ast.GeneratorExp)) else None
            )
    return node if isinstance(node, ast.ListComp) else None


def bound_in(node: ast.AST) -> set[str]:
    """The names that a comprehension or a block gives values to."""
    return set(_stored(node))


def stored_once(node: ast.FunctionDef) -> frozenset[str]:
    """The names of a function that one statement alone gives a value to."""
    own = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
    counts = Counter(_stored(node))
    return frozenset(n for n, count in counts.items() if count == 1) - own


def _stored(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def put_into(node: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The list and the entry of items.append(entry); None of another call."""
    func = node.func
    if (
        isinstance(func, ast.Attribute)
        and func.attr == "append"
        and len(node.args) == 1
    ):
        return func.value, node.args[0]
    return None


def settled(held: Held) -> Held:
    """A list of None that nothing is known of is one that may hold anything."""
    return UNKNOWN if held.fact == NONES else held


def _any(held: Held) -> Held:
    return UNKNOWN if held is UNKNOWN else Held("several", fact=ANY)


def _is_none(held: Any) -> bool:
    return held.kind == "setting" and held.value.value is None
