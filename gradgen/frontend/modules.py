"""xp = get_array_module(x): a module like NumPy, chosen by the arrays at run time."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.frontend.derivatives import Derivatives
from gradgen.ir.nodes import Const, Expr

# the functions that choose a module by the arrays they are given, by their names
CHOOSERS = ("get_array_module",)


class Modules(Derivatives):
    """Reads the module that arrays choose as NumPy; the text chooses again."""

    root: Any  # the frame of the function itself

    def other_call(self, node: gast.Call) -> Expr:
        chooser = self.resolve(node.func)
        named = isinstance(chooser, (types.FunctionType, types.BuiltinFunctionType))
        if named and chooser.__name__ in CHOOSERS:
            return self._chosen(chooser, node)
        return super().other_call(node)

    def is_called(self, value: Any) -> bool:
        return super().is_called(value) and getattr(value, "__name__", "") not in (
            CHOOSERS
        )

    def resolve(self, node: gast.AST) -> Any:
        """The Python object a dotted name leads to, also from a module that is chosen."""
        if isinstance(node, gast.Name) and self.is_local(node.id):
            bound = getattr(self.lookup(node.id), "value", None)
            if isinstance(bound, types.ModuleType):
                return bound
        return super().resolve(node)

    def _chosen(self, chooser: Callable[..., Any], node: gast.Call) -> Expr:
        """NumPy, and the line of the text that chooses the module again."""
        source = self.root.source
        own = [arg.id for arg in source.node.args.args]
        own = own if source.receiver is None else own[1:]  # arrays, and no self
        given = [arg.id for arg in node.args if isinstance(arg, gast.Name)]
        if self.frame is not self.root or not set(given) <= set(own):
            given = []
        called = ", ".join(given or own[:1])
        name = chooser.__name__
        self.chooser = self.chooser or f"{name}({called})"
        self.context[name] = self.importing(chooser.__module__, node, name)
        return Const(numpy)
