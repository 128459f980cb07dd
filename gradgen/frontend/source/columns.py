"""Lists of tuples of the function's own: a list for each part of the tuples."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import gast
from gradgen.frontend.source.walked import nodes_in

NESTED = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def in_columns(node: gast.FunctionDef, around: Collection[str]) -> gast.FunctionDef:
    """The function with each list of tuples as lists, where all uses are known.

    `around` are the names of the module and of what encloses the function.

    before:  hist = []
             for t in range(3):
                 hist.append((h, c))
             for h, c in hist: ...
    after:   hist_h = []
             hist_c = []
             for t in range(3):
                 hist_h.append(h)
                 hist_c.append(c)
             for h, c in zip(hist_h, hist_c): ...

    Nobody else holds such a list: it is named once, appended to, gone over, and read by
    its places. It may be appended to another list, `hists.append(hist)`, which is read
    by both places, `hists[i][t]`. Any other use leaves it as it is.
    """
    if "zip" in around or "len" in around:
        return node
    waiting, seen = _candidates(node), set[str]()
    while waiting:
        name = waiting.pop(0)
        seen.add(name)
        taken = {one.id for one in nodes_in(node) if isinstance(one, gast.Name)}
        taken |= {arg.id for arg in node.args.args}
        taken |= set(around)
        changed = copy.deepcopy(node)
        columns = _Columns(name, taken)
        try:
            columns.visit(changed)
        except _Unknown:
            continue
        node = changed
        waiting += [one for one in _candidates(node) if one not in {*seen, *waiting}]
    return node


def _candidates(node: gast.FunctionDef) -> list[str]:
    """The names that a tuple is appended to, and that are bound to lists alone."""
    found = dict.fromkeys(name for one in nodes_in(node) for name, _ in _put(one))
    if not found:
        return []
    given = {arg.id for arg in nodes_in(node.args) if isinstance(arg, gast.Name)}
    shadowed = {one.id for one in nodes_in(node) if is_stored(one)} | given
    if {"zip", "len"} & shadowed:
        return []
    return [name for name in found if name not in given]


def is_stored(node: gast.AST) -> bool:
    """Whether a node is a name that is bound there."""
    return isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)


def _put(node: gast.AST) -> Iterator[tuple[str, list[Any]]]:
    """The tuples that a statement puts into a list, with the name of the list."""
    name, given = "", []
    if _is_append(node):
        name, given = node.func.value.id, node.args
    elif isinstance(node, (gast.Assign, gast.AugAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        name = getattr(targets[0], "id", "")
        given = node.value.elts if isinstance(node.value, gast.List) else []
    for one in given:
        if name and isinstance(one, gast.Tuple):
            yield name, one.elts


def _is_append(node: gast.AST) -> bool:
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, gast.Name)
        and len(node.args) == 1
        and not node.keywords
    )


class _Unknown(Exception):
    """A use of the list that has no form of columns."""


class _Columns(gast.NodeTransformer):
    """Writes the uses of one list of tuples as uses of its columns."""

    def __init__(self, name: str, taken: set[str]) -> None:
        self.name, self.taken = name, taken
        self.columns: list[str] = []
        # the lists that it is put into, the innermost first, with their columns
        self.outer: dict[str, list[str]] = {}

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        if self.columns == []:
            self.columns = self._names(node)
            self._find_outer(node)
            self.generic_visit(node)
            return node
        return self._apart(node)

    def visit_Lambda(self, node: gast.Lambda) -> gast.AST:
        return self._apart(node)

    def _apart(self, node: gast.AST) -> gast.AST:
        """A function inside, which may not read the list."""
        names = {one.id for one in nodes_in(node) if isinstance(one, gast.Name)}
        if not names.isdisjoint((self.name, *self.outer)):
            raise _Unknown
        return node

    def _names(self, node: gast.FunctionDef) -> list[str]:
        """The names of the columns, after the parts of the first tuple."""
        every = (pair for one in nodes_in(node) for pair in _put(one))
        tuples = [parts for name, parts in every if name == self.name]
        if not tuples[0] or any(len(one) != len(tuples[0]) for one in tuples):
            raise _Unknown
        found: list[str] = []
        for i, part in enumerate(tuples[0]):
            word = part.id if isinstance(part, gast.Name) else str(i)
            found.append(self._free(self.name, word))
        return found

    def _free(self, name: str, word: str) -> str:
        one = f"{name}_{word}"
        while one in self.taken:
            one += "_"
        self.taken.add(one)
        return one

    def _find_outer(self, node: gast.FunctionDef) -> None:
        """The lists that the list is appended to, and those that these are."""
        inner: str | None = self.name
        while inner is not None:
            holders = {
                one.func.value.id
                for one in nodes_in(node)
                if _is_append(one) and getattr(one.args[0], "id", "") == inner
            }
            inner = holders.pop() if len(holders) == 1 else None
            if inner is None or inner == self.name or inner in self.outer:
                return
            words = [one[len(self.name) + 1 :] for one in self.columns]
            self.outer[inner] = [self._free(inner, word) for word in words]

    def _inside(self, name: str) -> list[str]:
        """The columns of the list that an outer one holds."""
        chain = [self.name, *self.outer]
        inner = chain[chain.index(name) - 1]
        return self.outer.get(inner, self.columns)

    def _is_it(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Name) and node.id == self.name

    def visit_Name(self, node: gast.Name) -> gast.AST:
        if self._is_it(node) or node.id in self.outer:
            raise _Unknown
        return node

    # statements

    def visit_Assign(self, node: gast.Assign) -> Any:
        if len(node.targets) == 1 and self._is_it(node.targets[0]):
            return self._each(node, self._rows(node.value), _assigned)
        outer = self.outer.get(getattr(node.targets[0], "id", ""))
        if outer and isinstance(node.value, gast.List) and not node.value.elts:
            made = (_assigned(one, gast.List([], gast.Load())) for one in outer)
            return [placed(one, node) for one in made]
        return self.generic_visit(node)

    def visit_AugAssign(self, node: gast.AugAssign) -> Any:
        if self._is_it(node.target) and isinstance(node.op, gast.Add):
            return self._each(node, self._rows(node.value), _extended)
        return self.generic_visit(node)

    def visit_Expr(self, node: gast.Expr) -> Any:
        call = node.value
        if _is_append(call) and self._is_it(call.func.value):
            (parts,) = self._parts([call.args[0]])
            return self._appended(self.columns, parts, node)
        if _is_append(call) and call.func.value.id in self.outer:
            name = call.func.value.id
            inner = [name_node(one) for one in self._inside(name)]
            return self._appended(self.outer[name], inner, node)
        return self.generic_visit(node)

    def _appended(
        self, columns: list[str], parts: list[Any], node: gast.Expr
    ) -> list[gast.stmt]:
        made = []
        for column, part in zip(columns, parts):
            func = gast.Attribute(name_node(column), "append", gast.Load())
            made.append(gast.Expr(gast.Call(func, [part], [])))
        return [placed(one, node) for one in made]

    def _rows(self, value: gast.AST) -> list[list[Any]]:
        """The tuples in a list that is written out."""
        if not isinstance(value, gast.List):
            raise _Unknown
        return self._parts(value.elts)

    def _parts(self, tuples: Iterable[gast.AST]) -> list[list[Any]]:
        found: list[list[Any]] = []
        for one in tuples:
            if not isinstance(one, gast.Tuple) or len(one.elts) != len(self.columns):
                raise _Unknown
            if any(isinstance(part, gast.Starred) for part in one.elts):
                raise _Unknown
            if any(self._is_it(inner) for inner in nodes_in(one)):
                raise _Unknown  # what it reads there changes with the first column
            found.append(one.elts)
        return found

    def _each(
        self,
        node: gast.stmt,
        rows: list[list[Any]],
        write: Callable[[str, gast.AST], gast.stmt],
    ) -> list[gast.stmt]:
        """A statement for each column, of a list of its parts."""
        made = []
        for i, column in enumerate(self.columns):
            parts = gast.List([row[i] for row in rows], gast.Load())
            made.append(placed(write(column, parts), node))
        return made

    # what goes over the list

    def visit_For(self, node: gast.For) -> Any:
        node.iter = self._over(node.iter)
        node.target = self.visit(node.target)
        node.body = self._block(node.body)
        node.orelse = self._block(node.orelse)
        return node

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        found: list[gast.stmt] = []
        for one in body:
            new = self.visit(one)
            found += new if isinstance(new, list) else [new]
        return found

    def visit_comprehension(self, node: gast.comprehension) -> Any:
        node.iter = self._over(node.iter)
        node.target = self.visit(node.target)
        node.ifs = [self.visit(test) for test in node.ifs]
        return node

    def _over(self, node: gast.AST) -> Any:
        """What a loop goes over: the list itself, a part of it, counted, backwards."""
        if self._is_it(node):
            return placed(self._zipped([name_node(one) for one in self.columns]), node)
        if isinstance(node, gast.Subscript) and self._is_it(node.value):
            if isinstance(node.slice, gast.Slice):
                key = self.visit(node.slice)
                parts = [_read(name_node(one), key) for one in self.columns]
                return placed(self._zipped(parts), node)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            if node.func.id in ("enumerate", "zip", "reversed", "list", "tuple"):
                node.args = [self._over(arg) for arg in node.args]
                node.keywords = [self.visit(one) for one in node.keywords]
                return node
        return self.visit(node)

    def _zipped(self, parts: list[Any]) -> gast.Call:
        found = gast.Call(name_node("zip"), parts, [])
        found.alike = True  # none of them is longer than the others
        return found

    # what reads it

    def visit_Subscript(self, node: gast.Subscript) -> Any:
        nested = self._nested(node)
        if nested is not None:
            return nested
        if not self._is_it(node.value):
            if _is_place(node) and isinstance(node.value, gast.Subscript):
                inner = node.value
                if self._is_it(inner.value) and _is_index(inner.slice):
                    key = self.visit(inner.slice)
                    return placed(_read(name_node(self._column(node)), key), node)
            return self.generic_visit(node)
        if not _is_index(node.slice) or not isinstance(node.ctx, gast.Load):
            raise _Unknown
        key = self.visit(node.slice)
        parts = [_read(name_node(one), key) for one in self.columns]
        return placed(gast.Tuple(parts, gast.Load()), node)

    def _nested(self, node: gast.Subscript) -> Any:
        """An entry of a list of lists, hists[i][t], as the tuple of its parts."""
        keys: list[Any] = []
        base: Any = node
        while isinstance(base, gast.Subscript) and isinstance(base.ctx, gast.Load):
            keys.append(base.slice)
            base = base.value
        outer = self.outer.get(getattr(base, "id", ""))
        if not outer or not all(map(_is_index, keys)):
            return None
        if len(keys) != 2 + list(self.outer).index(base.id):
            return None
        keys = [self.visit(key) for key in reversed(keys)]
        parts = []
        for one in outer:
            part: gast.AST = name_node(one)
            for key in keys:
                part = _read(part, key)
            parts.append(part)
        return placed(gast.Tuple(parts, gast.Load()), node)

    def _column(self, node: gast.Subscript) -> str:
        """The column that hist[i][1] reads."""
        try:
            found: str = self.columns[node.slice.value]
            return found
        except IndexError:
            raise _Unknown from None

    def visit_Call(self, node: gast.Call) -> Any:
        func = node.func
        if isinstance(func, gast.Name) and func.id == "len" and len(node.args) == 1:
            if self._is_it(node.args[0]):
                return placed(gast.Call(func, [name_node(self.columns[0])], []), node)
        if isinstance(func, gast.Attribute) and self._is_it(func.value):
            if func.attr == "pop" and all(map(_is_index, node.args)):
                calls = (
                    gast.Call(
                        gast.Attribute(name_node(one), "pop", gast.Load()),
                        copy.deepcopy(node.args),
                        [],
                    )
                    for one in self.columns
                )
                return placed(gast.Tuple(list(calls), gast.Load()), node)
            raise _Unknown
        return self.generic_visit(node)


def _is_place(node: gast.Subscript) -> bool:
    """Whether a key is a plain whole number."""
    key = node.slice
    return isinstance(key, gast.Constant) and type(key.value) is int


def _is_index(node: gast.AST) -> bool:
    """Whether a place may be read several times: names, numbers, and sums of them."""
    plain = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.operator)
    rest = (gast.unaryop, gast.expr_context)
    return all(
        isinstance(one, (*plain, *rest))
        or isinstance(one, gast.Call)
        and getattr(one.func, "id", "") == "len"
        for one in nodes_in(node)
    )


def name_node(name: str, ctx: gast.expr_context | None = None) -> gast.Name:
    """A name, read unless another context is given."""
    return gast.Name(name, ctx or gast.Load(), None, None)


def _read(base: gast.AST, key: gast.AST) -> gast.Subscript:
    return gast.Subscript(base, copy.deepcopy(key), gast.Load())


def _assigned(column: str, parts: gast.AST) -> gast.stmt:
    return gast.Assign([name_node(column, gast.Store())], parts, None)


def _extended(column: str, parts: gast.AST) -> gast.stmt:
    return gast.AugAssign(name_node(column, gast.Store()), gast.Add(), parts)


def placed(node: Any, like: gast.AST) -> Any:
    """The node and what is new inside it, at the place of another one."""
    for inner in nodes_in(node):
        if not hasattr(inner, "lineno"):
            gast.copy_location(inner, like)
    return node
