"""Calls of classes, and isinstance, hasattr, getattr and type of instances."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.calls.evaluation import GETTERS
from gradgen.frontend.calls.factories import has_to_make
from gradgen.frontend.calls.fields import class_of, held_value, known_object, lend
from gradgen.frontend.calls.fields import object_of, refuse_missing, store_field
from gradgen.frontend.calls.lasting import refuse_identity
from gradgen.frontend.calls.methods import is_super, super_has
from gradgen.ir.records import is_record_class, unlike_its_fields
from gradgen.frontend.control.branches import choose, unless_none
from gradgen.frontend.calls.settings import read_class, read_presence
from gradgen.frontend.heap.contents import contents, pairs_of, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.heap.of_instances import refuse_untold
from gradgen.frontend.lowering.callables import is_users
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.jumps import FALSE, TRUE, flag_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.holding import Anything
from gradgen.frontend.source.lookup import MISSING, behind_typing, looked_up
from gradgen.frontend.source.lookup import (
    is_compared_as_object,
    made_instead,
    refused_class,
)
from gradgen.frontend.source.names import NO_VALUE, is_path
from gradgen.frontend.source.reach import ANY, is_users_class, reach
from gradgen.ir.nodes import Apply, Const, Expr, Ref

DEFAULT_FACTORIES = {list: "list", dict: "dict"}


QUESTIONS = {
    "isinstance": isinstance,
    "hasattr": hasattr,
    "getattr": getattr,
    "setattr": setattr,
    "type": type,
    "len": len,
    "callable": callable,
}


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    cls = lowering.resolve(node.func)
    if isinstance(cls, type) and is_users_class(cls) and cls not in GETTERS:
        if not issubclass(cls, (enum.Enum, BaseException)):
            changed = not is_record_class(cls) or _is_changed(lowering, cls)
            if changed or has_to_make(cls, node):
                return _instance_of(lowering, cls, node)
    asked = getattr(cls, "__name__", "") if cls is not NO_VALUE else ""
    if asked in QUESTIONS and cls is QUESTIONS[asked]:
        own = ANSWERS[asked]
        if _is_of_no_class(lowering, node):
            return other_call.further(lowering, node)
        found: Expr | None = unless_none(lowering, node, lambda: own(lowering, node))
        if found is not None:
            return found
    return other_call.further(lowering, node)


def _is_of_no_class(lowering: Lowering, node: gast.Call) -> bool:
    """Whether an argument's object is asked for, of which fields alone are known."""
    path = bool(node.args) and is_path(node.args[0])
    found = _record_at(lowering, node.args[0]) if path else None
    return found is not None and found[1].cls is Anything


def _is_changed(lowering: Lowering, cls: Any) -> bool:
    """Whether a dataclass is made otherwise than of its fields, or stored into."""
    if issubclass(cls, tuple):
        return False
    params = vars(cls).get("__dataclass_params__")
    if params is not None and params.frozen:
        return bool(unlike_its_fields(cls)) and not refused_class(cls)
    if unlike_its_fields(cls):
        return True
    if lowering.stored is None:
        receiver = lowering.root.source.receiver
        classes = [] if receiver is None else [receiver.cls]
        lowering.stored = reach(lowering.root.source.function, classes).stored
    names = {ANY, *(field.name for field in dataclasses.fields(cls))}
    return bool(names & (lowering.stored | reach(None, [cls]).stored))


def _instance_of(lowering: Lowering, cls: type, node: gast.Call) -> Expr:
    """Net(3): an instance without fields, and what __init__ does with it."""
    instead = made_instead(cls)
    if instead is not None:
        args, kwargs = positional(lowering, node), by_keyword(lowering, node)
        return lowering.call(instead, [Const(cls), *args], kwargs, node)
    reason = refused_class(cls, True)
    if reason:
        advice = "an instance that is made before"
        lowering.fail("GG270", f"{cls.__name__} {reason}", node, advice)
    args, kwargs = positional(lowering, node), by_keyword(lowering, node)
    if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
        return REFUSED
    kind = "dataclass" if dataclasses.is_dataclass(cls) else "object"
    if kind == "dataclass" and unlike_its_fields(cls):
        kind = "object"
    handle = new_list(lowering, Record(kind, (), (), cls=cls), wish_of_list(lowering))
    init = looked_up(cls, "__init__")
    generated = dataclasses.is_dataclass(cls) and getattr(
        init, "__qualname__", ""
    ).endswith("__create_fn__.<locals>.__init__")
    if generated or (dataclasses.is_dataclass(cls) and not _has_text(init)):
        _fields(lowering, cls, handle, args, dict(kwargs), node)
    elif isinstance(init, types.FunctionType):
        lowering.call(init, [handle, *args], kwargs, node)
    elif args or kwargs:
        lowering.fail("GG209", f"{cls.__name__} takes no arguments", node, "none")
    return handle


def _fields(
    lowering: Lowering,
    cls: Any,
    handle: Ref,
    args: list[Any],
    kwargs: Any,
    node: gast.AST,
) -> None:
    """What the __init__ that @dataclass writes does."""
    try:
        bound = inspect.signature(cls).bind(*args, **kwargs).arguments
    except TypeError as error:
        known = ", ".join(inspect.signature(cls).parameters)
        lowering.fail("GG209", f"{cls.__name__}: {error}", node, known)
    fields: dict[str, Expr] = {}
    for one in dataclasses.fields(cls):
        if one.name in bound:
            fields[one.name] = bound[one.name]
        elif one.default is not dataclasses.MISSING:
            fields[one.name] = held_value(lowering, one.default, node)
        elif one.default_factory is not dataclasses.MISSING:
            fields[one.name] = _by_factory(lowering, one.default_factory, node)
    empty = lowering.state.versions[handle.var]
    assert isinstance(empty, Record)
    lowering.state.versions[handle.var] = object_of(empty, fields)
    after = looked_up(cls, "__post_init__")
    if after is not MISSING:
        own = {field.name for field in dataclasses.fields(cls)}
        more = [value for name, value in bound.items() if name not in own]
        lowering.call(after, [handle, *more], (), node)


def _by_factory(lowering: Lowering, factory: Any, node: gast.AST) -> Expr:
    if factory in DEFAULT_FACTORIES:
        return new_list(lowering, Apply(DEFAULT_FACTORIES[factory], ()))
    if is_users(factory):
        return lowering.call(factory, [], (), node)
    if isinstance(factory, type) and is_users_class(factory):
        call = gast.Call(lend(lowering, node, Const(factory)), [], [])
        return _instance_of(lowering, factory, gast.copy_location(call, node))
    lowering.fail("GG116", "this default_factory is not supported", node, "list, dict")


def _record_at(lowering: Lowering, node: gast.AST) -> tuple[Expr, Record] | None:
    """The instance that an expression is, None where it is none."""
    found = known_object(lowering, node)
    known = None if found is None else contents(lowering, found[0])
    return (found[0], known) if found and isinstance(known, Record) else None


def _isinstance(lowering: Lowering, node: gast.Call) -> Expr | None:
    found = _record_at(lowering, node.args[0]) if len(node.args) == 2 else None
    if found is None:
        return None
    classes = _named_classes(lowering, node.args[1])
    if classes is None:
        return None
    read_class(lowering, found[0], found[1].cls)
    return Const(issubclass(found[1].cls, classes))


def _named_classes(lowering: Lowering, node: gast.AST) -> Any:
    """The class, or the tuple of classes, that an expression names."""
    if isinstance(node, gast.Tuple):
        every = [_named_classes(lowering, one) for one in node.elts]
        return None if None in every else tuple(every)
    value = class_of(lowering, node) or behind_typing(lowering.resolve(node))
    return value if isinstance(value, type) else None


def _hasattr(lowering: Lowering, node: gast.Call) -> Expr | None:
    asked = _asked_of(lowering, node)
    if asked is None:
        return None
    (handle, known), name = asked
    fields = {key.value: value for key, value in pairs_of(lowering, known)}
    if flag_of(name) in fields:
        return fields[flag_of(name)]
    has = name in fields or looked_up(known.cls, name) is not MISSING
    read_presence(lowering, handle, name, has)
    if not has:
        refuse_missing(lowering, known.cls, name, node)
    return Const(has)


def _getattr_of_super(lowering: Lowering, node: gast.Call) -> Expr:
    """getattr(super(), "name", None)."""
    call: Any = node.args[0]
    name = value_known(lowering, lowering.read(node.args[1]))
    if not isinstance(name, str):
        lowering.fail("GG206", "the name of the attribute is not known", node, "x.name")
    made = gast.Attribute(value=node.args[0], attr=name, ctx=gast.Load())
    has = len(node.args) == 2 or super_has(lowering, call, name)
    return lowering.read(gast.copy_location(made, node) if has else node.args[2])


def _getattr(lowering: Lowering, node: gast.Call) -> Expr | None:
    if is_super(lowering, node.args[0]):
        return _getattr_of_super(lowering, node)
    asked = _asked_of(lowering, node)
    if asked is None:
        return None
    (handle, known), name = asked
    # Python computes what it may not need
    default = lowering.read(node.args[2]) if len(node.args) == 3 else None
    fields = {key.value: value for key, value in pairs_of(lowering, known)}
    if default is not None:
        has = name in fields or looked_up(known.cls, name) is not MISSING
        if flag_of(name) not in fields:
            read_presence(lowering, handle, name, has)
        if not has:
            refuse_missing(lowering, known.cls, name, node)
            return default
    flag = fields.get(flag_of(name), TRUE)
    if default is not None and flag != TRUE:
        if flag == FALSE:
            return default
        own, given = fields[name], default
        return choose(lowering, flag, lambda: own, lambda: given, name, lowering.note)
    lent = lend(lowering, node.args[0], handle)
    read = gast.Attribute(lent, name, gast.Load())
    return lowering.read(gast.copy_location(read, node))


def _setattr(lowering: Lowering, node: gast.Call) -> Expr | None:
    asked = _asked_of(lowering, node)
    if asked is None or len(node.args) != 3:
        return None
    (handle, _), name = asked
    mark = lowering.mark()
    lent = lend(lowering, node.args[0], handle)
    target = gast.copy_location(gast.Attribute(lent, name, gast.Store()), node)
    store_field(lowering, target, lowering.read(node.args[2]), mark, handle)
    return Const(None)


def _asked_of(
    lowering: Lowering, node: gast.Call
) -> tuple[tuple[Expr, Record], str] | None:
    """The instance and the name that getattr and its like are called with."""
    found = _record_at(lowering, node.args[0]) if len(node.args) > 1 else None
    if found is None:
        return None
    name = getattr(lowering.read(node.args[1]), "value", None)
    if not isinstance(name, str):
        lowering.fail("GG271", "this name is not known here", node, "self.name")
    return found, name


def _type(lowering: Lowering, node: gast.Call) -> Expr | None:
    found = _record_at(lowering, node.args[0]) if len(node.args) == 1 else None
    if found is None:
        return None
    read_class(lowering, found[0], found[1].cls)
    return Const(found[1].cls)


def _len(lowering: Lowering, node: gast.Call) -> Expr | None:
    found = _record_at(lowering, node.args[0]) if len(node.args) == 1 else None
    own = MISSING if found is None else looked_up(found[1].cls, "__len__")
    if found is None or not isinstance(own, types.FunctionType):
        return None
    return lowering.call(own, [found[0]], (), node)


def _callable(lowering: Lowering, node: gast.Call) -> Expr | None:
    if len(node.args) != 1:
        return None
    found = known_object(lowering, node.args[0])
    handle = lowering.read(node.args[0]) if found is None else found[0]
    known = None if handle is REFUSED else contents(lowering, handle)
    if isinstance(known, Record):
        return Const(looked_up(known.cls, "__call__") is not MISSING)
    return Const(callable(handle.value)) if isinstance(handle, Const) else None


def _are_known(lowering: Lowering, *sides: Expr) -> bool:
    """Whether both are instances, functions or None, which are one object or not."""
    return all(
        side == Const(None)
        or callable(getattr(side, "value", None))
        or isinstance(contents(lowering, side), Record)
        for side in sides
    )


def _is_one_of_the_module(
    lowering: Lowering, left: Expr, right: Expr, node: gast.AST
) -> bool | None:
    """Whether two are one, where one is an instance around the function, or None."""
    sides = [contents(lowering, side) for side in (left, right) if side is not REFUSED]
    own = [getattr(side, "outer", 0) for side in sides]
    if len(own) < 2 or not any(own):
        return None
    if all(own) or Const in (type(left), type(right)):
        return bool(own[0] == own[1])
    lowering.fail(
        "GG271",
        "whether these are one object is not known here",
        node,
        "a comparison of something that they hold",
    )


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """A comparison of members of enums, of classes, of instances is known."""
    if _are_compared_as_objects(lowering, left, right):
        op = {gast.Eq: gast.Is, gast.NotEq: gast.IsNot}.get(type(op), type(op))()
    name = type(op).__name__
    if name in ("Is", "IsNot"):
        same = _is_one_of_the_module(lowering, left, right, node)
        if same is not None:
            return Const(same is (name == "Is"))
    if name in ("Is", "IsNot"):
        refuse_identity(lowering, left, right, node)
    if name in ("Is", "IsNot") and _are_known(lowering, left, right):
        return Const((left == right) is (name == "Is"))
    sides = [getattr(side, "value", NO_VALUE) for side in (left, right)]
    odd = any(isinstance(side, (enum.Enum, type)) for side in sides)
    if odd and NO_VALUE not in sides and name in ("Is", "IsNot", "Eq", "NotEq"):
        one, other = sides
        same = one is other if name in ("Is", "IsNot") else one == other
        return Const(bool(same) is (name in ("Is", "Eq")))
    member = any(isinstance(side, enum.Enum) for side in sides)
    if member and NO_VALUE in sides and name not in ("In", "NotIn"):
        if not all(isinstance(s, int) for s in sides if s is not NO_VALUE):
            refuse_untold(lowering, right if sides[0] is not NO_VALUE else left, node)
            lowering.fail(
                "GG211",
                "what a member of an enum is compared with is not known here",
                node,
                "a default of the parameter",
            )
    return comparison.further(lowering, op, left, right, node)


def _are_compared_as_objects(lowering: Lowering, left: Expr, right: Expr) -> bool:
    """Whether a == b of instances is a is b: their classes do not say what is equal."""
    if REFUSED in (left, right):
        return False
    sides = [contents(lowering, side) for side in (left, right)]
    return all(
        isinstance(one, Record) and is_compared_as_object(one.cls) for one in sides
    )


def _has_text(function: object) -> bool:
    """Whether a function stands in a file."""
    code = getattr(function, "__code__", None)
    return code is not None and not code.co_filename.startswith("<")


# what is answered of an instance
ANSWERS: dict[str, Callable[[Lowering, Any], Expr | None]] = {
    "callable": _callable,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "isinstance": _isinstance,
    "len": _len,
    "setattr": _setattr,
    "type": _type,
}
