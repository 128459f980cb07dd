"""with blocks of classes that say what is done before and behind them.

The text has what __enter__ and __exit__ do where nothing is raised. What is raised in
the block is raised by the text, so that an __exit__ that may go on is refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from gradgen.frontend.source import parameters
from gradgen.frontend.decorated import node_of
from gradgen.frontend.evaluation import Raised
from gradgen.frontend.fence import own_nodes
from gradgen.frontend.jumps import BROKE, GONE, RESULT, RETURNED, STOP
from gradgen.frontend.managers import apart, is_manager
from gradgen.frontend.tuples_apart import called_by
from gradgen.errors import GradgenError
from gradgen.frontend.lookup import is_method, looked_up
from gradgen.frontend.memory import Record
from gradgen.frontend.module_names import ModuleNames
from gradgen.frontend.reach import is_users_class
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Const, Expr

# the jumps of a loop that an exception leaves
JUMPS = (GONE, STOP, BROKE)
RETURNS = (RETURNED, RESULT)
# what a with block takes and gives back, and computes nothing with
LOCKS = (type(threading.Lock()), type(threading.RLock()))


class Contexts(ModuleNames):
    """Writes with blocks of instances, and what is done behind every way."""

    if TYPE_CHECKING:

        def known_object(self, node: gast.AST) -> tuple[Expr, gast.AST] | None: ...

    def _entered(self, node: gast.With, body: list[Any]) -> None:
        """A block of an instance whose class says what is done around it.

        before:  with mode("strict"):     after:  the statements of mode.__enter__,
                     y = f(x)                     y = f(x), and those of mode.__exit__
        """
        (item, *_) = node.items
        self.start(node, "")
        call: Any = item.context_expr
        made: Any = self.resolve(call.func) if isinstance(call, gast.Call) else None
        if is_manager(made) and self._managed(made, call):
            mark = self.mark()
            call = self.spread(call)
            args, kwargs = self.positional(call), self.by_keyword(call)
            if REFUSED in (*args, *(value for _, value in kwargs)):
                return
            pair: Any = self.call(made, args, kwargs, call)
            entered, leave = pair.args
            return self._block_within(node, body, mark, entered, [leave.value])
        handle = self.read(item.context_expr) if self._may_be(item) else REFUSED
        known = None if handle is REFUSED else self.contents(handle)
        cls = known.cls if isinstance(known, Record) else type(None)
        enter, leave = looked_up(cls, "__enter__"), looked_up(cls, "__exit__")
        if not (is_method(enter) and is_method(leave)) or _may_go_on(leave):
            self.fail(
                "GG113",
                "a with block is not supported",
                node,
                "the block's statements, without the with",
            )
        mark, loose = self.mark(), self.loose
        entered = self.call(enter, [handle], (), node)
        none = [Const(None)] * 3
        self._block_within(node, body, mark, entered, [leave, handle, *none])
        if not _asks(leave):
            self.loose = loose

    def _managed(self, made: Any, call: gast.Call) -> bool:
        """Whether what a function does around its one yield can be told apart."""
        if made not in self.sources:
            try:
                source = called_by(self.root.source, made.__wrapped__)
            except GradgenError:
                return False
            node = apart(source.node)
            if node is None:
                return False
            self.sources[made] = replace(source, node=node)
        return True

    def _block_within(
        self, node: gast.With, body: list[Any], mark: int, entered: Expr, leave: Any
    ) -> None:
        """The block, what the with calls `entered`, and the call of `leave` behind."""
        (item, *_) = node.items
        if item.optional_vars is not None:
            self.assign(item.optional_vars, entered, mark)
        try:
            self.block(body)
        except Raised:
            self.fail(
                "GG113",
                "a with block around what raises here is not supported",
                node,
                "the block's statements, without the with",
            )
        function, *args = leave
        self.on_every_way(lambda: self.call(function, args, (), node))

    def _may_be(self, item: Any) -> bool:
        """Whether the expression of a with block may be an instance of the user's."""
        call = item.context_expr
        if not isinstance(call, gast.Call):
            return self.known_object(call) is not None
        cls = self.resolve(call.func)
        return isinstance(cls, type) and is_users_class(cls)

    def on_every_way(self, write: Callable[[], object]) -> None:
        """Writes what is done behind statements, also where they return."""
        if self.state.dead:
            return  # what raises is not gone on from
        number, left = self.frame.number, self.state.left
        names = self.state.names
        held = {name: names.pop((number, name), None) for name in (*JUMPS, *RETURNS)}
        self.state.left -= {number}
        write()
        for name, value in held.items():
            self.state.names.pop((number, name), None)
            if value is not None:
                self.state.names[number, name] = value
        self.state.left = left


def _may_go_on(leave: Any) -> bool:
    """Whether an __exit__ may return what keeps an exception from being raised."""
    node = node_of(getattr(leave, "__func__", leave))
    if node is None:
        return True
    returns = (n for n in own_nodes(node.body) if isinstance(n, gast.Return))
    values = [one.value for one in returns if one.value is not None]
    return any(getattr(value, "value", value) not in (None, False) for value in values)


def _asks(leave: Any) -> bool:
    """Whether an __exit__ asks what was raised, or whether something was."""
    node = node_of(getattr(leave, "__func__", leave))
    given = {arg.id for arg in parameters(node)[1:]}
    names = (n for n in own_nodes(node.body) if isinstance(n, gast.Name))
    return any(one.id in given for one in names)
