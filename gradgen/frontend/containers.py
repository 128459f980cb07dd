"""Tuples and lists: known item by item while emitting, or lists of the text's own."""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.memory import is_structure
from gradgen.frontend.stores import Stores
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Expr, Origin, Ref, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import static
from gradgen.shapes.kinds import Kind


class Containers(Stores):
    """Reads and changes containers."""

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
                self.memory.join(buffer, self.memory.reach(leaf.var))
        made = self.emit(self.current(version), self.known_name(buffer))
        self.assume(made.var, self.facts.fresh(), Kind.LIKE)
        self.wish(made.var, self.known_name(buffer))
        from gradgen.frontend.memory import Home

        self.memory.homes[made.var] = Home(buffer)
        self.memory.lists.add(buffer)
        return made

    def contents(self, handle: Expr) -> Apply | None:
        """The items of a container that are known while emitting."""
        if is_structure(handle):
            return handle
        if isinstance(handle, Ref):
            version = self.state.versions.get(handle.var)
            if isinstance(version, Apply):
                return version
        return None

    def item(self, base: Expr, key: Expr, node) -> Expr:
        """base[key]."""
        if REFUSED in (base, key):
            return REFUSED
        known = self.contents(base)
        if known is not None and known.op in ("tuple", "list"):
            try:
                index = static(self.current(key, node))
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
                part = replace(known, args=known.args[index])
                return self.new_list(part) if known.op == "list" else part
        return self.bind(replace(getitem(base, key), spelling="operator"), node)

    def read_Subscript(self, node: gast.Subscript) -> Expr:
        value = self.read(node.value)
        key = self.read(node.slice)
        return self.item(value, key, node)

    def extended(self, handle: Ref, op: str, value: Expr, node) -> Expr:
        """items += more."""
        more = self.contents(value)
        version = self.state.versions[handle.var]
        if op != "numpy.add" or more is None or version.op != "list":
            self.fail("GG241", "a list takes only +=", node, "items.append(x)")
        self.state.versions[handle.var] = replace(
            version, args=(*version.args, *more.args)
        )
        return handle

    def sequence_operation(self, value: Apply, node) -> Expr:
        """(a, b) + (c,), or plain arithmetic."""
        left, right = (self.contents(arg) for arg in value.args)
        if left is not None and right is not None and value.op == "numpy.add":
            if left.op == right.op:
                both = replace(left, args=(*left.args, *right.args))
                return self.new_list(both) if left.op == "list" else both
        return self.bind(value, node)
