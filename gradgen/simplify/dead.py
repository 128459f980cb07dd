"""Statements that nothing reads are left out."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Function
from gradgen.ir.walk import reads


def dead(function: Function) -> Function:
    """The function without statements whose value is never read.

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
        if let.var in live:
            kept.append(let)
            live.update(reads(let.value))
    return replace(function, body=tuple(reversed(kept)))
