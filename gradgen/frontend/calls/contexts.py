"""with blocks of classes that say what is done before and behind them.

The text has what __enter__ and __exit__ do where nothing is raised. What is raised in
the block is raised by the text, so that an __exit__ that may go on is refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.calls.arguments import by_keyword, positional, spread
from gradgen.frontend.calls.fields import known_object
from gradgen.frontend.control.branches import block
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.jumps import BROKE, GONE, RESULT, RETURNED, STOP
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.pending import Raised
from gradgen.frontend.source.decorated import node_of
from gradgen.frontend.source.fence import own_nodes, returns_of
from gradgen.frontend.source.lookup import is_method, looked_up
from gradgen.frontend.source.managers import apart, is_manager
from gradgen.frontend.source.reach import is_users_class
from gradgen.frontend.source.source import parameters
from gradgen.frontend.source.tuples_apart import called_by
from gradgen.ir.nodes import Const, Expr

# the jumps of a loop that an exception leaves
JUMPS = (GONE, STOP, BROKE)
RETURNS = (RETURNED, RESULT)
# what a with block takes and gives back, and computes nothing with
LOCKS = (type(threading.Lock()), type(threading.RLock()))


def entered(lowering: Lowering, node: gast.With, body: list[Any]) -> None:
    """A block of an instance whose class says what is done around it.

    before:  with mode("strict"):     after:  the statements of mode.__enter__,
                 y = f(x)                     y = f(x), and those of mode.__exit__
    """
    (item, *_) = node.items
    lowering.start(node, "")
    call: Any = item.context_expr
    made: Any = lowering.resolve(call.func) if isinstance(call, gast.Call) else None
    if is_manager(made) and _managed(lowering, made, call):
        mark = lowering.mark()
        call = spread(lowering, call)
        args, kwargs = positional(lowering, call), by_keyword(lowering, call)
        if REFUSED in (*args, *(value for _, value in kwargs)):
            return
        pair: Any = lowering.call(made, args, kwargs, call)
        entered, leave = pair.args
        return _block_within(lowering, node, body, mark, entered, [leave.value])
    handle = lowering.read(item.context_expr) if _may_be(lowering, item) else REFUSED
    known = None if handle is REFUSED else contents(lowering, handle)
    cls = known.cls if isinstance(known, Record) else type(None)
    enter, leave = looked_up(cls, "__enter__"), looked_up(cls, "__exit__")
    if not (is_method(enter) and is_method(leave)) or _may_go_on(leave):
        lowering.fail(
            "GG113",
            "a with block is not supported",
            node,
            "the block's statements, without the with",
        )
    mark, loose = lowering.mark(), lowering.loose
    entered = lowering.call(enter, [handle], (), node)
    none = [Const(None)] * 3
    _block_within(lowering, node, body, mark, entered, [leave, handle, *none])
    if not _asks(leave):
        lowering.loose = loose


def _managed(lowering: Lowering, made: Any, call: gast.Call) -> bool:
    """Whether what a function does around its one yield can be told apart."""
    if made not in lowering.sources:
        try:
            source = called_by(lowering.root.source, made.__wrapped__)
        except GradgenError:
            return False
        node = apart(source.node)
        if node is None:
            return False
        lowering.sources[made] = replace(source, node=node)
    return True


def _block_within(
    lowering: Lowering,
    node: gast.With,
    body: list[Any],
    mark: int,
    entered: Expr,
    leave: Any,
) -> None:
    """The block, what the with calls `entered`, and the call of `leave` behind."""
    (item, *_) = node.items
    if item.optional_vars is not None:
        lowering.assign(item.optional_vars, entered, mark)
    try:
        block(lowering, body)
    except Raised:
        lowering.fail(
            "GG113",
            "a with block around what raises here is not supported",
            node,
            "the block's statements, without the with",
        )
    function, *args = leave
    on_every_way(lowering, lambda: lowering.call(function, args, (), node))


def _may_be(lowering: Lowering, item: Any) -> bool:
    """Whether the expression of a with block may be an instance of the user's."""
    call = item.context_expr
    if not isinstance(call, gast.Call):
        return known_object(lowering, call) is not None
    cls = lowering.resolve(call.func)
    return isinstance(cls, type) and is_users_class(cls)


def on_every_way(lowering: Lowering, write: Callable[[], object]) -> None:
    """Writes what is done behind statements, also where they return."""
    if lowering.state.dead:
        return  # what raises is not gone on from
    number, left = lowering.frame.number, lowering.state.left
    names = lowering.state.names
    held = {name: names.pop((number, name), None) for name in (*JUMPS, *RETURNS)}
    lowering.state.left -= {number}
    write()
    for name, value in held.items():
        lowering.state.names.pop((number, name), None)
        if value is not None:
            lowering.state.names[number, name] = value
    lowering.state.left = left


def _may_go_on(leave: Any) -> bool:
    """Whether an __exit__ may return what keeps an exception from being raised."""
    node = node_of(getattr(leave, "__func__", leave))
    if node is None:
        return True
    returns = returns_of(node)
    values = [one.value for one in returns if one.value is not None]
    return any(getattr(value, "value", value) not in (None, False) for value in values)


def _asks(leave: Any) -> bool:
    """Whether an __exit__ asks what was raised, or whether something was."""
    node = node_of(getattr(leave, "__func__", leave))
    given = {arg.id for arg in parameters(node)[1:]}
    names = (n for n in own_nodes(node.body) if isinstance(n, gast.Name))
    return any(one.id in given for one in names)
