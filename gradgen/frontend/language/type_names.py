"""Types by their names, where a text asks for them: type(x).__name__ == "ndarray".

before:  if type(x).__name__ in ("ndarray", "csr_matrix"): ...
after:   if type(x) is np.ndarray: ...
"""

from __future__ import annotations

import builtins
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.kinds import types_of
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.names import canonical, is_path
from gradgen.ir.nodes import Const, Expr, Ref

OPERATORS = {gast.Eq: False, gast.NotEq: True, gast.In: False, gast.NotIn: True}


@handles(gast.Compare)
def comparison(lowering: Lowering, node: gast.Compare) -> Expr:
    """A comparison with names that are known here, of a value whose type is not."""
    names = _names(node)
    asked = _asked(lowering, node.left)
    if names is None or not is_path(asked):
        return comparison.further(lowering, node)
    handle = lowering.read(asked)
    if handle is REFUSED:
        return REFUSED
    known = types_of(lowering, handle)
    if not isinstance(handle, Ref) or known is not None and len(known) == 1:
        return comparison.further(lowering, node)
    tests: list[Any] = []
    for name in names:
        cls = getattr(numpy, name, getattr(builtins, name, None))
        if not isinstance(cls, type) or cls.__name__ != name:
            text = lowering.source.segment(asked)
            lowering.decided(f"{text} is no {name}")
            continue
        kind = gast.Call(Held(Const(type), node), [Held(handle, node)], [])
        tests.append(
            gast.Compare(
                kind, [gast.Is()], [Held(Const(cls, canonical(cls, name)), node)]
            )
        )
    negated = OPERATORS[type(node.ops[0])]
    if not tests:
        return Const(negated)
    found = tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests)
    made = gast.UnaryOp(gast.Not(), found) if negated else found
    for part in gast.walk(made):
        if not isinstance(part, Held):
            gast.copy_location(part, node)
    return lowering.expression(made)


def _names(node: gast.Compare) -> list[str] | None:
    """The strings that something is compared with; None where there are others."""
    if len(node.ops) != 1 or type(node.ops[0]) not in OPERATORS:
        return None
    (other,) = node.comparators
    inside = isinstance(node.ops[0], (gast.In, gast.NotIn))
    if inside and not isinstance(other, (gast.Tuple, gast.List, gast.Set)):
        return None
    parts = other.elts if inside else [other]
    values = [getattr(part, "value", None) for part in parts]
    names = [value for value in values if isinstance(value, str)]
    return names if len(names) == len(values) else None


def _asked(lowering: Lowering, node: gast.AST) -> Any:
    """x of type(x).__name__ and x.__class__.__name__; None of others."""
    if not isinstance(node, gast.Attribute) or node.attr != "__name__":
        return None
    base = node.value
    if isinstance(base, gast.Attribute) and base.attr == "__class__":
        return base.value
    if not isinstance(base, gast.Call) or len(base.args) != 1 or base.keywords:
        return None
    return base.args[0] if lowering.resolve(base.func) is type else None
