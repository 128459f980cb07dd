"""Containers of the module: lists, tuples and dictionaries of constants and functions."""

from __future__ import annotations

from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.constants import ModuleArrays
from gradgen.frontend.names import is_plain
from gradgen.frontend.statics import ordered, set_of
from gradgen.ir.nodes import Apply, Const, Expr

CONTAINERS = (list, tuple, dict, set, frozenset)
# a larger array is no constant of a text
LARGEST = 64


class Tables(ModuleArrays):
    """Reads containers that are defined outside of the function."""

    def module_container(self, value: Any, text: str, node: gast.AST) -> Expr:
        """The handle of a container of the module, which nothing may change.

        before:  RATES = {"slow": 0.1, "fast": 0.5}
                 def f(x): return RATES["fast"] * x
        after:   def f(x): return 0.5 * x
        """
        if isinstance(value, (set, frozenset)):
            return set_of(
                [self._in_table(one, text, node) for one in ordered(set(value))]
            )
        if isinstance(value, dict):
            keys = tuple((str(i), Const(key)) for i, key in enumerate(value))
            parts = [
                self._in_table(one, f"{text}[{k!r}]", node) for k, one in value.items()
            ]
            return Apply("dict", tuple(parts), keys)
        if hasattr(value, "_fields"):
            self._refuse_in_table(value, text, node)
        op = "list" if isinstance(value, list) else "tuple"
        parts = [
            self._in_table(one, f"{text}[{i}]", node) for i, one in enumerate(value)
        ]
        return Apply(op, tuple(parts))

    def _in_table(self, value: Any, text: str, node: gast.AST) -> Expr:
        """The handle of what stands in a container."""
        if is_plain(value):
            return Const(value)
        if isinstance(value, CONTAINERS):
            return self.module_container(value, text, node)
        if isinstance(value, (numpy.float64, numpy.complex128)):
            if numpy.isfinite(value):
                return self.module_number(value, "number", node)
        if isinstance(value, (numpy.integer, numpy.bool_)):
            return Const(value.item())
        if callable(value) and hasattr(value, "__name__"):
            return Const(value, getattr(value, "__name__"))
        if type(value) is numpy.ndarray and value.size <= LARGEST:
            made = self.written_array(value, node)
            if made is not None:
                return made
        self._refuse_in_table(value, text, node)

    def written_array(self, value: numpy.ndarray, node: gast.AST) -> Expr | None:
        """A small array as np.array([...]), where its entries make it again."""
        if value.dtype.kind not in "fib" or not value.size:
            return None
        if value.dtype != numpy.array(value.tolist()).dtype:
            return None
        if not numpy.all(numpy.isfinite(value)):
            return None

        def listed(items: Any) -> Expr:
            if isinstance(items, list):
                return Apply("list", tuple(map(listed, items)))
            return Const(items)

        key = (id(self.source.globals), "", id(value))
        if key not in self.module_arrays:
            body, state = self.body, self.state
            self.body, self.state = self.preamble, state.copy()
            try:
                array = Apply("numpy.array", (listed(value.tolist()),))
                made = self.result(array, "constants", node)
            finally:
                self.body, self.state = body, state
            self.shared_arrays.add(made.var)
            self.module_arrays[key] = made
        return self.module_arrays[key]

    def _refuse_in_table(self, value: Any, text: str, node: gast.AST) -> NoReturn:
        kind = type(value).__name__
        self.fail(
            "GG211",
            f"{text} is a {kind}, not a plain number",
            node,
            "a parameter of the function",
        )
