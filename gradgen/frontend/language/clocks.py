"""Clocks: what is only measured and told is left out.

before:  start = time.perf_counter()       after:  y = g(x)
         y = g(x)
         print("took", time.perf_counter() - start)

A result that depends on a clock is refused where it is read.
"""

from __future__ import annotations

import time

import gast

from gradgen.frontend.calls.effects import is_told
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.lookup import among

CLOCKS = (
    time.time,
    time.perf_counter,
    time.process_time,
    time.monotonic,
    time.time_ns,
    time.perf_counter_ns,
)


class Clock(Poison):
    """What a name holds that was read off a clock."""


@handles(gast.Assign, gast.AnnAssign)
def assigned(lowering: Lowering, node: gast.AST) -> None:
    if not lowering.source.knows_time:
        return assigned.further(lowering, node)
    targets = node.targets if isinstance(node, gast.Assign) else [node.target]
    own = all(isinstance(t, gast.Name) and lowering.is_local(t.id) for t in targets)
    if not own or not is_time(lowering, node.value):
        return assigned.further(lowering, node)
    told = "what a clock says has no derivative, and is another each time"
    clock = Clock("GG211", told, "a parameter of the function")
    for target in targets:
        lowering.state.names[lowering.frame.number, target.id] = clock
    return None


@handles(gast.Expr)
def alone(lowering: Lowering, node: gast.Expr) -> None:
    """A call that tells how long something took."""
    call = node.value
    if not lowering.source.knows_time:
        return alone.further(lowering, node)
    if isinstance(call, gast.Call) and is_told(lowering, call):
        words = [word.value for word in call.keywords]
        parts = (n for arg in (*call.args, *words) for n in gast.walk(arg))
        if any(is_time(lowering, part) for part in parts):
            return None
    return alone.further(lowering, node)


def is_time(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression is of times alone: time.time() - start."""
    if isinstance(node, gast.Call):
        return not node.args and among(lowering.resolve(node.func), CLOCKS)
    if isinstance(node, gast.Name):
        return isinstance(lookup(lowering, node.id), Clock)
    if not isinstance(node, (gast.BinOp, gast.UnaryOp)):
        return False
    parts = [n for n in gast.iter_child_nodes(node) if isinstance(n, gast.expr)]
    times = [part for part in parts if is_time(lowering, part)]
    rest = (part for part in parts if part not in times)
    return bool(times) and all(isinstance(part, gast.Constant) for part in rest)
