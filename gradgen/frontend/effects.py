"""What is done for its effect: asserts, raises, prints, and changes in place."""

from __future__ import annotations

import builtins
import logging
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy

from gradgen.frontend.lookup import among
from gradgen.frontend.blocks import SILENT
from gradgen.frontend.desugared import along_axis, as_mask, fill_diagonal, piecewise
from gradgen.frontend.jumps import FALSE
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.outs import with_out
from gradgen.frontend.copies import Copies
from gradgen.frontend.outside import is_wanted
from gradgen.frontend.sharing import is_basic_key
from gradgen.frontend.memory import is_object
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Effect, Expr, Ref
from gradgen.ir.operators import getitem
from gradgen.quoting import string_literal

SAID = {"print": print, "warnings.warn": warnings.warn}
LOG_METHODS = "debug info warn warning error critical exception log".split()


class Effects(Copies):
    """Writes statements that bind nothing."""

    def effect(self, node: gast.Call) -> bool:
        """Writes a call that only tells somebody something; False for another."""
        value = self.resolve(node.func)
        if among(value, SILENT):
            return True
        name = next((name for name, f in SAID.items() if f is value), None)
        if name is None and self._is_log(node.func):
            name = self.source.segment(node.func)
        if name is None:
            return False
        if name == "warnings.warn":
            name = f"{self.module_name('warnings')}.warn"
        elif name not in SAID:
            name = self._logging(node.func)
        node = self.spread(node)
        args: list[Expr] = [Const(self.source.segment(node), name)]
        args += [self._shown(arg) for arg in node.args]
        kwargs = []
        for keyword in node.keywords:
            kwargs.append((str(keyword.arg), self._shown(keyword.value)))
        if REFUSED in args:
            raise Refusal
        self.body.append(Effect(Apply("call", tuple(args), tuple(kwargs)), self.note))
        return True

    def unless_known(self, call: Any) -> None:
        """Refuses a method of something that nothing is known of, with the reason."""
        base = getattr(getattr(call, "func", None), "value", None)
        if isinstance(base, gast.Name) and self.is_local(base.id):
            self.current(self.read(base), base)

    def _is_log(self, func: gast.AST) -> bool:
        if not isinstance(func, gast.Attribute) or func.attr not in LOG_METHODS:
            return False
        base = self.resolve(func.value)
        return base is logging or isinstance(base, logging.Logger)

    def _logging(self, func: gast.AST) -> str:
        """The name of a logging function; its logger is got under the same name."""
        module = self.module_name("logging")
        logger = self.resolve(func.value)
        if logger is logging:
            return f"{module}.{func.attr}"
        name = getattr(func.value, "id", "")
        is_root = logger is logging.root
        found = logging.root.manager.loggerDict.get(logger.name) is logger
        called = "" if is_root else string_literal(logger.name)
        line = f"{name} = {module}.getLogger({called})"
        known = name and (is_root or found)
        if not known or is_wanted(name) or not self.is_free(name, line):
            self.fail("GG260", "a logger needs a name here", func, "logging.info(...)")
        self.context[name] = line
        return f"{name}.{func.attr}"

    def _shown(self, node: gast.AST) -> Expr:
        """The value of a printed expression."""
        pieces = list(_pieces(node))
        if len(pieces) > 1 and any(map(_is_text, pieces)):
            text = _joined(pieces)
            known = text.values[0] if len(text.values) == 1 else None
            if isinstance(known, gast.Constant):
                return self.read(known)
            return self.text_of(text)
        value = self.read(node)
        if value is REFUSED:
            return REFUSED
        if isinstance(value, Const) and isinstance(value.value, type):
            return value
        return self.current(self._as_text(value, node), node)

    def write_Assert(self, node: gast.Assert) -> None:
        self.start(node, "")
        note = self.note
        test = self.test(node.test)
        if test is REFUSED:
            return
        if self.truth(test) is True:
            return
        if self.truth(test) is False:
            self.raises(AssertionError, node)
        elif self.trying:
            self.arm(self.state, lambda: self.raises(AssertionError, node))
        args = [test]
        if node.msg is not None:
            state = self.state.copy()
            args.append(self._shown(node.msg))
            self.state = state  # what the message changes, only a failure does
        self.body.append(Effect(Apply("assert", tuple(args)), note))

    def write_Raise(self, node: gast.Raise) -> None:
        self.start(node, "")
        exc = node.exc
        if exc is None:
            self.fail("GG261", "this raise is not supported", node, "raise E(...)")
        call = exc if isinstance(exc, gast.Call) else None
        kind = self.resolve(call.func if call else exc)
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            self.fail(
                "GG261", "this raise is not supported", node, "raise ValueError(...)"
            )
        given = call.args if call else []
        read = any(
            isinstance(one, gast.Call) for arg in given for one in gast.walk(arg)
        )
        shown = [self._shown(arg) for arg in given] if read else None
        self.raises(kind, node)
        name = kind.__name__
        if getattr(numpy.linalg, name, None) is kind:
            name = f"np.linalg.{name}"
        elif getattr(builtins, name, None) is not kind:
            own = next(c for c in kind.__mro__ if c.__module__ == "builtins")
            self.decided(f"a {name} is raised as a {own.__name__}")
            kind, name = own, own.__name__
        args: list[Expr] = [Const(kind, name)]
        args += [self._shown(arg) for arg in given] if shown is None else shown
        self.body.append(Effect(Apply("raise", tuple(args)), self.note))
        self.state.dead = True

    # changes in place

    def changes(self, node: gast.Call) -> bool:
        """Writes a call that changes an object; False where it changes nothing."""
        value = self.resolve(node.func)
        if value is numpy.add.at or self._is_ufunc_at(node.func):
            return self._add_at(node)
        if value is numpy.copyto and len(node.args) == 2 and not node.keywords:
            target, what = map(self.read, node.args)
            self.store(target, Const(...), what, node)
            return True
        if value is numpy.place and len(node.args) == 3 and not node.keywords:
            # as many values as entries are chosen; with others the store raises
            target, mask, what = map(self.read, node.args)
            self.store(target, as_mask(self, mask, node), what, node)
            return True
        if value is numpy.fill_diagonal:
            return fill_diagonal(self, node)
        into = isinstance(value, numpy.ufunc) and len(node.args) == value.nin + 1
        if into or any(keyword.arg == "out" for keyword in node.keywords):
            return self.read(node) is not None
        if self.function_of(node.func) is not None or self.calls_an_object(node):
            self.read(node)
            return True
        if value is NO_VALUE and isinstance(node.func, gast.Attribute):
            return self._method_that_changes(node)
        if value is not NO_VALUE and not isinstance(value, types.ModuleType):
            problems = len(self.problems)
            self.read(node)
            return len(self.problems) > problems
        return False

    def _is_ufunc_at(self, func: gast.AST) -> bool:
        return (
            isinstance(func, gast.Attribute)
            and func.attr == "at"
            and isinstance(self.resolve(func.value), numpy.ufunc)
        )

    def _add_at(self, node: gast.Call) -> bool:
        ufunc = self.resolve(node.func.value)
        if ufunc not in (numpy.add, numpy.subtract) or len(node.args) != 3:
            self.fail("GG205", "this .at has no rule", node, "np.add.at(x, i, y)")
        target, key, value = map(self.read, node.args)
        if REFUSED in (target, key, value):
            return True
        if ufunc is numpy.subtract:
            value = self.bind(
                Apply("numpy.negative", (value,), spelling="operator"), node
            )
        if is_basic_key(self.current(key, node), self.facts):
            self.store(target, key, value, node, add=True)
        else:
            self.store(target, key, value, node, op="add_at")
        return True

    def _method_that_changes(self, node: gast.Call) -> bool:
        name, receiver = node.func.attr, node.func.value
        if name == "fill" and len(node.args) == 1:
            target, value = self.read(receiver), self.read(node.args[0])
            self.store(target, Const(...), value, node)
            return True
        if name == "sort" and not node.args:
            target = self.read(receiver)
            if self.contents(target) is not None:
                return False
            kwargs = self.by_keyword(node)
            value = self.bind(Apply("numpy.sort", (target,), kwargs), node)
            self.store(target, Const(...), value, node)
            return True
        return self.method_call(node) is not None

    # functions that are not numpy's

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        """A call that stands for something else than one operation, else None."""
        if any(keyword.arg == "out" for keyword in node.keywords):
            return self.into_out(node)
        if value is sum and node.args:
            return self._sum(node)
        if value is slice and not node.keywords and 1 <= len(node.args) <= 3:
            return self._slice(node)
        if isinstance(value, numpy.ufunc) and len(node.args) == value.nin + 1:
            return self.into_out(with_out(node))
        if (value is min or value is max) and not node.keywords:
            which = min if value is min else max
            made = self.unless_none(node, lambda: self._extreme(which, node))
            if made is not None:
                return made
        if (value is list or value is tuple) and len(node.args) == 1:
            items = self.items_if_known(node.args[0])
            if items.known is None:
                return self.listed(node)
            made = Apply("list" if value is list else "tuple", items.known)
            return self.new_list(made) if value is list else made
        if value is dict and not node.args:
            return self.new_dict(dict(self.by_keyword(node)))
        if value is len and len(node.args) == 1:
            handle = self.read(node.args[0])
            known = self.contents(handle)
            if known is not None:
                if is_object(known):
                    return self.length_of(handle, known, node)
                return Const(len(known.args))
            if self.trying and self.facts.rank(handle) == 0:
                self.raised(TypeError("a number has no len()"), node)
        if value is numpy.piecewise:
            return piecewise(self, node)
        if value is numpy.apply_along_axis:
            return along_axis(self, node)
        return super().special_call(value, node)

    def _sum(self, node: gast.Call) -> Expr:
        given = [*node.args[1:], *(k.value for k in node.keywords if k.arg == "start")]
        start = self.read(given[0]) if given else Const(0)
        if isinstance(node.args[0], gast.GeneratorExp):
            return self.summed(node.args[0], start)
        if self.is_builtin(node.args[0], map):
            return self.summed_list(node.args[0], start, node)
        items = self.gone_through(self.read_at_once(node.args[0]), node)
        if REFUSED in (items, start):
            return REFUSED
        known = self.contents(items)
        if known is None:
            return self.summed_list(items, start, node)
        total = start
        for item in self._each_of(known):
            total = self.binary("Add", total, item, node)
        return total

    def _each_of(self, known: Apply) -> list[Expr]:
        """What going through a container gives: of a dictionary its keys."""
        if known.op == "dict":
            return [key for key, _ in self.pairs(known)]
        return list(known.args)

    def _slice(self, node: gast.Call) -> Expr:
        """slice(a, b), slice(a, b, c)."""
        parts = [self.read(arg) for arg in node.args]
        if REFUSED in parts:
            return REFUSED
        if len(parts) == 1:
            parts = [Const(None), *parts]
        return Apply("slice", (*parts, Const(None))[:3])

    def _extreme(self, function: Callable[..., Any], node: gast.Call) -> Expr | None:
        """min(a, b), max(items) of known items; None for other arguments."""
        if len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp):
            return None
        args = self.positional(node)
        if len(args) == 1:
            known = self.contents(self.gone_through(args[0], node))
            if known is None or len(known.args) < 2:
                return None
            args = self._each_of(known)
        op = "numpy.minimum" if function is min else "numpy.maximum"
        value = args[0]
        for other in args[1:]:
            if REFUSED in (value, other):
                return REFUSED
            spelled = f"name:{function.__name__}"
            value = self.bind(Apply(op, (value, other), (), spelled), node)
        return value


__all__ = ["Effects", "FALSE", "Ref", "getitem"]


# messages that are put together: "no kind " + kind is f"no kind {kind}"


def _pieces(node: gast.AST) -> Iterator[gast.AST]:
    """The terms of a sum."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add):
        yield from _pieces(node.left)
        yield from _pieces(node.right)
    else:
        yield node


def _is_text(node: gast.AST) -> bool:
    known = isinstance(node, gast.Constant) and isinstance(node.value, str)
    return known or isinstance(node, gast.JoinedStr)


def _joined(pieces: list[gast.AST]) -> gast.JoinedStr:
    """The formatted string of texts that are added.

    Texts that follow each other become one, as they are when the text is read again.
    """
    values: list[gast.AST] = []
    for piece in pieces:
        if isinstance(piece, gast.JoinedStr):
            values += piece.values
        elif isinstance(piece, gast.Constant):
            values.append(piece)
        else:
            called = isinstance(piece, gast.Call) and len(piece.args) == 1
            if called and getattr(piece.func, "id", "") == "str":
                piece = piece.args[0]
            part = gast.FormattedValue(value=piece, conversion=-1, format_spec=None)
            values.append(gast.copy_location(part, piece))
    merged: list[gast.AST] = []
    for value in values:
        last = merged[-1] if merged else None
        if isinstance(value, gast.Constant) and isinstance(last, gast.Constant):
            both = gast.Constant(value=last.value + value.value, kind=None)
            merged[-1] = gast.copy_location(both, last)
        else:
            merged.append(value)
    return gast.copy_location(gast.JoinedStr(values=merged), pieces[0])
