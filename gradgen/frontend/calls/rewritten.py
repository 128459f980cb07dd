"""Calls of NumPy's that are other calls of NumPy's.

np.promote_types(x.dtype, "float")  np.result_type(x.dtype, "float")
np.require(x, dtype=float)          np.asarray(x, dtype=float)
np.complex128(x)                    np.asarray(x, np.complex128), complex(x) of a number
np.array(x, ndmin=2)                np.atleast_2d(np.array(x))
np.fromiter((f(v) for v in x), float)  np.array(list(f(v) for v in x), float)
np.zeros_like(x, shape=(3, 2))      np.zeros((3, 2), dtype=x.dtype)
np.zeros((3, 2), float, "C")        np.zeros((3, 2), float)
np.nan_to_num(a / b, copy=False)    np.nan_to_num(a / b)
np.select([[True, False]], [x])     np.select([np.array([True, False])], [x])
math.fsum(x)                        sum(x), which rounds each time
math.prod(f(v) for v in x)          math.prod(list(f(v) for v in x))
math.log(x, b)                      math.log(x) / math.log(b)
math.hypot(x, y, z)                 math.hypot(math.hypot(x, y), z)
issubclass(type(x), float)          isinstance(x, float)
np.unravel_index(k, (n, m))         (k // m, k % m), where k is an np.argmax
linalg.solve(A, 2 * b, overwrite_b=True)  linalg.solve(A, 2 * b), which is nobody's
np.median(x - m, overwrite_input=True)  np.median(x - m), for the same reason
"""

from __future__ import annotations

import inspect
import math
import operator
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.desugared import as_mask
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import lengths, value_known
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Ref
from gradgen.ir.operators import LENGTHS

# what SciPy's functions hand to one another: the samples are looked at already
UNDECORATED = "_no_deco"
# what np.require asks for that changes nothing: writeable, aligned, no subclass
AS_IT_IS = ("W", "WRITEABLE", "A", "ALIGNED", "E", "ENSUREARRAY")
# so begin the words for what a function of scipy.linalg may compute in
OVERWRITE = "overwrite_"
LEAST = {1: numpy.atleast_1d, 2: numpy.atleast_2d}
# how many arguments each has, the order being the last
MADE = {numpy.zeros: 3, numpy.ones: 3, numpy.empty: 3, numpy.full: 4}
LIKE = {
    numpy.zeros_like: numpy.zeros,
    numpy.ones_like: numpy.ones,
    numpy.empty_like: numpy.empty,
    numpy.full_like: numpy.full,
}


def rewritten(lowering: Lowering, value: object, node: gast.Call) -> gast.Call:
    """The call that a call is; the same where it is none of these."""
    if any(word.arg == UNDECORATED for word in node.keywords):
        words = [word for word in node.keywords if word.arg != UNDECORATED]
        return _called(value, node, node.args, words)
    if any(str(word.arg).startswith(OVERWRITE) for word in node.keywords):
        if getattr(value, "__module__", "").startswith("scipy.linalg"):
            words = [one for one in node.keywords if not _is_idle(value, one, node)]
            if len(words) < len(node.keywords):
                return _called(value, node, node.args, words)
    words = [w for w in node.keywords if not _is_of_its_own(lowering, w, node)]
    if len(words) < len(node.keywords):
        return _called(value, node, node.args, words)
    if value is numpy.extract and len(node.args) == 2:
        condition = lowering.read(node.args[0])
        mask = Held(as_mask(lowering, condition, node), node.args[0])
        if isinstance(node.args[0], Held) and mask.handle == condition:
            return node
        return _called(value, node, [mask, node.args[1]], node.keywords)
    if value is numpy.select and node.args:
        return _of_arrays(lowering, node)
    if value is numpy.choose and node.args and not isinstance(node.args[0], Held):
        places = lowering.read(node.args[0])
        if lowering.is_dynamic(places):
            places = lowering.bind(Apply("numpy.array", (places,)), node.args[0])
        held = Held(places, node.args[0])
        return _called(value, node, [held, *node.args[1:]], node.keywords)
    if value is numpy.promote_types and not node.keywords:
        return _called(numpy.result_type, node, node.args, node.keywords)
    most = next((n for one, n in MADE.items() if value is one), 0)
    if most:
        return _in_order_of_c(lowering, node, most)
    if value is math.fsum and len(node.args) == 1 and not node.keywords:
        return _called(sum, node, node.args, [])
    if value is math.prod and node.args and isinstance(node.args[0], gast.GeneratorExp):
        items, *rest = node.args
        return _called(
            value, node, [_called(list, node, [items], []), *rest], node.keywords
        )
    if value is math.log and len(node.args) == 2:
        both = [_called(math.log, node, [arg], []) for arg in node.args]
        return _called(operator.truediv, node, both, [])
    if value is math.hypot and len(node.args) > 2:
        *first, last = node.args
        return _called(value, node, [_called(value, node, first, []), last], [])
    if value is issubclass and len(node.args) == 2:
        asked, classes = node.args
        if isinstance(asked, gast.Call) and lowering.resolve(asked.func) is type:
            return _called(isinstance, node, [*asked.args, classes], [])
    if value is numpy.require:
        return _as_array(lowering, node)
    if value is numpy.array:
        return _of_a_rank(node)
    if value is numpy.complex128 and len(node.args) == 1 and not node.keywords:
        return _of_complex(lowering, node)
    if value is numpy.fromiter:
        return _of_items(lowering, node)
    if value is numpy.unravel_index and not node.keywords:
        return _unravelled(lowering, node)
    if value is numpy.nan_to_num and any(w.arg == "copy" for w in node.keywords):
        return _of_a_copy(lowering, node)
    made = next((way for one, way in LIKE.items() if value is one), None)
    if made is not None:
        return _of_a_shape(lowering, made, node)
    return node


def _of_arrays(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.select with arrays for conditions that are lists: ~[True, False] is none."""
    conditions: Any = node.args[0]
    if not isinstance(conditions, gast.List):
        return node
    read = [
        one if isinstance(one, Held) else lowering.read(one) for one in conditions.elts
    ]
    if all(isinstance(one, Held) for one in read):
        return node
    arrays: list[gast.AST] = []
    for one, elt in zip(read, conditions.elts, strict=True):
        if isinstance(one, Held):
            arrays.append(one)
            continue
        if contents(lowering, one) is not None:
            one = lowering.bind(Apply("numpy.array", (one,)), elt)
        arrays.append(Held(one, elt))
    whole = gast.copy_location(gast.List(arrays, gast.Load()), conditions)
    return _called(numpy.select, node, [whole, *node.args[1:]], node.keywords)


def _is_idle(value: Any, word: gast.keyword, node: gast.Call) -> bool:
    """Whether overwrite_b=True is of what nobody else has, or it is False."""
    name = str(word.arg)
    own = list(inspect.signature(value).parameters)
    if not name.startswith(OVERWRITE) or name[len(OVERWRITE) :] not in own:
        return False
    place = own.index(name[len(OVERWRITE) :])
    if place >= len(node.args):
        return False
    asked = getattr(word.value, "value", None)
    made = isinstance(node.args[place], (gast.BinOp, gast.UnaryOp, gast.Call))
    return asked is False or asked is True and made


def _is_of_its_own(lowering: Lowering, word: gast.keyword, node: gast.Call) -> bool:
    """Whether overwrite_input=True is of what an operator or a ufunc has just made."""
    if word.arg != "overwrite_input" or getattr(word.value, "value", None) is not True:
        return False
    made = node.args[0] if node.args else None
    if isinstance(made, gast.Call):
        words = [one.arg for one in made.keywords]
        return isinstance(lowering.resolve(made.func), numpy.ufunc) and not words
    return isinstance(made, (gast.BinOp, gast.UnaryOp))


def _in_order_of_c(lowering: Lowering, node: gast.Call, most: int) -> gast.Call:
    """np.zeros((3, 2), float, "C"), which is the order of each."""
    args, words = node.args, node.keywords
    if len(args) == most and value_known(lowering, lowering.read(args[-1])) == "C":
        args = args[:-1]
    for word in words:
        if (
            word.arg == "order"
            and value_known(lowering, lowering.read(word.value)) == "C"
        ):
            words = [one for one in words if one is not word]
    if args is node.args and words is node.keywords:
        return node
    return gast.copy_location(gast.Call(node.func, args, words), node)


def _of_a_copy(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.nan_to_num(x, copy=True), or without a copy of what nobody else has: a / b."""
    words = [word for word in node.keywords if word.arg != "copy"]
    asked = next(word.value for word in node.keywords if word.arg == "copy")
    own = isinstance(node.args[0] if node.args else None, gast.BinOp)
    if not own and value_known(lowering, lowering.read(asked)) is not True:
        return node
    return gast.copy_location(gast.Call(node.func, node.args, words), node)


def _called(
    function: Any, node: gast.Call, args: list[Any], keywords: list[Any]
) -> gast.Call:
    func = Held(Const(function), node.func)
    return gast.copy_location(gast.Call(func, args, keywords), node)


def _as_array(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.require without requirements: with some it may copy, and may not."""
    named = {word.arg: word.value for word in node.keywords}
    asked = node.args[2] if len(node.args) > 2 else named.pop("requirements", None)
    if asked is not None:
        told = lowering.read(asked)
        known = contents(lowering, told)
        if told != Const(None) and (known is None or not _as_it_is(known.args)):
            return node
    if named.keys() - {"dtype"}:
        return node
    dtype = node.args[1] if len(node.args) > 1 else named.get("dtype")
    if dtype is None or isinstance(dtype, gast.Constant) and dtype.value is None:
        return _called(numpy.asarray, node, node.args[:1], [])
    return _called(numpy.asarray, node, [node.args[0], dtype], [])


def _of_complex(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.complex128(x), which is an array of an array, and a number of a number."""
    handle = lowering.read(node.args[0])
    held = Held(handle, node.args[0])
    if isinstance(handle, Ref) and lowering.facts.rank(handle) == 0:
        return _called(complex, node, [held], [])
    dtype = gast.copy_location(gast.Constant("complex128", None), node)
    return _called(numpy.asarray, node, [held, dtype], [])


def _of_items(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.fromiter(items, dtype, count), of all of them or of the first."""
    named = {word.arg: word.value for word in node.keywords}
    args = [*node.args, *(named[n] for n in ("dtype", "count") if n in named)]
    if len(args) not in (2, 3) or named.keys() - {"dtype", "count"}:
        return node
    items: Any = _called(list, node, args[:1], [])
    if len(args) == 3:
        count = lowering.read(args[2])
        known = value_known(lowering, count)
        defined = lowering.facts.definitions
        made = defined.get(count.var) if isinstance(count, Ref) else None
        is_length = isinstance(made, Apply) and made.op in LENGTHS
        if not is_length and type(known) is not int:
            return node  # -1 is all of them
        if known != -1:
            first = gast.Slice(lower=None, upper=Held(count, node), step=None)
            items = gast.Subscript(value=items, slice=first, ctx=gast.Load())
            gast.copy_location(first, node)
            gast.copy_location(items, node)
    return _called(numpy.array, node, [items, args[1]], [])


def _as_it_is(requirements: tuple[Any, ...]) -> bool:
    """Whether what np.require asks for is true of any array that is stored into."""
    return all(getattr(one, "value", None) in AS_IT_IS for one in requirements)


def _of_a_rank(node: gast.Call) -> gast.Call:
    """np.array(x, ndmin=n)."""
    least = [word.value for word in node.keywords if word.arg == "ndmin"]
    rank = getattr(least[0], "value", None) if least else None
    if type(rank) is not int or rank not in (0, *LEAST):
        return node
    kept = [word for word in node.keywords if word.arg != "ndmin"]
    made = gast.copy_location(gast.Call(node.func, node.args, kept), node)
    return _called(LEAST[rank], node, [made], []) if rank else made


def _of_a_shape(lowering: Lowering, made: Any, node: gast.Call) -> gast.Call:
    """np.zeros_like(x, shape=s), np.full_like(x, v, shape=s)."""
    named = {word.arg: word for word in node.keywords}
    count = 2 if made is numpy.full else 1
    if named.keys() - {"dtype"} != {"shape"} or len(node.args) != count:
        return node
    shape = named.pop("shape").value
    if isinstance(shape, gast.Constant) and shape.value is None:  # as left out
        made_like = gast.Call(node.func, node.args, [*named.values()])
        return gast.copy_location(made_like, node)
    like = node.args[0]
    if isinstance(like, gast.Name) and not lowering.is_array(lowering.read(like)):
        like = _called(numpy.asarray, node, [like], [])  # it may be a list
    own = gast.Attribute(like, "dtype", gast.Load())
    dtype = named.get("dtype") or gast.keyword("dtype", own)
    for part in (own, dtype):
        gast.copy_location(part, node)
    return _called(made, node, [shape, *node.args[1:]], [dtype])


def _unravelled(lowering: Lowering, node: gast.Call) -> gast.Call:
    """np.unravel_index of a place that surely is one of the array."""
    place, shape = (lowering.read(arg) for arg in node.args)
    defined = lowering.facts.definitions
    made = defined.get(place.var) if isinstance(place, Ref) else None
    known = contents(lowering, lengths(lowering, shape, node))
    is_place = str(getattr(made, "op", "")).endswith(("argmax", "argmin"))
    if not is_place or known is None:
        return node
    parts: list[gast.AST] = []
    rest: Any = Held(place, node)
    for size in reversed(known.args[1:]):
        length = Held(size, node)
        parts.insert(0, _operation(rest, gast.Mod(), length, node))
        rest = _operation(rest, gast.FloorDiv(), length, node)
    every = gast.Tuple(elts=[rest, *parts], ctx=gast.Load())
    return _called(tuple, node, [gast.copy_location(every, node)], [])


def _operation(left: Any, op: Any, right: Any, node: gast.AST) -> gast.AST:
    return gast.copy_location(gast.BinOp(left=left, op=op, right=right), node)
