"""Calls of what instances have: methods, super(), instances that are called."""

from __future__ import annotations

import types
from typing import Any

import gast

from gradgen.frontend.callables import Partial
from gradgen.frontend.held import Held
from gradgen.frontend.fields import LENT, Fields, is_own
from gradgen.frontend.lookup import (
    MISSING,
    behind_super,
    getter,
    is_method,
    looked_up,
)
from gradgen.frontend.memory import Record
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Const, Expr


class Objects(Fields):
    """Reads calls of methods, which are written out in place of the call."""

    # calls

    def read_Call(self, node: gast.Call) -> Expr:
        func = node.func
        if isinstance(func, gast.Attribute):
            found, base = self._method_of(func)
            if found is not None:
                return self._called(found, node)
            if base is not func.value:
                # what the method is of has been read
                again = gast.Attribute(base, func.attr, func.ctx)
                node = with_func(node, gast.copy_location(again, func))
        elif isinstance(func, (gast.Name, gast.Subscript, gast.Call)):
            handle = self._instance(func)
            if handle is None and isinstance(func, gast.Subscript):
                handle = self.read(func)  # {"tanh": np.tanh}[name](x)
                handle = handle if callable(getattr(handle, "value", 0)) else None
            if handle is not None:
                return self._called(handle, node)
        return super().read_Call(node)

    def _method_of(self, func: gast.Attribute) -> tuple[Expr | None, gast.AST]:
        """What is called as instance.name(...), None where that is no instance's.

        Besides the expression before the name, which may have been read.
        """
        if self.is_super(func.value):
            return self.super_value(func), func.value
        if self.class_of(func.value) is not None:
            return None, func.value
        found = self.known_object(func.value)
        if found is None:
            return None, func.value
        handle, base = found
        known = self.contents(handle) if handle is not REFUSED else None
        if isinstance(known, Record):
            own = looked_up(known.cls, func.attr)
            fields = [key.value for key, _ in self.pairs(known)]
            if known.op == "object" or is_own(handle) or func.attr in fields:
                return self.field(handle, known, func), base
            if is_method(own):
                return self._bound_method(handle, known.cls, own), base
        return (REFUSED if handle is REFUSED else None), base

    def _instance(self, func: gast.AST) -> Expr | None:
        """The instance that is called, f(...) or layers[0](...); None for no instance."""
        if isinstance(func, gast.Name):
            handle = self.lookup(func.id) if self.is_local(func.id) else None
            handle = getattr(func, "handle", handle)
            if handle is None and (found := self.known_object(func)) is not None:
                handle = found[0]
        else:
            found = self.known_object(func)
            handle = None if found is None else found[0]
        if handle is None or handle is REFUSED:
            return handle
        is_object = isinstance(self.contents(handle), Record)
        return handle if is_object or callable(getattr(handle, "value", 0)) else None

    def _called(self, value: Expr, node: gast.Call) -> Expr:
        """The call of what a field or a class has under a name."""
        if value is REFUSED:
            return REFUSED
        known = self.contents(value)
        if isinstance(known, Record):
            own = looked_up(known.cls, "__call__")
            self._refuse_class(known.cls, node)
            if not isinstance(own, types.FunctionType):
                self.fail(
                    "GG208", f"a {known.cls.__name__} is no function", node, "a method"
                )
            value = Const(Partial(own, (value,), ()))
        function: Any = getattr(value, "value", None)
        if self.is_called(function):
            node = self.spread(with_func(node, Held(value, node.func)))
            args, kwargs = self.positional(node), self.by_keyword(node)
            if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
                return REFUSED
            return self.call(function, args, kwargs, node)
        return super().read_Call(with_func(node, self.lent(node.func, value)))

    def function_of(self, node: gast.AST) -> Any:
        if getattr(node, "id", "") == LENT:
            value = getattr(node.handle, "value", None)
            return value if self.is_called(value) else None
        return super().function_of(node)

    # super()

    def is_super(self, node: gast.AST) -> bool:
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
            return False
        return node.func.id == "super" and self.resolve(node.func) is super

    def super_value(self, node: gast.Attribute) -> Expr:
        """super().name, bound to the instance."""
        frame: Any = self.frame
        while frame.parent is not None:
            frame = frame.parent
        call = node.value
        if len(call.args) == 2:
            above, handle = self.class_of(call.args[0]), self.read(call.args[1])
        else:
            above = frame.source.closure.get("__class__")
            handle = self.state.names[frame.number, frame.node.args.args[0].id]
        known = self.contents(handle)
        cls = known.cls if isinstance(known, Record) else getattr(handle, "value", None)
        if above is None or not isinstance(cls, type):
            self.fail("GG271", "super() of what is not known", node, "the class's name")
        own = behind_super(cls, above, node.attr)
        function = getter(own)
        if function is not None:
            return self.call(function, [handle], (), node)
        if isinstance(known, Record):
            bound = self._bound_method(handle, cls, own)
        else:
            bound = Const(Partial(getattr(own, "__func__", own), (Const(cls),), ()))
        if bound is not None:
            return bound
        if own is object.__init__:
            return Const(Partial(_nothing, (), ()))
        if own is MISSING:
            self.fail("GG240", f"no base class has {node.attr}", node, "one that is")
        return self.held_value(own, node)

    def with_receiver(self, node: gast.Call) -> gast.Call:
        """The call of a method, what the method is of read once: a.add(v).add(w)."""
        func = node.func
        if isinstance(func, (gast.Call, gast.Subscript)):
            return with_func(node, self.lent(func, self.read(func)))
        if not isinstance(func, gast.Attribute) or self.is_super(func.value):
            return node
        if not any(isinstance(one, gast.Call) for one in gast.walk(func.value)):
            return node
        found = self.known_object(func.value)
        if found is None:
            return node
        again = gast.Attribute(found[1], func.attr, func.ctx)
        return with_func(node, gast.copy_location(again, func))

    def calls_an_object(self, node: gast.Call) -> bool:
        """Whether a call is of an instance's method, or of a base's by super()."""
        func = node.func
        if isinstance(func, gast.Name):
            return self._instance(func) is not None
        if not isinstance(func, gast.Attribute):
            return False
        if self.is_super(func.value):
            return True
        found = self.known_object(func.value)
        return found is not None and isinstance(self.contents(found[0]), Record)


def with_func(node: gast.Call, func: gast.AST) -> gast.Call:
    """The call of something else with the same arguments."""
    return gast.copy_location(gast.Call(func, node.args, node.keywords), node)


def _nothing(*args: object, **kwargs: object) -> None:
    """What object.__init__ does."""
