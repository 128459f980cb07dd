"""Tuples and lists: known item by item while emitting, or lists of the text's own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
import types
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.chosen import one_of, refuse_unlike
from gradgen.frontend.desugared import entry_of, indexed
from gradgen.frontend.held import Held, each
from gradgen.frontend.items import named_result
from gradgen.frontend.known import KnownContainers
from gradgen.frontend.lengths import lengths
from gradgen.frontend.named import did_you_mean
from gradgen.frontend.memory import Record, is_structure
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.outer_values import is_long_table
from gradgen.frontend.sharing import is_slice
from gradgen.frontend.writer import REFUSED
from gradgen.frontend.written_lists import has_axes
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir import operators
from gradgen.ir.operators import ATTRIBUTES, RESULT_NAMES, getitem
from gradgen.ir.walk import static

CHANGES = (
    "append",
    "extend",
    "pop",
    "insert",
    "reverse",
    "remove",
    "clear",
    "sort",
    "update",
    "setdefault",
    "popitem",
    "appendleft",
    "popleft",
    "extendleft",
    "rotate",
    "move_to_end",
    "subtract",
)
METHODS = (*CHANGES, "copy", "keys", "values", "items", "get", "index", "count")


class Containers(KnownContainers):
    """Reads and changes containers."""

    def contents(self, handle: Expr) -> Apply | None:
        """The items of a container that are known while emitting."""
        if is_structure(handle):
            return handle
        if isinstance(handle, Const) and type(handle.value) is tuple:
            return Apply("tuple", tuple(map(Const, handle.value)))
        if isinstance(handle, Ref):
            version = self.state.versions.get(handle.var)
            if isinstance(version, Apply):
                return version
        return None

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        """base[key]."""
        if REFUSED in (base, key):
            return REFUSED
        known = self.contents(base)
        if known is not None and known.op in ("tuple", "list", "namedtuple"):
            key = self.current(key, node)
            try:
                index = static(key)
            except ValueError:
                index = None
            if isinstance(index, int):
                try:
                    return known.args[index]
                except IndexError:
                    self.fail(
                        "GG240",
                        f"there is no item {index} among {len(known.args)}",
                        node,
                        "a number below the length",
                    )
            if isinstance(index, slice):
                op = "list" if known.op == "list" else "tuple"
                part = Apply(op, known.args[index])
                return self.new_list(part) if known.op == "list" else part
        if known is not None and known.op == "dict":
            for name, value in self.pairs(known):
                if name == key:
                    return value
            self.no_key(key, [name for name, _ in self.pairs(known)], node)
        if self.is_dynamic(base) and is_slice(key):
            return self.part_of_list(base, key, node)
        if isinstance(key, Const) and isinstance(key.value, str):
            self.untold(base, str(key.value), node)
        if known is not None and not any(map(is_structure, known.args)):
            refuse_unlike(self, known, node)
        found = self.bind(replace(getitem(base, key), spelling="operator"), node)
        if known is not None and isinstance(found, Ref):
            one_of(self, found, known)
        return found

    def no_key(self, key: Expr, keys: list[Expr], node: gast.AST | None) -> NoReturn:
        """Refuses a key that a dictionary has not."""
        known = [str(k.value) for k in keys if isinstance(k, Const)]
        message, advice = "there is no such key", "one of its keys"
        if isinstance(key, Const):
            message = f"there is no key {key.value!r}"
            advice = did_you_mean(str(key.value), known) or advice
        self.fail("GG240", message, node, advice)

    def untold(self, base: Expr, key: str, node: gast.AST | None) -> None:
        """Refuses a read of a container whose structure is not told."""
        if isinstance(base, Ref) and base.var.origin is Origin.PARAM:
            name = base.var.name
            words = [*ATTRIBUTES, *operators.METHODS]
            near = did_you_mean(key, words) if len(key) > 2 else ""
            if near.startswith("did") and isinstance(node, gast.Attribute):
                self.fail("GG206", f"an array has no .{key}", node, near)
            self.fail(
                "GG245",
                f"{name} is a container, and its parts are not told",
                node,
                f'--shape {name}.{key}="..." for each part, an example, or the '
                f"annotation of its class",
            )

    def read_Attribute(self, node: gast.Attribute) -> Expr:
        """One of several results by numpy's name for it, else an attribute."""
        if node.attr in RESULT_NAMES and self.constant_of(node) is None:
            value = self.read(node.value)
            place = named_result(value, node.attr, self.facts)
            if place is not None:
                return self.item(value, Const(place), node)
        return super().read_Attribute(node)

    # lists and dictionaries

    def read_List(self, node: gast.List) -> Expr:
        made = self._with_unknown(node)
        if made is not None:
            return made
        items = self._spread(node.elts)
        if any(item is REFUSED for item in items):
            return REFUSED
        return self.new_list(Apply("list", items), self.wish_of_list())

    def _with_unknown(self, node: gast.List) -> Expr | None:
        """[*x, y] where the length of x is not known: a list that is filled."""
        if not any(isinstance(one, gast.Starred) for one in node.elts):
            return None
        read: list[tuple[bool, Expr, Apply | None]] = []
        for elt in node.elts:
            star = isinstance(elt, gast.Starred)
            handle = self.read_at_once(elt.value) if star else self.read(elt)
            if star:
                handle = lengths(self, self.gone_through(handle, node), node)
            if handle is REFUSED:
                return REFUSED
            # as it is now: what stands behind it may change it
            known = self.contents(handle) if star else Apply("tuple", (handle,))
            read.append((star, handle, known))
        items: list[Expr] = []
        for _, _, held in read:
            if held is None:
                break
            pairs = self.pairs(held) if held.op == "dict" else ()
            items += [key for key, _ in pairs] if pairs else held.args
        else:
            return self.new_list(Apply("list", tuple(items)), self.wish_of_list())
        made: Expr = self.new_list(Apply("list", ()), self.wish_of_list())
        for star, handle, _ in read:
            over = handle if star else Apply("tuple", (handle,))
            load = gast.Name("one ", gast.Load(), None, None)
            store = gast.Name("one ", gast.Store(), None, None)
            inner = gast.comprehension(store, Held(over, node), [], 0)
            each = gast.GeneratorExp(load, [inner])
            for part in (load, store, each):
                gast.copy_location(part, node)
            made = self.filled(each, made)
        return made

    def wish_of_list(self) -> str:
        """The name that a new list wishes for."""
        target = self.note.lines[0].target if self.note.lines else ""
        return target if target.isidentifier() else "items"

    def read_Tuple(self, node: gast.Tuple) -> Expr:
        return Apply("tuple", self._spread(node.elts))

    def _spread(self, nodes: list[Any]) -> tuple[Expr, ...]:
        items: list[Expr] = []
        for node in nodes:
            if not isinstance(node, gast.Starred):
                items.append(self.read(node))
                continue
            value = self.gone_through(self.read_at_once(node.value), node)
            known = self.contents(lengths(self, value, node))
            if value is not REFUSED and known is None:
                self.fail(
                    "GG207",
                    "a starred value needs a known length",
                    node,
                    "the values one by one",
                )
            items += [REFUSED] if known is None else known.args
        return tuple(items)

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        if isinstance(node.op, gast.Add):
            left, right = self.read(node.left), self.read(node.right)
            if self.contents(left) is not None and self.contents(right) is not None:
                value = Apply("numpy.add", (left, right), spelling="operator")
                return self.sequence_operation(value, node)
            for one, other in ((left, right), (right, left)):
                if self.is_dynamic(one) and not has_axes(self, other, node):
                    return self.joined_lists(left, right, node)
            value = Apply("numpy.add", (left, right), spelling="operator")
            return self.bind(value, node)
        if isinstance(node.op, gast.Mult):
            left, right = self.read(node.left), self.read(node.right)
            for one, other in ((left, right), (right, left)):
                if self.is_a_list(one) and not has_axes(self, other, node):
                    return self.repeated_list(one, other, node)
            if REFUSED in (left, right):
                return REFUSED
            value = Apply("numpy.multiply", (left, right), spelling="operator")
            return self.bind(value, node)
        return super().read_BinOp(node)

    def read_Dict(self, node: gast.Dict) -> Expr:
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            handle = self.read(value)
            if key is None:
                known = self.contents(handle)
                if known is None or known.op != "dict":
                    self.fail("GG244", "** needs a known dictionary", node, "its items")
                found |= {k.value: v for k, v in self.pairs(known)}
                continue
            name = self.read(key)
            if not isinstance(name, Const):
                self.fail(
                    "GG244", "a key must be a constant", key, "a list, or an array"
                )
            found[name.value] = handle
        if any(value is REFUSED for value in found.values()):
            return REFUSED
        return self.new_dict(found)

    def new_dict(self, items: dict[Any, Any]) -> Ref:
        """A dictionary object of these handles."""
        keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
        return self.new_list(
            Apply("dict", tuple(items.values()), keys), self.wish_of_list()
        )

    def pairs(self, known: Apply) -> list[tuple[Expr, Expr]]:
        """The keys and values of a dictionary that is known."""
        return [(k, v) for (_, k), v in zip(known.kwargs, known.args, strict=True)]

    def method_call(self, node: gast.Call) -> Expr | None:
        """A method of a list or a dictionary, else None."""
        func = node.func
        if isinstance(func, gast.Attribute) and func.attr == "item":
            return entry_of(self, node)
        if not isinstance(func, gast.Attribute) or func.attr not in METHODS:
            return None
        if func.attr == "copy" and node.args:
            return None
        base = func.value
        if isinstance(self.resolve(base), (types.ModuleType, type, numpy.ufunc)):
            return None
        handle = self.read(base)
        if handle is REFUSED:
            return REFUSED
        known = self.contents(handle)
        is_list = isinstance(handle, Ref) and (
            self.memory.buffer(handle.var) in self.memory.lists
        )
        if known is None and not is_list or isinstance(known, Record):
            return None
        if func.attr == "extend" and len(node.args) == 1:
            if isinstance(node.args[0], gast.GeneratorExp):
                self.filled(node.args[0], handle)
                return Const(None)
        args = [self.read_at_once(arg) for arg in node.args]
        if func.attr in ("extend", "update"):
            args = [self.gone_through(arg, node) for arg in args]
        named = {str(k.arg): self.read(k.value) for k in node.keywords}
        if REFUSED in (*args, *named.values()):
            return REFUSED
        if func.attr == "extend" and len(args) == 1 and self._is_gone_over(args[0]):
            self.filled(each(gast.GeneratorExp, Held(args[0], node), node), handle)
            return Const(None)
        if func.attr in CHANGES and isinstance(handle, Ref):
            self.refuse_gone_over(handle, node)
        if known is None:
            assert isinstance(handle, Ref)
            return self.list_method(handle, func.attr, args, node)
        changed = func.attr in CHANGES and known.op in ("list", "dict")
        if changed and not isinstance(handle, Ref):
            self.fail(
                "GG230",
                "a container that is an argument, or of the module, may not be changed",
                node,
                "a list of its items: list(...), or [*...]",
            )
        if known.op == "list" and func.attr == "extend" and len(args) == 1:
            if self.is_dynamic(args[0]) and isinstance(handle, Ref):
                self.state.versions[handle.var] = self.as_dynamic(handle.var, known)
                return self.list_method(handle, "extend", args, node)
        found = self.method_of_known(handle, known, func.attr, args, named)
        if found is None:
            self.fail(
                "GG241", f"this .{func.attr}() is not supported", node, "x.append(y)"
            )
        return found

    def _is_gone_over(self, value: Expr) -> bool:
        """Whether a value is an array, or may be one: no list, and no number."""
        if not isinstance(value, Ref) or self.is_number(value):
            return False
        if self.contents(value) is not None or self.is_dynamic(value):
            return False
        return self.facts.rank(self.current(value)) != 0

    def read_Subscript(self, node: gast.Subscript) -> Expr:
        known = self.resolve(node.value)
        if known is numpy.s_ or known is numpy.index_exp:
            return self.read(node.slice)
        if known is numpy.r_ or known is numpy.c_:
            return indexed(self, known, node)
        if is_long_table(known):
            return self._item_of_table(known, node)
        value = self.read(node.value)
        key = self.read(node.slice)
        return self.item(value, key, node)

    def _item_of_table(self, table: dict[Any, Any], node: gast.Subscript) -> Expr:
        """An item of a long table around the function, of which no more is read."""
        key = self.read(node.slice)
        known = self.value_known(key)
        if known is NO_VALUE or not isinstance(known, Hashable):
            return self.item(self.read(node.value), key, node)
        part = {known: table[known]} if known in table else {}
        found = self.held(part, node.value, self.source.segment(node.value))
        assert found is not None  # a dictionary is taken apart
        return self.item(found, key, node)

    def extended(self, handle: Ref, op: str, value: Expr, node: gast.AST) -> Expr:
        """items += more."""
        if isinstance(handle, Ref) and self.is_dynamic(value):
            return self._grow(handle, op, value, node)
        more = self.contents(value)
        self.refuse_gone_over(handle, node)
        version = self.state.versions[handle.var]
        if op != "numpy.add" or more is None or version.op != "list":
            self.fail("GG241", "a list takes only +=", node, "items.append(x)")
        self.state.versions[handle.var] = replace(
            version, args=(*version.args, *more.args)
        )
        self.touch(handle.var)
        return handle

    def _grow(self, handle: Ref, op: str, value: Ref, node: gast.AST) -> Expr:
        """items += more, where the length of one is not known."""
        self.refuse_gone_over(handle, node)
        if op != "numpy.add":
            self.fail("GG241", "a list takes only +=", node, "items.append(x)")
        version = self.state.versions[handle.var]
        if isinstance(version, Apply):
            self.state.versions[handle.var] = self.as_dynamic(handle.var, version)
        self.list_method(handle, "extend", [value], node)
        return handle

    def sequence_operation(self, value: Apply, node: gast.AST) -> Expr:
        """(a, b) + (c,), or plain arithmetic."""
        left, right = (self.contents(arg) for arg in value.args)
        if left is not None and right is not None and value.op == "numpy.add":
            if left.op == right.op:
                both = replace(left, args=(*left.args, *right.args))
                return self.new_list(both) if left.op == "list" else both
        return self.bind(value, node)
