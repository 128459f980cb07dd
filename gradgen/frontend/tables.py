"""Small arrays that stand in containers of the module, written out."""

from __future__ import annotations

from typing import Any

import gast
import numpy

from gradgen.frontend.constants import ModuleArrays
from gradgen.ir.nodes import Apply, Const, Expr

CONTAINERS = (list, tuple, dict, set, frozenset)
# a larger array is no constant of a text
LARGEST = 64


class Tables(ModuleArrays):
    """Writes arrays of the module out."""

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
