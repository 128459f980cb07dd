"""Loops over the places of an array: np.ndindex and np.ndenumerate.

before:  for i, j in np.ndindex(x.shape): ...
after:   for i, j in itertools.product(range(n), range(m)): ...

before:  for (i, j), v in np.ndenumerate(x): ...
after:   for i, j in itertools.product(range(n), range(m)):
             v = x[i, j]
             ...

before:  np.multiply.at(x, places, v)
after:   for i, one in zip(places, v):
             x[i] *= one
"""

from __future__ import annotations

import itertools
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.arguments import spread
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import lengths
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr

# what the places along the axes wish to be called
NAMES = "ijklmn"


# what x[i] becomes for each place in turn, by the ufunc whose .at is called
ONE_BY_ONE = {numpy.multiply: gast.Mult, numpy.divide: gast.Div}


def one_by_one(lowering: Lowering, operator: Any, node: gast.Call) -> gast.For:
    """The loop that ufunc.at is, of an index array and as many values, or a number."""
    target, key, value = (Held(lowering.read(one), one) for one in node.args)
    into_rank, *ranks = (
        _rank(lowering, one.handle, node) for one in (target, key, value)
    )
    if into_rank != 1 or ranks not in ([1, 1], [1, 0]):
        told = "no gradient for an .at of what is not known to be vectors"
        lowering.fail("GG302", told, node, "x[i] *= y, of places that differ")
    names = [gast.Name(f"{one} ", gast.Store(), None, None) for one in ("i", "entry")]
    read: list[Any] = [gast.Name(one.id, gast.Load(), None, None) for one in names]
    if ranks == [1, 1]:
        zipped = gast.Call(func=Held(Const(zip), node), args=[key, value], keywords=[])
        over: gast.AST = gast.copy_location(zipped, node)
        into: gast.AST = gast.Tuple(elts=names, ctx=gast.Store())
    else:
        over, into, read[1] = key, names[0], value
    place = gast.Subscript(target, read[0], gast.Store())
    change = gast.AugAssign(target=place, op=operator(), value=read[1])
    made = gast.For(into, over, [change], [], None)
    for one in gast.walk(made):
        if not isinstance(one, Held) and not hasattr(one, "lineno"):
            gast.copy_location(one, node)
    return gast.copy_location(made, node)


def _rank(lowering: Lowering, handle: Expr, node: gast.AST) -> int | None:
    """The rank of a value; of a list of numbers that is written out 1."""
    known = contents(lowering, handle)
    if known is not None and known.op in ("list", "tuple"):
        return 1 if all(map(lowering.is_number, known.args)) else None
    return lowering.facts.rank(lowering.current(handle, node))


def over_places(lowering: Lowering, node: gast.For) -> gast.For:
    """The loop over ranges that a loop over places is; others as they are."""
    call = node.iter
    if not isinstance(call, gast.Call) or not call.args or call.keywords:
        return node
    function = lowering.resolve(call.func)
    if function is numpy.ndindex:
        sizes = _sizes(lowering, call)
        return node if sizes is None else _over(sizes, node.target, [], node)
    target = node.target
    pair = isinstance(target, gast.Tuple) and len(target.elts) == 2
    if function is not numpy.ndenumerate or not pair or len(call.args) != 1:
        return node
    array = lowering.read(call.args[0])
    shape = REFUSED if array is REFUSED else _shape(lowering, array, call)
    if shape is REFUSED or is_a_list(lowering, array):
        return node
    known = contents(lowering, lengths(lowering, shape, call))
    assert known is not None  # of lengths
    place, entry = target.elts
    made = gast.Subscript(
        Held(array, call), _place(place, len(known.args)), gast.Load()
    )
    first = gast.Assign(targets=[entry], value=made, type_comment=None)
    return _over(known.args, place, [first], node)


def _shape(lowering: Lowering, array: Expr, node: gast.AST) -> Expr:
    found: Expr = lowering.bind(Apply("numpy.shape", (array,)), node)
    return found


def _sizes(lowering: Lowering, call: gast.Call) -> tuple[Expr, ...] | None:
    """The lengths that np.ndindex goes over: numbers, or one tuple of them."""
    given = [lowering.read(arg) for arg in spread(lowering, call).args]
    if REFUSED in given:
        return None
    if len(given) == 1:
        known = contents(lowering, lengths(lowering, given[0], call))
        if known is not None:
            return known.args if known.op in ("tuple", "list") else None
    return tuple(given)


def _place(target: Any, count: int) -> Any:
    """The place that a round is at, as a key."""
    if isinstance(target, gast.Tuple):
        names = [getattr(one, "id", "") for one in target.elts]
    else:
        names = [f"{name} " for name in NAMES[:count]]
    parts = [gast.Name(name, gast.Load(), None, None) for name in names]
    return gast.Tuple(elts=parts, ctx=gast.Load())


def _over(sizes: Any, target: Any, first: list[Any], node: gast.For) -> gast.For:
    """for target in itertools.product(range(n), ...), with statements ahead."""
    if not isinstance(target, gast.Tuple):
        key = _place(target, len(sizes))
        first = [gast.Assign(targets=[target], value=key, type_comment=None), *first]
        names = (gast.Name(one.id, gast.Store(), None, None) for one in key.elts)
        target = gast.Tuple(elts=list(names), ctx=gast.Store())
    call = node.iter
    ranges = [
        gast.Call(func=Held(Const(range), call), args=[Held(n, call)], keywords=[])
        for n in sizes
    ]
    product = Held(Const(itertools.product), call)
    over = gast.Call(func=product, args=ranges, keywords=[])
    body = [*first, *node.body]
    made = gast.For(target, over, body, node.orelse, node.type_comment)
    for one in (over, *ranges):
        gast.copy_location(one, call)
    for part, place in ((target, node.target), *((one, call) for one in first)):
        for inner in gast.walk(part):
            if not isinstance(inner, Held) and not hasattr(inner, "lineno"):
                gast.copy_location(inner, place)
    return gast.copy_location(made, node)
