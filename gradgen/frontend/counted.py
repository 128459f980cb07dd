"""Operators of deques, Counters and dictionaries, and what a Counter adds up.

before:  d += [x]; d + e; c.update(a=x); {"a": x} | other
after:   the last items that a deque has room for; c["a"] + x; the items of both
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.collected import Collected
from gradgen.frontend.held import Held
from gradgen.frontend.memory import Record
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.writer import REFUSED
from gradgen.ir import operators
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

COUNTER = Const(collections.Counter)
OF_COUNTERS = {
    "Add": operator.add,
    "Sub": operator.sub,
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
}
WORDS = {op: name for name, op in operators.BINARY.items()}


class Counted(Collected):
    """Reads operators of containers that are no lists."""

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        left, right = self.read(node.left), self.read(node.right)
        if REFUSED in (left, right):
            return REFUSED
        found = self._of_containers(type(node.op).__name__, left, right, node)
        if found is not None:
            return found
        one, other = Held(left, node.left), Held(right, node.right)
        made = gast.BinOp(left=one, op=node.op, right=other)
        return super().read_BinOp(gast.copy_location(made, node))

    def augment(
        self, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
    ) -> Expr:
        """d += items, c |= other: the same object, with what the operator gives."""
        if REFUSED in (handle, value) or not isinstance(handle, Ref):
            return super().augment(handle, op, value, node, name)
        word, more = WORDS.get(op, ""), self.contents(value)
        if self._is_deque(handle) and word == "Add" and more is not None:
            more = self.contents(self.gone_through(value, node))
            if more is not None and more.op != "dict":
                self._put_into(
                    handle, self._with_room(handle, (*_items(self, handle), *more.args))
                )
                return handle
        made = self._of_containers(word, handle, value, node)
        if made is None:
            if self._is_bounded(handle):
                self._refuse_operation(
                    node, "a deque with a maxlen", "items known one by one"
                )
            return super().augment(handle, op, value, node, name)
        known = self.contents(made)
        assert known is not None  # what was made of known containers
        self._put_into(handle, known)
        return handle

    def as_dynamic(self, buffer: Var, version: Expr) -> Ref:
        """A list as a value of the text's own; a dictionary is none."""
        if isinstance(version, Apply) and version.op == "dict":
            self.problem(
                "GG244",
                f"{self.known_name(buffer)} gets its keys in a loop or a branch",
                None,
                "each key with a value before: d = {'a': 0.0}",
            )
        return super().as_dynamic(buffer, version)

    def _put_into(self, handle: Ref, known: Apply) -> None:
        self.refuse_gone_over(handle, self.frame.node)
        self._changed(handle, known)

    def _of_containers(
        self, word: str, left: Expr, right: Expr, node: gast.AST
    ) -> Expr | None:
        """left op right, of a deque, a Counter or a dictionary; None for others."""
        both = self.contents(left), self.contents(right)
        if self._is_deque(left) or self._is_deque(right):
            return self._of_deques(word, left, right, node)
        one, other = both
        if one is None or other is None or not one.op == other.op == "dict":
            return None
        if isinstance(one, Record) or isinstance(other, Record):
            return None
        if COUNTER in (self._factory_of(left), self._factory_of(right)):
            return self._of_counters(word, one, other, node)
        if word != "BitOr":
            self._refuse_operation(node, "this operator of dictionaries", "{**a, **b}")
        items = {getattr(k, "value", None): v for k, v in self.pairs(one)}
        items |= {getattr(k, "value", None): v for k, v in self.pairs(other)}
        made = self.new_dict(items)
        factory = self._factory_of(left)
        if factory is not None:
            self.factories[made.var] = factory
        return made

    def _refuse_operation(self, node: gast.AST, what: str, advice: str) -> None:
        self.fail("GG243", f"{what} is not supported here", node, advice)

    # deques

    def _is_deque(self, handle: Expr) -> bool:
        if not isinstance(handle, Ref) or self.contents(handle) is None:
            return False
        return handle.var in self.deques

    def _is_bounded(self, handle: Ref) -> bool:
        return self.deques.get(self.memory.buffer(handle.var)) is not None

    def _with_room(self, handle: Ref, items: tuple[Expr, ...]) -> Apply:
        kept = tuple(collections.deque(items, self.deques[handle.var]))
        return Apply("list", kept)

    def _of_deques(
        self, word: str, left: Expr, right: Expr, node: gast.AST
    ) -> Expr | None:
        first = left if self._is_deque(left) else right
        assert isinstance(first, Ref)
        items: tuple[Expr, ...] | None = None
        if word == "Add" and self._is_deque(left) and self._is_deque(right):
            items = (*_items(self, left), *_items(self, right))
        elif word == "Mult":
            times = self.value_known(right if first is left else left)
            if type(times) is int:
                items = _items(self, first) * times
        if items is None:
            self._refuse_operation(
                node, "this operator of a deque", "list(d), and a list"
            )
        assert items is not None
        made = self.new_list(self._with_room(first, items), self.wish_of_list())
        self.deques[made.var] = self.deques[first.var]
        return made

    # counters

    def _factory_of(self, handle: Expr) -> Expr | None:
        return self.factories.get(handle.var) if isinstance(handle, Ref) else None

    def _of_counters(
        self, word: str, one: Apply, other: Apply, node: gast.AST
    ) -> Expr | None:
        """What an operator leaves of counts that are known: those above zero."""
        counts = [self._known_counts(one), self._known_counts(other)]
        if word not in OF_COUNTERS or None in counts:
            self._refuse_operation(
                node,
                "this operator of Counters, which drops what is not above zero,",
                "c.update(other), c.subtract(other)",
            )
        first, second = (collections.Counter(known) for known in counts)
        found = OF_COUNTERS[word](first, second)
        made = self.new_dict({key: Const(count) for key, count in found.items()})
        self.factories[made.var] = COUNTER
        return made

    def _known_counts(self, known: Apply) -> dict[Any, int] | None:
        values = {
            getattr(k, "value", None): self.value_known(v) for k, v in self.pairs(known)
        }
        return None if any(type(v) is not int for v in values.values()) else values

    def method_of_known(
        self,
        handle: Expr,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        is_counter = known.op == "dict" and self._factory_of(handle) == COUNTER
        if is_counter and name in ("update", "subtract") and isinstance(handle, Ref):
            return self._added_up(handle, known, name, args, named)
        found = super().method_of_known(handle, known, name, args, named)
        if name == "copy" and isinstance(found, Ref) and known.op == "dict":
            factory = self._factory_of(handle)
            if factory is not None:
                self.factories[found.var] = factory
        return found

    def _added_up(
        self,
        handle: Ref,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        """c.update({"a": x}), c.update("ab"), c.update(a=x): what is added to each."""
        items = {getattr(k, "value", None): v for k, v in self.pairs(known)}
        op = "Add" if name == "update" else "Sub"
        for more in (*args, self.new_dict(dict(named))):
            added = self._counts_of(more)
            if added is None:
                return None
            for key, value in added.items():
                old = items.get(key, Const(0))
                items[key] = self._sum_of_counts(op, old, value)
        keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
        self._changed(handle, replace(known, args=tuple(items.values()), kwargs=keys))
        return Const(None)

    def _sum_of_counts(self, op: str, old: Expr, value: Expr) -> Expr:
        if old == Const(0) and op == "Add":
            return value
        numbers = self.value_known(old), self.value_known(value)
        if all(type(one) is int for one in numbers):
            return Const(OF_INTEGERS[op](*numbers))
        return self.binary(op, old, value, self.frame.node)

    def _counts_of(self, more: Expr) -> dict[Any, Expr] | None:
        if more == Const(None):
            return {}
        known = self.contents(more)
        if known is not None and known.op == "dict":
            return {getattr(k, "value", None): v for k, v in self.pairs(known)}
        value = self.value_known(more)
        if value is NO_VALUE or not isinstance(value, (str, tuple, list)):
            return None
        return {key: Const(n) for key, n in collections.Counter(value).items()}


OF_INTEGERS = {"Add": operator.add, "Sub": operator.sub}


def _items(reader: Counted, handle: Expr) -> tuple[Expr, ...]:
    known = reader.contents(handle)
    return () if known is None else known.args
