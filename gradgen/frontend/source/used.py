"""How many axes parameters have by what a function does with them, as people write it."""

from __future__ import annotations

import gast

# functions that are called with an array alone, and what is found of it
OF_ARRAYS = frozenset("where nonzero flatnonzero argwhere argsort unique isnan".split())
# methods and functions that multiply as A @ b does
PRODUCTS = frozenset("dot matmul inner".split())


def axes_used(node: gast.FunctionDef) -> dict[str, int]:
    """The counts by the names of parameters; 0 of what is compared and nothing else.

    before:  np.where(events)[0]; X[keep] @ w; np.where(x > limit)[0]
    after:   {"events": 1, "X": 2, "w": 1, "limit": 0}

    Of a product what has a capital is a matrix; rows of it may have a name of their own.
    """
    parameters = {arg.id for arg in (*node.args.args, *node.args.kwonlyargs)}
    parts: dict[str, str] = {}  # W_obs = W[seen]
    for one in gast.walk(node):
        if isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name):
            whole = one.value
            if isinstance(whole, gast.Subscript) and isinstance(whole.value, gast.Name):
                parts[one.targets[0].id] = whole.value.id
    found: dict[str, int] = {}
    compared: set[str] = set()
    read: list[str] = []

    def name_of(value: gast.AST) -> str:
        while isinstance(value, (gast.Subscript, gast.Attribute)):
            value = value.value
        name = value.id if isinstance(value, gast.Name) else ""
        return parts.get(name, name)

    for one in gast.walk(node):
        operands: list[gast.AST] = []
        if isinstance(one, gast.BinOp) and isinstance(one.op, gast.MatMult):
            operands = [one.left, one.right]
        elif isinstance(one, gast.Call):
            called = getattr(one.func, "attr", getattr(one.func, "id", ""))
            if called in PRODUCTS:
                operands = [*one.args[:2], *([one.func] if len(one.args) == 1 else [])]
            elif called in OF_ARRAYS and len(one.args) == 1:
                found.setdefault(name_of(one.args[0]), 1)
        elif isinstance(one, gast.Compare):
            compared |= {c.id for c in one.comparators if isinstance(c, gast.Name)}
        elif isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load):
            read.append(one.id)
        for name in map(name_of, operands):
            found[name] = 2 if name[:1].isupper() else 1
    limits = {name for name in compared if read.count(name) == 1}
    found |= {name: 0 for name in limits if name not in found}
    return {name: axes for name, axes in found.items() if name in parameters}
