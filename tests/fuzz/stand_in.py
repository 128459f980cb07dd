"""An engine with gradgen's public functions, made of measurements, not of rules.

It shows that generator and judge agree with each other without a compiler, and
it carries planted faults: what the judge must notice is done here on purpose.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable

import numpy as np

from gradgen.verify.finite import numeric_gradient


class StandIn:
    """Measured gradients, in the form that gradgen's would have."""

    text = "def grad_program(...):\n    ...\n"

    def finish(self, g: np.ndarray, arg, seed, result) -> np.ndarray:
        """One gradient as it is handed out; the place to plant a fault."""
        return g.astype(getattr(arg, "dtype", np.float64))

    def prepare(self, function: Callable) -> Callable:
        """The function that is measured; the place to plant another one."""
        return function

    def grad(
        self,
        function,
        wrt,
        shapes,
        stop=(),
        strict=False,
        save="values",
        keep_calls=False,
    ):
        names = list(inspect.signature(function).parameters)
        measured = self.prepare(function)

        def gradient(*args, seed=1.0):
            result = function(*copy.deepcopy(args))
            wanted = (wrt,) if isinstance(wrt, str) else wrt
            found = []
            for name in wanted:
                i = names.index(name)
                g = numeric_gradient(measured, args, i, seed).value
                found.append(self.finish(g, args[i], seed, result))
            return found[0] if isinstance(wrt, str) else tuple(found)

        gradient.source = self.text
        return gradient

    def value_and_grad(
        self, function, wrt, shapes, stop=(), save="values", keep_calls=False
    ):
        gradient = self.grad(function, wrt, shapes)
        return lambda *args, seed=1.0: (
            function(*copy.deepcopy(args)),
            gradient(*args, seed=seed),
        )

    def vjp(self, function, wrt, shapes, stop=(), save="values", keep_calls=False):
        gradient = self.grad(function, wrt, shapes)

        def forward(*args):
            result = function(*copy.deepcopy(args))
            return result, lambda seed=1.0: gradient(*args, seed=seed)

        return forward
