"""Operations on Python lists of arrays, as Python writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from gradgen.ir.nodes import Apply, Const
from gradgen.printer.scopes import name, outside

OF_LISTS = "zeros_of added_lists entries split_like item sliced repeated joined".split()

_Dotted = Callable[[str], gast.expr]


def text_of_lists(expr: Apply, args: Sequence[gast.AST], dotted: _Dotted) -> gast.expr:
    """The operation on lists, of arguments that are written; `dotted` names np's."""
    if expr.op in ("item", "sliced"):
        return gast.Subscript(args[0], args[1], gast.Load())
    if expr.op == "repeated":
        return gast.BinOp(gast.List(args[:1], gast.Load()), gast.Mult(), args[1])
    if expr.op == "joined":
        return gast.BinOp(args[0], gast.Add(), args[1])
    if expr.op == "entries":
        return _entries(args[0], expr.args[1].value if expr.args[1:] else 1)
    if expr.op == "split_like":
        return _split_like(args, expr.args[2] == Const(0), dotted)
    depth = expr.args[-1].value
    if expr.op == "zeros_of":
        return _zeros_of(args[0], depth, dotted)
    return _sums(args[0], args[1], depth)


def _split_like(
    args: Sequence[gast.AST], along_first: bool, dotted: _Dotted
) -> gast.expr:
    """np.split(d_x, np.cumsum([len(one) for one in parts])[:-1])"""
    whole, parts, axis = args
    one = name("one")
    size: gast.expr = gast.Call(outside("len"), [one], [])
    if not along_first:
        shape = gast.Attribute(one, "shape", gast.Load())
        size = gast.Subscript(shape, axis, gast.Load())
    over = gast.comprehension(name("one", store=True), parts, [], 0)
    sizes = gast.ListComp(size, [over])
    last = gast.Slice(None, gast.UnaryOp(gast.USub(), gast.Constant(1, None)), None)
    every = gast.Call(dotted("np.cumsum"), [sizes], [])
    ends = gast.Subscript(every, last, gast.Load())
    keywords = [] if along_first else [gast.keyword("axis", axis)]
    return gast.Call(dotted("np.split"), [whole, ends], keywords)


def _zeros_of(items: gast.AST, depth: int, dotted: _Dotted) -> gast.expr:
    """[np.zeros_like(one) for one in items], for lists of lists as deep."""
    one = "one" if depth == 1 else "row" if depth == 2 else f"row_{depth}"
    zero: gast.expr
    if depth == 1:
        zero = gast.Call(dotted("np.zeros_like"), [name(one)], [])
    else:
        zero = _zeros_of(name(one), depth - 1, dotted)
    over = gast.comprehension(name(one, store=True), items, [], 0)
    return gast.ListComp(zero, [over])


def _entries(array: gast.AST, depth: int) -> gast.expr:
    """list(x), and [list(row) for row in x] for a list of lists."""
    if depth == 1:
        return gast.Call(outside("list"), [array], [])
    over = gast.comprehension(name("row", store=True), array, [], 0)
    return gast.ListComp(_entries(name("row"), depth - 1), [over])


def _sums(left: gast.AST, right: gast.AST, depth: int) -> gast.expr:
    """[a + b for a, b in zip(left, right)], for lists of lists as deep."""
    a, b = ("a", "b") if depth == 1 else (f"a_{depth}", f"b_{depth}")
    total: gast.expr = gast.BinOp(name(a), gast.Add(), name(b))
    if depth > 1:
        total = _sums(name(a), name(b), depth - 1)
    pair = gast.Tuple([name(a, store=True), name(b, store=True)], gast.Store())
    both = gast.Call(outside("zip"), [left, right], [])
    return gast.ListComp(total, [gast.comprehension(pair, both, [], 0)])
