"""Containers of `collections` and `types` that a function makes.

A deque is a list that may have a greatest length, a Counter a dictionary in which what
is missing is 0, a SimpleNamespace an instance without a class of its own.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.memory import Record
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.pythons import Pythons
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var


class Collected(Pythons):
    """Reads calls that make containers."""

    # the classes that a function makes, each once
    local_classes: dict[Any, Any]
    # the lists that are deques, with their greatest lengths
    deques: dict[Var, int | None]

    def is_called(self, value: object) -> bool:
        return value is not collections.namedtuple and super().is_called(value)

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if value is list and not node.args:
            return self.new_list(Apply("list", ()), self.wish_of_list())
        if value is collections.deque:
            return self._deque(node)
        if value is collections.Counter:
            return self._counter(node)
        if value is types.SimpleNamespace:
            return self._namespace(node)
        if value is collections.namedtuple:
            return self._class_of_tuples(node)
        if value is next and node.args:
            return self.taken_in_part(node, lambda: self._next_item(node))
        return super().special_call(value, node)

    def _deque(self, node: gast.Call) -> Expr:
        """deque(items, maxlen=n), as a list."""
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        if len(node.args) > 1:
            options["maxlen"] = self.read(node.args[1])
        limit = self.value_known(options.pop("maxlen", Const(None)))
        given = node.args[:1]
        if not (limit is None or type(limit) is int) or options:
            self.fail("GG243", "this maxlen is not known here", node, "a number")
        if not given:
            made = self.new_list(Apply("list", ()), self.wish_of_list())
        else:
            found = self.items_if_known(given[0])
            if found.known is None and limit is None:
                made_list = gast.Call(func=node.func, args=[given[0]], keywords=[])
                listed = self.listed(gast.copy_location(made_list, node))
                if not isinstance(listed, Ref):
                    raise Refusal
                made = listed
            elif found.known is None:
                self.fail(
                    "GG243",
                    "a deque with a maxlen, of what is not known item by item",
                    node,
                    f"x[-{limit}:]",
                )
            else:
                known = (
                    found.known
                    if limit is None
                    else found.known[-limit or len(found.known) :]
                )
                made = self.new_list(Apply("list", known), self.wish_of_list())
        self.deques[made.var] = limit
        return made

    def _counter(self, node: gast.Call) -> Expr:
        """Counter(), of constants, of a dictionary, or of keywords."""
        items: dict[Any, Any] = {}
        if node.args:
            given = self.read(node.args[0])
            value = self.value_known(given)
            if value is NO_VALUE or isinstance(value, (int, float)):
                known = self.contents(given)
                if known is None or known.op != "dict":
                    self.fail(
                        "GG243",
                        "what is counted is not known here",
                        node,
                        "np.unique(x, return_counts=True)",
                    )
                items = {getattr(k, "value", None): v for k, v in self.pairs(known)}
            else:
                items = {k: Const(n) for k, n in collections.Counter(value).items()}
        made = self.new_dict(items | dict(self.by_keyword(node)))
        self.factories[made.var] = Const(collections.Counter)
        return made

    def _namespace(self, node: gast.Call) -> Expr:
        """SimpleNamespace(a=x, b=2), as an instance with these fields."""
        fields = dict(self.by_keyword(node))
        if node.args or REFUSED in fields.values():
            self.fail("GG209", "a SimpleNamespace takes names", node, "a=...")
        keys = tuple((str(i), Const(name)) for i, name in enumerate(fields))
        made = Record("object", tuple(fields.values()), keys, cls=types.SimpleNamespace)
        return self.new_list(made, self.wish_of_list())

    def _class_of_tuples(self, node: gast.Call) -> Expr:
        """namedtuple("Point", "x y"), a class that is known."""
        args = [self.value_known(self.read(arg)) for arg in node.args]
        named = {
            str(k.arg): self.value_known(self.read(k.value)) for k in node.keywords
        }
        if NO_VALUE in args or NO_VALUE in named.values():
            self.fail("GG243", "these fields are not known here", node, '"x y"')
        key = repr((args, named))
        if key not in self.local_classes:
            self.local_classes[key] = collections.namedtuple(*args, **named)
        return Const(self.local_classes[key])

    def _next_item(self, node: gast.Call) -> Expr | None:
        """next(items, default) of a generator whose items are known."""
        arg = node.args[0]
        if isinstance(arg, gast.GeneratorExp):
            found = self.contents(self.read_ListComp(arg))
        elif isinstance(arg, gast.Call) and self.resolve(arg.func) is iter:
            found = self.contents(
                self.gone_through(self.read_at_once(arg.args[0]), arg)
            )
            if found is not None and found.op == "dict":
                found = Apply("tuple", tuple(key for key, _ in self.pairs(found)))
        else:
            return None
        if found is None:
            self.fail(
                "GG243", "which item is the first is not known here", node, "a loop"
            )
        default = self.read(node.args[1]) if len(node.args) > 1 else None
        if found.args:
            return found.args[0]
        if default is not None:
            return default
        self.fail("GG269", "this raises StopIteration", node, "next(items, None)")

    # methods

    def method_of_known(
        self,
        handle: Expr,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        if known.op == "dict" and name == "move_to_end" and args:
            last = self.value_known(named.get("last", (*args, Const(True))[1]))
            if last is NO_VALUE or not isinstance(args[0], Const):
                return None
            pairs = [(key.value, value) for key, value in _pairs(known)]
            own = [pair for pair in pairs if pair[0] == getattr(args[0], "value", None)]
            rest = [pair for pair in pairs if pair not in own]
            every = dict([*rest, *own] if last else [*own, *rest])
            keys = tuple((str(i), Const(key)) for i, key in enumerate(every))
            self._changed(handle, Apply("dict", tuple(every.values()), keys))
            return Const(None)
        if isinstance(handle, Ref) and handle.var in self.deques:
            return self._of_deque(handle, known, name, args)
        return super().method_of_known(handle, known, name, args, named)

    def _of_deque(
        self, handle: Ref, known: Apply, name: str, args: list[Any]
    ) -> Expr | None:
        items, result = collections.deque(known.args, self.deques[handle.var]), None
        more = self.contents(args[0]) if args else None
        if name in ("append", "appendleft") and len(args) == 1:
            getattr(items, name)(args[0])
        elif name in ("extend", "extendleft") and more is not None:
            getattr(items, name)(more.args)
        elif name in ("pop", "popleft") and items and not args:
            result = getattr(items, name)()
        elif name == "rotate":
            count = self.value_known(args[0]) if args else 1
            if type(count) is not int:
                return None
            items.rotate(count)
        elif name in ("clear", "reverse") and not args:
            getattr(items, name)()
        elif name == "copy":
            made = self.new_list(known, self.wish_of_list())
            self.deques[made.var] = self.deques[handle.var]
            return made
        else:
            return None
        self._changed(handle, replace(known, args=tuple(items)))
        return Const(None) if result is None else result

    def list_method(
        self, handle: Ref, name: str, args: list[Any], node: gast.AST
    ) -> Expr:
        """A method of a list of unknown length; of a deque those at its right end."""
        buffer = self.memory.buffer(handle.var)
        if buffer in self.deques:
            if self.deques[buffer] is not None:
                self.fail(
                    "GG241",
                    "a deque with a maxlen that is not full before the loop is not "
                    "supported",
                    node,
                    "a list, and items[-n:] of it",
                )
            if name == "popleft":
                name, args = "pop", [Const(0)]
        return super().list_method(handle, name, args, node)

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        """counts[key], which is 0 for what was not counted."""
        if isinstance(base, Ref) and isinstance(key, Const):
            if self.factories.get(base.var) == Const(collections.Counter):
                known = self.contents(base)
                if known is not None and key not in [k for k, _ in self.pairs(known)]:
                    return Const(0)
        return super().item(base, key, node)


def _pairs(known: Apply) -> list[tuple[Any, Expr]]:
    return [(key, value) for (_, key), value in zip(known.kwargs, known.args)]
