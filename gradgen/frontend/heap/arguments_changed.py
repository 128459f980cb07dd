"""Dictionaries that are arguments: what is stored into them, and which keys they have."""

from __future__ import annotations

import gast

from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import pairs_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Note, Role
from gradgen.lines import is_of_a_call


def held_anew(lowering: Lowering, target: Expr) -> Expr:
    """An argument that is a dictionary as one of the function's, under all its names.

    The caller's keeps what it holds, as arrays do: a derivative changes no arguments.
    One that stands in another argument, or is of the module, stays as it is, and with
    it the refusal of the store.
    """
    if not isinstance(target, Apply) or target.op != "dict" or not target.args:
        return target
    pairs = pairs_of(lowering, target)
    if not all(isinstance(key, Const) for key, _ in pairs):
        return target
    names = lowering.state.names
    bound = {
        node.id
        for node in gast.walk(lowering.root.source.node)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
    }
    taken = {(0, name) for name in lowering.bundles.keys() - bound}
    if is_of_a_call(lowering.root.source.file):
        taken |= {key for key in names if key[0] == 1}  # what the call hands over
    if not any(names.get(key) is target for key in taken):
        return target
    own = new_dict(lowering, {getattr(key, "value"): item for key, item in pairs})
    for name, handle in list(names.items()):
        if handle is target:
            names[name] = own
    return own


def note_all_keys(lowering: Lowering, handle: Expr) -> None:
    """Notes that a dictionary is gone over, copied or counted: all of its keys matter."""
    if isinstance(handle, Apply) and handle.op == "dict" and handle.args:
        for name in lowering.bundles:
            if lowering.state.names.get((0, name)) is handle:
                lowering.all_keys[name] = len(handle.args)


def other_keys(lowering: Lowering) -> tuple[Branch, ...]:
    """Statements that raise where such an argument has other keys than it is told.

    before:  return sum(np.sum(p**2) for p in params.values())    # params {"a", "b"}
    after:   if len(params) != 2:
                 raise ValueError("params has other keys than this text is made for")

    A derivative at hand is made for the keys of its arguments.
    """
    if lowering.source.at_hand:
        return ()
    note = Note(Role.FORWARD)
    found = []
    for name, count in lowering.all_keys.items():
        length = Apply("len", (Const(None, name),), (), "name:len")
        test = Apply("numpy.not_equal", (length, Const(count)), (), "operator")
        told = Const(f"{name} has other keys than this text is made for")
        effect = Effect(Apply("raise", (Const(ValueError, "ValueError"), told)), note)
        found.append(Branch(test, (effect,), (), (), note))
    return tuple(found)
