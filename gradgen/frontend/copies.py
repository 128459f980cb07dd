"""copy.copy and copy.deepcopy: of arrays, numbers, lists, tuples and dictionaries."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from typing import NoReturn

import gast

from gradgen.frontend.lookup import among
from gradgen.frontend.held import Held
from gradgen.frontend.memory import Record
from gradgen.frontend.outs import Outs
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref

APART = (dataclasses.astuple, dataclasses.asdict)
# functions of Python's library that are known, and whose text is not read
KNOWN = (copy.copy, copy.deepcopy, *APART, inspect.signature)


class Copies(Outs):
    """Reads copies."""

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if value is copy.copy and len(node.args) == 1 and not node.keywords:
            return self._copied(self.read(node.args[0]), node, None)
        if value is copy.deepcopy and len(node.args) == 1 and not node.keywords:
            return self._copied(self.read(node.args[0]), node, {})
        if among(value, APART) and len(node.args) == 1 and not node.keywords:
            return self._taken_apart(self.read(node.args[0]), node, value)
        return super().special_call(value, node)

    def method_call(self, node: gast.Call) -> Expr | None:
        """x.tolist() of an array of rank 1 is list(x)."""
        func = node.func
        if isinstance(func, gast.Attribute) and func.attr == "tolist" and not node.args:
            handle = self.read(func.value)
            known = handle is REFUSED or self.contents(handle) is not None
            if not known and self.facts.rank(self.current(handle)) == 1:
                return self._listed(handle, node)
        return super().method_call(node)

    def is_called(self, value: object) -> bool:
        known = among(value, KNOWN)
        return not known and super().is_called(value)

    def _copied(
        self, handle: Expr, node: gast.Call, deep: dict[Expr, Expr] | None
    ) -> Expr:
        """A container of its own; an array of its own, and a number as it is.

        before:  b = copy.copy(a)         after:  b = a.copy()
                 c = copy.deepcopy([a])           c = [a.copy()]

        `deep` has what has been copied by then: what is in two places stays one.
        """
        if handle is REFUSED or isinstance(handle, Const) or self.is_number(handle):
            return handle
        if deep is None:
            return self._copy_of(handle, node, None)
        if handle not in deep:
            deep[handle] = self._copy_of(handle, node, deep)
        return deep[handle]

    def _copy_of(
        self, handle: Expr, node: gast.Call, deep: dict[Expr, Expr] | None
    ) -> Expr:
        known = self.contents(handle)
        if isinstance(known, Record):
            self._no_copy(node)
        if known is not None:
            items = known.args
            if deep is not None:
                items = tuple(self._copied(item, node, deep) for item in items)
            if known.op == "list":
                return self.new_list(Apply("list", items))
            if known.op == "dict":
                keys = (getattr(key, "value", None) for key, _ in self.pairs(known))
                return self.new_dict(dict(zip(keys, items)))
            return Apply(known.op, items, known.kwargs)
        if self.is_dynamic(handle):
            if deep is not None:
                self._no_copy(node)
            return self._listed(handle, node)
        if self.memory.is_optional(handle):
            self._no_copy(node)

        def made() -> Expr:
            return self.bind(Apply("numpy.copy", (handle,)), node)

        if not self._may_be_left_out(handle):
            return made()
        test = self.bind(Apply("is", (handle, Const(None)), (), "operator"), node)
        none = Const(None, "None")
        now = self.current(test, node)
        return self.choose(now, lambda: none, made, "copied", self.note)

    def _may_be_left_out(self, handle: Expr) -> bool:
        """Whether it is a parameter whose default is None, and of which nothing tells."""
        if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
            return False
        default = self.root.source.defaults.get(handle.var.name, handle)
        return default is None and self.types_of(handle) is None

    def _listed(self, handle: Expr, node: gast.Call) -> Expr:
        made = gast.Call(Held(Const(list), node), [Held(handle, node)], [])
        return self.read(gast.copy_location(made, node))

    def _taken_apart(self, handle: Expr, node: gast.Call, way: object) -> Expr:
        """The fields of a dataclass, and those of what they hold, as copies.

        before:  p = dataclasses.astuple(Point(x, y))
        after:   p = (x.copy(), y.copy())
        """
        known = None if handle is REFUSED else self.contents(handle)
        if known is None:
            return self._copied(handle, node, {})
        parts = [self._taken_apart(one, node, way) for one in known.args]
        names = [getattr(key, "value", None) for _, key in known.kwargs]
        if isinstance(known, Record) and known.op != "namedtuple":
            if not dataclasses.is_dataclass(known.cls):
                self._no_copy(node)
            held = dict(zip(names, parts))
            own = {one.name: held[one.name] for one in dataclasses.fields(known.cls)}
            if way is dataclasses.astuple:
                return Apply("tuple", tuple(own.values()))
            return self.new_dict(own)
        if known.op == "dict":
            return self.new_dict(dict(zip(names, parts)))
        made = dataclasses.replace(known, args=tuple(parts))
        return self.new_list(made) if known.op == "list" else made

    def _no_copy(self, node: gast.Call) -> NoReturn:
        self.fail("GG205", "this copy has no rule", node, "x.copy() of its arrays")
