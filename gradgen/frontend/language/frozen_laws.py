"""A law of scipy.stats that is called with its parameters: stats.norm(mean, deviation).

before:  law = stats.norm(mean, deviation)
         y = law.cdf(x)
after:   y = stats.norm.cdf(x, mean, deviation)
"""

from __future__ import annotations

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import call_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.laws import frozen_law, is_law
from gradgen.ir.nodes import Apply, Const, Expr


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    law = lowering.resolve(node.func) if node.args or node.keywords else None
    if not is_law(law):
        return called.further(lowering, node)
    args, kwargs = positional(lowering, node), dict(by_keyword(lowering, node))
    if REFUSED in (*args, *kwargs.values()):
        return REFUSED
    parts = Const(law), Apply("tuple", tuple(args)), new_dict(lowering, kwargs)
    return lowering.read(call_of(Const(frozen_law()), parts, (), node))
