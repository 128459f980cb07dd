"""Lists of the text's own, whose length is not known while emitting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeGuard

import gast

from gradgen.frontend.memory import Home, is_structure, leaves
from gradgen.frontend.sharing import is_slice
from gradgen.frontend.bumps import Bumps
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import static
from gradgen.rules.traits import takes_array
from gradgen.shapes.kinds import Kind

# how to write what is not supported
INSTEAD = {
    "insert": "[y] + x for the first place, or an array",
    "pop": "x.pop() or x.pop(0)",
    "clear": "x = []",
    "sort": "np.sort(np.array(x))",
    "remove": "a slice",
}


class Lists(Bumps):
    """Makes, reads and changes lists; each change makes a new value."""

    def new_list(self, items: Apply, name: str = "items") -> Ref:
        """A list object of these handles."""
        var = self.supply.var(name, Origin.USER)
        self.assume(var, self.facts.fresh(), Kind.OTHER)
        self.state.versions[var] = items
        return Ref(var)

    def as_dynamic(self, buffer: Var, version: Expr) -> Ref:
        """A list as a value of the text's own, whose length may change."""
        if isinstance(version, Ref):
            return version
        for leaf in version.args:
            if isinstance(leaf, Ref):
                self.hold(buffer, leaf)
        made = self.emit(self.current(version), self.known_name(buffer))
        self.assume(made.var, self.facts.fresh(), Kind.LIKE)
        self.wish(made.var, self.known_name(buffer))
        self.memory.homes[made.var] = Home(buffer)
        self.memory.lists.add(buffer)
        return made

    def is_list(self, handle: Ref) -> bool:
        """Whether an object is a list, of known length or not."""
        version = self.state.versions.get(handle.var)
        if isinstance(version, Apply):
            return version.op == "list"
        return self.memory.buffer(handle.var) in self.memory.lists

    def refuse_gone_over(self, handle: Ref, node: gast.AST) -> None:
        """Refuses a change of a list that a loop is going over, or that is kept."""
        self.refuse_shared(self.memory.buffer(handle.var), node)
        if self.memory.buffer(handle.var) in self.gone_over:
            name = self.known_name(handle.var)
            self.fail(
                "GG249",
                f"{name} is changed while a loop goes over it",
                node,
                "another list for what is added",
            )

    def is_dynamic(self, handle: Expr) -> TypeGuard[Ref]:
        """Whether a handle is a list whose length is not known."""
        if not isinstance(handle, Ref):
            return False
        known = isinstance(self.state.versions.get(handle.var), Apply)
        return not known and self.is_list(handle) and not self._path(handle)

    def _path(self, handle: Ref) -> tuple[Any, ...]:
        return self.memory.home(handle.var).path

    def is_a_list(self, handle: Expr) -> bool:
        """Whether a handle is a list at all."""
        if isinstance(handle, Apply) and handle.op == "list":
            return True
        if not isinstance(handle, Ref):
            return False
        return self.is_list(handle) and not self._path(handle)

    def _entry(self, buffer: Var, handle: Expr, node: gast.AST) -> Expr:
        """What goes into a list: a value, which the list may share memory with."""
        version = self.state.held(handle)
        inner = version if isinstance(version, Apply) else handle
        if is_structure(inner) and inner.op != "list":
            self.fail(
                "GG248",
                f"{_a(inner.op)} in a list whose length is not known is not supported",
                node,
                "a list for each of its parts",
            )
        if isinstance(version, Apply) and version.op == "list":
            self.state.versions[handle.var] = self.as_dynamic(handle.var, version)
        alone = self._is_nowhere_else(handle)
        for leaf in leaves(handle):
            if isinstance(leaf, Ref):
                self.hold(buffer, leaf)
        if not alone:
            self._may_be_boxed(buffer, handle, node)
        return self.current(handle, node)

    def hold(self, buffer: Var, item: Ref) -> None:
        """Notes that a list holds an object, or what this may be."""
        known = self.state.versions.get(item.var)
        for leaf in leaves(known) if isinstance(known, Apply) else ():
            if isinstance(leaf, Ref):
                self.hold(item.var, leaf)
        self.memory.join(buffer, self.memory.reach(item.var))
        if not self.memory.home(item.var).is_sure:
            self.memory.unsure.add(buffer)
        source = self.memory.buffer(item.var)
        if self.is_list(item) or source in self.memory.links.twins:
            self.memory.links.hold(buffer, source)

    def _next(self, handle: Ref, value: Apply, node: gast.AST) -> None:
        """Makes the result of a change the list's value."""
        buffer = self.memory.buffer(handle.var)
        old = value.args[0]
        name = self.known_name(old.var)
        new = self.emit(value, name, node, Origin.USER)
        self.memory.homes[new.var] = Home(buffer)
        self.state.versions[buffer] = new
        self.touch(buffer)

    def list_method(
        self, handle: Ref, name: str, args: list[Any], node: gast.AST
    ) -> Expr:
        """x.append(y), x.extend(ys), x.pop(), x.copy()."""
        buffer = self.memory.buffer(handle.var)
        old = self.current(handle, node)
        if name == "append" and len(args) == 1:
            self._next(
                handle, Apply("append", (old, self._entry(buffer, args[0], node))), node
            )
            return Const(None)
        if name == "extend" and len(args) == 1:
            more = self.contents(args[0])
            if more is not None and more.op in ("list", "tuple"):
                for item in more.args:
                    self.list_method(handle, "append", [item], node)
                return Const(None)
            if self.is_dynamic(args[0]):
                self._grown(handle, args[0], node)
                return Const(None)
        if name == "pop" and args in ([], [Const(-1)]):
            last = self.item(handle, Const(-1), node)
            self._next(
                handle, Apply("shortened", (old, self.current(last, node))), node
            )
            return last
        if name == "pop" and args == [Const(0)]:
            first = self.item(handle, Const(0), node)
            rest = Apply("slice", (Const(1), Const(None), Const(None)))
            self._next(handle, Apply("sliced", (old, rest)), node)
            return first
        if name == "reverse" and not args:
            back = Apply("slice", (Const(None), Const(None), Const(-1)))
            self._next(handle, Apply("sliced", (old, back)), node)
            return Const(None)
        if name == "copy" and not args:
            whole = Apply("slice", (Const(None),) * 3)
            return self.part_of_list(handle, whole, node)
        self.fail(
            "GG241",
            f"this .{name}() of a list whose length is not known is not supported",
            node,
            INSTEAD.get(name, "x.append(y)"),
        )

    def store_entry(
        self, target: Ref, key: Expr, value: Expr, node: gast.AST, op: str
    ) -> None:
        """x[i] = value, x[i] += value."""
        buffer = self.memory.buffer(target.var)
        place = self.current(key, node)
        if is_slice(place) and op == "setitem" and place.args[2] == Const(None):
            if self.is_a_list(value):
                return self._store_part(target, place, value, node)
        if is_slice(place) or self.facts.rank(place) != 0:
            self.fail(
                "GG231",
                "storing into several places of a list is not supported",
                node,
                "a store for each, or an array",
            )
        old = self.current(target, node)
        inner = self.state.held(value)
        if isinstance(inner, Apply) or self.is_a_list(value):
            self.fail(
                "GG231",
                "storing a list into a list is not supported",
                node,
                "an array, or x = x[:i] + [y] + x[i + 1 :]",
            )
        if op != "setitem":
            before = self.bind(replace(getitem(target, key), spelling="operator"), node)
            return self.bump_entry(target, key, before, "numpy.add", value, node)
        entry = self._entry(buffer, value, node)
        before = self.emit(getitem(old, place), "before", node)
        self._next(target, Apply("put", (old, place, entry, before)), node)

    def _store_part(
        self, target: Ref, part: Apply, value: Expr, node: gast.AST
    ) -> None:
        """x[a:b] = y: what was before a, the new entries, what was from b on."""
        start, stop, _ = part.args
        parts = [self._as_own(value, node)]
        if start != Const(None):
            head = Apply("slice", (Const(None), start, Const(None)))
            parts.insert(0, self.part_of_list(target, head, node))
        if stop != Const(None):
            tail = Apply("slice", (stop, Const(None), Const(None)))
            parts.append(self.part_of_list(target, tail, node))
        *before, last = parts
        if not before:
            whole = Apply("slice", (Const(None),) * 3)
            return self._next(
                target, Apply("sliced", (self.current(last), whole)), node
            )
        first = before[0]
        for one in before[1:]:
            joined = self.joined_lists(first, one, node)
            assert isinstance(joined, Ref)  # of two lists that were not refused
            first = joined
        buffer = self.memory.buffer(target.var)
        for one in parts:
            self.memory.join(buffer, self.memory.reach(one.var))
            self.memory.links.inherit(buffer, self.memory.buffer(one.var))
        self._next(target, self._joined(first, last, node), node)

    def grows_dynamic(self, target: Ref, key: Expr) -> bool:
        """Makes a list of known items one of the text's own, to be stored into at i."""
        version = self.state.versions[target.var]
        try:
            static(key)
            return False
        except ValueError:
            pass
        if self.facts.rank(key) != 0 or any(map(self._is_nested, version.args)):
            return False
        for item in version.args:
            if not self.is_number(item):
                self.memory.boxed.add(target.var)
        self.state.versions[target.var] = self.as_dynamic(target.var, version)
        return True

    def _is_nested(self, item: Expr) -> bool:
        known = isinstance(self.state.held(item), Apply)
        return known or is_structure(item) or callable(getattr(item, "value", None))

    def _made(self, value: Apply, sources: list[Ref], node: gast.AST | None) -> Ref:
        """A new list, of entries that others hold."""
        made = self.emit(value, self.wish_of_list(), node)
        self.assume(made.var, self.facts.fresh(), self.facts.kinds[made.var])
        self.memory.lists.add(made.var)
        for source in sources:
            buffer = self.memory.buffer(source.var)
            self.memory.join(made.var, self.memory.reach(buffer))
            self.memory.links.inherit(made.var, buffer)
            if buffer in self.memory.boxed:
                self.memory.boxed.add(made.var)
        return made

    def _grown(self, handle: Ref, more: Ref, node: gast.AST) -> None:
        """x.extend(y), x += y, of two lists."""
        buffer = self.memory.buffer(handle.var)
        self.memory.join(buffer, self.memory.reach(more.var))
        self.memory.links.inherit(buffer, self.memory.buffer(more.var))
        self._may_be_boxed(buffer, more, node)
        self._next(handle, self._joined(handle, more, node), node)

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """An operation; what takes an array makes one of a list."""
        if value.spelling != "operator" and any(map(self.is_dynamic, value.args)):
            args = [
                self._as_array(arg, node)
                if self.is_dynamic(arg) and takes_array(value.op, i)
                else arg
                for i, arg in enumerate(value.args)
            ]
            value = replace(value, args=tuple(args))
        return super().bind(value, node)

    def _as_array(self, items: Ref, node: gast.AST | None) -> Expr:
        return super().bind(Apply("numpy.array", (items,)), node)

    def part_of_list(self, base: Ref, key: Expr, node: gast.AST | None) -> Ref:
        """x[a:b], a list of its own."""
        value = Apply("sliced", (self.current(base, node), self.current(key, node)))
        return self._made(value, [base], node)

    def joined_lists(self, left: Expr, right: Expr, node: gast.AST) -> Expr:
        """x + y, of two lists."""
        if REFUSED in (left, right):
            return REFUSED
        if not (self.is_a_list(left) and self.is_a_list(right)):
            self.fail("GG214", "a list is not an array yet", node, "np.array(x) + y")
        first, second = self._as_own(left, node), self._as_own(right, node)
        both = [first, second]
        return self._made(self._joined(first, second, node), both, node)

    def _joined(self, left: Ref, right: Ref, node: gast.AST) -> Apply:
        """The operation, which knows how long the first list was."""
        both = self.current(left, node), self.current(right, node)
        length = self.bind(Apply("len", both[:1], (), "name:len"), node)
        return Apply("joined", (*both, length))

    def _as_own(self, handle: Expr, node: gast.AST) -> Ref:
        """A list whose items are known as one of the text's own."""
        if self.is_dynamic(handle):
            return handle
        known = self.contents(handle)
        assert known is not None  # a list, and not one of the text's own
        made = self.new_list(known, self.wish_of_list())
        for item in known.args:
            self._entry(made.var, item, node)
        known = self.contents(handle)
        assert known is not None
        self.state.versions[made.var] = self.as_dynamic(made.var, known)
        return made

    def repeated_list(self, items: Expr, count: Expr, node: gast.AST) -> Expr:
        """[x] * n."""
        if REFUSED in (items, count):
            return REFUSED
        known, number = self.contents(items), self.current(count, node)
        times = self.value_known(count)
        if known is not None and isinstance(times, int):
            return self.new_list(replace(known, args=known.args * times))
        rank = self.facts.rank(number)
        if known is not None and rank:
            self.fail("GG214", "a list is not an array yet", node, "np.array([...])")
        told = rank == 0 or self._bounds_a_range(node)
        if known is None or len(known.args) != 1 or not told:
            self.fail(
                "GG241",
                "this repetition of a list is not supported",
                node,
                "[x for _ in range(n)]; np.array(x) where an array is meant",
            )
        entry = known.args[0]
        self.memory.lists.add((made := self.supply.var("items", Origin.TEMP)))
        value = self._entry(made, entry, node)
        found = self._made(Apply("repeated", (value, number)), [Ref(made)], node)
        return found

    def _bounds_a_range(self, node: gast.AST) -> bool:
        """Whether one side of a product is made of numbers that bound ranges too."""
        bounds: set[str] = set()
        for call in gast.walk(self.frame.node):
            if isinstance(call, gast.Call) and getattr(call.func, "id", "") == "range":
                bounds = bounds.union(*(_integers(arg) or () for arg in call.args))
        sides = (_integers(side) for side in (node.left, node.right))
        return any(names is not None and names <= bounds for names in sides)


def _integers(node: gast.AST) -> set[str] | None:
    """The names in a sum or a product of names and integers; None for others."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.Constant):
        return set() if type(node.value) is int else None
    if isinstance(node, gast.BinOp) and isinstance(
        node.op, (gast.Add, gast.Sub, gast.Mult)
    ):
        left, right = _integers(node.left), _integers(node.right)
        return None if left is None or right is None else left | right
    return None


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
