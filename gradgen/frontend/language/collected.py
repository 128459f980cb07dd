"""Containers of `collections` and `types` that a function makes.

A deque is a list that may have a greatest length, a Counter a dictionary in which what
is missing is 0, a SimpleNamespace an instance without a class of its own.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.calls.arguments import by_keyword
from gradgen.frontend.control.comprehensions import filled_list, listed_items
from gradgen.frontend.control.generators import taken_in_part
from gradgen.frontend.control.zipping import items_if_known
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list, next_of_list
from gradgen.frontend.heap.views import changed_in_place
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: object) -> bool:
    return value is not collections.namedtuple and is_called.further(lowering, value)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if value is list and not node.args:
        return new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    if value is collections.deque:
        return _deque(lowering, node)
    if value is collections.Counter:
        return _counter(lowering, node)
    if value is types.SimpleNamespace:
        return _namespace(lowering, node)
    if value is collections.namedtuple:
        return _class_of_tuples(lowering, node)
    if value is next and node.args:
        return taken_in_part(lowering, node, lambda: _next_item(lowering, node))
    return special_call.further(lowering, value, node)


@answers(Lowering.method_call)
def method_call(lowering: Lowering, node: gast.Call) -> Expr | None:
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "fromkeys" and node.args:
        if lowering.resolve(func.value) in (dict, collections.OrderedDict):
            return _from_keys(lowering, node)
    return method_call.further(lowering, node)


def _from_keys(lowering: Lowering, node: gast.Call) -> Expr:
    """dict.fromkeys(names, 0.0): all keys hold one object."""
    found = value_known(lowering, lowering.read_at_once(node.args[0]))
    if not isinstance(found, Iterable):
        lowering.fail("GG244", "the keys must be known here", node, "{...}")
    value = lowering.read(node.args[1]) if len(node.args) > 1 else Const(None)
    if value is REFUSED:
        return REFUSED
    return new_dict(lowering, dict.fromkeys(found, value))


def _deque(lowering: Lowering, node: gast.Call) -> Expr:
    """deque(items, maxlen=n), as a list."""
    options = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    if len(node.args) > 1:
        options["maxlen"] = lowering.read(node.args[1])
    limit = value_known(lowering, options.pop("maxlen", Const(None)))
    given = node.args[:1]
    if not (limit is None or type(limit) is int) or options:
        lowering.fail("GG243", "this maxlen is not known here", node, "a number")
    if not given:
        made = new_list(lowering, Apply("list", ()), wish_of_list(lowering))
    else:
        found = items_if_known(lowering, given[0])
        if found.known is None and limit is None:
            made_list = gast.Call(func=node.func, args=[given[0]], keywords=[])
            listed = listed_items(lowering, gast.copy_location(made_list, node))
            if not isinstance(listed, Ref):
                raise Refusal
            made = listed
        elif found.known is None:
            lowering.fail(
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
            made = new_list(lowering, Apply("list", known), wish_of_list(lowering))
    lowering.deques[made.var] = limit
    return made


def _counter(lowering: Lowering, node: gast.Call) -> Expr:
    """Counter(), of constants, of a dictionary, or of keywords."""
    items: dict[Any, Any] = {}
    if node.args:
        given = lowering.read(node.args[0])
        value = value_known(lowering, given)
        if value is NO_VALUE or isinstance(value, (int, float)):
            known = contents(lowering, given)
            if known is None or known.op != "dict":
                lowering.fail(
                    "GG243",
                    "what is counted is not known here",
                    node,
                    "np.unique(x, return_counts=True)",
                )
            items = {getattr(k, "value", None): v for k, v in pairs_of(lowering, known)}
        else:
            items = {k: Const(n) for k, n in collections.Counter(value).items()}
    made = new_dict(lowering, items | dict(by_keyword(lowering, node)))
    lowering.factories[made.var] = Const(collections.Counter)
    return made


def _namespace(lowering: Lowering, node: gast.Call) -> Expr:
    """SimpleNamespace(a=x, b=2), as an instance with these fields."""
    fields = dict(by_keyword(lowering, node))
    if node.args or REFUSED in fields.values():
        lowering.fail("GG209", "a SimpleNamespace takes names", node, "a=...")
    keys = tuple((str(i), Const(name)) for i, name in enumerate(fields))
    made = Record("object", tuple(fields.values()), keys, cls=types.SimpleNamespace)
    return new_list(lowering, made, wish_of_list(lowering))


def _class_of_tuples(lowering: Lowering, node: gast.Call) -> Expr:
    """namedtuple("Point", "x y"), a class that is known."""
    args = [value_known(lowering, lowering.read(arg)) for arg in node.args]
    named = {
        str(k.arg): value_known(lowering, lowering.read(k.value)) for k in node.keywords
    }
    if NO_VALUE in args or NO_VALUE in named.values():
        lowering.fail("GG243", "these fields are not known here", node, '"x y"')
    key = repr((args, named))
    if key not in lowering.local_classes:
        lowering.local_classes[key] = collections.namedtuple(*args, **named)
    return Const(lowering.local_classes[key])


def _next_item(lowering: Lowering, node: gast.Call) -> Expr | None:
    """next(items, default) of a generator whose items are known."""
    arg = node.args[0]
    if isinstance(arg, gast.GeneratorExp):
        found = contents(lowering, filled_list(lowering, arg))
    elif isinstance(arg, gast.Call) and lowering.resolve(arg.func) is iter:
        found = contents(
            lowering, lowering.gone_through(lowering.read_at_once(arg.args[0]), arg)
        )
        if found is not None and found.op == "dict":
            found = Apply("tuple", tuple(key for key, _ in pairs_of(lowering, found)))
    elif isinstance(arg, gast.Call) and lowering.function_of(arg.func) is not None:
        found = contents(lowering, lowering.read_at_once(arg))  # a generator's
    else:
        return None
    if found is None:
        lowering.fail(
            "GG243", "which item is the first is not known here", node, "a loop"
        )
    default = lowering.read(node.args[1]) if len(node.args) > 1 else None
    if found.args:
        return found.args[0]
    if default is not None:
        return default
    lowering.fail("GG269", "this raises StopIteration", node, "next(items, None)")


@answers(Lowering.method_of_known)
def method_of_known(
    lowering: Lowering,
    handle: Expr,
    known: Apply,
    name: str,
    args: list[Any],
    named: Mapping[str, Expr],
) -> Expr | None:
    if known.op == "dict" and name == "move_to_end" and args:
        last = value_known(lowering, named.get("last", (*args, Const(True))[1]))
        moved = value_known(lowering, args[0])
        if last is NO_VALUE or moved is NO_VALUE:
            return None
        pairs = [(key.value, value) for key, value in _pairs(known)]
        own = [pair for pair in pairs if pair[0] == moved]
        rest = [pair for pair in pairs if pair not in own]
        every = dict([*rest, *own] if last else [*own, *rest])
        keys = tuple((str(i), Const(key)) for i, key in enumerate(every))
        changed_in_place(lowering, handle, Apply("dict", tuple(every.values()), keys))
        return Const(None)
    if isinstance(handle, Ref) and handle.var in lowering.deques:
        return _of_deque(lowering, handle, known, name, args)
    return method_of_known.further(lowering, handle, known, name, args, named)


def _of_deque(
    lowering: Lowering, handle: Ref, known: Apply, name: str, args: list[Any]
) -> Expr | None:
    items, result = collections.deque(known.args, lowering.deques[handle.var]), None
    more = contents(lowering, args[0]) if args else None
    if name in ("append", "appendleft") and len(args) == 1:
        getattr(items, name)(args[0])
    elif name in ("extend", "extendleft") and more is not None:
        getattr(items, name)(more.args)
    elif name in ("pop", "popleft") and items and not args:
        result = getattr(items, name)()
    elif name == "rotate":
        count = value_known(lowering, args[0]) if args else 1
        if type(count) is not int:
            return None
        items.rotate(count)
    elif name in ("clear", "reverse") and not args:
        getattr(items, name)()
    elif name == "copy":
        made = new_list(lowering, known, wish_of_list(lowering))
        lowering.deques[made.var] = lowering.deques[handle.var]
        return made
    else:
        return None
    changed_in_place(lowering, handle, replace(known, args=tuple(items)))
    return Const(None) if result is None else result


@answers(Lowering.list_method)
def list_method(
    lowering: Lowering, handle: Ref, name: str, args: list[Any], node: gast.AST
) -> Expr:
    """A method of a list of unknown length; a deque keeps its last entries.

    before:  q = deque(maxlen=3)          after:  q.append(v)
             q.append(v)                          q = q[-3:]
    """
    buffer = lowering.memory.buffer(handle.var)
    same = lowering.memory.links.same(buffer)
    limits = {lowering.deques[one] for one in same if one in lowering.deques} - {None}
    longest = lowering.deques.get(buffer)
    grows = name in ("append", "extend", "appendleft")
    unclear = longest == 0 or bool(limits) and len(same) > 1
    if unclear and grows or longest is not None and name in ("extendleft", "insert"):
        lowering.fail(
            "GG241",
            f"this .{name}() of a deque with a maxlen that is not full before the loop "
            "is not supported",
            node,
            "a list, and items[-n:] of it",
        )
    if buffer not in lowering.deques:
        return list_method.further(lowering, handle, name, args, node)
    kept = (None, longest) if name == "appendleft" else (-(longest or 0), None)
    if name == "popleft":
        name, args = "pop", [Const(0)]
    if name == "appendleft":
        name, args = "insert", [Const(0), *args]
    found = list_method.further(lowering, handle, name, args, node)
    if name == "copy" and isinstance(found, Ref):
        lowering.deques[lowering.memory.buffer(found.var)] = longest
    if grows and longest is not None:
        part = Apply("slice", (*map(Const, kept), Const(None)))
        old = lowering.current(handle, node)
        next_of_list(lowering, handle, Apply("sliced", (old, part)), node)
    return found


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    """counts[key], which is 0 for what was not counted."""
    if isinstance(base, Ref) and isinstance(key, Const):
        if lowering.factories.get(base.var) == Const(collections.Counter):
            known = contents(lowering, base)
            if known is not None and key not in [
                k for k, _ in pairs_of(lowering, known)
            ]:
                return Const(0)
    return item.further(lowering, base, key, node)


def _pairs(known: Apply) -> list[tuple[Any, Expr]]:
    return [(key, value) for (_, key), value in zip(known.kwargs, known.args)]
