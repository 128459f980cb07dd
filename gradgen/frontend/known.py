"""Methods of lists and dictionaries whose items are known while emitting."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import gast

from gradgen.frontend.lists import Lists
from gradgen.frontend.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.walk import subexpressions


VIEWS = ("keys", "values", "items")


@dataclass(frozen=True)
class View:
    """What d.keys(), d.values() or d.items() was when it was read."""

    of: Ref
    name: str
    made: Apply


class KnownContainers(Lists):
    """Changes containers that are known item by item."""

    # views of dictionaries, in the order in which they were read, and the first
    # of those that the loop goes over; None where it goes over a copy
    views: list[View]
    live_from: int | None

    def viewed(self, handle: Expr, name: str, parts: tuple[Expr, ...]) -> Apply:
        """A view of a dictionary, as the tuple of what it gives now."""
        made = Apply("tuple", parts)
        if isinstance(handle, Ref):
            self.views.append(View(handle, name, made))
        return made

    def seen_now(self, value: Expr) -> Expr:
        """What a name gives: of a view of a dictionary, what that holds now."""
        for view in self.views:
            if view.made is value:
                now = self.held_now(view)
                return (
                    value if now == value.args else self.viewed(view.of, view.name, now)
                )
        return value

    def live_item(self, item: Expr, node: gast.AST) -> Expr:
        """An item of what a loop goes over; refused where the loop has changed it."""
        views = [] if self.live_from is None else self.views[self.live_from :]
        for view in views:
            now = self.held_now(view)
            there = zip_longest(view.made.args, now)
            changed = [old for old, new in there if old != new]
            if any(part == old for part in subexpressions(item) for old in changed):
                self.fail(
                    "GG268",
                    "the loop changes what this reads as it is gone through",
                    node,
                    f"list(....{view.name}())",
                )
        return item

    def held_now(self, view: View) -> tuple[Expr, ...]:
        known = self.contents(view.of)
        if known is None or known.op != "dict":
            return ()
        return _parts(self.pairs(known), view.name)

    def method_of_known(
        self,
        handle: Expr,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        """The result of a method; None where it is not known."""
        if known.op == "dict":
            return self._of_dict(handle, known, name, args, named)
        if known.op != "list":
            return None
        items = list(known.args)
        result: Expr = Const(None)
        more = self.contents(args[0]) if args else None
        if named:
            return None
        if name == "append" and len(args) == 1:
            items.append(args[0])
        elif name == "extend" and more is not None:
            items += more.args
        elif name == "pop" and all(isinstance(arg, Const) for arg in args) and items:
            result = items.pop(*(arg.value for arg in args))
        elif name == "insert" and isinstance(args[0], Const):
            items.insert(args[0].value, args[1])
        elif name == "reverse":
            items.reverse()
        elif name == "clear" and not args:
            items.clear()
        elif name == "remove" and all(isinstance(i, Const) for i in (*items, *args)):
            if args[0] not in items:
                return None
            items.remove(args[0])
        elif name == "copy":
            return self.new_list(known, self.wish_of_list())
        else:
            return None
        self._changed(handle, replace(known, args=tuple(items)))
        return result

    def _changed(self, handle: Expr, known: Apply) -> None:
        assert isinstance(handle, Ref)  # others may not be changed
        self.state.versions[handle.var] = known
        self.touch(handle.var)

    def _of_dict(
        self,
        handle: Expr,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        pairs = self.pairs(known)
        items = {getattr(key, "value", None): value for key, value in pairs}
        key = self.value_known(args[0]) if args else NO_VALUE
        is_key = key is not NO_VALUE and isinstance(key, Hashable)
        default = args[1] if len(args) > 1 else None
        if name == "get" and is_key:
            return items.get(key, default or Const(None))
        if name == "copy":
            return self.new_list(known, "items")
        if name in VIEWS and not args:
            return self.viewed(handle, name, _parts(pairs, name))
        result: Expr = Const(None)
        if name == "update":
            for arg in args:
                more = self._pairs_of(arg)
                if more is None:
                    return None
                items |= more
            items.update({key: value for key, value in named.items()})
        elif named:
            return None
        elif name == "setdefault" and is_key:
            result = items.setdefault(key, default or Const(None))
        elif name == "pop" and is_key and (key in items or default is not None):
            result = items.pop(key, default or Const(None))
        elif name == "popitem" and items:
            last, value = items.popitem()
            result = Apply("tuple", (Const(last), value))
        elif name == "clear":
            items.clear()
        else:
            return None
        keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
        self._changed(handle, Apply("dict", tuple(items.values()), keys))
        return result

    def _pairs_of(self, handle: Expr) -> dict[Any, Expr] | None:
        """What a dictionary, or pairs of keys and values, would set."""
        known = self.contents(handle)
        if known is None:
            return None
        if known.op == "dict":
            return {getattr(k, "value", None): v for k, v in self.pairs(known)}
        found: dict[Any, Expr] = {}
        for item in known.args:
            pair = self.contents(item)
            if pair is None or len(pair.args) != 2:
                return None
            key, value = pair.args
            if not isinstance(key, Const):
                return None
            found[key.value] = value
        return found


def _parts(pairs: list[tuple[Expr, Expr]], name: str) -> tuple[Expr, ...]:
    if name == "items":
        return tuple(Apply("tuple", pair) for pair in pairs)
    return tuple(key if name == "keys" else value for key, value in pairs)
