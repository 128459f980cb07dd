"""Calls for their effect alone: what is printed or logged, and changes in place."""

from __future__ import annotations

import logging
import types
import warnings
from collections.abc import Iterator
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.along_axis import put_along_axis
from gradgen.frontend.calls.arguments import by_keyword, spread
from gradgen.frontend.calls.desugared import as_mask, fill_diagonal
from gradgen.frontend.calls.in_turn import as_many
from gradgen.frontend.calls.index_loops import ONE_BY_ONE, one_by_one
from gradgen.frontend.calls.methods import calls_an_object
from gradgen.frontend.calls.outs import is_stored_where, stored_where
from gradgen.frontend.calls.texts import as_class, as_text, is_class, text_of
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.heap.outside import is_free, is_wanted, module_name
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.sharing import is_basic_key
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE, assigned, is_path
from gradgen.ir.nodes import Apply, Const, Effect, Expr, Origin, Ref
from gradgen.quoting import string_literal
from gradgen.rules.load import operation_of, operations
from gradgen.shapes.kinds import INTEGRAL

SAID = {"print": print, "warnings.warn": warnings.warn}
LOG_METHODS = "debug info warn warning error critical exception log".split()


# what only changes what is shown and told: left out of a text
SILENT: tuple[Any, ...] = (
    warnings.simplefilter,
    warnings.filterwarnings,
    warnings.resetwarnings,
    numpy.seterr,
    numpy.geterr,
    numpy.seterrcall,
    numpy.set_printoptions,
)


def _is_debugger(value: Any) -> bool:
    """Whether a function stops at a place for whoever looks for a fault: pdb.set_trace."""
    name = getattr(value, "__module__", ""), getattr(value, "__name__", "")
    return value is breakpoint or name in (("pdb", "set_trace"), ("ipdb", "set_trace"))


def is_told(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call only tells somebody something: print, a warning, a logger."""
    told = among(lowering.resolve(node.func), SAID.values())
    return told or _is_log(lowering, node.func)


def effect(lowering: Lowering, node: gast.Call) -> bool:
    """Writes a call that only tells somebody something; False for another."""
    value = lowering.resolve(node.func)
    if among(value, SILENT) or _is_debugger(value):
        return True
    name = next((name for name, f in SAID.items() if f is value), None)
    if name is None and _is_log(lowering, node.func):
        name = lowering.source.segment(node.func)
    if name is None:
        return False
    node = spread(lowering, node)
    if name == "warnings.warn":
        name = f"{module_name(lowering, 'warnings')}.warn"
        node = _with_category(lowering, node)
    elif name not in SAID:
        name = _logging(lowering, node.func)
    args: list[Expr] = [Const(lowering.source.segment(node), name)]
    args += [shown_handle(lowering, arg) for arg in node.args]
    kwargs = []
    for keyword in node.keywords:
        kwargs.append((str(keyword.arg), shown_handle(lowering, keyword.value)))
    if REFUSED in args:
        raise Refusal
    lowering.body.append(
        Effect(Apply("call", tuple(args), tuple(kwargs)), lowering.note)
    )
    return True


def _with_category(lowering: Lowering, node: gast.Call) -> gast.Call:
    """A warning by its text and its class, which are one object in the call.

    before:  warnings.warn(RuntimeWarning("no"))
    after:   warnings.warn("no", RuntimeWarning)
    """
    made = node.args[0] if node.args else None
    if not isinstance(made, gast.Call) or len(made.args) != 1 or made.keywords:
        return node
    kind = lowering.resolve(made.func)
    if not (isinstance(kind, type) and issubclass(kind, Warning)):
        return node
    own = next(c for c in kind.__mro__ if c.__module__ == "builtins")
    of_its_own = ("__new__", "__init__", "__str__")
    if any(getattr(kind, one) != getattr(own, one) for one in of_its_own):
        return node
    rest = [one for one in node.keywords if one.arg != "category"]
    args = [made.args[0], made.func, *node.args[2:]]
    return gast.copy_location(gast.Call(node.func, args, rest), node)


def unless_known(lowering: Lowering, call: Any) -> None:
    """Refuses a method of something that nothing is known of, with the reason."""
    base = getattr(getattr(call, "func", None), "value", None)
    if isinstance(base, gast.Name) and lowering.is_local(base.id):
        lowering.current(lowering.read(base), base)


def _is_log(lowering: Lowering, func: gast.AST) -> bool:
    if not isinstance(func, gast.Attribute) or func.attr not in LOG_METHODS:
        return False
    base = lowering.resolve(func.value)
    return base is logging or logger_of(lowering, func.value) is not None


def logger_of(lowering: Lowering, node: gast.AST) -> logging.Logger | None:
    """The logger that a name or a field is of, or that logging.getLogger has given."""
    value = lowering.resolve(node)
    if value is NO_VALUE and isinstance(node, gast.Name):
        bound = getattr(node, "handle", None) or lookup(lowering, node.id)
        value = getattr(bound, "value", None)
    if value is NO_VALUE and isinstance(node, gast.Attribute) and is_path(node):
        value = getattr(lowering.read(node), "value", None)  # self.logger
    return value if isinstance(value, logging.Logger) else None


def _logging(lowering: Lowering, func: gast.AST) -> str:
    """The name of a logging function; its logger is got under the same name, if it can."""
    module = module_name(lowering, "logging")
    logger = logger_of(lowering, func.value)
    if logger is None:
        return f"{module}.{func.attr}"
    is_root = logger is logging.root
    found = logging.root.manager.loggerDict.get(logger.name) is logger
    called = "" if is_root else string_literal(logger.name)
    own = getattr(func.value, "id", "")
    names = (own, f"{own}_") if own.isidentifier() else ("log", "logger", "log_")
    for name in names if is_root or found else ():
        line = f"{name} = {module}.getLogger({called})"
        if not is_wanted(name) and is_free(lowering, name, line):
            lowering.context[name] = line
            return f"{name}.{func.attr}"
    lowering.fail("GG260", "a logger needs a name here", func, "logging.info(...)")


def shown_handle(lowering: Lowering, node: gast.AST) -> Expr:
    """The value of a printed expression."""
    pieces = list(_pieces(node))
    if len(pieces) > 1 and any(map(_is_text, pieces)):
        text = _joined(pieces)
        known = text.values[0] if len(text.values) == 1 else None
        if isinstance(known, gast.Constant):
            return lowering.read(known)
        return text_of(lowering, text)
    value = lowering.read(node)
    if value is REFUSED:
        return REFUSED
    if isinstance(value, Const) and is_class(value):
        return as_class(lowering, value, node)
    return lowering.current(as_text(lowering, value, node), node)


def changes(lowering: Lowering, node: gast.Call) -> bool:
    """Writes a call that changes an object; False where it changes nothing."""
    value = lowering.resolve(node.func)
    if value is numpy.add.at or _is_ufunc_at(lowering, node.func):
        return _add_at(lowering, node)
    if value is numpy.copyto and len(node.args) == 2 and not node.keywords:
        target, what = map(lowering.read, node.args)
        lowering.store(target, Const(...), what, node)
        return True
    if is_stored_where(lowering, node):
        return stored_where(lowering, node)
    if value is numpy.place and len(node.args) == 3 and not node.keywords:
        target, mask, what = map(lowering.read, node.args)
        mask = as_mask(lowering, mask, node)
        if REFUSED not in (target, mask, what):
            what = as_many(lowering, what, target, mask, node)
        lowering.store(target, mask, what, node)
        return True
    if value is numpy.put and len(node.args) == 3 and not node.keywords:
        return _put(lowering, node)
    if value is numpy.fill_diagonal:
        return fill_diagonal(lowering, node)
    if value is numpy.put_along_axis:
        return put_along_axis(lowering, node)
    into = isinstance(value, numpy.ufunc) and len(node.args) == value.nin + 1
    if into or any(keyword.arg == "out" for keyword in node.keywords):
        return lowering.read(node) is not None
    if lowering.function_of(node.func) is not None or calls_an_object(lowering, node):
        lowering.read(node)
        return True
    if value is NO_VALUE and isinstance(node.func, gast.Attribute):
        return _method_that_changes(lowering, node)
    if value is not NO_VALUE and not isinstance(value, types.ModuleType):
        problems = len(lowering.problems)
        lowering.read(node)
        return len(lowering.problems) > problems
    return False


def _put(lowering: Lowering, node: gast.Call) -> bool:
    """np.put(x, i, v), of a vector: x[i] = v, of which few values are taken in turn.

    Places of several axes are taken one behind the other.
    """
    target, key, value = map(lowering.read, node.args)
    if REFUSED in (target, key, value):
        return True
    if lowering.facts.rank(lowering.current(target, node)) != 1:
        told = "no gradient for np.put into what is not known to be a vector"
        lowering.fail("GG302", told, node, "x[i] = v")
    places = lowering.bind(Apply("numpy.array", (key,)), node)
    known_as = lowering.facts.kind(places)
    if known_as not in INTEGRAL:  # True is the place 1 here, and no mask
        ones = Apply("numpy.multiply", (places, Const(1)), spelling="operator")
        places = lowering.bind(ones, node)
    if lowering.facts.rank(places) not in (0, 1):
        places = lowering.bind(Apply("numpy.ravel", (places,)), node)
    if lowering.facts.rank(lowering.current(value, node)) != 0:
        count = lowering.bind(Apply("numpy.size", (places,)), node)
        value = lowering.bind(Apply("numpy.resize", (value, count)), node)
    lowering.store(target, places, value, node)
    return True


def _is_ufunc_at(lowering: Lowering, func: gast.AST) -> bool:
    return (
        isinstance(func, gast.Attribute)
        and func.attr == "at"
        and isinstance(lowering.resolve(func.value), numpy.ufunc)
    )


def _add_at(lowering: Lowering, node: gast.Call) -> bool:
    ufunc = lowering.resolve(node.func.value)
    known = ufunc in (numpy.add, numpy.subtract) or ufunc in ONE_BY_ONE
    if not known or len(node.args) != 3:
        lowering.fail("GG205", "this .at has no rule", node, "np.add.at(x, i, y)")
    target, key, value = map(lowering.read, node.args)
    if REFUSED in (target, key, value):
        return True
    if ufunc in ONE_BY_ONE:
        lowering.statement(one_by_one(lowering, ONE_BY_ONE[ufunc], node))
        return True
    if ufunc is numpy.subtract:
        value = lowering.bind(
            Apply("numpy.negative", (value,), spelling="operator"), node
        )
    if is_basic_key(lowering.current(key, node), lowering.facts):
        lowering.store(target, key, value, node, add=True)
    else:
        lowering.store(target, key, value, node, op="add_at")
    return True


def _method_that_changes(lowering: Lowering, node: gast.Call) -> bool:
    name, receiver = node.func.attr, node.func.value
    if name == "fill" and len(node.args) == 1:
        target, value = lowering.read(receiver), lowering.read(node.args[0])
        lowering.store(target, Const(...), value, node)
        return True
    if name == "put" and len(node.args) == 2 and not node.keywords:
        if contents(lowering, lowering.read(receiver)) is None:
            call = gast.Call(node.func, [receiver, *node.args], [])
            return _put(lowering, gast.copy_location(call, node))
    if name == "sort" and not node.args:
        target = lowering.read(receiver)
        if isinstance(target, Ref) and is_a_list(lowering, target):
            return _list_sorted(lowering, target, node)
        if contents(lowering, target) is not None:
            return False
        kwargs = by_keyword(lowering, node)
        value = lowering.bind(Apply("numpy.sort", (target,), kwargs), node)
        lowering.store(target, Const(...), value, node)
        return True
    if name == "setflags" and _locks(node):
        target = lowering.read(receiver)
        made = isinstance(target, Ref) and target.var.origin is not Origin.PARAM
        return made or target is REFUSED
    return lowering.method_call(node) is not None


def _locks(node: gast.Call) -> bool:
    """Whether x.setflags(write=False) is all: who stores into x raises then."""
    given = [*node.args, *(word.value for word in node.keywords)]
    names = [word.arg for word in node.keywords]
    alone = len(given) == 1 and names in ([], ["write"])
    return alone and getattr(given[0], "value", None) is False


def _list_sorted(lowering: Lowering, target: Ref, node: gast.Call) -> bool:
    """x.sort(key=f), of a list, as x[:] = sorted(x, key=f)."""
    over = node.func.value
    if not isinstance(over, (gast.Name, gast.Attribute)):
        over = Held(target, over)  # it is read once
    func = Held(Const(sorted), node)
    made = gast.Call(func=func, args=[over], keywords=node.keywords)
    value = lowering.read(gast.copy_location(made, node))
    if value is not REFUSED:
        whole = Apply("slice", (Const(None),) * 3)
        lowering.store(target, whole, value, node)
    return True


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


def unsettle(lowering: Lowering, node: gast.AST) -> None:
    """What a refused block assigns is refused with it: one cause, one message."""
    if isinstance(node, (gast.With, gast.Try, gast.Import, gast.ImportFrom)):
        for name in assigned([node]):
            if lookup(lowering, name) is None:
                lowering.state.names[lowering.frame.number, name] = REFUSED


def is_check(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call is made for what it raises alone, and no handler goes on.

    before:  try:                                       after:  nothing
                 np.linalg.cholesky(A)
             except np.linalg.LinAlgError:
                 raise ValueError("A is not positive definite")
    """
    own = lowering.trying[-1] if lowering.trying else None
    if own is None or own.body is not lowering.body or any(own.goes_on):
        return False
    op = operation_of().get(id(lowering.resolve(node.func)))
    rule = operations().get(op) if op is not None else None
    given = [word.arg for word in node.keywords]
    known = rule is not None and rule.kind != "refused"
    return known and is_numpys(lowering, node) and "out" not in given


def is_numpys(lowering: Lowering, node: gast.Call) -> bool:
    module = getattr(lowering.resolve(node.func), "__module__", "") or ""
    return module.partition(".")[0] in ("numpy", "scipy")
