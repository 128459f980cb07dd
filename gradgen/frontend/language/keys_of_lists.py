"""Lists as keys of arrays, which NumPy takes for the arrays of their entries.

before:  S[list(range(n)), y]            rows = [i for i in range(n) if keep[i]]
                                         x[rows] *= 2
after:   S[np.arange(n), y]              x[np.array(rows)] *= 2
"""

from __future__ import annotations

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.ir.nodes import Apply, Expr, Ref


@handles(gast.Subscript)
def subscript(lowering: Lowering, node: gast.Subscript) -> Expr:
    return subscript.further(lowering, _with_arrays(lowering, node))


@answers(Lowering.assign)
def assign(lowering: Lowering, target: gast.AST, value: Expr, mark: int) -> Expr:
    if isinstance(target, gast.Subscript):
        target = _with_arrays(lowering, target)
    return assign.further(lowering, target, value, mark)


@handles(gast.AugAssign)
def augmented(lowering: Lowering, node: gast.AugAssign) -> None:
    if isinstance(node.target, gast.Subscript):
        target = _with_arrays(lowering, node.target)
        if target is not node.target:
            made = gast.AugAssign(target=target, op=node.op, value=node.value)
            node = gast.copy_location(made, node)
    return augmented.further(lowering, node)


def _with_arrays(lowering: Lowering, node: gast.Subscript) -> gast.Subscript:
    """The same place of an array, with arrays for the lists that its key is made of."""
    key: gast.AST = node.slice
    items = key.elts if isinstance(key, gast.Tuple) else [key]
    if len(items) == 1 and _is_made(lowering, items[0], tuple):
        return node  # x[tuple(places)] is one entry
    if not any(_may_be_list(lowering, one) for one in items):
        return node
    base = lowering.read(node.value)
    if isinstance(base, Ref) and contents(lowering, base) is None:
        if not lowering.is_dynamic(base):
            arrays = [_array(lowering, one) for one in items]
            whole = gast.Tuple(elts=arrays, ctx=gast.Load())
            key = whole if isinstance(key, gast.Tuple) else arrays[0]
            gast.copy_location(whole, node.slice)
    made = gast.Subscript(value=Held(base, node.value), slice=key, ctx=node.ctx)
    return gast.copy_location(made, node)


def _may_be_list(lowering: Lowering, node: gast.AST) -> bool:
    if isinstance(node, gast.Name) and lowering.is_local(node.id):
        return lowering.is_dynamic(lowering.read(node))
    return isinstance(node, gast.ListComp) or _is_made(lowering, node, list, tuple)


def _is_made(lowering: Lowering, node: gast.AST, *kinds: type) -> bool:
    """Whether a node is list(...), or tuple(...), of one argument."""
    if not isinstance(node, gast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return lowering.resolve(node.func) in kinds


def _array(lowering: Lowering, node: gast.AST) -> gast.AST:
    """An item of a key, or the array of a list that it is."""
    if not _may_be_list(lowering, node):
        return node
    if isinstance(node, gast.Call):
        inner = lowering.read(node.args[0])
        listed = contents(lowering, inner) or lowering.is_dynamic(inner)
        if isinstance(inner, Ref) and not listed and lowering.facts.rank(inner) == 1:
            return Held(inner, node)
        node = gast.copy_location(
            gast.Call(node.func, [Held(inner, node.args[0])], []), node
        )
    handle = lowering.read(node)
    if handle is not REFUSED and lowering.is_dynamic(handle):
        handle = lowering.bind(Apply("numpy.array", (handle,)), node)
    return Held(handle, node)
