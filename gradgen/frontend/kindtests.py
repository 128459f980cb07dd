"""Tests of what an argument is: isinstance, type, hasattr, callable, dtypes.

What is surely known decides them; else the text asks, as the function does.
"""

from __future__ import annotations

import builtins
import collections.abc
import inspect
import numbers
import types
from typing import Any, Union, get_origin

import gast
import numpy

from gradgen.frontend.lookup import among
from gradgen.frontend.evaluation import Evaluation
from gradgen.frontend.held import Held
from gradgen.frontend.memory import Record, is_structure
from gradgen.frontend.names import NO_VALUE, canonical
from gradgen.frontend.stand_ins import surely_none
from gradgen.frontend.statics import SetOf
from gradgen.frontend.writer import REFUSED
from gradgen.ir.slope import is_same
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.shapes.kinds import Kind

FLOATS = (float, numpy.float64, numpy.float32, numpy.float16, numpy.longdouble)
INTEGERS = (int, numpy.int64, numpy.int32, numpy.int16, numpy.int8, numpy.uint8)
COMPLEX = (complex, numpy.complex128, numpy.complex64)
BOOLEANS = (bool, numpy.bool_)
# what a number may be of which no more is known
NUMBERS = (*FLOATS, *INTEGERS, *COMPLEX)
# modules whose classes a text may name
NAMED = ("builtins", "numpy", "numbers", "collections.abc")
OF_DTYPES = ("kind", "name", "char", "type", "itemsize", "str")


class KindTests(Evaluation):
    """Reads tests of kinds."""

    # arguments whose rank is assumed or described: of their type nothing is known
    likely: set[Var]

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        count = len(node.args)
        if value is isinstance and count == 2:
            return self._isinstance(self.read(node.args[0]), node)
        if value is type and count == 1:
            return self._type(self.read(node.args[0]), node)
        if value is hasattr and count == 2:
            name = self.value_known(self.read(node.args[1]))
            if isinstance(name, str):
                return self._hasattr(self.read(node.args[0]), name, node)
        if value is getattr and count in (2, 3):
            return self._getattr(node)
        if value is inspect.signature and count == 1:
            return self._signature(self.read(node.args[0]))
        if value is surely_none and count == 1:
            return Const(self.read(node.args[0]) == Const(None))
        if value is callable and count == 1:
            return self._callable(self.read(node.args[0]), node)
        if among(value, (numpy.isscalar, numpy.iterable)) and count == 1:
            return self._asked(value, self.read(node.args[0]), node)
        if among(value, (numpy.ndim, numpy.size)) and count == 1 and not node.keywords:
            handle = self.read(node.args[0])
            if self.memory.is_optional(handle):
                return self._of_optional(value, handle, node)
            held = Held(handle, node.args[0])
            made = gast.Call(func=node.func, args=[held], keywords=[])
            node = gast.copy_location(made, node)
        return super().special_call(value, node)

    def _of_optional(self, function: Any, handle: Expr, node: gast.Call) -> Expr:
        """np.ndim(x) and np.size(x) of what may be None: 0, and 1."""
        test = Apply("is", (handle, Const(None)), (), "operator")
        asked = Apply(f"numpy.{function.__name__}", (handle,))
        return self.choose(
            self.current(self.bind(test, node), node),
            lambda: Const(function(None)),
            lambda: self.bind(asked, node),
            function.__name__,
            self.note,
        )

    def types_of(self, handle: Expr) -> tuple[type, ...] | None:
        """The types that a value may have; None where it may have any."""
        found = self._types_of(handle)
        if found is not None and self.memory.is_optional(handle):
            return (*found, type(None))
        return found

    def _types_of(self, handle: Expr) -> tuple[type, ...] | None:
        if isinstance(handle, Const):
            if callable(handle.value) and not isinstance(handle.value, type):
                return (types.FunctionType,)
            return (type(handle.value),)
        if isinstance(handle, Record):
            return (handle.cls,)
        if isinstance(handle, SetOf):
            return (set,)
        if is_structure(handle):
            kinds = {"list": list, "dict": dict, "slice": slice}
            return (kinds.get(handle.op, tuple),)
        if not isinstance(handle, Ref) or handle.var in self.likely:
            return None
        known = self.contents(handle)
        if known is not None:
            return self.types_of(known)
        if self.is_list(handle):
            return (list,)
        if self.is_array(handle) or bool(self.facts.rank(handle)):
            return (numpy.ndarray,)
        if self.is_number(handle):
            kind = self.facts.kind(handle)
            if kind is Kind.BOOLEAN:
                return BOOLEANS
            return INTEGERS if kind is Kind.INTEGER else NUMBERS
        if handle.var.origin is Origin.PARAM:
            return None
        defined = self.facts.definitions.get(handle.var)
        if is_same(defined):
            return self.types_of(defined.args[0])
        if isinstance(defined, Apply) and self.facts.kind(handle) >= Kind.WEAK:
            return (numpy.ndarray, *NUMBERS)
        return None

    def _isinstance(self, handle: Expr, node: gast.Call) -> Expr:
        if handle is REFUSED:
            return REFUSED
        classes = self._classes_at(node.args[1])
        if classes is None:
            self.fail(
                "GG251",
                "the classes of this isinstance are not known here",
                node,
                "a class by its name",
            )
        known = self.types_of(handle)
        if known is not None:
            answers = {issubclass(one, classes) for one in known}
            if len(answers) == 1:
                return Const(answers.pop())
        named = [one for one in classes if _has_a_name(one)]
        if not named:
            what = " or ".join(one.__name__ for one in classes)
            self.decided(f"{self.source.segment(node.args[0])} is no {what}")
            return Const(False)
        parts = tuple(self._class(one) for one in named)
        over = parts[0] if len(parts) == 1 else Apply("tuple", parts)
        test = Apply("isinstance", (handle, over), (), "name:isinstance")
        return self.bind(test, node)

    def _classes_at(self, node: gast.AST) -> tuple[type, ...] | None:
        """The classes that a node names: `int | np.floating`, `(list, int | float)`."""
        parts: list[Any] | None = None
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
            parts = [node.left, node.right]
        elif isinstance(node, gast.Tuple):
            parts = node.elts
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
            parts = [node.left, node.right]  # float | None, as isinstance takes it
        if isinstance(node, gast.Constant) and node.value is None:
            return (type(None),)
        if parts is None:
            return self._classes(self.value_known(self.read(node)))
        every = [self._classes_at(part) for part in parts]
        if any(found is None for found in every):
            return None
        return tuple(cls for found in every if found for cls in found)

    def _classes(self, value: Any) -> tuple[type, ...] | None:
        """The classes that isinstance is asked for, unions and tuples taken apart."""
        if isinstance(value, types.UnionType) or get_origin(value) is Union:
            value = value.__args__
        if isinstance(value, type):
            return (value,)
        if isinstance(value, tuple):
            found = [self._classes(one) for one in value]
            if all(one is not None for one in found):
                return tuple(cls for one in found if one for cls in one)
        return None

    def _class(self, cls: type) -> Const:
        """A class as the text names it."""
        module = cls.__module__
        if module in ("numbers", "collections.abc"):
            name = self.module_name(module) if module == "numbers" else module
            if module != "numbers":
                self.context["collections"] = "import collections.abc"
            return Const(cls, f"{name}.{cls.__name__}")
        return Const(cls, _name_of(cls))

    def _type(self, handle: Expr, node: gast.Call) -> Expr:
        if handle is REFUSED:
            return REFUSED
        known = self.types_of(handle)
        if known is not None and len(known) == 1:
            cls = known[0]
            return Const(cls, _name_of(cls))
        return self.bind(Apply("type", (handle,), (), "name:type"), node)

    def _hasattr(self, handle: Expr, name: str, node: gast.Call) -> Expr:
        if handle is REFUSED:
            return REFUSED
        found = self._has(handle, name)
        if found is not None:
            return Const(found)
        test = Apply("hasattr", (handle, Const(name)), (), "name:hasattr")
        return self.bind(test, node)

    def _has(self, handle: Expr, name: str) -> bool | None:
        """Whether a value has an attribute, where that is known."""
        if isinstance(handle, Const):
            return hasattr(handle.value, name)
        if isinstance(handle, Record):
            fields = [getattr(key, "value", "") for key, _ in self.pairs(handle)]
            return name in fields or hasattr(handle.cls, name)
        known = self.types_of(handle)
        answers = {hasattr(one, name) for one in known or ()}
        return answers.pop() if len(answers) == 1 else None

    def _getattr(self, node: gast.Call) -> Expr:
        owner = self.resolve(node.args[0])
        base = Const(owner) if owner is not NO_VALUE else self.read(node.args[0])
        name = self.value_known(self.read(node.args[1]))
        if base is REFUSED:
            return REFUSED
        if not isinstance(name, str):
            self.fail("GG206", "the name of the attribute is not known", node, "x.name")
        value = getattr(owner, name, NO_VALUE) if owner is not NO_VALUE else NO_VALUE
        if value is not NO_VALUE:
            found = self.handle_of(value)
            if found is not None:
                return found
        made = gast.Attribute(value=Held(base, node), attr=name, ctx=gast.Load())
        gast.copy_location(made, node)
        if len(node.args) == 2:
            return self.read(made)
        has = self._has(base, name)
        if has is not None:
            return self.read(made if has else node.args[2])
        test = Apply("hasattr", (base, Const(name)), (), "name:hasattr")
        return self.choose(
            self.current(self.bind(test, node), node),
            lambda: self.read(made),
            lambda: self.read(node.args[2]),
            name,
            self.note,
        )

    def _callable(self, handle: Expr, node: gast.Call) -> Expr:
        if handle is REFUSED:
            return REFUSED
        if isinstance(handle, Const):
            return Const(callable(handle.value))
        known = self.types_of(handle)
        if known is not None:
            return Const(False)
        return self.bind(Apply("callable", (handle,), (), "name:callable"), node)

    def _asked(self, function: Any, handle: Expr, node: gast.Call) -> Expr | None:
        """np.isscalar(x), np.iterable(x)."""
        if handle is REFUSED:
            return REFUSED
        known = self.types_of(handle)
        if function is numpy.iterable and numpy.ndarray in (known or ()):
            if not self.facts.rank(self.current(handle)):  # of rank 0 it is not
                known = None
        answers = set()
        for one in known or ():
            scalar = issubclass(one, (numpy.generic, numbers.Number, str, bytes))
            several = issubclass(one, collections.abc.Iterable)
            answers.add(scalar if function is numpy.isscalar else several)
        if len(answers) == 1:
            return Const(answers.pop())
        return self.bind(Apply(f"numpy.{function.__name__}", (handle,)), node)

    def _signature(self, handle: Expr) -> Expr | None:
        """The signature of a function that is known, of which names may be read."""
        function = getattr(handle, "value", NO_VALUE)
        if not isinstance(handle, Const) or not callable(function):
            return None
        try:
            return Const(inspect.signature(function))
        except (TypeError, ValueError):
            return None

    # dtypes

    def read_Attribute(self, node: gast.Attribute) -> Expr:
        """x.dtype.kind, and an attribute of a handle that is held."""
        if node.attr in OF_DTYPES and self.resolve(node.value) is NO_VALUE:
            inner = node.value
            is_dtype = isinstance(inner, gast.Attribute) and inner.attr == "dtype"
            if not isinstance(inner, (gast.Attribute, gast.Call, gast.Subscript)):
                found = self.read(inner)
                is_dtype = isinstance(found, Ref) and (
                    getattr(self.facts.definitions.get(found.var), "op", "") == "dtype"
                )
            if is_dtype:
                base = self.read(inner)
                if base is REFUSED:
                    return REFUSED
                spelling = f"attribute:{node.attr}"
                return self.bind(Apply("of_dtype", (base,), (), spelling), node)
        if node.attr == "parameters" and isinstance(node.value, (gast.Call, gast.Name)):
            value = getattr(self.read(node.value), "value", None)
            if isinstance(value, inspect.Signature):
                return self.new_dict({name: Const(name) for name in value.parameters})
        if node.attr == "__args__":
            every = self._classes(getattr(self.resolve(node.value), "__args__", None))
            if every is not None:
                return Apply("tuple", tuple(self._class(one) for one in every))
        if node.attr in ("__name__", "__module__"):
            value = self.resolve(node.value)
            if isinstance(node.value, gast.Call):
                value = getattr(self.read(node.value), "value", NO_VALUE)
                value = value if isinstance(value, type) else NO_VALUE
            name = getattr(value, node.attr, None)
            if value is not NO_VALUE and isinstance(name, str):
                return Const(name)
        return super().read_Attribute(node)

    def membership(self, inside: bool, left: Expr, right: Expr, node: gast.AST) -> Expr:
        """x.dtype.kind in "fc": a comparison with each letter."""
        defined = (
            self.facts.definitions.get(left.var) if isinstance(left, Ref) else None
        )
        if isinstance(defined, Apply) and defined.op == "of_dtype":
            if isinstance(right, Const) and isinstance(right.value, str):
                right = Apply("tuple", tuple(map(Const, right.value)))
        return super().membership(inside, left, right, node)


def _has_a_name(cls: type) -> bool:
    """Whether a text has a name for a class: Python has none for that of functions."""
    if cls.__module__ != "builtins":
        return cls.__module__ in NAMED
    return cls is type(None) or getattr(builtins, cls.__name__, None) is cls


def _name_of(cls: type) -> str:
    return "type(None)" if cls is type(None) else canonical(cls, cls.__name__)
