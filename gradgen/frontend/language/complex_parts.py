"""Complex numbers put together, and stores into one part of arrays of them.

z = complex(x, y), z.real = x, z.imag[k] += y
"""

from __future__ import annotations

from typing import Any

import gast
import numpy

from gradgen.frontend.calls.arguments import positional
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import BINARY

PARTS = ("real", "imag")
WHOLE = Apply("slice", (Const(None), Const(None), Const(None)))


@answers(Lowering.assign)
def assign(lowering: Lowering, target: gast.AST, value: Expr, mark: int) -> Expr:
    """A store into one part of the entries that a key names, the other stays.

    before:  z.real[k] = x
    after:   z[k] = x + 1j * np.imag(z[k])
    """
    if isinstance(target, gast.Name):
        return assign.further(lowering, target, value, mark)
    found = _part_of(lowering, target)
    if found is None or value is REFUSED:
        return assign.further(lowering, target, value, mark)
    base, name, key = found
    given = Held(value, target)
    other: Any = Held(Const(0.0), target)
    if _is_filled(lowering, base, target):
        entries = gast.Subscript(Held(base, target), Held(key, target), gast.Load())
        read = numpy.imag if name == "real" else numpy.real
        other = gast.Call(Held(Const(read), target), [entries], [])
    real, imaginary = (given, other) if name == "real" else (other, given)
    turned = gast.BinOp(Held(Const(1j), target), gast.Mult(), imaginary)
    new = lowering.read(_placed(gast.BinOp(real, gast.Add(), turned), target))
    lowering.store(base, key, new, target)
    return value


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """complex(x, y) of numbers.

    before:  complex(x, y)
    after:   x + 1j * y
    """
    if value is complex and len(node.args) in (1, 2) and not node.keywords:
        parts = positional(lowering, node)
        if REFUSED in parts:
            return REFUSED
        if all(_may_be_number(lowering, part) for part in parts):
            x, y = (Held(part, node) for part in (*parts, Const(0.0))[:2])
            turned: Any = Held(Const(0j), node)
            if len(parts) == 2:
                turned = gast.BinOp(Held(Const(1j), node), gast.Mult(), y)
            made = gast.BinOp(x, gast.Add(), _placed(turned, node))
            return lowering.read(_placed(made, node))
    return special_call.further(lowering, value, node)


def _may_be_number(lowering: Lowering, handle: Expr) -> bool:
    if isinstance(handle, Const):
        return isinstance(handle.value, (int, float, complex))
    known = contents(lowering, handle) is not None
    return not known and lowering.facts.rank(lowering.current(handle)) in (0, None)


@handles(gast.AugAssign)
def augmented(lowering: Lowering, node: gast.AugAssign) -> None:
    """z.real += x as z.real = z.real + x, of an array and of entries of it."""
    target = node.target
    if type(node.op).__name__ not in BINARY or _part_of(lowering, target) is None:
        augmented.further(lowering, node)
        return
    lowering.start(node, lowering.source.segment(target))
    if isinstance(target, gast.Attribute):
        read: Any = gast.Attribute(target.value, target.attr, gast.Load())
    else:
        read = gast.Subscript(target.value, target.slice, gast.Load())
    changed = gast.BinOp(_placed(read, target), node.op, node.value)
    value = lowering.read(_placed(changed, node))
    lowering.assign(target, value, lowering.mark())


def _part_of(lowering: Lowering, target: gast.AST) -> tuple[Ref, str, Expr] | None:
    """The array, which part of it, and the key, of z.real or z.real[key]; else None."""
    key: Expr = Const(...)
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Attribute):
        if target.value.attr not in PARTS:
            return None
        key, target = lowering.read(target.slice), target.value
    if not isinstance(target, gast.Attribute) or target.attr not in PARTS:
        return None
    base = lowering.read(target.value)
    if base is REFUSED or key is REFUSED or not isinstance(base, Ref):
        return None
    if isinstance(contents(lowering, base), Record):
        return None
    # an argument may be complex, which is not known here
    return (base, target.attr, key) if lowering.facts.is_complex(base) else None


def _is_filled(lowering: Lowering, base: Ref, node: gast.AST) -> bool:
    """Whether an array has entries; refused where some are what np.empty left there.

    These may be nan, and nan * 1j is nan in both parts.
    """
    now, first = lowering.current(base), True
    while isinstance(now, Ref):
        made = lowering.facts.definitions.get(now.var)
        op = made.op if isinstance(made, Apply) else ""
        unfilled = op.startswith("numpy.empty")  # nothing yet, of which no part is kept
        if unfilled and not first:
            lowering.fail(
                "GG232",
                "a part of an array is stored of which np.empty has left the other",
                node,
                "np.zeros in the place of np.empty",
            )
        if unfilled:
            return False
        if not isinstance(made, Apply) or op not in ("setitem", "getitem"):
            return True
        if op == "setitem" and made.args[1] in (Const(...), WHOLE):
            return True
        now, first = made.args[0], False
    return True


def _placed(made: Any, node: gast.AST) -> Any:
    return gast.copy_location(made, node)
