"""The annotations of an emitted function, from those of the primal."""

from __future__ import annotations


import gast

from gradgen.ir.library import Library
from gradgen.ir.nodes import Function, Param
from gradgen.printer.style import Style

ARRAY = "np.ndarray"


class Hints:
    """What the parameters and the result of a text are annotated with.

    A seed has the type of the result, a tangent and a gradient that of the argument.
    The result is annotated where all that it consists of is. `used` says whether
    numpy's name, here `module`, stands in one. For another library an annotation is
    left out where it names more of NumPy than its arrays.
    """

    def __init__(
        self, function: Function, style: Style, module: str, library: Library
    ) -> None:
        self.function, self.style, self.module = function, style, module
        self.library = library
        self.used = False
        self.hints = {
            param.var: param.hint for param in function.params if not param.bundle
        }

    def parameter(self, param: Param) -> gast.expr | None:
        """The annotation of a parameter, None for none."""
        if param.hint is not None:
            return self._read(param.hint)
        if param.bundle:
            return None
        tangents = self.style.mode in ("forward", "hvp", "hessian")
        if param.var in self.function.seeds and not tangents:
            if len(self.function.seeds) > 1 or self.function.structure:
                return None
            return self._read(self.function.hint)
        of = param.var.of
        return None if of is None else self._read(self.hints.get(of))

    def result(self, as_tuple: bool) -> gast.expr | None:
        """The annotation of what is returned, None where a part of it has none."""
        if self.style.callback:
            return None
        value = self.function.hint
        if self.style.forward:
            return self._read(value and f"tuple[{value}, {value}]")
        found = list(dict.fromkeys(result.of for result in self.function.results))
        hints = [self.hints.get(var) for var in found]
        if not hints or not all(hints):
            return None
        if self.style.mode in ("jacobian", "hessian"):
            hints = [ARRAY] * len(hints)
        alone = len(hints) == 1 and not as_tuple
        gradients = hints[0] if alone else f"tuple[{', '.join(map(str, hints))}]"
        if not self.style.value:
            return self._read(gradients)
        return self._read(value and f"tuple[{value}, {gradients}]")

    def _read(self, hint: str | None) -> gast.expr | None:
        if hint is None:
            return None
        if "np." in hint:
            if self.library.module != "numpy":
                if not self.library.array or "np." in hint.replace(ARRAY, ""):
                    return None
                hint = hint.replace(ARRAY, f"np.{self.library.array}")
            self.used = True
            hint = hint.replace("np.", f"{self.module}.")
        return gast.parse(hint, mode="eval").body
