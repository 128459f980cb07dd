"""Statements that nothing reads are left out."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Function, Role
from gradgen.ir.walk import reads


def dead(function: Function, forward: bool = True) -> Function:
    """The function without statements whose value is never read.

    With `forward=False` the primal's statements all stay: what the gradient will
    read of them is not settled yet.

        before:  y = np.sin(x)
                 c = np.cos(x)
                 return c
        after:   c = np.cos(x)
                 return c
    """
    live = {var for value in function.values for var in reads(value)}
    live.update(var for result in function.results for var in reads(result.value))
    kept = []
    for let in reversed(function.body):
        if let.var in live or (let.note.role is Role.FORWARD and not forward):
            kept.append(let)
            live.update(reads(let.value))
    return replace(function, body=tuple(reversed(kept)))
