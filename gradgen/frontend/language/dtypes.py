"""np.dtype(...), and what is asked of a dtype: of one that is known, and of an array's.

A dtype that is known here is the type that it is of: np.dtype("f8") is np.float64.
"""

from __future__ import annotations

from dataclasses import replace

import gast
import numpy

from gradgen.frontend.calls.evaluation import result_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.outer_values import dtype_handle
from gradgen.frontend.lowering.callables import Choice
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.walk import static
from gradgen.rules.load import operations

# the letters of types of which ufuncs have loops that take and give one type
LOOPS = "efdFD"
OF_DTYPES = ("kind", "name", "char", "type", "itemsize", "str")


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """np.dtype("float32") as np.float32, and np.dtype(x.dtype) as x.dtype."""
    if value is not numpy.dtype or len(node.args) != 1 or node.keywords:
        return special_call.further(lowering, value, node)
    handle = lowering.read(node.args[0])
    if lowering.made_by(handle) == "of_dtype" and isinstance(handle, Ref):
        asked = lowering.facts.definitions[handle.var]  # np.dtype(x.dtype.char)
        if asked.spelling != "attribute:kind":
            handle = asked.args[0]
    if lowering.made_by(handle) == "dtype":
        return handle
    given = value_known(lowering, handle)
    if given is not NO_VALUE and given is not None:
        found = result_of(lowering, lambda: str(numpy.dtype(given)), node)
        known = dtype_handle(numpy.dtype(given)) if found is not None else None
        if known is not None:
            return known
    return special_call.further(lowering, value, node)


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """What a ufunc computes in the type that is asked for.

    before:  np.sqrt(1 - s**2, dtype=complex)
    after:   np.sqrt(np.asarray(1 - s**2, dtype=complex))
    """
    if value.op in ("is", "is_not") and Const(None) not in value.args:
        if any(lowering.made_by(arg) == "dtype" for arg in value.args):
            told = "whether a dtype is another object's is not known here"
            lowering.fail("GG211", told, node, "x.dtype == np.dtype(float)")
    dtype = dict(value.kwargs).get("dtype")
    if isinstance(getattr(dtype, "value", None), Choice):
        told = "which type is asked for depends on the branch"
        lowering.fail(
            "GG223", told, node or lowering.frame.node, "the call in either arm"
        )
    if dtype is None or not _has_loop(value.op, dtype):
        return bind.further(lowering, value, node)
    named = tuple(word for word in value.kwargs if word[0] != "dtype")
    args = value.args
    if dtype != Const(None):
        asked = (("dtype", dtype),)
        casts = (Apply("numpy.asarray", (one,), asked) for one in args)
        args = tuple(lowering.bind(cast, node) for cast in casts)
    return bind.further(lowering, replace(value, args=args, kwargs=named), node)


def _has_loop(op: str, dtype: Expr) -> bool:
    """Whether an operation is a ufunc with a loop from a type to the same type."""
    module, _, name = op.rpartition(".")
    ufunc = getattr(numpy, name, None) if module == "numpy" else None
    rule = operations().get(op)
    if not isinstance(ufunc, numpy.ufunc) or rule is None or rule.kind != "elementwise":
        return False
    if dtype == Const(None):
        return True
    try:
        letter = numpy.dtype(static(dtype)).char
    except (ValueError, TypeError):
        return False
    loop = f"{letter * ufunc.nin}->{letter * ufunc.nout}"
    return letter in LOOPS and loop in ufunc.types


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """x.dtype.kind as the text asks it; the kind of a dtype that is known."""
    if node.attr not in OF_DTYPES:
        return attribute.further(lowering, node)
    known = lowering.resolve(node.value)
    if isinstance(known, numpy.dtype) or _is_scalar_type(known):
        return _of_known(lowering, numpy.dtype(known), node)
    if known is not NO_VALUE or not _may_be_dtype(lowering, node.value):
        return attribute.further(lowering, node)
    base = lowering.read(node.value)
    if base is REFUSED:
        return REFUSED
    if isinstance(base, Const) and _is_scalar_type(base.value):
        return _of_known(lowering, numpy.dtype(base.value), node)
    if lowering.made_by(base) != "dtype" and not _is_named_dtype(node.value):
        return attribute.further(lowering, node)
    spelling = f"attribute:{node.attr}"
    return lowering.bind(Apply("of_dtype", (base,), (), spelling), node)


def _may_be_dtype(lowering: Lowering, node: gast.AST) -> bool:
    """Whether what an attribute is read of may be a dtype: x.dtype, a name, np.dtype(t)."""
    if isinstance(node, gast.Call):
        return lowering.resolve(node.func) is numpy.dtype
    return isinstance(node, gast.Name) or _is_named_dtype(node)


def _is_named_dtype(node: gast.AST) -> bool:
    return isinstance(node, gast.Attribute) and node.attr == "dtype"


def _is_scalar_type(value: object) -> bool:
    """Whether a value is the type that a dtype is of, which stands for it."""
    return isinstance(value, type) and issubclass(value, numpy.generic)


def _of_known(lowering: Lowering, dtype: numpy.dtype, node: gast.Attribute) -> Expr:
    if node.attr == "type":
        found = dtype_handle(dtype)
        return attribute.further(lowering, node) if found is None else found
    return Const(getattr(dtype, node.attr))
