"""filter(f, items) of named or written items as the generator that it is.

before:  sum(filter(lambda v: v > 0, x))
after:   sum((item for item in x if (lambda v: v > 0)(item)))
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from gradgen.frontend.source.columns import is_stored

# what is there before the first item is asked for, and asked of nothing
ITEMS = (gast.Name, gast.Attribute, gast.Subscript, gast.List, gast.Tuple)
TESTS = (gast.Lambda, gast.Name, gast.Attribute)


def with_filters(node: gast.FunctionDef, around: Collection[str]) -> gast.FunctionDef:
    """The function with its filters as generators, unless the name is another's.

    `around` are the names of the module and of what encloses the function. What is
    filtered by a call that gives its items one by one stays as it is.
    """
    names = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
    if "filter" not in names or "filter" in around:
        return node
    bound = {one.id for one in gast.walk(node) if is_stored(one)} | {
        one.name for one in gast.walk(node) if isinstance(one, gast.FunctionDef)
    }
    if "filter" in bound:
        return node
    taken = names | set(around)
    item = next(n for n in ("item", *(f"item{k}" for k in range(99))) if n not in taken)
    made: gast.FunctionDef = _Filters(item).visit(node)
    return made


class _Filters(gast.NodeTransformer):
    def __init__(self, item: str) -> None:
        self.item = item

    def visit_Call(self, node: gast.Call) -> Any:
        self.generic_visit(node)
        is_filter = isinstance(node.func, gast.Name) and node.func.id == "filter"
        if not is_filter or len(node.args) != 2 or node.keywords:
            return node
        test, items = node.args
        is_none = isinstance(test, gast.Constant) and test.value is None
        if not isinstance(items, ITEMS) or not (is_none or isinstance(test, TESTS)):
            return node
        read = [gast.Name(self.item, gast.Load(), None, None) for _ in range(2)]
        store = gast.Name(self.item, gast.Store(), None, None)
        asked: gast.expr = read[0] if is_none else gast.Call(test, read[:1], [])
        one = gast.comprehension(store, items, [asked], 0)
        made = gast.GeneratorExp(read[1], [one])
        for part in (*read, store, asked, made):
            gast.copy_location(part, node)
        return made
