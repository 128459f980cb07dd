"""What a try block asks by an exception: len(x), x.shape[1], x[7], float(x).

What is read for its exceptions alone is left out of a text. Of arrays whose ranks are
known it is decided here whether len(x) and x.shape[k] raise; others are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr, Ref

# Python's functions that raise TypeError for an array, or for a number
ASKING = {"len", "float", "int", "iter", "bool"}
# those that raise it for a number alone
OF_MANY = ("len", "iter")


def is_asked(node: gast.AST, resolve: Callable[[Any], Any]) -> bool:
    """Whether a statement is a question of this kind: len(x), x.shape[0], x.name."""
    if isinstance(node, gast.Call):
        function = resolve(node.func)
        asks = function is len or function is iter
        return isinstance(node.func, gast.Name) and asks
    if isinstance(node, gast.Subscript):
        base = node.value
        return isinstance(base, gast.Attribute) and base.attr == "shape"
    return isinstance(node, gast.Attribute)


def is_item_asked(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a statement asks a container that is known for an item: table[key]."""
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return False
    held = lowering.resolve(node.value)
    if isinstance(held, (dict, list, tuple)):
        return True
    return contents(lowering, lowering.read(node.value)) is not None


def out_of_shape(lowering: Lowering, base: Expr, key: Expr) -> bool:
    """Whether an entry of a shape surely does not exist: x.shape[1] of a vector."""
    made = lowering.facts.definitions.get(base.var) if isinstance(base, Ref) else base
    if not isinstance(made, Apply) or made.op != "numpy.shape":
        return False
    rank = lowering.facts.rank(made.args[0])
    place = key.value if isinstance(key, Const) else None
    if rank is None or type(place) is not int:
        return False
    return not -rank <= place < rank


def is_entry_of_number(lowering: Lowering, base: Expr, key: Expr) -> bool:
    """Whether this is x[0] of a number, which raises, and one handler takes all of it.

    before:  try: first = width[0]                       after:  first = width
             except (TypeError, IndexError): first = width
    """
    if not isinstance(base, Ref) or type(getattr(key, "value", None)) is not int:
        return False
    if contents(lowering, base) is not None or lowering.is_dynamic(base):
        return False
    own = lowering.trying[-1]
    place = own.handler_of(TypeError)  # of a number of Python's; else of NumPy's
    one = place is not None and place == own.handler_of(IndexError)
    return one and lowering.facts.rank(lowering.current(base)) == 0


def is_undecided(lowering: Lowering, node: gast.AST) -> bool:
    """Whether what is read for its exceptions alone may raise or not."""
    if isinstance(node, gast.Subscript):
        base = node.value
        if isinstance(base, gast.Attribute) and base.attr == "shape":
            return lowering.facts.rank(lowering.read(base.value)) is None
        return contents(lowering, lowering.read(base)) is None
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        asking = node.func.id in ASKING and len(node.args) == 1
        if asking and contents(lowering, lowering.read(node.args[0])) is None:
            rank = lowering.facts.rank(lowering.read(node.args[0]))
            return rank is None or node.func.id not in OF_MANY and rank > 0
    return False
