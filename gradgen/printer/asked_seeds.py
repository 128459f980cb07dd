"""Seeds that may be left out as far as the text goes, and are needed: d_out=None."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from gradgen.ir.nodes import Apply, Effect, Function, Let, Ref, Var
from gradgen.ir.operators import ARITHMETIC
from gradgen.ir.walk import own_expressions, reads_of, subexpressions

# what raises of None by itself: d_out * x, d_out @ W.T, and d_out[0]
RAISING = ARITHMETIC | {"numpy.matmul"}


def asked_seeds(
    function: Function, arguments: gast.arguments, names: Mapping[Var, str]
) -> list[Any]:
    """The statements that raise where a seed is left out, behind defaults.

        before:  def grad_f(x, k=1.0, d_out=None):
                     d_x = np.zeros_like(x)
                     d_x[0] = np.sum(d_out)
        after:   def grad_f(x, k=1.0, d_out=None):
                     if d_out is None:
                         raise ValueError("d_out is not given")
                     d_x = np.zeros_like(x)
                     d_x[0] = np.sum(d_out)

    NumPy makes a nan of the None that it fills an array with, or stores into one. There
    is no need for it where the first thing that is done with the seed is arithmetic.
    """
    given = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    found: list[Any] = []
    for arg, default in zip(given, arguments.defaults):
        seeds = [seed for seed in function.seeds if names[seed] == arg.id]
        if not seeds or getattr(default, "value", default) is not None:
            continue
        if not _raises(function, seeds[0]):
            told = f"{arg.id} is not given"
            code = f"if {arg.id} is None:\n    raise ValueError({told!r})"
            found += gast.parse(code).body
    return found


def _raises(function: Function, seed: Var) -> bool:
    """Whether what reads a seed first is arithmetic, which is done in any case."""
    for stmt in function.body:
        if seed in reads_of(stmt):
            return isinstance(stmt, Let | Effect) and any(_of_it(stmt, Ref(seed)))
    return True


def _of_it(stmt: Let | Effect, seed: Ref) -> Iterator[bool]:
    for expr in own_expressions(stmt):
        for node in subexpressions(expr):
            if isinstance(node, Apply) and node.op in RAISING:
                yield seed in node.args
            elif isinstance(node, Apply) and node.op == "getitem":
                yield node.args[0] == seed
