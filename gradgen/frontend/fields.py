"""The fields of instances, read and stored.

An instance is a container whose fields a store may change, like a dictionary that
knows its class. What a name means on it is found as Python finds it: a property of
the class, a field, what the class and its bases have.
"""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any, NoReturn

import gast

from gradgen.frontend.callables import Partial, is_users
from gradgen.frontend.blocks import Blocks
from gradgen.frontend.jumps import TRUE, flag_of
from gradgen.frontend.lasting import held_once
from gradgen.frontend.lookup import (
    MISSING,
    decides,
    getter,
    is_frozen,
    is_simple_value,
    looked_up,
    refused_class,
    said,
)
from gradgen.frontend.memory import Outer, Poison, Record
from gradgen.frontend.names import NO_VALUE, canonical, is_plain
from gradgen.frontend.outer_instances import holds_instances, is_instance, record_of
from gradgen.frontend.reach import is_users_class, reach
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

# the name of a value that has been read already
LENT = "%lent"


class Fields(Blocks):
    """Reads attributes and methods of instances, and stores into them."""

    # where the objects that the receiver holds are read, and what is stored there
    places: dict[Any, str]
    left: dict[str, None]
    # the settings of the receiver that were read
    settings: dict[str, None]

    if TYPE_CHECKING:

        def is_super(self, node: gast.AST) -> bool: ...
        def super_value(self, node: gast.Attribute) -> Expr: ...
        def named(self, value: Expr, name: str, mark: int) -> Expr: ...

    # values that have been read

    def lent(self, node: gast.AST, handle: Expr) -> gast.Name:
        """A name that stands for a value where the expression for it stood."""
        found = gast.copy_location(gast.Name(LENT, gast.Load(), None, None), node)
        found.handle = handle
        return found

    def name(self, node: gast.Name) -> Expr:
        found: Expr | None = getattr(node, "handle", None)
        return super().name(node) if found is None else found

    def is_local(self, name: str) -> bool:
        return name == LENT or super().is_local(name)

    def resolve(self, node: gast.AST) -> Any:
        """The Python object of a dotted name, also of one that goes through a class."""
        if isinstance(node, gast.Name) and node.id == LENT:
            return self._object(getattr(node, "handle", None))
        if isinstance(node, gast.Attribute):
            base = self.class_of(node.value)
            if base is not None:
                return self._of_class(base, node.attr)
        return super().resolve(node)

    def class_of(self, node: gast.AST) -> type | None:
        """The user's class that an expression names, also cls or self.__class__."""
        if isinstance(node, gast.Name) and self.is_local(node.id):
            bound = getattr(node, "handle", None) or self.lookup(node.id)
            value = getattr(bound, "value", None)
        elif isinstance(node, (gast.Name, gast.Attribute)):
            value = super().resolve(node)
        else:
            return None
        return value if isinstance(value, type) and is_users_class(value) else None

    def _of_class(self, cls: type, name: str) -> Any:
        """What a class has under a name: a constant, a function, a member."""
        if name in ("__name__", "__qualname__"):
            return getattr(cls, name)
        found = inspect.getattr_static(cls, name, MISSING)
        if found is MISSING:
            return NO_VALUE
        if isinstance(found, staticmethod):
            return found.__func__
        if isinstance(found, classmethod):
            return Partial(found.__func__, (Const(cls),), ())
        return getattr(cls, name, found)

    # reading

    def known_object(self, node: gast.AST) -> tuple[Expr, gast.AST] | None:
        """The handle of an expression that may be an instance, and a node that is it.

        None for what is a module, a class, or surely an array.
        """
        base = node
        while isinstance(base, (gast.Attribute, gast.Subscript)):
            base = base.value
        if isinstance(base, gast.Name):
            if self._names_a_class(node):
                return None
            if not self.is_local(base.id):
                return self._outer_object(node)
        elif not (isinstance(base, gast.Call) and self._is_own_call(base)):
            return None
        if isinstance(node, gast.Name):
            return self.read(node), node
        handle = self.read(node)
        return handle, self.lent(node, handle)

    def _outer_object(self, node: gast.AST) -> tuple[Expr, gast.AST] | None:
        """The same for a name outside the function, of an instance or of some."""
        value = self.resolve(node)
        if is_instance(value):
            handle: Expr = record_of(value, self.source.segment(node))
            return handle, self.lent(node, handle)
        part = node
        while isinstance(part, (gast.Attribute, gast.Subscript)):
            part = part.value
            if holds_instances(self.resolve(part)):
                handle = self.read(node)
                return handle, self.lent(node, handle)
        return None

    def _names_a_class(self, node: gast.AST) -> bool:
        if self.class_of(node) is not None:
            return True
        return isinstance(self.resolve(node), types.ModuleType)

    def _is_own_call(self, node: gast.Call) -> bool:
        """Whether a call may give an instance: of a class, a method, a function."""
        func = node.func
        value = self.resolve(func)
        if value is super or is_users(value):
            return True
        if isinstance(value, type):
            return is_users_class(value)
        if isinstance(func, gast.Attribute) and value is NO_VALUE:
            base = func.value
            while isinstance(base, (gast.Attribute, gast.Subscript)):
                base = base.value
            if isinstance(base, gast.Call):
                return self._is_own_call(base)
            known = self.lookup(base.id) if isinstance(base, gast.Name) else None
            return known is not None and isinstance(self.contents(known), Record)
        return False

    def read_Attribute(self, node: gast.Attribute) -> Expr:
        if self.is_super(node.value):
            return self.super_value(node)
        if node.attr == "__class__":
            return self._type_of(self.read(node.value), node)
        cls = self.class_of(node.value)
        if cls is not None:
            return self._class_value(cls, node)
        found = self.known_object(node.value)
        if found is None:
            return super().read_Attribute(node)
        handle, base = found
        if handle is REFUSED:
            return REFUSED
        known = self.contents(handle)
        if isinstance(known, Record) and (known.op == "object" or is_own(handle)):
            return self.field(handle, known, node)
        again = gast.Attribute(base, node.attr, node.ctx)
        return super().read_Attribute(gast.copy_location(again, node))

    def _class_value(self, cls: type, node: gast.Attribute) -> Expr:
        """A constant, a function or a member of a class."""
        value = self._of_class(cls, node.attr)
        if value is NO_VALUE:
            self.fail(
                "GG240", f"{cls.__name__} has no {node.attr}", node, "one that it has"
            )
        return self.held_value(value, node)

    def held_value(self, value: Any, node: gast.AST) -> Expr:
        """What a class holds, as a handle; its containers may not be changed."""
        if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
            return Const(value, canonical(value, value.__name__))
        if is_plain(value) or callable(value) or is_simple_value(value):
            return Const(value)
        if isinstance(value, (list, tuple)):
            items = tuple(self.held_value(one, node) for one in value)
            return Apply("list" if isinstance(value, list) else "tuple", items)
        if isinstance(value, dict):
            held = {k: self.held_value(v, node) for k, v in value.items()}
            keys = tuple((str(i), Const(key)) for i, key in enumerate(held))
            return Apply("dict", tuple(held.values()), keys)
        return self._constant(value, node, self.source.segment(node))

    def field(self, handle: Expr, known: Record, node: gast.Attribute) -> Expr:
        """instance.name."""
        cls, name = known.cls, node.attr
        self._refuse_class(cls, node)
        own = looked_up(cls, name)
        call = getter(own)
        fields = {key.value: value for key, value in self.pairs(known)}
        if call is not None and (isinstance(own, property) or name not in fields):
            found = self.call(call, [handle], (), node)
            cached = not isinstance(own, property) and found is not REFUSED
            if cached and (not isinstance(handle, Ref) or handle.var in self.places):
                found = held_once(self, handle, name, found, node)
            if cached and isinstance(handle, Ref) and handle.var not in self.places:
                now = self.contents(handle)
                assert isinstance(now, Record)
                held = {key.value: value for key, value in self.pairs(now)}
                self.state.versions[handle.var] = object_of(now, held | {name: found})
                self.touch(handle.var)
            return found
        if decides(own):
            self._refuse_descriptor(cls, name, own, node)
        if name in fields:
            value = fields[name]
            if known.outer:
                self._unless_given(known, name, value, node)
            if isinstance(value, Outer):
                return self._constant(value.value, node, value.text)
            if isinstance(value, Poison):
                self.fail(value.code, value.message, node, value.advice)
            self._raise_unless_set(handle, known, name)
            if isinstance(value, Const) and getattr(handle, "var", None) in self.places:
                place = f"{self.places[handle.var]}.{name}"
                if place not in self.left and type(value.value) is not int:
                    self.settings.setdefault(f"{place} is {said(value.value)}")
            return value
        if own is MISSING:
            self.fail(
                "GG240",
                f"{cls.__name__} has no {name} yet",
                node,
                f"self.{name} = ... before, or one of {', '.join(fields)}",
            )
        bound = self._bound_method(handle, cls, own)
        if bound is not None:
            return bound
        if hasattr(type(own), "__get__") and not isinstance(own, type):
            self._refuse_descriptor(cls, name, own, node)
        return self.held_value(own, node)

    def _raise_unless_set(self, handle: Expr, known: Record, name: str) -> None:
        """Writes an exception where an instance has no value under a name by now."""
        flag = dict((key.value, value) for key, value in self.pairs(known)).get(
            flag_of(name), TRUE
        )
        if flag == TRUE or not isinstance(handle, Ref):
            return
        told = f"{known.cls.__name__!r} object has no attribute {name!r}"
        test = Apply("not", (self.current(flag),), (), "operator")
        self.raise_where(test, AttributeError, told)
        self._with_values(handle, known, {flag_of(name): TRUE})

    def _with_values(self, handle: Ref, known: Record, values: dict[Any, Expr]) -> None:
        fields = {key.value: old for key, old in self.pairs(known)} | values
        self.state.versions[handle.var] = object_of(known, fields)

    def _refuse_descriptor(
        self, cls: type, name: str, own: object, node: gast.AST
    ) -> NoReturn:
        self.fail(
            "GG270",
            f"{cls.__name__}.{name} is a {type(own).__name__}, a descriptor",
            node,
            "a property, or the value under a name of its own",
        )

    def _unless_given(
        self, known: Record, name: str, value: Expr, node: gast.AST
    ) -> None:
        """Refuses to read of the module what a store into an argument may change."""
        given = [self.contents(Ref(var)) for var in self.places]
        if not any(getattr(one, "cls", None) is known.cls for one in given):
            return
        function = self.root.source.function
        if not isinstance(value, Const) or name in reach(function, [known.cls]).stored:
            self.fail(
                "GG230",
                f"this {known.cls.__name__} may be the one that is an argument too, "
                f"whose {name} may change",
                node,
                "the argument in its place, or another argument",
            )

    def _bound_method(self, handle: Expr, cls: type, own: object) -> Expr | None:
        """A method as a value: the function with the instance as first argument."""
        if isinstance(own, staticmethod):
            return Const(own.__func__)
        if isinstance(own, classmethod):
            return Const(Partial(own.__func__, (Const(cls),), ()))
        if isinstance(own, types.FunctionType):
            return Const(Partial(own, (handle,), ()))
        return None

    def _refuse_class(self, cls: type, node: gast.AST) -> None:
        reason = refused_class(cls)
        if reason:
            self.fail("GG270", f"{cls.__name__} {reason}", node, "plain attributes")

    # stores

    def store_field(
        self, target: gast.Attribute, value: Expr, mark: int, handle: Expr | None = None
    ) -> None:
        """instance.name = value."""
        handle = self.read(target.value) if handle is None else handle
        if handle is REFUSED or value is REFUSED:
            return
        known = self.contents(handle)
        if not isinstance(known, Record):
            self.fail(
                "GG115", "only names and fields can be assigned", target, "name = value"
            )
        cls, name = known.cls, target.attr
        self._refuse_class(cls, target)
        own = looked_up(cls, name)
        if isinstance(own, property) and own.fset is not None:
            self.call(own.fset, [handle, value], (), target)
            return
        if decides(own):
            self._refuse_descriptor(cls, name, own, target)
        read_only = isinstance(own, property)
        if not isinstance(handle, Ref) or is_frozen(cls) or read_only:
            self.fail(
                "GG230",
                f"the fields of this {cls.__name__} cannot be stored into",
                target,
                "dataclasses.replace(...), or a class of plain attributes",
            )
        value = self.named(value, name, mark)
        flag = flag_of(name)
        told = (
            {flag: TRUE} if Const(flag) in [key for key, _ in self.pairs(known)] else {}
        )
        self._with_values(handle, known, {name: value} | told)
        self.touch(handle.var)
        if handle.var in self.places:
            self.left[f"{self.places[handle.var]}.{name}"] = None

    def touch(self, changed: Var) -> None:
        """Notes that a container has changed; one of the receiver's stays as it was."""
        super().touch(changed)
        version = self.state.versions.get(changed)
        if changed in self.places and getattr(version, "op", "") != "object":
            self.left[self.places[changed]] = None

    def augment_field(self, node: gast.AugAssign, op: str) -> None:
        """instance.name op= value."""
        target: Any = node.target
        handle = self.read(target.value)
        base = self.lent(target.value, handle)
        read = gast.copy_location(
            gast.Attribute(base, target.attr, gast.Load()), target
        )
        old = self.read(read)
        mark = self.mark()
        value = self.read(node.value)
        new = self.augment(old, op, value, node, target.attr)
        self.store_field(target, new, mark, handle)

    # questions

    def _type_of(self, handle: Expr, node: gast.AST) -> Expr:
        known = self.contents(handle) if handle is not REFUSED else None
        if isinstance(known, Record):
            return Const(known.cls)
        self.fail("GG271", "the type of this is not known", node, "np.asarray(x)")


def is_own(handle: Expr) -> bool:
    """Whether an instance is an object of its own, which may be stored into."""
    return isinstance(handle, Ref)


def object_of(known: Record, fields: dict[str, Expr]) -> Record:
    """The record with these fields."""
    keys = tuple((str(i), Const(name)) for i, name in enumerate(fields))
    return Record(known.op, tuple(fields.values()), keys, cls=known.cls)
