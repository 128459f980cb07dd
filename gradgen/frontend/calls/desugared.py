"""What NumPy computes with a few of its own operations: r_, c_, piecewise and its like.

np.r_[x, 0.0]             np.concatenate((x, np.full(1, 0.0, dtype=np.result_type(x, 0.0))))
np.c_[x, y]               np.column_stack((x, y))
np.mgrid[0:n, 0:m]        np.stack(np.meshgrid(np.arange(0, n), np.arange(0, m), indexing="ij"))
np.piecewise(x, [c], [f])  y = np.zeros_like(x); y[c] = f(x[c])
np.apply_along_axis(f, 1, A)  np.array([f(row) for row in A])
x.item()                  float(np.ravel(x)[0])
np.fill_diagonal(A, v)    A[i, i] = v, with i = np.arange(min(A.shape))
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.in_turn import fits, in_turn
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Origin, Ref
from gradgen.ir.written import as_written
from gradgen.shapes.kinds import INTEGRAL, Kind

RANKS = "a shape fact for each array"
# names that no user can have
ARRAY, ROW = "array ", "row "
# kinds of what may be a Python number
PLAIN = (Kind.BOOLEAN, *INTEGRAL, Kind.WEAK, Kind.MIXED)


def indexed(lowering: Lowering, known: object, node: gast.Subscript) -> Expr:
    """np.r_[...] and np.c_[...]."""
    key = node.slice
    items = key.elts if isinstance(key, gast.Tuple) else [key]
    parts = [_part(lowering, item) for item in items]
    if REFUSED in parts:
        return REFUSED
    ranks = [lowering.facts.rank(part) for part in parts]
    if known is numpy.r_:
        strong = [part for part in parts if not _is_weak(lowering, part)]
        pairs = zip(parts, ranks, strict=True)
        parts = [
            part if rank else _vector(lowering, part, strong, node)
            for part, rank in pairs
        ]
        return _of_all(lowering, "numpy.concatenate", parts, node)
    for part, rank in zip(parts, ranks, strict=True):
        if rank is None:  # along the last axis, where there are three
            axes = lowering.bind(Apply("numpy.ndim", (part,)), node)
            more = Apply("numpy.greater", (axes, Const(2)), (), "operator")
            test = lowering.bind(more, node)
            raise_where(lowering, test, ValueError, "np.c_ of a vector or a matrix")
    if all(rank < 3 for rank in ranks if rank is not None):
        return _of_all(lowering, "numpy.column_stack", parts, node)
    return _of_all(lowering, "numpy.concatenate", parts, node, axis=Const(-1))


def gridded(lowering: Lowering, node: gast.Subscript) -> Expr:
    """np.mgrid[a:b, c:d]: an array of the grids, one for each range."""
    key = node.slice
    items: list[Any] = key.elts if isinstance(key, gast.Tuple) else [key]
    if not all(isinstance(item, gast.Slice) and item.upper for item in items):
        told = "this np.mgrid is not supported"
        lowering.fail("GG205", told, node, "np.mgrid[a:b, c:d]")
    ranges = tuple(_range(lowering, item) for item in items)
    if REFUSED in ranges:
        return REFUSED
    if not isinstance(key, gast.Tuple):
        return ranges[0]
    indexing = (("indexing", Const("ij")),)
    grids = lowering.bind(Apply("numpy.meshgrid", ranges, indexing), node)
    parts = [
        lowering.bind(Apply("getitem", (grids, Const(i)), spelling="operator"), node)
        for i in range(len(ranges))
    ]
    return _of_all(lowering, "numpy.stack", parts, node)


def _part(lowering: Lowering, item: gast.AST) -> Expr:
    """One of the parts that np.r_ joins: an array, a number, a range."""
    if isinstance(item, gast.Slice):
        return _range(lowering, item)
    if isinstance(item, gast.Constant) and isinstance(item.value, str):
        told = "a string in np.r_ is not supported"
        lowering.fail("GG202", told, item, "np.stack or np.concatenate")
    part: Expr = lowering.read(item)
    known = None if part is REFUSED else contents(lowering, part)
    if known is not None:
        part = lowering.bind(Apply("numpy.array", (part,)), item)
    return part


def _range(lowering: Lowering, item: gast.Slice) -> Expr:
    """start:stop:step, and start:stop:5j, which is five numbers with both ends."""
    upper: Any = item.upper
    start = Const(0) if item.lower is None else lowering.read(item.lower)
    stop = lowering.read(upper)
    step = Const(1) if item.step is None else lowering.read(item.step)
    if REFUSED in (start, stop, step):
        return REFUSED
    if isinstance(step, Const) and isinstance(step.value, complex):
        args: tuple[Expr, ...] = (start, stop, Const(int(abs(step.value))))
        made: Expr = lowering.bind(Apply("numpy.linspace", args), item)
        return made
    args = (start, stop, step) if item.step is not None else (start, stop)
    made = lowering.bind(Apply("numpy.arange", args), item)
    return made


def _vector(lowering: Lowering, part: Expr, strong: list[Expr], node: gast.AST) -> Expr:
    """A number as an array of one entry, which a Python number gives no dtype."""
    value = Apply("numpy.atleast_1d", (part,))
    if strong and _is_weak(lowering, part):
        pair = lambda one, other: Apply("numpy.result_type", (one, other))
        dtype = reduce(pair, [*dict.fromkeys(strong), part])
        value = Apply("numpy.full", (Const(1), part), (("dtype", dtype),))
    made: Expr = lowering.bind(value, node)
    return made


def _is_weak(lowering: Lowering, part: Expr) -> bool:
    """Whether a value may be a Python number, which takes the dtype of what it meets."""
    if lowering.facts.rank(part) != 0:
        return False
    given = isinstance(part, Ref) and part.var.origin is Origin.PARAM
    return given or lowering.facts.kind(part) in PLAIN


def _of_all(
    lowering: Lowering, op: str, parts: list[Expr], node: gast.AST, **kwargs: Expr
) -> Expr:
    whole = Apply(op, (Apply("tuple", tuple(parts)),), tuple(kwargs.items()))
    made: Expr = lowering.bind(whole, node)
    return made


def piecewise(lowering: Lowering, node: gast.Call) -> Expr:
    """np.piecewise(x, [c, ...], [f, ...]): each piece is stored in turn."""
    functions: Any = getattr(node.args[-1], "elts", None) if node.args else None
    if functions is None or node.keywords or len(node.args) != 3:
        told = "this np.piecewise is not supported"
        lowering.fail("GG205", told, node, "np.piecewise(x, [a, b], [f, g])")
    x, conditions = lowering.read(node.args[0]), lowering.read(node.args[1])
    if REFUSED in (x, conditions):
        return REFUSED
    listed = contents(lowering, conditions)
    if listed is None or len(functions) - len(listed.args) not in (0, 1):
        told = "the conditions of np.piecewise are not written out"
        lowering.fail("GG205", told, node, "np.piecewise(x, [a, b], [f, g])")
    masks = [as_mask(lowering, one, node) for one in listed.args]
    if len(functions) > len(masks):
        rest = masks[0]
        for mask in masks[1:]:
            rest = lowering.bind(Apply("numpy.logical_or", (rest, mask)), node)
        masks.append(lowering.bind(Apply("numpy.logical_not", (rest,)), node))
    whole: Expr = lowering.bind(Apply("numpy.zeros_like", (x,)), node)
    for mask, function in zip(masks, functions, strict=True):
        value = _piece(lowering, x, mask, function)
        if value is REFUSED:
            return REFUSED
        lowering.store(whole, mask, value, node)
    return whole


def as_mask(lowering: Lowering, condition: Expr, node: gast.AST) -> Expr:
    """A condition as one that chooses entries: numbers do where they are not 0."""
    if condition is REFUSED or lowering.facts.kind(condition) is Kind.BOOLEAN:
        return condition
    # a list is no mask yet: [1, 0] != 0 is True
    spelling = "operator" if lowering.is_array(condition) else ""
    differs = Apply("numpy.not_equal", (condition, Const(0)), (), spelling)
    made: Expr = lowering.bind(differs, node)
    return made


def _piece(lowering: Lowering, x: Expr, mask: Expr, function: gast.AST) -> Expr:
    """What a piece is: a number, or the function of the entries that it is for."""
    own, known = lowering.function_of(function), lowering.callee(function)
    if own is None and known is None:
        value: Expr = lowering.read(function)
        return value
    op, spelling = known or ("", "")
    entries = lowering.bind(Apply("getitem", (x, mask), spelling="operator"), function)
    if own is not None:
        value = lowering.call(own, [entries], (), function)
        return value
    value = lowering.bind(as_written(op, spelling, (entries,), ()), function)
    return value


def along_axis(lowering: Lowering, node: gast.Call) -> Expr:
    """np.apply_along_axis(f, axis, A, *args, **kwargs) of a vector or a matrix."""
    named = {str(one.arg): one.value for one in node.keywords}
    given = [*node.args[:3]]
    for word in ("func1d", "axis", "arr")[len(given) :]:
        if word in named:
            given.append(named.pop(word))
    if len(given) != 3 or "None" in named:
        told = "this np.apply_along_axis is not supported"
        lowering.fail("GG205", told, node, "np.apply_along_axis(f, axis, A)")
    function = given[0]
    axis, array = lowering.read(given[1]), lowering.read(given[2])
    more = [Held(lowering.read(one), one) for one in node.args[3:]]
    words = [
        gast.keyword(word, Held(lowering.read(one), one)) for word, one in named.items()
    ]
    handles = [one.handle for one in more] + [one.value.handle for one in words]
    if REFUSED in (axis, array, *handles):
        return REFUSED
    rank = lowering.facts.rank(array)
    if (
        rank not in (1, 2)
        or not isinstance(axis, Const)
        or axis.value not in (0, 1, -1)
    ):
        told = "np.apply_along_axis of an array not known to be a matrix"
        lowering.fail("GG302", f"no gradient for {told}", node, RANKS)
    last = axis.value % rank == rank - 1
    if rank == 1:
        made = gast.Call(function, [_name(ARRAY), *more], words)
        return _read_with(lowering, array, made, node)
    rows = _name(ARRAY) if last else gast.Attribute(_name(ARRAY), "T", gast.Load())
    over = gast.comprehension(_name(ROW, gast.Store()), rows, [], 0)
    each = gast.Call(function, [_name(ROW), *more], words)
    listed = gast.ListComp(each, [over])
    found = _read_with(lowering, array, listed, node)
    if found is REFUSED:
        return REFUSED
    stacked = lowering.bind(Apply("numpy.array", (found,)), node)
    if last:
        return stacked
    turned = Apply("numpy.transpose", (stacked,), (), "attribute:T")
    return lowering.bind(turned, node)


def _read_with(lowering: Lowering, array: Expr, made: gast.AST, node: gast.AST) -> Expr:
    """What a node that was made stands for, where ARRAY is a name for the array."""
    outer = lowering.frame
    lowering.calls_made += 1
    lowering.frame = Frame(
        lowering.calls_made,
        outer.source,
        frozenset({ARRAY}),
        outer,
        node=node,
        name=outer.name,
        note=outer.note or lowering.note,
    )
    key = lowering.frame.number, ARRAY
    lowering.state.names[key] = array
    try:
        found: Expr = lowering.read(_at(made, node))
        return found
    finally:
        lowering.state.names.pop(key, None)
        lowering.frame = outer


def _name(name: str, context: gast.expr_context | None = None) -> gast.Name:
    return gast.Name(name, context or gast.Load(), None, None)


def _at(made: gast.AST, node: gast.AST) -> gast.AST:
    """A node that was made, at the place of one in the source."""
    for inner in gast.walk(made):
        if getattr(inner, "end_lineno", None) is None:
            for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                setattr(inner, name, getattr(node, name))
    return made


def fill_diagonal(lowering: Lowering, node: gast.Call) -> bool:
    """np.fill_diagonal(A, v)."""
    if len(node.args) != 2 or node.keywords:
        told = "this np.fill_diagonal is not supported"
        lowering.fail("GG205", told, node, "np.fill_diagonal(A, v)")
    array, value = lowering.read(node.args[0]), lowering.read(node.args[1])
    if REFUSED in (array, value):
        return True
    if lowering.facts.rank(array) not in (2, None):
        told = "np.fill_diagonal of an array not known to be a matrix"
        lowering.fail("GG302", f"no gradient for {told}", node, RANKS)
    if lowering.facts.rank(array) is None:
        _look_for_matrix(lowering, array, node)
    dims = lowering.facts.of(array).dims
    if dims is not None and dims[0] == dims[1]:
        size: Expr = lowering.bind(as_written("len", "name:len", (array,), ()), node)
    else:
        spelling = "attribute:shape"
        shape = lowering.bind(Apply("numpy.shape", (array,), (), spelling), node)
        lengths = [_entry(lowering, shape, i, node) for i in (0, 1)]
        size = lowering.bind(Apply("numpy.minimum", tuple(lengths)), node)
    places = lowering.bind(Apply("numpy.arange", (size,)), node)
    if not fits(lowering, value, places, node):
        value = in_turn(lowering, value, size, node)
    lowering.store(array, Apply("tuple", (places, places)), value, node)
    return True


def _look_for_matrix(lowering: Lowering, array: Expr, node: gast.Call) -> None:
    """Raises where what is no matrix has its diagonal filled: it would be another one."""
    rank = lowering.bind(Apply("numpy.ndim", (array,)), node)
    differs = Apply("numpy.not_equal", (rank, Const(2)), spelling="operator")
    test = lowering.bind(differs, node)
    why = Const(ValueError, "ValueError"), Const("np.fill_diagonal is of a matrix here")
    note = lowering.note
    raised = Effect(Apply("raise", why), note)
    lowering.body.append(Branch(test, (raised,), (), (), note))


def entry_of(lowering: Lowering, node: gast.Call) -> Expr | None:
    """x.item(), x.item(i), x.item(i, j): a Python number."""
    array: Expr = lowering.read(node.func.value)
    keys = [lowering.read(arg) for arg in node.args]
    if REFUSED in (array, *keys):
        return REFUSED
    if contents(lowering, array) is not None or node.keywords:
        return None
    entry = array
    if len(keys) > 1:
        value = Apply("getitem", (array, Apply("tuple", tuple(keys))))
        entry = lowering.bind(value, node)
    elif keys or lowering.facts.rank(array) != 0 or lowering.facts.is_complex(array):
        flat = lowering.bind(Apply("numpy.ravel", (array,)), node)
        value = Apply("getitem", (flat, *(keys or [Const(0)])), spelling="operator")
        entry = lowering.bind(value, node)
    if lowering.facts.kind(entry) in (Kind.BOOLEAN, *INTEGRAL):
        return entry
    if lowering.facts.is_complex(entry):
        return entry
    made: Expr = lowering.bind(as_written("float", "name:float", (entry,), ()), node)
    return made


def _entry(lowering: Lowering, shape: Expr, i: int, node: gast.AST) -> Expr:
    entry = Apply("getitem", (shape, Const(i)), spelling="operator")
    made: Expr = lowering.bind(entry, node)
    return made
