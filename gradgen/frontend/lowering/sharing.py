"""Which results share memory with an argument: views, surely or perhaps."""

from __future__ import annotations

from enum import Enum
from typing import TypeGuard

from gradgen.frontend.lowering.contiguous import surely_views
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import NO_NUMBERS
from gradgen.ir.sharing import CHOOSING, PARTS, VIEWS_OF_ALL
from gradgen.ir.slope import STOPPED
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind


class Sharing(Enum):
    """How the result of an operation lies to its first argument."""

    FRESH = "memory of its own"
    NUMBER = "a number"
    VIEW = "a view, or nothing where the argument is a number"
    ELEMENT = "a number out of a row, a view of a matrix"
    MAYBE = "a view or a copy"


VIEWS = {
    f"numpy.{name}"
    for name in (
        "transpose matrix_transpose linalg.matrix_transpose linalg.diagonal swapaxes "
        "moveaxis rollaxis expand_dims squeeze flip fliplr flipud rot90 diagonal broadcast_to "
        "lib.stride_tricks.sliding_window_view"
    ).split()
}
MAYBE = {
    f"numpy.{name}"
    for name in (
        "reshape ravel asarray asanyarray ascontiguousarray asfortranarray real imag "
        "float64 float32 diag einsum linalg.matrix_power real_if_close diff"
    ).split()
}
MAYBE |= VIEWS_OF_ALL | PARTS
# what surely makes an array, and never a number
ARRAYS = {
    f"numpy.{name}"
    for name in (
        "zeros ones empty full zeros_like ones_like empty_like full_like eye identity "
        "arange linspace array copy concatenate stack vstack hstack dstack "
        "column_stack tile repeat pad"
    ).split()
}
# what makes a number of arguments that are numbers
INTEGERS = {"len", "numpy.ndim", "numpy.size", "range"}
# operations that read the shape and the dtype of their first argument alone
SHAPED = frozenset(
    "len numpy.shape numpy.ndim numpy.size numpy.zeros_like numpy.ones_like "
    "numpy.empty_like dtype".split()
)
# reductions and products whose result of rank 0 is a number
NUMBERS = frozenset(
    "float64 float32 "
    "sum mean max min amax amin prod dot matmul inner vdot norm trace std var argmax "
    "argmin all any ptp count_nonzero median det item".split()
)


def arrays(value: Apply, facts: Facts) -> bool:
    """Whether an operation surely gives an array, if only one of rank 0."""
    if value.op in ARRAYS or value.op in NO_NUMBERS:
        return True
    base = value.args[0] if value.op == "getitem" else None
    made = facts.definitions.get(base.var) if isinstance(base, Ref) else None
    return isinstance(made, Apply) and made.op == "numpy.broadcast_arrays"


def sharing(value: Apply, facts: Facts) -> Sharing:
    """How the result of an operation lies to its first argument."""
    if value.op == "getitem":
        return _of_item(value, facts)
    if value.op in VIEWS:
        return Sharing.VIEW
    if value.op == STOPPED:
        return Sharing.MAYBE
    if value.op in MAYBE:
        if value.spelling == "method:flatten" or _is_product(value):
            return Sharing.FRESH
        return Sharing.VIEW if surely_views(value, facts) else Sharing.MAYBE
    if value.op == "numpy.conj" and value.spelling.startswith("method:"):
        return Sharing.MAYBE
    if value.op == "numpy.astype" and "copy" in dict(value.kwargs):
        return Sharing.MAYBE
    if value.spelling in CHOOSING:
        return Sharing.MAYBE
    if value.op in INTEGERS or value.op in ("float", "int", "bool"):
        return Sharing.NUMBER
    return Sharing.FRESH


def _is_product(value: Apply) -> bool:
    """Whether it is an einsum of several arrays: that of one may be a view of it."""
    subscripts = value.args[0] if value.args else None
    several = isinstance(subscripts, Const) and isinstance(subscripts.value, str)
    return value.op == "numpy.einsum" and several and len(value.args) > 2


def _of_item(value: Apply, facts: Facts) -> Sharing:
    base, key = value.args
    if _is_shape(base, facts):
        return Sharing.NUMBER
    if facts.several(base):
        source = _definition(base, facts)
        return Sharing.MAYBE if source.op in MAYBE else Sharing.FRESH
    basic = is_basic_key(key, facts)
    if basic is not True:
        return Sharing.FRESH if basic is False else Sharing.MAYBE
    items = key_items(key)
    if any(is_slice(item) or item in (Const(None), Const(...)) for item in items):
        return Sharing.VIEW
    rank = facts.rank(base)
    if rank is None:
        return Sharing.ELEMENT
    return Sharing.VIEW if rank > len(items) else Sharing.NUMBER


def _is_shape(base: Expr, facts: Facts) -> bool:
    value = _definition(base, facts)
    return isinstance(value, Apply) and value.op == "numpy.shape"


def _definition(expr: Expr, facts: Facts) -> Expr:
    """What a variable was assigned, where that is known; else the expression."""
    return facts.definitions.get(expr.var, expr) if isinstance(expr, Ref) else expr


def is_slice(item: Expr) -> TypeGuard[Apply]:
    """Whether a part of a key is a slice."""
    return isinstance(item, Apply) and item.op == "slice"


def is_basic_key(key: Expr, facts: Facts) -> bool | None:
    """Whether x[key] is basic indexing; None when that is not known."""
    known = [_is_basic(item, facts) for item in key_items(key)]
    if False in known:
        return False
    return None if None in known else True


def _is_basic(item: Expr, facts: Facts) -> bool | None:
    if isinstance(item, Const):
        return not isinstance(item.value, (bool, str))
    if is_slice(item):
        return True
    if isinstance(item, Apply):
        return False
    if facts.kind(item) is Kind.BOOLEAN:
        return False
    rank = facts.rank(item)
    return None if rank is None else rank == 0


def is_scalar_key(key: Expr) -> bool:
    """Whether each part of a basic key takes one index of one axis."""
    return all(
        not is_slice(item) and item not in (Const(None), Const(...))
        for item in key_items(key)
    )
