"""Loops of which each round is about another instance."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.control.combining import PRODUCTS
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.reach import is_users_class
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.walked import nodes_in
from gradgen.ir.nodes import Apply


def needs_rounds(lowering: Lowering, node: gast.For) -> bool:
    """Whether each round of a loop over a range is about another instance.

    That is so where the index chooses from a list of instances or functions, and
    where each round makes an instance for a list. So it is where each round makes
    a tuple longer: out = out + (y,), or out = (*out, y), and where the index says how
    many are taken at once: itertools.combinations(x, i). So it is where a dictionary is
    read by words that are made of the index: params["W" + str(i)].
    """
    targets = {n.id for n in nodes_in(node.target) if isinstance(n, gast.Name)}
    parts = [inner for one in node.body for inner in nodes_in(one)]
    given = [part for part in parts if isinstance(part, gast.Assign)]
    words = {name for part in given for name in _words(part)}
    for part in parts:
        if isinstance(part, gast.Subscript):
            read = {n.id for n in nodes_in(part.slice) if isinstance(n, gast.Name)}
            if read & targets and _chooses(lowering, part.value):
                return True
            if read & words or read & targets and _is_word(part.slice):
                return True
        elif isinstance(part, (gast.Assign, gast.AugAssign)):
            if _lengthens(lowering, part):
                return True
        elif isinstance(part, gast.Call):
            func = part.func
            counts = [*part.args[1:], *(one.value for one in part.keywords)]
            names = {getattr(count, "id", "") for count in counts}
            if names & targets and among(lowering.resolve(func), PRODUCTS):
                return True
            if isinstance(func, gast.Attribute) and func.attr == "append":
                if any(_makes(lowering, arg) for arg in part.args):
                    return True
    return False


def _words(part: gast.AST) -> Iterator[str]:
    """The names that a statement gives to strings that are put together."""
    if isinstance(part, gast.Assign) and len(part.targets) == 1:
        (target,), value = part.targets, part.value
        pairs = [(target, value)]
        if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
            pairs = list(zip(target.elts, value.elts))
        for one, given in pairs:
            if isinstance(one, gast.Name) and _is_word(given):
                yield one.id


def _is_word(node: gast.AST) -> bool:
    """Whether an expression is a string that is put together: f"W{i}", "W" + str(i)."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mod)):
        sides = (node.left, node.right)
        return any(
            isinstance(getattr(one, "value", None), str) for one in sides
        ) or any(map(_is_word, sides))
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return isinstance(getattr(node.func.value, "value", None), str)
    return isinstance(node, gast.JoinedStr)


def _lengthens(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a statement adds to a name that is a tuple by now."""
    if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add):
        target = node.target
    elif isinstance(node, gast.Assign) and isinstance(node.value, gast.BinOp):
        (target, *_), sides = node.targets, (node.value.left, node.value.right)
        name = getattr(target, "id", None)
        if name not in [getattr(side, "id", "") for side in sides]:
            return False
    elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Tuple):
        target = node.targets[0]
        parts = [getattr(part, "value", None) for part in node.value.elts]
        if getattr(target, "id", None) not in [getattr(p, "id", "") for p in parts]:
            return False
    else:
        return False
    handle = lookup(lowering, target.id) if isinstance(target, gast.Name) else None
    return isinstance(handle, Apply) and handle.op == "tuple"


def _chooses(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression is a list, known by now, of instances or functions."""
    base = node
    while isinstance(base, gast.Attribute):
        base = base.value
    if not isinstance(base, gast.Name) or lookup(lowering, base.id) is None:
        return False
    problems, body, state = (
        len(lowering.problems),
        list(lowering.body),
        lowering.state.copy(),
    )
    handle = lowering.read(node)
    del lowering.problems[problems:]
    lowering.body[:], lowering.state = body, state
    known = contents(lowering, handle) if handle is not REFUSED else None
    return known is not None and any(
        callable(getattr(one, "value", None)) or contents(lowering, one) is not None
        for one in known.args
    )


def _makes(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression makes an instance."""
    calls = (part for part in nodes_in(node) if isinstance(part, gast.Call))
    made = (lowering.resolve(call.func) for call in calls)
    return any(isinstance(cls, type) and is_users_class(cls) for cls in made)
