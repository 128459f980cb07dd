"""NamedTuples and dataclasses: made, read by field, made anew with other fields."""

from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.calls.evaluation import raised
from gradgen.ir.records import field_names, is_record_class
from gradgen.ir.records import unlike_its_fields
from gradgen.frontend.heap.containers import new_dict, untold
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.outer_values import held
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.bunches import is_bunch, items_of, named_tuple
from gradgen.frontend.source.names import is_plain
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import ATTRIBUTES

# with one of these of its own a class is more than its fields
# what an operation may give
COMPUTED = (numpy.ndarray, numpy.generic, numpy.flatiter, float, complex, int, list)
# the attributes of a slice
PARTS = ("start", "stop", "step")


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    cls = lowering.resolve(node.func)
    if is_bunch(cls):
        given = items_of(cls, positional(lowering, node), by_keyword(lowering, node))
        return made_record(lowering, named_tuple(cls), *given, node)
    if is_record_class(cls):
        return made_record(
            lowering, cls, positional(lowering, node), by_keyword(lowering, node), node
        )
    if cls is dataclasses.replace and len(node.args) == 1:
        return changed_record(
            lowering, lowering.read(node.args[0]), by_keyword(lowering, node), node
        )
    if cls is dataclasses.fields and len(node.args) == 1 and not node.keywords:
        return _fields(lowering, node)
    if isinstance(node.func, gast.Attribute):
        base = known_record(lowering, node.func.value)
        if base is not None:
            return record_method(lowering, base, node)
    return other_call.further(lowering, node)


@answers(Lowering.function_of)
def function_of(lowering: Lowering, node: gast.AST) -> Any:
    """The user's function that a callee is; dataclasses' own ones are none."""
    value = lowering.resolve(node)
    own = value is dataclasses.replace or value is dataclasses.fields
    return None if own else function_of.further(lowering, node)


def _fields(lowering: Lowering, node: gast.Call) -> Expr:
    """dataclasses.fields(s), each of which is asked for its name and its flags."""
    handle = lowering.read(node.args[0])
    known = contents(lowering, handle) if handle is not REFUSED else None
    cls = known.cls if isinstance(known, Record) else getattr(handle, "value", None)
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        told = "the fields of what is not known to be a dataclass"
        lowering.fail("GG246", told, node, "the fields by their names")
    return Apply("tuple", tuple(map(Const, dataclasses.fields(cls))))


def known_record(lowering: Lowering, node: gast.AST) -> Record | None:
    """The record that an expression is, where it begins with a local name."""
    base = node
    while isinstance(base, (gast.Attribute, gast.Subscript)):
        base = base.value
    if not _begins_with_a_value(lowering, base):
        return None
    known = contents(lowering, lowering.read(node))
    return known if isinstance(known, Record) else None


def _begins_with_a_value(lowering: Lowering, base: gast.AST) -> bool:
    """Whether a dotted name begins with a value, not with a module."""
    if isinstance(base, Held):
        return True
    if not isinstance(base, gast.Name) or not lowering.is_local(base.id):
        return _makes_a_record(lowering, base)
    return not isinstance(lowering.resolve(base), types.ModuleType)


def _makes_a_record(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression is State(...), or one that it is made anew of."""
    if not isinstance(node, gast.Call):
        return False
    cls = lowering.resolve(node.func)
    if isinstance(node.func, gast.Attribute) and node.func.attr == "_replace":
        return _makes_a_record(lowering, node.func.value)
    return is_record_class(cls) or cls is dataclasses.replace


def made_record(
    lowering: Lowering, cls: type, args: list[Any], kwargs: Any, node: gast.AST
) -> Expr:
    """State(x, v=v)."""
    if any(value is REFUSED for value in (*args, *(v for _, v in kwargs))):
        return REFUSED
    reason = unlike_its_fields(cls)
    if reason:
        lowering.fail("GG246", f"{cls.__name__} {reason}", node, "a tuple, or a dict")
    signature = inspect.signature(cls)
    try:
        bound = signature.bind(*args, **dict(kwargs))
    except TypeError as error:
        fields = ", ".join(signature.parameters)
        lowering.fail("GG209", f"{cls.__name__}: {error}", node, fields)
    items = []
    for name, parameter in signature.parameters.items():
        if name in bound.arguments:
            items.append(bound.arguments[name])
        elif is_plain(parameter.default):
            items.append(Const(parameter.default))
        else:
            lowering.fail(
                "GG116",
                f"the default of {name} is not a plain value",
                node,
                f"{cls.__name__}(..., {name}=...)",
            )
    return record_of(cls, items)


def changed_record(
    lowering: Lowering, value: Expr, kwargs: Any, node: gast.AST
) -> Expr:
    """s._replace(x=x), dataclasses.replace(s, x=x)."""
    known = contents(lowering, value) if value is not REFUSED else None
    new = dict(kwargs)
    if value is REFUSED or REFUSED in new.values():
        return REFUSED
    if not isinstance(known, Record):
        lowering.fail("GG205", "this is no record", node, "a NamedTuple or a dataclass")
    reason = unlike_its_fields(known.cls)
    if reason:
        name = known.cls.__name__
        lowering.fail("GG246", f"{name} {reason}", node, "a tuple, or a dict")
    fields = [str(key.value) for key, _ in pairs_of(lowering, known)]
    for name in new:
        if name not in fields:
            lowering.fail(
                "GG240",
                f"there is no field {name}",
                node,
                "one of " + ", ".join(fields),
            )
    pairs = zip(fields, known.args, strict=True)
    return record_of(known.cls, [new.get(name, old) for name, old in pairs])


def record_method(lowering: Lowering, known: Record, node: gast.Call) -> Expr:
    """A call of a method: those that records have, or the class's own text."""
    name, cls = node.func.attr, known.cls
    own = inspect.getattr_static(cls, name, None)
    args, kwargs = positional(lowering, node), by_keyword(lowering, node)
    if known.op == "namedtuple" and name == "_replace" and not args:
        return changed_record(lowering, known, kwargs, node)
    if known.op == "namedtuple" and name == "_asdict" and not args:
        return new_dict(lowering, {k.value: v for k, v in pairs_of(lowering, known)})
    if isinstance(own, staticmethod):
        return lowering.call(own.__func__, args, kwargs, node)
    if isinstance(own, types.FunctionType) and name[:1] != "_":
        return lowering.call(own, [known, *args], kwargs, node)
    for key, value in pairs_of(lowering, known):
        function = getattr(value, "value", None)
        if key.value == name and callable(function):
            return lowering.call(function, args, kwargs, node)
    lowering.fail(
        "GG241", f"{cls.__name__}.{name} is not supported", node, "a function"
    )


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """A field of a record, or a property; else an attribute of an array."""
    base = node.value
    while isinstance(base, (gast.Attribute, gast.Subscript)):
        base = base.value
    if not _begins_with_a_value(lowering, base):
        return attribute.further(lowering, node)
    handle = lowering.read(node.value)
    if handle is REFUSED:
        return REFUSED
    known = contents(lowering, handle)
    if isinstance(known, Record):
        return record_field(lowering, known, node)
    if isinstance(handle, Const) and isinstance(handle.value, dataclasses.Field):
        asked = getattr(handle.value, node.attr, None)
        found = held(lowering, asked, node, lowering.source.segment(node))
        if found is not None:
            return found
    if known is not None and known.op == "slice" and node.attr in PARTS:
        return known.args[PARTS.index(node.attr)]
    if known is not None:
        lowering.fail(
            "GG240",
            f"a {known.op} has no attribute {node.attr}",
            node,
            f'["{node.attr}"], or the annotation of its class',
        )
    if node.attr not in ATTRIBUTES and node.attr not in ("flags", "device"):
        if isinstance(handle, Ref) and handle.var in lowering.facts.definitions:
            if not any(hasattr(kind, node.attr) for kind in COMPUTED):
                word = f"no {node.attr} in what NumPy computes"
                raised(lowering, AttributeError(word), node)
        untold(lowering, handle, node.attr, node)
    return attribute.further(lowering, node)


def record_field(lowering: Lowering, known: Record, node: gast.Attribute) -> Expr:
    for field, value in pairs_of(lowering, known):
        if field.value == node.attr:
            return value
    own = inspect.getattr_static(known.cls, node.attr, None)
    if isinstance(own, property) and own.fget is not None:
        return lowering.call(own.fget, [known], (), node)
    if is_plain(own) and own is not None:
        return Const(own)
    lowering.fail(
        "GG240",
        f"there is no field {node.attr}",
        node,
        "one of " + ", ".join(str(k.value) for k, _ in pairs_of(lowering, known)),
    )


@answers(Lowering.sequence_operation)
def sequence_operation(lowering: Lowering, value: Apply, node: gast.AST) -> Expr:
    """Operators of a record's class are its methods."""
    for arg in value.args:
        known = contents(lowering, arg)
        if isinstance(known, Record):
            _refuse_operator(lowering, known, node)
    return sequence_operation.further(lowering, value, node)


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """An operation; a record is no array."""
    for arg in value.args:
        if isinstance(arg, Record) and value.spelling == "operator":
            if value.op not in ("is", "is_not"):
                _refuse_operator(lowering, arg, node)
    return bind.further(lowering, value, node)


def _refuse_operator(
    lowering: Lowering, known: Record, node: gast.AST | None
) -> NoReturn:
    lowering.fail(
        "GG214",
        f"a {known.cls.__name__} is not an array",
        node,
        "its fields one by one",
    )


def record_of(cls: type, items: list[Expr]) -> Record:
    """The record of a class with these handles in its fields."""
    named = issubclass(cls, tuple)
    keys = tuple((str(i), Const(name)) for i, name in enumerate(field_names(cls)))
    op = "namedtuple" if named else "dataclass"
    return Record(op, tuple(items), keys, cls=cls)
