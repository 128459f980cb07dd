"""A law of scipy.stats that is called with its parameters: stats.norm(mean, deviation).

before:  law = stats.norm(mean, deviation)
         y = law.cdf(x)
after:   y = stats.norm.cdf(x, mean, deviation)

The density of several normal variables is read as SciPy computes it:

before:  multivariate_normal.pdf(x, mean, cov)
after:   np.exp(multivariate_normal.logpdf(x, mean, cov))
"""

from __future__ import annotations

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import call_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.laws import frozen_law, is_law, is_normal_of_vectors
from gradgen.ir.nodes import Apply, Const, Expr


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    if _is_density(lowering, node.func):
        func = gast.Attribute(node.func.value, "logpdf", gast.Load())
        func = gast.copy_location(func, node.func)
        inner = gast.copy_location(gast.Call(func, node.args, node.keywords), node)
        logarithm = lowering.read(inner)
        if logarithm is REFUSED:
            return REFUSED
        density: Expr = lowering.bind(Apply("numpy.exp", (logarithm,)), node)
        return density
    law = lowering.resolve(node.func) if node.args or node.keywords else None
    if not is_law(law):
        return called.further(lowering, node)
    args, kwargs = positional(lowering, node), dict(by_keyword(lowering, node))
    if REFUSED in (*args, *kwargs.values()):
        return REFUSED
    parts = Const(law), Apply("tuple", tuple(args)), new_dict(lowering, kwargs)
    return lowering.read(call_of(Const(frozen_law(law)), parts, (), node))


def _is_density(lowering: Lowering, func: gast.AST) -> bool:
    """Whether a function is multivariate_normal.pdf."""
    if not isinstance(func, gast.Attribute) or func.attr != "pdf":
        return False
    return is_normal_of_vectors(lowering.resolve(func.value))
