"""Python's own functions on containers and arrays: sorted, any, max with a key, reduce."""

from __future__ import annotations

import builtins
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.by_keys import (
    best_by_key,
    in_order,
    listed,
    order_by_key,
    which_way,
)
from gradgen.frontend.lookup import among
from gradgen.frontend.held import Held
from gradgen.frontend.iteration import Items
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.statics import set_of
from gradgen.frontend.operator_calls import OperatorCalls
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.shapes.kinds import Kind

# a list of so many numbers is written out
SHORT = 16
# what makes iterators, each of which is gone through once
ITERATORS = (zip, map, filter, enumerate, reversed)


class Pythons(OperatorCalls):
    """Reads calls of Python's own functions."""

    # calls of iterators whose items are being found
    gone_into: set[int]

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        name = getattr(value, "__name__", "")
        own: Callable[..., Expr | None] | None = None
        if getattr(builtins, name, None) is value or value is functools.reduce:
            own = getattr(self, f"call_{name}", None)
        if own is not None and node.args:
            found = self.unless_none(node, functools.partial(own, node))
            if found is not None:
                return found
        if value is defaultdict and len(node.args) == 1:
            made = self.new_dict(dict(self.by_keyword(node)))
            self.factories[made.var] = self.read(node.args[0])
            return made
        if value is OrderedDict:
            return self.call_dict(node)
        return super().special_call(value, node)

    def call_any(self, node: gast.Call, stop: bool = True) -> Expr | None:
        return self.taken_in_part(node, lambda: self._found(node, stop))

    def call_all(self, node: gast.Call) -> Expr | None:
        return self.call_any(node, False)

    def _found(self, node: gast.Call, stop: bool) -> Expr | None:
        """any(...) and all(...): the first item that decides, else all of them."""
        arg = node.args[0]
        if isinstance(arg, gast.GeneratorExp):
            known = self.attempt(lambda: self._each(arg))
            if known is None:
                return self.decided_in_loop(arg, stop)
        else:
            value = self.gone_through(self.read_at_once(arg), node)
            contents = self.contents(value)
            if value is REFUSED:
                return REFUSED
            if contents is None:
                word = "numpy.any" if stop else "numpy.all"
                return self.bind(Apply(word, (value,)), node)
            known = list(contents.args)
        parts = []
        for item in known:
            now = self.current(self.as_truth(item, node), node)
            truth = self.truth_of(now)
            if truth is stop:
                return Const(stop)
            if truth is None:
                parts.append(self._bool(now, node))
        if not parts:
            return Const(not stop)
        if len(parts) == 1:
            return self.bind(Apply("bool", (parts[0],), (), "name:bool"), node)
        word = "or" if stop else "and"
        return self.emit(Apply(word, tuple(parts), (), "operator"), "found", node)

    def _bool(self, value: Expr, node: gast.Call) -> Expr:
        if isinstance(value, Ref) and self.facts.kind(value) is Kind.BOOLEAN:
            return value
        return self.bind(Apply("bool", (value,), (), "name:bool"), node)

    def call_list(self, node: gast.Call) -> Expr | None:
        """list(range(1, 3)), as the list of its numbers."""
        found = self.items_if_known(node.args[0])
        if found.known is None and found.span is not None and found.at is None:
            values = [self.value_known(part) for part in found.span]
            if all(type(value) is int for value in values):
                numbers = range(*values)
                if len(numbers) <= SHORT:
                    known = Apply("list", tuple(map(Const, numbers)))
                    return self.new_list(known, self.wish_of_list())
        return None

    def _each(self, node: gast.GeneratorExp) -> list[Expr]:
        """What a generator computes, where it goes over what is known."""
        found = self.contents(self.read_ListComp(node))
        if found is None:
            raise Refusal
        return list(found.args)

    def call_sorted(self, node: gast.Call) -> Expr | None:
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        backwards = which_way(self, options.get("reverse", Const(False)), node)
        found = self.items_if_known(node.args[0], sets=True)
        if found.known is None:
            if "key" in options:
                made = order_by_key(self, node, options["key"], backwards)
                return made and listed(self, made, node)
            value = self.read_at_once(node.args[0])
            if self.is_a_list(value):
                return None
            return self._sorted_array(value, backwards, node)
        items = list(found.known)
        keys = [self._key(options.get("key"), item, node) for item in items]
        values = [self._order_of(key) for key in keys]
        one = len({type(value) for value in values}) == 1
        if NO_VALUE in values or not one or len(set(values)) < len(values):
            values = [self.value_known(key) for key in keys]
        if all(value is not NO_VALUE for value in values):
            order = sorted(range(len(items)), key=values.__getitem__, reverse=backwards)
            return self.new_list(Apply("list", tuple(items[i] for i in order)))
        if "key" in options:
            made = in_order(self, items, keys, backwards, node)
            if made is not None:
                return made
        if "key" in options or not all(map(self._may_be_number, items)):
            self.fail(
                "GG243",
                "the order of these is not known here",
                node,
                "np.sort(np.array(items)), or np.argsort",
            )
        array = self.bind(Apply("numpy.array", (Apply("list", tuple(items)),)), node)
        self.unless_vector(array, node)
        ordered = self.bind(Apply("numpy.sort", (array,)), node)
        places = range(len(items))
        parts = [self.item(ordered, Const(i), node) for i in places]
        return self.new_list(Apply("list", tuple(parts[:: -1 if backwards else 1])))

    def _order_of(self, key: Expr) -> Any:
        """What decides the order of a key: of a pair the first item, where it is known."""
        known = self.contents(key)
        first = key
        if known is not None and known.op in ("tuple", "list") and known.args:
            first = known.args[0]
        value = self.value_known(first)
        return value if isinstance(value, (str, int)) else NO_VALUE

    def _may_be_number(self, handle: Expr) -> bool:
        """Whether a value is a number, or of a rank that is not known."""
        known = self.contents(handle) is not None
        return not known and self.facts.rank(handle) in (0, None)

    def _sorted_array(
        self, value: Expr, backwards: bool, node: gast.Call
    ) -> Expr | None:
        if value is REFUSED:
            return REFUSED
        self.unless_vector(value, node)
        made: Expr = self.bind(Apply("numpy.sort", (value,)), node)
        if backwards:
            step = Apply("slice", (Const(None), Const(None), Const(-1)))
            made = self.bind(Apply("getitem", (made, step), (), "operator"), node)
        return listed(self, made, node)

    def unless_vector(self, value: Expr, node: gast.AST) -> None:
        """Raises where an array has not one axis, as Python's functions do."""
        rank = self.facts.rank(self.current(value, node))
        if rank == 1:
            return
        axes = self.bind(Apply("numpy.ndim", (value,)), node)
        test = Apply("numpy.not_equal", (axes, Const(1)), (), "operator")
        self.raise_where(test, ValueError, "an array of one axis is wanted")

    def _key(self, key: Expr | None, item: Expr, node: gast.AST) -> Expr:
        if key is None or key == Const(None):
            return item
        found = self.apply(key, [item], (), node)
        if found is REFUSED:
            raise Refusal
        return found

    def call_max(self, node: gast.Call) -> Expr | None:
        return self._best(node, "numpy.greater", "numpy.max")

    def call_min(self, node: gast.Call) -> Expr | None:
        return self._best(node, "numpy.less", "numpy.min")

    def _best(self, node: gast.Call, better: str, whole: str) -> Expr | None:
        """max(items, key=f, default=x), of an array, and of a list that is not known."""
        options = {str(k.arg): self.read(k.value) for k in node.keywords}
        if len(node.args) > 1:
            if not options:
                return None
            return self._best_of(self.positional(node), options, node, better)

        def gather() -> Items:
            return self.items_if_known(node.args[0], sets=True)

        def best(found: Items) -> Expr | None:
            if found.known is None:
                if options.keys() == {"key"}:
                    return best_by_key(self, node, options["key"], whole)
                return None if options else self._of_vector(whole, node)
            return self._best_of(list(found.known), options, node, better)

        key = next((k.value for k in node.keywords if k.arg == "key"), None)
        if key is None:
            return best(gather())
        return self.by_turns(key, node.args, gather, best)

    def _best_of(
        self, items: list[Expr], options: dict[str, Expr], node: gast.Call, better: str
    ) -> Expr | None:
        if not items and "default" in options:
            return options["default"]
        if not items or REFUSED in items:
            return REFUSED if items else None
        if "key" not in options:
            if len(items) == 1:
                return items[0]
            made = [Held(item, node) for item in items]
            plain = gast.Call(func=node.func, args=made, keywords=[])
            return self.special_call(
                self.resolve(node.func), gast.copy_location(plain, node)
            )
        best = Apply("tuple", (items[0], self._key(options["key"], items[0], node)))
        for item in items[1:]:
            key = self._key(options["key"], item, node)
            test = self.comparison_of(better, key, best.args[1], node)
            truth = self.truth(test)
            new, old = Apply("tuple", (item, key)), best
            if truth is None:
                chosen = self.choose(test, lambda: new, lambda: old, "best", self.note)
                if not isinstance(chosen, Apply):
                    return REFUSED
                best = chosen
            elif truth:
                best = new
        return best.args[0]

    def comparison_of(self, op: str, left: Expr, right: Expr, node: Any) -> Expr:
        """A comparison as a condition, decided where both are known."""
        a, b = self.value_known(left), self.value_known(right)
        if NO_VALUE not in (a, b):
            return Const(a > b if op == "numpy.greater" else a < b)
        test = self.bind(Apply(op, (left, right), (), "operator"), node)
        return self.current(test, node)

    def _of_vector(self, whole: str, node: gast.Call) -> Expr | None:
        value = self.read_at_once(node.args[0])
        if value is REFUSED:
            return REFUSED
        if self.is_a_list(value):
            value = self.bind(Apply("numpy.array", (value,)), node)
        self.unless_vector(value, node)
        return self.bind(Apply(whole, (value,)), node)

    def call_divmod(self, node: gast.Call) -> Expr | None:
        a, b = self.positional(node)
        self.unless_divided(a, b, node)
        parts = (self.binary(name, a, b, node) for name in ("FloorDiv", "Mod"))
        return Apply("tuple", tuple(parts))

    def call_round(self, node: gast.Call) -> Expr | None:
        """round(x) of a number, an integer; round(x, 2)."""
        args = self.positional(node)
        if REFUSED in args:
            return REFUSED
        made = self.bind(Apply("numpy.round", tuple(args)), node)
        if len(args) == 2 or not self.is_number(args[0]):
            return made if len(args) == 2 else None
        return self.bind(Apply("int", (made,), (), "name:int"), node)

    def call_range(self, node: gast.Call) -> Expr | None:
        """A range as a value: the list of its numbers, or np.arange."""
        args = self.positional(node)
        if REFUSED in args:
            return REFUSED
        values = [self.value_known(arg) for arg in args]
        if all(type(value) is int for value in values):
            numbers = range(*values)
            if len(numbers) <= 64:
                return Apply("list", tuple(map(Const, numbers)))
        return self.bind(Apply("numpy.arange", tuple(args)), node)

    def call_set(self, node: gast.Call) -> Expr | None:
        items = self.items(node.args[0], sets=True).known
        if items is None or not all(isinstance(item, Const) for item in items):
            return None
        return set_of(list(items))

    def call_dict(self, node: gast.Call) -> Expr | None:
        """dict(pairs), dict(other, key=value)."""
        found: dict[Any, Expr] = {}
        for arg in node.args:
            value = self.read_at_once(arg)
            known = self.contents(value)
            if known is None:
                self.fail("GG244", "the keys must be known here", node, "{...}")
            pairs = (
                self.pairs(known)
                if known.op == "dict"
                else [self._pair(item, node) for item in known.args]
            )
            for key, item in pairs:
                if not isinstance(key, Const):
                    self.fail("GG244", "a key must be a constant", node, "a list")
                found[key.value] = item
        return self.new_dict(found | dict(self.by_keyword(node)))

    def _pair(self, item: Expr, node: gast.AST) -> tuple[Expr, Expr]:
        known = self.contents(item)
        if known is None or len(known.args) != 2:
            self.fail("GG244", "a pair (key, value) is wanted", node, "{...}")
        return known.args[0], known.args[1]

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """An operation; a list of the module's numbers beside an array is one."""
        if value.spelling == "operator" and len(value.args) == 2:
            args = tuple(
                self._as_operand(*pair, node) for pair in (value.args, value.args[::-1])
            )
            value = replace(value, args=args)
        return super().bind(value, node)

    def _as_operand(self, one: Expr, other: Expr, node: gast.AST | None) -> Expr:
        is_list = isinstance(one, Apply) and one.op == "list" and one.args
        if not is_list or not isinstance(other, Ref) or self.is_number(other):
            return one
        if self.contents(other) is not None or self.is_list(other):
            return one
        values = self.value_known(one)
        if values is NO_VALUE or not all(type(v) in (int, float) for v in values):
            return one
        return self.bind(Apply("numpy.array", (one,)), node)

    def read_at_once(self, node: Any) -> Expr:
        """What is gone through at once: also zip(...), map(...) and the like."""
        if isinstance(node, gast.Call) and id(node) not in self.gone_into:
            function = self.resolve(node.func)
            if self.makes_iterator(function):
                self.gone_into.add(id(node))  # comes back where nothing takes it apart
                try:
                    found = self.items_if_known(node)
                finally:
                    self.gone_into.discard(id(node))
                if found.known is not None:
                    return Apply("tuple", found.known)
                over = gast.Call(func=node.func, args=[node], keywords=[])
                return self.listed(gast.copy_location(over, node))
        return super().read_at_once(node)

    def unpacked_items(self, targets: list[Any], node: Any) -> Expr | None:
        """a, b = zip(*rows), a, b = map(f, x): as many items as there are names."""
        names = getattr(targets[0], "elts", None)
        if not isinstance(node, gast.Call) or names is None or len(targets) > 1:
            return None
        if any(isinstance(name, gast.Starred) for name in names):
            return None
        if not self.makes_iterator(self.resolve(node.func)):
            return None
        found = self.items(node)
        if found.known is not None:
            return Apply("tuple", found.known)
        found = self.counted(found, node)
        if found.at is None:
            self.fail("GG118", "how many values these are is not known", node, "x[0]")
        wanted = Const(len(names))
        if found.length is not None and found.length != wanted:
            length = self.current(found.length, node)
            test = Apply("numpy.not_equal", (length, wanted), (), "operator")
            self.raise_where(test, ValueError, f"{len(names)} values are wanted")
        return Apply("tuple", tuple(found.at(Const(i)) for i in range(len(names))))

    def makes_iterator(self, function: Any) -> bool:
        """Whether a function makes what is gone through once."""
        if getattr(function, "__module__", "") == "itertools":
            return True
        return among(function, ITERATORS)
