"""Lists of tuples that one expression makes, as loops that append to them.

segs = [(x[i], x[i + 1]) for i in range(n)]    segs = []
                                               for i in range(n):
                                                   segs.append((x[i], x[i + 1]))
pairs = list(zip(x, y))                        pairs = []
                                               for first, second in zip(x, y):
                                                   pairs.append((first, second))

Lists that tuples are appended to are taken apart in columns. This form is for functions
that are refused as they stand: where lengths are known, tuples stay what they are.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.columns import NESTED, in_columns, is_stored, name_node
from gradgen.frontend.source.columns import placed
from gradgen.frontend.source.rows_of_keys import with_tuples
from gradgen.frontend.source.source import Source, source_of

WORDS = ("first", "second", "third", "fourth")


def apart(source: Source) -> Source:
    """The function with its lists of tuples as a list for each part."""
    node, around = copy.deepcopy(source.node), {*source.globals, *source.closure}
    node = with_tuples(_OneByOne().visit(node))
    bound = {one.id for one in gast.walk(node) if is_stored(one)}
    if {"list", "zip", "enumerate"}.isdisjoint(around | bound):
        node = in_columns(_Loops(node).visit(node), around)
    return replace(source, node=node, apart=True)


def called_by(root: Source, function: Any) -> Source:
    """The source of a function that another one calls, in the same form."""
    found = source_of(function, f"{function.__module__}.{function.__name__}")
    return apart(found) if root.apart else found


class _OneByOne(gast.NodeTransformer):
    """Writes w, hist = 0.0, [] as two lines."""

    def visit_Assign(self, node: gast.Assign) -> Any:
        target, value = node.targets[0], node.value
        both = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
        if not both or len(node.targets) > 1 or len(target.elts) != len(value.elts):
            return node
        if not all(map(_is_plain, value.elts)):
            return node
        if not any(isinstance(one, gast.List) for one in value.elts):
            return node
        pairs = zip(target.elts, value.elts)
        return [placed(gast.Assign([a], b, None), node) for a, b in pairs]


def _is_plain(value: gast.AST) -> bool:
    """Whether an item is a number, a word or an empty list."""
    if isinstance(value, gast.List):
        return not value.elts
    return isinstance(value, gast.Constant)


class _Loops(gast.NodeTransformer):
    """Writes the assignments of one function as loops."""

    def __init__(self, function: gast.FunctionDef) -> None:
        self.function = function
        self.taken = {n.id for n in gast.walk(function) if isinstance(n, gast.Name)}

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        return self.generic_visit(node) if node.name == self.function.name else node

    def visit_Lambda(self, node: gast.Lambda) -> gast.AST:
        return node

    def visit_Assign(self, node: gast.Assign) -> Any:
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, gast.Name):
            return node
        made: gast.AST = node.value
        if _is_call(made, "list") and len(made.args) == 1 and not made.keywords:
            made = self._of_tuples(made.args[0])
        if not isinstance(made, gast.ListComp) or not isinstance(made.elt, gast.Tuple):
            return node
        if any(isinstance(one, NESTED) for one in gast.walk(made)):
            return node
        if any(getattr(one, "id", "") == target.id for one in gast.walk(made)):
            return node
        made = self._own_names(made)
        func = gast.Attribute(name_node(target.id), "append", gast.Load())
        body: gast.stmt = gast.Expr(gast.Call(func, [made.elt], []))
        for over in reversed(made.generators):
            for test in reversed(over.ifs):
                body = gast.If(test, [body], [])
            body = gast.For(over.target, over.iter, [body], [], None)
        empty = gast.Assign([target], gast.List([], gast.Load()), None)
        return [placed(one, node) for one in (empty, body)]

    def _of_tuples(self, items: gast.AST) -> gast.AST:
        """What list() makes of zip(x, y) or enumerate(x), as a comprehension."""
        count = 0
        if _is_call(items, "zip") and len(items.args) <= len(WORDS):
            count = len(items.args)
        if _is_call(items, "enumerate"):
            count = 2
        if count < 2 or any(isinstance(arg, gast.Starred) for arg in items.args):
            return items
        words = [self._free(word) for word in WORDS[:count]]
        target = gast.Tuple(
            [name_node(one, gast.Store()) for one in words], gast.Store()
        )
        parts = gast.Tuple([name_node(one) for one in words], gast.Load())
        over = gast.comprehension(target, items, [], 0)
        return gast.ListComp(parts, [over])

    def _own_names(self, made: gast.ListComp) -> gast.ListComp:
        """The comprehension with names that nothing else in the function has."""
        bound = dict.fromkeys(_bound(made))
        inside = {id(one) for one in gast.walk(made)}
        others = {
            one.id
            for one in gast.walk(self.function)
            if isinstance(one, gast.Name) and id(one) not in inside
        }
        first = made.generators[0].iter  # which is read outside
        others |= {one.id for one in gast.walk(first) if isinstance(one, gast.Name)}
        others |= {arg.id for arg in self.function.args.args}
        names = {one: self._free(one) for one in bound if one in others}
        made = copy.deepcopy(made)
        for one in gast.walk(made):
            if isinstance(one, gast.Name):
                one.id = names.get(one.id, one.id)
        made.generators[0].iter = first
        return made

    def _free(self, word: str) -> str:
        while word in self.taken:
            word += "_"
        self.taken.add(word)
        return word


def _bound(made: gast.ListComp) -> Iterator[str]:
    for over in made.generators:
        for one in gast.walk(over.target):
            if isinstance(one, gast.Name):
                yield one.id


def _is_call(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "id", "") == name
