"""The facts of a request checked against the arguments of a call: shapes, complex."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradgen.errors import GradgenError
from gradgen.request import refuse_complex


class Facts:
    """The facts of a request, checked against the arguments of each call.

    `complexes` are the arguments that may be complex, `factors` those that may be
    sparse matrices.
    """

    def __init__(
        self,
        facts: tuple[tuple[str, str], ...],
        names: Sequence[str],
        complexes: Sequence[str] = (),
        factors: Sequence[str] = (),
    ):
        self.names, self.complexes, self.factors = names, complexes, factors
        order = {name: i for i, name in enumerate(names)}
        self.axes = [
            (name, order.get(name, len(order)), text, text.split())
            for name, text in facts
            if not text.startswith("*")
        ]

    def check(self, args: tuple, kwargs: dict) -> None:
        """Raises GradgenError for an argument of another shape or sort than was said."""
        for name, value in (*zip(self.names, args), *kwargs.items()):
            if name not in self.complexes:
                refuse_complex(name, value)
            if name not in self.factors and _is_sparse(value):
                raise GradgenError(
                    "GG505",
                    f"the argument {name} is a sparse matrix, which may only be held "
                    "constant and multiplied by @ or .dot here",
                    advice=f"{name}.toarray()",
                )
        sizes: dict[str, int] = {}
        open_axes = []
        for name, at, text, words in self.axes:
            if at < len(args):
                shape = np.shape(args[at])
            elif name in kwargs:
                shape = np.shape(kwargs[name])
            else:
                continue
            if len(shape) != len(words):
                self._refuse(name, shape, text)
            for word, length in zip(words, shape):
                if word[0] == "#":
                    open_axes.append((name, shape, text, word[1:], length))
                elif length != (
                    int(word) if word.isdecimal() else sizes.setdefault(word, length)
                ):
                    self._refuse(name, shape, text)
        for name, shape, text, word, length in open_axes:
            if length != 1 and length != sizes.setdefault(word, length):
                self._refuse(name, shape, text)

    def _refuse(self, name: str, shape: tuple[int, ...], text: str) -> None:
        raise GradgenError(
            "GG503",
            f"the argument {name} has the shape {shape}, and its fact is {text!r}",
            advice="the facts that hold, or none",
        )


def _is_sparse(value: object) -> bool:
    """Whether a value is one of scipy.sparse's, whose * and ** are not an array's."""
    return type(value).__module__.partition(".")[0] == "scipy" and hasattr(value, "nnz")
