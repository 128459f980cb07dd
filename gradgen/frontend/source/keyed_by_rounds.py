"""Dictionaries that rounds fill by their number: lists, and names for a round's own items.

hs = {-1: h}                                 hs = [h]
for t in range(n):                           for t in range(n):
    hs[t] = np.tanh(U @ hs[t - 1] + x[t])        hs_t = np.tanh(U @ hs[t] + x[t])
    ys[t] = V @ hs[t]                            ys_t = V @ hs_t
    loss = loss + f(ys[t])                       loss = loss + f(ys_t)
                                                 hs.append(hs_t)

This form is for functions that are refused as they stand: a dictionary takes keys that
are known. A key that may lie before the first one raises, as it does in the dictionary.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.around import parents_of
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.views_by_rounds import is_behind, over_a_list, view_of
from gradgen.frozen import dataclass

# the form in which they are lists
BY_ROUNDS = "by rounds"
# the kind of numbers that no line has
MADE = "made"


@dataclass
class _Table:
    """A dictionary whose keys are whole numbers one after another."""

    name: str
    first: int | None  # the first key, None while there is none
    items: list[Any]
    made: gast.Assign
    loop: Any = None
    stored: Any = None  # the statement of the loop that stores into it
    counter: str = ""
    start: int = 0  # of the loop's counter
    shift: int = 0  # of the key to the counter
    own: str = ""  # the name of a round's own item
    kept: bool = False  # whether anything else is read than that


def with_lists(source: Source) -> Source:
    """The function with lists in the place of such dictionaries; itself without any."""
    node = copy.deepcopy(source.node)
    found = {table.name: table for table in _tables(node)}
    found = {name: one for name, one in found.items() if one.loop is not None}
    taken = {one.id for one in gast.walk(node) if isinstance(one, gast.Name)}
    for table in found.values():
        own = f"{table.name}_{table.counter}"
        while own in taken:
            own += "_"
        table.own = own
        taken.add(own)
    guards: dict[int, list[gast.stmt]] = {}
    kept = {name: one for name, one in found.items() if _is_simple(node, one)}
    if not kept:
        return source
    reads = _Reads(node, kept, guards)
    if not reads.all_known:
        return source
    reads.visit(node)
    for table in kept.values():
        _make_list(node, table)
    node.body = [s for stmt in node.body for s in (*guards.get(id(stmt), ()), stmt)]
    return replace(source, node=node, forms=(*source.forms, BY_ROUNDS))


def _tables(node: gast.FunctionDef) -> Iterator[_Table]:
    """The dictionaries that the function makes, with the loops that fill them."""
    found: dict[str, _Table] = {}
    for stmt in node.body:
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1:
            target = stmt.targets[0]
            for name, value in _pairs(target, stmt.value):
                items = _items(value)
                if items is None:
                    continue
                keys = [k for k, _ in items]
                if name in found or keys != [*range(*_ends(keys))]:
                    found.pop(name, None)
                    continue
                first = keys[0] if keys else None
                found[name] = _Table(name, first, [v for _, v in items], stmt)
            key = _key_of(target)
            if key is not None and key[0] in found and not found[key[0]].loop:
                table, number = found[key[0]], _shift(key[1], "")
                if number is not None and table.first in (
                    None,
                    number - len(table.items),
                ):
                    table.first = number - len(table.items)
                    table.items.append(stmt)
        elif isinstance(stmt, gast.For):
            _fill(stmt, found)
    yield from found.values()


def _ends(keys: list[int]) -> tuple[int, int]:
    """The first key, and what would come behind the last one."""
    return (keys[0], keys[0] + len(keys)) if keys else (0, 0)


def _pairs(target: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """The names that a statement gives, with what it gives them: xs, hs = {}, {}."""
    if isinstance(target, gast.Name):
        yield target.id, value
    elif isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        if len(target.elts) == len(value.elts):
            for one, item in zip(target.elts, value.elts):
                if isinstance(one, gast.Name):
                    yield one.id, item


def _items(value: Any) -> list[tuple[int, Any]] | None:
    """The items of {} and {0: x}, of keys that are whole numbers; else None."""
    if not isinstance(value, gast.Dict):
        return None
    numbers = [_shift(key, "") for key in value.keys if key is not None]
    if len(numbers) < len(value.keys) or None in numbers:
        return None
    return [(k, one) for k, one in zip(numbers, value.values) if k is not None]


def _key_of(target: Any) -> tuple[str, Any] | None:
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        return target.value.id, target.slice
    return None


def _shift(expr: Any, name: str) -> int | None:
    """k of name + k, of name - k, and of k where there is no name."""
    if isinstance(expr, gast.Constant):
        return expr.value if type(expr.value) is int and not name else None
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        number = _shift(expr.operand, "") if not name else None
        return None if number is None else -number
    if isinstance(expr, gast.Name):
        return 0 if expr.id == name else None
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
        whole, number = _shift(expr.left, name), _shift(expr.right, "")
        if name and isinstance(expr.op, gast.Add) and whole is None:
            whole, number = _shift(expr.right, name), _shift(expr.left, "")
        if whole is not None and number is not None:
            return whole + (number if isinstance(expr.op, gast.Add) else -number)
    return None


def _counter(loop: gast.For) -> tuple[str, int] | None:
    """The name that counts the rounds of a loop, and where it starts."""
    call = loop.iter
    word = getattr(getattr(call, "func", None), "id", "")
    if word == "range" and not call.keywords and len(call.args) in (1, 2):
        start = _shift(call.args[0], "") if len(call.args) == 2 else 0
        if isinstance(loop.target, gast.Name) and start is not None:
            return loop.target.id, start
    if word == "enumerate" and len(call.args) == 1 and not call.keywords:
        if isinstance(loop.target, gast.Tuple):
            first = loop.target.elts[0]
            if isinstance(first, gast.Name):
                return first.id, 0
    return None


def _forwards(loop: gast.For) -> gast.For:
    """The loop over range(n) of one over reversed(range(n))."""
    if getattr(getattr(loop.iter, "func", None), "id", "") != "reversed":
        return loop
    turned = copy.copy(loop)
    turned.iter = loop.iter.args[0]
    return turned


def _fill(loop: gast.For, found: dict[str, _Table]) -> None:
    """Notes which dictionaries a loop fills, one item a round."""
    counted = _counter(loop)
    if counted is None or loop.orelse:
        return
    name, start = counted
    for stmt in loop.body:
        key = None
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1:
            key = _key_of(stmt.targets[0])
        if key is None or key[0] not in found or found[key[0]].loop is not None:
            continue
        table, shift = found[key[0]], _shift(key[1], name)
        following = None if table.first is None else table.first + len(table.items)
        if shift is not None and following in (None, start + shift):
            table.first = start + shift if table.first is None else table.first
            table.loop, table.stored = loop, stmt
            table.counter, table.start, table.shift = name, start, shift


def _is_simple(node: gast.FunctionDef, table: _Table) -> bool:
    """Whether a dictionary is made, stored into as was found, and else read by keys."""
    parents = parents_of(node)
    stores = [one for one in table.items if isinstance(one, gast.Assign)]
    stores.append(table.stored)
    leaves = (gast.Break, gast.Continue, gast.Return)
    if any(isinstance(one, leaves) for one in gast.walk(table.loop)):
        return False
    counted = [one for one in gast.walk(table.loop) if isinstance(one, gast.Name)]
    names = [one for one in counted if one.id == table.counter]
    if sum(not isinstance(one.ctx, gast.Load) for one in names) > 1:
        return False
    for one in gast.walk(node):
        if isinstance(one, (gast.FunctionDef, gast.Lambda)) and one is not node:
            inner = (n.id for n in gast.walk(one) if isinstance(n, gast.Name))
            if table.name in inner:
                return False
        if not isinstance(one, gast.Name) or one.id != table.name:
            continue
        if not isinstance(one.ctx, gast.Load):
            if not any(one is n for n in gast.walk(table.made)):
                return False
            continue
        parent = parents[one]
        if view_of(parents, one) is not None and is_behind(node, one, table.loop):
            continue
        if not isinstance(parent, gast.Subscript) or parent.value is not one:
            return False
        stored = any(parent is s.targets[0] for s in stores)
        if isinstance(parent.ctx, gast.Load) == stored:
            return False
    return True


class _Reads(gast.NodeTransformer):
    """What is read by keys, as entries of lists and as names of a round's own items."""

    def __init__(
        self,
        node: gast.FunctionDef,
        tables: dict[str, _Table],
        guards: dict[int, list[gast.stmt]],
    ) -> None:
        self.tables, self.guards = tables, guards
        self.top = {id(one): stmt for stmt in node.body for one in gast.walk(stmt)}
        # the counters of the loops that each node stands in, the innermost last
        self.starts: dict[int, dict[str, int]] = {}
        for loop in (one for one in gast.walk(node) if isinstance(one, gast.For)):
            counted = _counter(loop) or _counter(_forwards(loop))
            if counted is not None:
                for one in gast.walk(loop):
                    self.starts.setdefault(id(one), {})[counted[0]] = counted[1]
        self.own: dict[int, _Table] = {}
        self.places: dict[int, Any] = {}
        self.all_known = all(self._know(one) for one in gast.walk(node))
        parents = parents_of(node)
        self.views: dict[int, _Table] = {}
        for one in gast.walk(node):
            table = tables.get(getattr(one, "id", ""))
            view = table and view_of(parents, one)
            if table is not None and view is not None:
                table.kept = True
                self.views[id(view)] = table

    def _know(self, one: gast.AST) -> bool:
        """Whether what reads a dictionary reads a key that is known, or looked at."""
        key = _key_of(one)
        if (
            key is None
            or key[0] not in self.tables
            or not isinstance(one.ctx, gast.Load)
        ):
            return True
        table = self.tables[key[0]]
        assert table.first is not None
        inside = any(one is n for n in gast.walk(table.loop))
        if inside and _shift(key[1], table.counter) == table.shift:
            at = table.loop.body.index(table.stored)
            behind = table.loop.body[at + 1 :]
            if any(one is n for stmt in behind for n in gast.walk(stmt)):
                self.own[id(one)] = table
                return True
            return False  # of an item that is not there yet
        table.kept = True
        self.places[id(one)] = _moved(key[1], -table.first)
        number = _shift(key[1], "")
        if number is not None:
            return number >= table.first
        for name, start in self.starts.get(id(one), {}).items():
            shift = _shift(key[1], name)
            if shift is not None:
                return start + shift >= table.first
        if inside:
            return False
        least = _least(key[1])
        if least is not None and least >= table.first:
            return True
        top = self.top[id(one)]
        if isinstance(top, (gast.For, gast.While, gast.If)):
            return False
        first = gast.Constant(table.first, MADE)
        test = gast.Compare(copy.deepcopy(key[1]), [gast.Lt()], [first])
        called = gast.Name("KeyError", gast.Load(), None, None)
        told = gast.Call(called, [copy.deepcopy(key[1])], [])
        fail = gast.If(test, [gast.Raise(told, None)], [])
        for made in gast.walk(fail):
            if not hasattr(made, "lineno"):
                gast.copy_location(made, top)
        self.guards.setdefault(id(top), []).append(fail)
        return True

    def visit_Call(self, node: gast.Call) -> Any:
        table = self.views.get(id(node))
        if table is None or table.first is None:
            return self.generic_visit(node)
        return over_a_list(node, table.name, table.first, MADE)

    def visit_Subscript(self, node: gast.Subscript) -> gast.AST:
        place = self.places.get(id(node))
        own = self.own.get(id(node))
        self.generic_visit(node)
        if own is not None:
            made = gast.Name(own.own, gast.Load(), None, None)
            return gast.copy_location(made, node)
        if place is not None:
            node.slice = place
        return node


def _moved(expr: Any, more: int) -> Any:
    """A key as a place: t of t - 1, where the first key is -1."""
    base, shift = expr, 0
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
        number = _shift(expr.right, "")
        if number is not None:
            base = expr.left
            shift = number if isinstance(expr.op, gast.Add) else -number
    number = _shift(expr, "")
    total = shift + more
    if number is not None:
        made: Any = gast.Constant(number + more, MADE)
    elif not total:
        return base
    else:
        op = gast.Add() if total > 0 else gast.Sub()
        made = gast.BinOp(base, op, gast.Constant(abs(total), MADE))
        gast.copy_location(made.right, expr)
    return gast.copy_location(made, expr)


def _least(expr: Any) -> int | None:
    """The least that len(x) + k may be."""
    if isinstance(expr, gast.Call) and getattr(expr.func, "id", "") == "len":
        return 0
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)):
        least, number = _least(expr.left), _shift(expr.right, "")
        if least is not None and number is not None:
            return least + (number if isinstance(expr.op, gast.Add) else -number)
    return None


def _make_list(node: gast.FunctionDef, table: _Table) -> None:
    """The list that is made, and the line of the loop that puts an item into it."""
    for name, one in _places(table.made):
        if name == table.name:
            items = [v for v in table.items if not isinstance(v, gast.Assign)]
            made = gast.copy_location(gast.List(items, gast.Load()), table.made)
            if one is None:
                table.made.value = made
            else:
                table.made.value.elts[one] = made
    for stmt in (one for one in table.items if isinstance(one, gast.Assign)):
        at = node.body.index(stmt)
        node.body[at] = _append(table, stmt.value, stmt)
    loop, stored = table.loop, table.stored
    target = gast.Name(table.own, gast.Store(), None, None)
    stored.targets = [gast.copy_location(target, stored.targets[0])]
    if table.kept:
        item = gast.Name(table.own, gast.Load(), None, None)
        loop.body.append(_append(table, gast.copy_location(item, stored), stored))


def _places(made: gast.Assign) -> Iterator[tuple[str, int | None]]:
    """The names of an assignment, and where in a tuple they stand."""
    target = made.targets[0]
    if isinstance(target, gast.Name):
        yield target.id, None
    for i, one in enumerate(getattr(target, "elts", ())):
        yield getattr(one, "id", ""), i


def _append(table: _Table, value: Any, like: gast.AST) -> gast.Expr:
    base = gast.Name(table.name, gast.Load(), None, None)
    func = gast.Attribute(base, "append", gast.Load())
    made = gast.Expr(gast.Call(func, [value], []))
    for one in (base, func, made.value, made):
        gast.copy_location(one, like)
    return made
