"""NamedTuples and dataclasses: made, read by field, made anew with other fields."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.bunches import is_bunch, items_of, named_tuple
from gradgen.frontend.held import Held
from gradgen.frontend.memory import Record
from gradgen.frontend.modules import Modules
from gradgen.frontend.names import is_plain
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import ATTRIBUTES

# with one of these of its own a class is more than its fields
# what an operation may give
COMPUTED = (numpy.ndarray, numpy.generic, numpy.flatiter, float, complex, int, list)
# the attributes of a slice
PARTS = ("start", "stop", "step")
READING = ("__getattribute__", "__getattr__", "__iter__", "__getitem__", "__len__")
MAKING = ("__new__", "__init__", "__setattr__")


class Records(Modules):
    """Reads records, their fields and their methods."""

    def other_call(self, node: gast.Call) -> Expr:
        cls = self.resolve(node.func)
        if is_bunch(cls):
            given = items_of(cls, self.positional(node), self.by_keyword(node))
            return self.made_record(named_tuple(cls), *given, node)
        if is_record_class(cls):
            return self.made_record(
                cls, self.positional(node), self.by_keyword(node), node
            )
        if cls is dataclasses.replace and len(node.args) == 1:
            return self.changed_record(
                self.read(node.args[0]), self.by_keyword(node), node
            )
        if isinstance(node.func, gast.Attribute):
            base = self.known_record(node.func.value)
            if base is not None:
                return self.record_method(base, node)
        return super().other_call(node)

    def function_of(self, node: gast.AST) -> Any:
        """The user's function that a callee is; dataclasses' own ones are none."""
        value = self.resolve(node)
        return None if value is dataclasses.replace else super().function_of(node)

    def known_record(self, node: gast.AST) -> Record | None:
        """The record that an expression is, where it begins with a local name."""
        base = node
        while isinstance(base, (gast.Attribute, gast.Subscript)):
            base = base.value
        if not self._begins_with_a_value(base):
            return None
        known = self.contents(self.read(node))
        return known if isinstance(known, Record) else None

    def _begins_with_a_value(self, base: gast.AST) -> bool:
        """Whether a dotted name begins with a value, not with a module."""
        if isinstance(base, Held):
            return True
        if not isinstance(base, gast.Name) or not self.is_local(base.id):
            return self._makes_a_record(base)
        return not isinstance(self.resolve(base), types.ModuleType)

    def _makes_a_record(self, node: gast.AST) -> bool:
        """Whether an expression is State(...), or one that it is made anew of."""
        if not isinstance(node, gast.Call):
            return False
        cls = self.resolve(node.func)
        if isinstance(node.func, gast.Attribute) and node.func.attr == "_replace":
            return self._makes_a_record(node.func.value)
        return is_record_class(cls) or cls is dataclasses.replace

    def made_record(
        self, cls: type, args: list[Any], kwargs: Any, node: gast.AST
    ) -> Expr:
        """State(x, v=v)."""
        if any(value is REFUSED for value in (*args, *(v for _, v in kwargs))):
            return REFUSED
        reason = unlike_its_fields(cls)
        if reason:
            self.fail("GG246", f"{cls.__name__} {reason}", node, "a tuple, or a dict")
        signature = inspect.signature(cls)
        try:
            bound = signature.bind(*args, **dict(kwargs))
        except TypeError as error:
            fields = ", ".join(signature.parameters)
            self.fail("GG209", f"{cls.__name__}: {error}", node, fields)
        items = []
        for name, parameter in signature.parameters.items():
            if name in bound.arguments:
                items.append(bound.arguments[name])
            elif is_plain(parameter.default):
                items.append(Const(parameter.default))
            else:
                self.fail(
                    "GG116",
                    f"the default of {name} is not a plain value",
                    node,
                    f"{cls.__name__}(..., {name}=...)",
                )
        return record_of(cls, items)

    def changed_record(self, value: Expr, kwargs: Any, node: gast.AST) -> Expr:
        """s._replace(x=x), dataclasses.replace(s, x=x)."""
        known = self.contents(value) if value is not REFUSED else None
        new = dict(kwargs)
        if value is REFUSED or REFUSED in new.values():
            return REFUSED
        if not isinstance(known, Record):
            self.fail("GG205", "this is no record", node, "a NamedTuple or a dataclass")
        reason = unlike_its_fields(known.cls)
        if reason:
            name = known.cls.__name__
            self.fail("GG246", f"{name} {reason}", node, "a tuple, or a dict")
        fields = [str(key.value) for key, _ in self.pairs(known)]
        for name in new:
            if name not in fields:
                self.fail(
                    "GG240",
                    f"there is no field {name}",
                    node,
                    "one of " + ", ".join(fields),
                )
        pairs = zip(fields, known.args, strict=True)
        return record_of(known.cls, [new.get(name, old) for name, old in pairs])

    def record_method(self, known: Record, node: gast.Call) -> Expr:
        """A call of a method: those that records have, or the class's own text."""
        name, cls = node.func.attr, known.cls
        own = inspect.getattr_static(cls, name, None)
        args, kwargs = self.positional(node), self.by_keyword(node)
        if known.op == "namedtuple" and name == "_replace" and not args:
            return self.changed_record(known, kwargs, node)
        if known.op == "namedtuple" and name == "_asdict" and not args:
            return self.new_dict({k.value: v for k, v in self.pairs(known)})
        if isinstance(own, staticmethod):
            return self.call(own.__func__, args, kwargs, node)
        if isinstance(own, types.FunctionType) and name[:1] != "_":
            return self.call(own, [known, *args], kwargs, node)
        for key, value in self.pairs(known):
            function = getattr(value, "value", None)
            if key.value == name and callable(function):
                return self.call(function, args, kwargs, node)
        self.fail(
            "GG241", f"{cls.__name__}.{name} is not supported", node, "a function"
        )

    def read_Attribute(self, node: gast.Attribute) -> Expr:
        """A field of a record, or a property; else an attribute of an array."""
        base = node.value
        while isinstance(base, (gast.Attribute, gast.Subscript)):
            base = base.value
        if not self._begins_with_a_value(base):
            return super().read_Attribute(node)
        handle = self.read(node.value)
        if handle is REFUSED:
            return REFUSED
        known = self.contents(handle)
        if isinstance(known, Record):
            return self.record_field(known, node)
        if known is not None and known.op == "slice" and node.attr in PARTS:
            return known.args[PARTS.index(node.attr)]
        if known is not None:
            self.fail(
                "GG240",
                f"a {known.op} has no attribute {node.attr}",
                node,
                f'["{node.attr}"], or the annotation of its class',
            )
        if node.attr not in ATTRIBUTES and node.attr != "flags":
            if isinstance(handle, Ref) and handle.var in self.facts.definitions:
                if not any(hasattr(kind, node.attr) for kind in COMPUTED):
                    word = f"no {node.attr} in what NumPy computes"
                    self.raised(AttributeError(word), node)
            self.untold(handle, node.attr, node)
        return super().read_Attribute(node)

    def record_field(self, known: Record, node: gast.Attribute) -> Expr:
        for field, value in self.pairs(known):
            if field.value == node.attr:
                return value
        own = inspect.getattr_static(known.cls, node.attr, None)
        if isinstance(own, property) and own.fget is not None:
            return self.call(own.fget, [known], (), node)
        if is_plain(own) and own is not None:
            return Const(own)
        self.fail(
            "GG240",
            f"there is no field {node.attr}",
            node,
            "one of " + ", ".join(str(k.value) for k, _ in self.pairs(known)),
        )

    def sequence_operation(self, value: Apply, node: gast.AST) -> Expr:
        """Operators of a record's class are its methods."""
        for arg in value.args:
            known = self.contents(arg)
            if isinstance(known, Record):
                self._refuse_operator(known, node)
        return super().sequence_operation(value, node)

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """An operation; a record is no array."""
        for arg in value.args:
            if isinstance(arg, Record) and value.spelling == "operator":
                if value.op not in ("is", "is_not"):
                    self._refuse_operator(arg, node)
        return super().bind(value, node)

    def _refuse_operator(self, known: Record, node: gast.AST | None) -> NoReturn:
        self.fail(
            "GG214",
            f"a {known.cls.__name__} is not an array",
            node,
            "its fields one by one",
        )


def is_record_class(value: object) -> bool:
    """Whether a value is the class of a NamedTuple or of a dataclass."""
    if not isinstance(value, type):
        return False
    named = issubclass(value, tuple) and hasattr(value, "_fields")
    return named or dataclasses.is_dataclass(value)


def field_names(cls: Any) -> list[str]:
    """The fields of a NamedTuple's or a dataclass's class, in order."""
    if issubclass(cls, tuple):
        return list(getattr(cls, "_fields"))
    return [field.name for field in dataclasses.fields(cls)]


def record_of(cls: type, items: list[Expr]) -> Record:
    """The record of a class with these handles in its fields."""
    named = issubclass(cls, tuple)
    keys = tuple((str(i), Const(name)) for i, name in enumerate(field_names(cls)))
    op = "namedtuple" if named else "dataclass"
    return Record(op, tuple(items), keys, cls=cls)


@functools.cache
def read_in_its_way(cls: type) -> str:
    """What a class has of its own that changes how it is read; "" where nothing."""
    named = issubclass(cls, tuple)
    for base in cls.__mro__:
        if base in (object, tuple) or base.__module__ == "typing":
            continue
        own = {name for name in READING if name in vars(base)}
        if own:
            return f"has its own {min(own)}"
        if named and any(name in vars(base) for name in field_names(cls)):
            if not hasattr(base, "_fields") or "__new__" not in vars(base):
                return "has its own fields"
    return ""


@functools.cache
def unlike_its_fields(cls: type) -> str:
    """Why a class is not just the fields that it is made with; "" where it is."""
    if hasattr(cls, "__post_init__"):
        return "has a __post_init__: its fields are not what it is given"
    for base in cls.__mro__:
        if base in (object, tuple) or base.__module__ == "typing":
            continue
        own = {name for name in MAKING if name in vars(base)} - _generated(base)
        if own:
            return f"has its own {min(own)}"
    if not issubclass(cls, tuple):
        if list(inspect.signature(cls).parameters) != field_names(cls):
            return "is not made with its fields, in their order"
    return read_in_its_way(cls)


def _generated(base: type) -> set[str]:
    """The methods that @dataclass or NamedTuple has written into a class."""
    made = getattr(base.__new__, "__globals__", {})
    if str(made.get("__name__", "")).startswith("namedtuple_"):
        return {"__new__"}
    params = vars(base).get("__dataclass_params__")
    if params is None:
        return set()
    found = {"__init__"} if params.init else set()
    return found | ({"__setattr__"} if params.frozen else set())
