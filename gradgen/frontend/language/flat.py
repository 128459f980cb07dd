"""Parts of x.flat, which are copies, though x.flat is the array itself.

before:  v = x.flat[2:5]
after:   v = np.ravel(x)[2:5].copy()
"""

from __future__ import annotations

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Apply, Const, Expr, Ref


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    found = attribute.further(lowering, node)
    is_array = isinstance(found, Ref) and contents(lowering, found) is None
    if node.attr == "flat" and is_array and isinstance(node.ctx, gast.Load):
        lowering.flat.add(found.var)
    return found


@handles(gast.Subscript)
def subscript(lowering: Lowering, node: gast.Subscript) -> Expr:
    named = getattr(node.value, "attr", "") == "flat" or lowering.flat
    if not named or not isinstance(node.value, (gast.Attribute, gast.Name)):
        return subscript.further(lowering, node)
    if isinstance(node.value, gast.Name) and not lowering.is_local(node.value.id):
        return subscript.further(lowering, node)
    base, key = lowering.read(node.value), lowering.read(node.slice)
    if REFUSED in (base, key):
        return REFUSED
    again = gast.Subscript(Held(base, node.value), Held(key, node.slice), node.ctx)
    found = subscript.further(lowering, gast.copy_location(again, node))
    is_part = is_slice(key) or key == Const(...)
    if is_part and isinstance(base, Ref) and base.var in lowering.flat:
        return lowering.bind(Apply("numpy.copy", (found,)), node)
    return found
