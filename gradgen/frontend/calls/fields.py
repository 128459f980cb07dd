"""The fields of instances, read and stored.

An instance is a container whose fields a store may change, like a dictionary that
knows its class. What a name means on it is found as Python finds it: a property of
the class, a field, what the class and its bases have.
"""

from __future__ import annotations

import types
from typing import Any, NoReturn

import gast

from gradgen.frontend.calls.asked_types import type_asked
from gradgen.frontend.calls.evaluation import raised
from gradgen.frontend.calls.lasting import held_once
from gradgen.frontend.calls.settings import read_class, read_field
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.names import constant_handle, lookup
from gradgen.frontend.heap.naming import named
from gradgen.frontend.heap.outer_instances import bound_outside, holds_instances
from gradgen.frontend.heap.outer_instances import is_instance, record_of
from gradgen.frontend.lowering.callables import Partial, is_users
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.jumps import TRUE, flag_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Outer, Poison, Record
from gradgen.frontend.source.advice import NO_FIELD
from gradgen.frontend.source.holding import Anything
from gradgen.frontend.source.laws import is_law
from gradgen.frontend.source.lookup import MISSING, decides, getter, is_frozen
from gradgen.frontend.source.lookup import is_simple_value, looked_up, refused_class
from gradgen.frontend.source.lookup import given_by_itself, refused_missing
from gradgen.frontend.source.names import NO_VALUE, canonical, is_plain
from gradgen.frontend.source.reach import is_users_class, reach
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

# what can be stored into the attributes of an array; all others raise AttributeError
SET_ON_ARRAYS = ("shape", "strides", "dtype", "flat", "real", "imag", "data")
# the name of a value that has been read already
LENT = "%lent"


def lend(lowering: Lowering, node: gast.AST, handle: Expr) -> gast.Name:
    """A name that stands for a value where the expression for it stood."""
    found = gast.copy_location(gast.Name(LENT, gast.Load(), None, None), node)
    found.handle = handle
    return found


def class_of(lowering: Lowering, node: gast.AST) -> type | None:
    """The user's class that an expression names: cls, self.__class__, type(self)."""
    if isinstance(node, gast.Name) and lowering.is_local(node.id):
        bound = getattr(node, "handle", None) or lookup(lowering, node.id)
        value = getattr(bound, "value", None)
    elif isinstance(node, (gast.Name, gast.Attribute)):
        value = type_asked(lowering, node) or lowering.resolve(node)
    else:
        value = type_asked(lowering, node)
    return value if isinstance(value, type) and is_users_class(value) else None


def known_object(lowering: Lowering, node: gast.AST) -> tuple[Expr, gast.AST] | None:
    """The handle of an expression that may be an instance, and a node that is it.

    None for what is a module, a class, or surely an array.
    """
    base = node
    while isinstance(base, (gast.Attribute, gast.Subscript)):
        base = base.value
    if isinstance(base, gast.Name):
        if _names_a_class(lowering, node):
            return None
        if not lowering.is_local(base.id):
            return _outer_object(lowering, node)
    elif not _may_be_an_instance(lowering, base):
        return None
    if isinstance(node, gast.Name):
        return lowering.read(node), node
    handle = lowering.read(node)
    return handle, lend(lowering, node, handle)


def _outer_object(lowering: Lowering, node: gast.AST) -> tuple[Expr, gast.AST] | None:
    """The same for a name outside the function, of an instance or of some."""
    value = lowering.resolve(node)
    if is_instance(value):
        handle: Expr = record_of(value, lowering.source.segment(node))
        return handle, lend(lowering, node, handle)
    part = node
    while isinstance(part, (gast.Attribute, gast.Subscript)):
        part = part.value
        if holds_instances(lowering.resolve(part)):
            handle = lowering.read(node)
            return handle, lend(lowering, node, handle)
    return None


def _names_a_class(lowering: Lowering, node: gast.AST) -> bool:
    if class_of(lowering, node) is not None:
        return True
    return isinstance(lowering.resolve(node), types.ModuleType)


def _may_be_an_instance(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a call, or an operator of what a class made, may give an instance."""
    if isinstance(node, gast.Call):
        return _is_own_call(lowering, node)
    if isinstance(node, gast.BinOp):
        sides = (node.left, node.right)
        return any(_may_be_an_instance(lowering, side) for side in sides)
    if isinstance(node, gast.UnaryOp):
        return _may_be_an_instance(lowering, node.operand)
    known = lookup(lowering, node.id) if isinstance(node, gast.Name) else None
    return known is not None and isinstance(contents(lowering, known), Record)


def _is_own_call(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call may give an instance: of a class, a method, a function."""
    func = node.func
    value = lowering.resolve(func)
    if value is super or is_users(value) or is_law(value):
        return True
    if isinstance(value, type):
        return is_users_class(value) or value is types.SimpleNamespace
    if isinstance(func, gast.Attribute) and value is NO_VALUE:
        base = func.value
        while isinstance(base, (gast.Attribute, gast.Subscript)):
            base = base.value
        if isinstance(base, gast.Call):
            return _is_own_call(lowering, base)
        if is_instance(lowering.resolve(func.value)):
            return True  # one around the function
        known = lookup(lowering, base.id) if isinstance(base, gast.Name) else None
        return known is not None and isinstance(contents(lowering, known), Record)
    return False


def held_value(lowering: Lowering, value: Any, node: gast.AST) -> Expr:
    """What a class holds, as a handle; its containers may not be changed."""
    if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
        return Const(value, canonical(value, value.__name__))
    if is_plain(value) or callable(value) or is_simple_value(value):
        return Const(value)
    if isinstance(value, (list, tuple)):
        items = tuple(held_value(lowering, one, node) for one in value)
        return Apply("list" if isinstance(value, list) else "tuple", items)
    if isinstance(value, dict):
        held = {k: held_value(lowering, v, node) for k, v in value.items()}
        keys = tuple((str(i), Const(key)) for i, key in enumerate(held))
        return Apply("dict", tuple(held.values()), keys)
    return constant_handle(lowering, value, node, lowering.source.segment(node))


def field(
    lowering: Lowering, handle: Expr, known: Record, node: gast.Attribute
) -> Expr:
    """instance.name."""
    cls, name = known.cls, node.attr
    if name == "__class__":
        return Const(cls)
    refuse_class(lowering, cls, node, around=bool(known.outer))
    own = looked_up(cls, name)
    call = getter(own)
    fields = {key.value: value for key, value in pairs_of(lowering, known)}
    if call is not None and (isinstance(own, property) or name not in fields):
        read_class(lowering, handle, cls)
        found = lowering.call(call, [handle], (), node)
        cached = not isinstance(own, property) and found is not REFUSED
        if cached and (not isinstance(handle, Ref) or handle.var in lowering.places):
            found = held_once(lowering, handle, name, found, node)
        if cached and isinstance(handle, Ref) and handle.var not in lowering.places:
            now = contents(lowering, handle)
            assert isinstance(now, Record)
            held = {key.value: value for key, value in pairs_of(lowering, now)}
            lowering.state.versions[handle.var] = object_of(now, held | {name: found})
            lowering.touch(handle.var)
        return found
    if decides(own):
        _refuse_descriptor(lowering, cls, name, own, node)
    if name in fields:
        value = fields[name]
        if known.outer:
            _unless_given(lowering, known, name, value, node)
        if isinstance(value, Outer):
            method = bound_outside(value.value, value.text)
            if method is not None:
                return method
            return constant_handle(lowering, value.value, node, value.text)
        if isinstance(value, Poison):
            lowering.fail(value.code, value.message, node, value.advice)
        _raise_unless_set(lowering, handle, known, name)
        read_field(lowering, handle, value, node)
        return value
    if own is MISSING and known.outer:
        given = given_by_itself(known.behind, name)
        if given is not MISSING:
            return held_value(lowering, given, node)
    if own is MISSING:
        refuse_missing(lowering, cls, name, node)
        if isinstance(handle, Ref):
            _refuse_untold(lowering, handle.var, cls, node)
        lowering.fail(
            "GG240",
            f"{cls.__name__} has no {name} yet",
            node,
            f"self.{name} = ... before"
            + (f", or one of {', '.join(fields)}" if fields else ""),
        )
    bound = bound_method(lowering, handle, cls, own)
    if bound is not None:
        read_class(lowering, handle, cls)
        return bound
    if hasattr(type(own), "__get__") and not isinstance(own, type):
        _refuse_descriptor(lowering, cls, name, own, node)
    value = held_value(lowering, own, node)
    read_field(lowering, handle, value, node)
    return value


def _has_init(cls: type) -> bool:
    """Whether a class, or a base of it, makes its instances by an `__init__`."""
    return any("__init__" in vars(base) for base in cls.__mro__[:-1])


def _refuse_untold(
    lowering: Lowering, var: Var, cls: type, node: gast.Attribute
) -> None:
    """Refuses a field that may be there all the same: of any object, of a mixin's."""
    path = lowering.places.get(var, "")
    told, advice = f"{path} is a container, and its parts are not told", NO_FIELD
    if cls is Anything:
        advice = f"{path}.{node.attr} by its class"
    elif _has_init(cls) or not path:
        return
    lowering.problem("GG245", told, node, advice)
    lowering.problems[-1].field_of = tuple(path.split(".")), node.attr
    raise Refusal


def _raise_unless_set(
    lowering: Lowering, handle: Expr, known: Record, name: str
) -> None:
    """Writes an exception where an instance has no value under a name by now."""
    flag = dict((key.value, value) for key, value in pairs_of(lowering, known)).get(
        flag_of(name), TRUE
    )
    if flag == TRUE or not isinstance(handle, Ref):
        return
    refuse_missing(lowering, known.cls, name, None)
    told = f"{known.cls.__name__!r} object has no attribute {name!r}"
    test = Apply("not", (lowering.current(flag),), (), "operator")
    raise_where(lowering, test, AttributeError, told)
    _with_values(lowering, handle, known, {flag_of(name): TRUE})


def _with_values(
    lowering: Lowering, handle: Ref, known: Record, values: dict[Any, Expr]
) -> None:
    fields = {key.value: old for key, old in pairs_of(lowering, known)} | values
    lowering.state.versions[handle.var] = object_of(known, fields)


def _refuse_descriptor(
    lowering: Lowering, cls: type, name: str, own: object, node: gast.AST
) -> NoReturn:
    lowering.fail(
        "GG270",
        f"{cls.__name__}.{name} is a {type(own).__name__}, a descriptor",
        node,
        "a property, or the value under a name of its own",
    )


def _unless_given(
    lowering: Lowering, known: Record, name: str, value: Expr, node: gast.AST
) -> None:
    """Refuses to read of the module what a store into an argument may change."""
    given = [contents(lowering, Ref(var)) for var in lowering.places]
    if not any(getattr(one, "cls", None) is known.cls for one in given):
        return
    function = lowering.root.source.function
    if not isinstance(value, Const) or reach(function, [known.cls]).stores([name]):
        lowering.fail(
            "GG230",
            f"this {known.cls.__name__} may be the one that is an argument too, "
            f"whose {name} may change",
            node,
            "the argument in its place, or another argument",
        )


def bound_method(
    lowering: Lowering, handle: Expr, cls: type, own: object
) -> Expr | None:
    """A method as a value: the function with the instance as first argument."""
    if isinstance(own, staticmethod):
        return Const(own.__func__)
    if isinstance(own, classmethod):
        return Const(Partial(own.__func__, (Const(cls),), ()))
    if isinstance(own, types.FunctionType):
        return Const(Partial(own, (handle,), ()))
    return None


def refuse_missing(
    lowering: Lowering, cls: type, name: str, node: gast.AST | None
) -> None:
    """Refuses a name that an instance lacks, where its class has an answer for those."""
    reason = refused_missing(cls, name)
    if reason:
        advice = f"self.{name} = ... before"
        lowering.fail("GG270", f"{cls.__name__} {reason}", node, advice)


def refuse_class(
    lowering: Lowering, cls: type, node: gast.AST, around: bool = False
) -> None:
    reason = refused_class(cls, around=around)
    if reason:
        lowering.fail("GG270", f"{cls.__name__} {reason}", node, "plain attributes")


def store_field(
    lowering: Lowering,
    target: gast.Attribute,
    value: Expr,
    mark: int,
    handle: Expr | None = None,
    is_forced: bool = False,
) -> None:
    """instance.name = value, of a frozen class too where `is_forced`."""
    handle = lowering.read(target.value) if handle is None else handle
    if handle is REFUSED or value is REFUSED:
        return
    known = contents(lowering, handle)
    if not isinstance(known, Record):
        if isinstance(handle, Ref) and target.attr not in SET_ON_ARRAYS:
            said = f"no attribute {target.attr!r} can be set"
            raised(lowering, AttributeError(said), target)
        advice = "name = value"
        if target.attr in ("real", "imag"):
            advice = "z[...] = x + 1j * np.imag(z), of an array that is complex"
        message = "only names and fields can be assigned"
        lowering.fail("GG115", message, target, advice)
    cls, name = known.cls, target.attr
    refuse_class(lowering, cls, target)
    own = looked_up(cls, name)
    if isinstance(own, property) and own.fset is not None:
        lowering.call(own.fset, [handle, value], (), target)
        return
    if decides(own):
        _refuse_descriptor(lowering, cls, name, own, target)
    read_only = isinstance(own, property)
    frozen = is_frozen(cls) and not is_forced
    copied = isinstance(handle, Ref) and handle.var in lowering.memory.valued
    if not isinstance(handle, Ref) or frozen or read_only or copied:
        lowering.fail(
            "GG230",
            f"the fields of this {cls.__name__} cannot be stored into",
            target,
            "dataclasses.replace(...), or a class of plain attributes",
        )
    value = named(lowering, value, name, mark)
    flag = flag_of(name)
    told = (
        {flag: TRUE}
        if Const(flag) in [key for key, _ in pairs_of(lowering, known)]
        else {}
    )
    _with_values(lowering, handle, known, {name: value} | told)
    lowering.touch(handle.var)
    if handle.var in lowering.places:
        lowering.left[f"{lowering.places[handle.var]}.{name}"] = None


def augment_field(lowering: Lowering, node: gast.AugAssign, op: str) -> None:
    """instance.name op= value."""
    target: Any = node.target
    handle = lowering.read(target.value)
    base = lend(lowering, target.value, handle)
    read = gast.copy_location(gast.Attribute(base, target.attr, gast.Load()), target)
    old = lowering.read(read)
    mark = lowering.mark()
    value = lowering.read(node.value)
    new = lowering.augment(old, op, value, node, target.attr)
    store_field(lowering, target, new, mark, handle)


def is_own(handle: Expr) -> bool:
    """Whether an instance is an object of its own, which may be stored into."""
    return isinstance(handle, Ref)


def object_of(known: Record, fields: dict[str, Expr]) -> Record:
    """The record with these fields."""
    keys = tuple((str(i), Const(name)) for i, name in enumerate(fields))
    return Record(known.op, tuple(fields.values()), keys, cls=known.cls)
