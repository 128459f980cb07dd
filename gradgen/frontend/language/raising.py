"""assert and raise: what the primal raises, the text raises."""

from __future__ import annotations

import builtins

import gast
import numpy

from gradgen.frontend.calls.effects import shown_handle
from gradgen.frontend.calls.texts import class_of_builtins
from gradgen.frontend.control.bindings import raises
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.conditions import read_test
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.ir.nodes import Apply, Const, Effect, Expr


@handles(gast.Assert)
def assertion(lowering: Lowering, node: gast.Assert) -> None:
    lowering.start(node, "")
    note = lowering.note
    test = read_test(lowering, node.test)
    if test is REFUSED:
        return
    if known_truth(lowering, test) is True:
        return
    if known_truth(lowering, test) is False:
        raises(lowering, AssertionError, node)
    elif lowering.trying:
        lowering.arm(lowering.state, lambda: raises(lowering, AssertionError, node))
    args = [test]
    if node.msg is not None:
        state = lowering.state.copy()
        args.append(shown_handle(lowering, node.msg))
        lowering.state = state  # what the message changes, only a failure does
    lowering.body.append(Effect(Apply("assert", tuple(args)), note))


def _unbound(lowering: Lowering, node: gast.AST) -> str | None:
    """The name that a class is looked up by, where nothing is called so: a NameError.

    before:  raise exceptions.Bug("no")     after:  raise NameError("name 'exceptions' ...")
    """
    while isinstance(node, gast.Attribute):
        node = node.value
    if not isinstance(node, gast.Name) or lowering.is_local(node.id):
        return None
    known = lowering.source.globals.keys() | lowering.source.closure.keys()
    return None if node.id in known or hasattr(builtins, node.id) else node.id


@handles(gast.Raise)
def raise_(lowering: Lowering, node: gast.Raise) -> None:
    lowering.start(node, "")
    exc = node.exc
    if exc is None:
        lowering.fail("GG261", "this raise is not supported", node, "raise E(...)")
    call = exc if isinstance(exc, gast.Call) else None
    unbound = _unbound(lowering, call.func if call else exc)
    if unbound is not None:
        told = gast.Constant(f"name {unbound!r} is not defined", None)
        call = gast.copy_location(
            gast.Call(Held(Const(NameError), exc), [told], []), exc
        )
    kind = lowering.resolve(call.func if call else exc)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        lowering.fail(
            "GG261", "this raise is not supported", node, "raise ValueError(...)"
        )
    given = call.args if call else []
    read = any(isinstance(one, gast.Call) for arg in given for one in gast.walk(arg))
    shown = [shown_handle(lowering, arg) for arg in given] if read else None
    raises(lowering, kind, node)
    name = kind.__name__
    if getattr(numpy.linalg, name, None) is kind:
        name = f"np.linalg.{name}"
    elif getattr(builtins, name, None) is not kind:
        kind = class_of_builtins(lowering, kind, "raised").value
        name = kind.__name__
    args: list[Expr] = [Const(kind, name)]
    args += [shown_handle(lowering, arg) for arg in given] if shown is None else shown
    lowering.body.append(Effect(Apply("raise", tuple(args)), lowering.note))
    lowering.state.dead = True
