"""The arguments of a call, starred ones spread."""

from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Iterable
from typing import Any

import gast
import numpy

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.containers import is_assumed, path_of, untold, untold_part
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import lengths
from gradgen.frontend.lowering.callables import Closure, Partial
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held, call_of
from gradgen.frontend.lowering.items import count_of_results
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.names import NO_VALUE, is_plain
from gradgen.ir.nodes import Apply, Const, Effect, Expr, Ref
from gradgen.shapes.dims import Dim


class Ended(Refusal):
    """The call raises on every path: nothing follows it."""


def ends(lowering: Lowering, refusal: Refusal, node: gast.AST) -> bool:
    """Whether a call has raised, and is all that its statement is of: f(x), y = f(x)."""
    if not isinstance(refusal, Ended) or not lowering.state.dead:
        return False
    whole = lowering.whole
    if not isinstance(node, gast.Call) or not isinstance(whole, gast.Call):
        return False
    place = getattr(node, "lineno", 0), getattr(node, "col_offset", -1)
    return node is whole or place == (whole.lineno, whole.col_offset)


def surely_raised(lowering: Lowering) -> str | None:
    """The exception with which all that has been read ends, and its message."""
    last = lowering.body[-1] if lowering.body else None
    if not lowering.state.dead or not isinstance(last, Effect):
        return None
    effect = last.value
    if not isinstance(effect, Apply) or effect.op != "raise":
        return None
    kind, *told = (getattr(one, "value", None) for one in effect.args)
    message = told[0] if told and isinstance(told[0], str) else "..."
    return f"{getattr(kind, '__name__', 'an exception')}: {message}"


def unread(lowering: Lowering, refusal: Refusal) -> str:
    """Why an expression has no value, where nothing has been refused."""
    raised = surely_raised(lowering) if isinstance(refusal, Ended) else None
    if raised is None:
        return "what this reads is not known here"
    return f"this surely raises {raised}"


def raise_unless_long(
    lowering: Lowering, value: Expr, wanted: int, target: gast.AST
) -> None:
    """Raises where there are more or fewer values than names."""
    now = lowering.current(value, target)
    if not isinstance(now, Ref) or count_of_results(now, lowering.facts):
        return
    dims = lowering.facts.of(now).dims
    if not dims or dims[0] != Dim.of(wanted):
        length = Apply("len", (now,), (), "name:len")
        test = Apply("numpy.not_equal", (length, Const(wanted)), (), "operator")
        raise_where(lowering, test, ValueError, f"{wanted} values are wanted")


def apply(
    lowering: Lowering,
    function: Expr,
    args: Iterable[Expr],
    kwargs: Iterable[tuple[str, Expr]],
    node: gast.AST,
) -> Expr:
    """The result of a function that is known on handles."""
    return lowering.read(call_of(function, args, kwargs, node))


def object_of(lowering: Lowering, handle: Expr | None) -> Any:
    value = getattr(handle, "value", NO_VALUE)
    is_object = callable(value) or isinstance(value, types.ModuleType)
    return value if is_object else NO_VALUE


def spread(lowering: Lowering, node: gast.Call) -> gast.Call:
    """The call with its starred arguments one by one.

    before:  f(*pair, **options)       after:  f(pair[0], pair[1], axis=0)
    """
    stars = any(isinstance(arg, gast.Starred) for arg in node.args)
    if not stars and all(keyword.arg is not None for keyword in node.keywords):
        return node
    func: Any = node.func
    args: list[Any] = []
    if isinstance(func, (gast.Lambda, gast.IfExp, gast.NamedExpr)):
        func = Held(lowering.read(func), func)  # its defaults come before arguments
    for arg in node.args:
        if not isinstance(arg, gast.Starred):
            args.append(Held(lowering.read(arg), arg))
            continue
        items = _spread_items(lowering, arg, node)
        args += [Held(item, arg) for item in items]
    keywords = []
    for keyword in node.keywords:
        value = lowering.read(keyword.value)
        if keyword.arg is not None:
            pairs = [(keyword.arg, value)]
        else:
            known = contents(lowering, value)
            if value is not REFUSED and (known is None or known.op != "dict"):
                _ask_for_words(lowering, node, value, len(args))
                untold(lowering, value, "name", keyword.value)
                lowering.fail(
                    "GG207",
                    "the keys of a ** argument must be known",
                    keyword.value,
                    "each by name: axis=0",
                )
            found = [] if known is None else pairs_of(lowering, known)
            pairs = [(str(getattr(k, "value", "")), v) for k, v in found]
            if is_assumed(lowering, value):
                words = {name for name, _ in pairs}
                taken = _ask_for_words(lowering, node, value, len(args), words)
                pairs = [pair for pair in pairs if taken is None or pair[0] in taken]
        for name, one in pairs:
            word = gast.keyword(name, Held(one, keyword.value))
            keywords.append(gast.copy_location(word, keyword.value))
    made = gast.Call(func=func, args=args, keywords=keywords)
    return gast.copy_location(made, node)


def _ask_for_words(
    lowering: Lowering,
    node: gast.Call,
    value: Expr,
    count: int,
    known: Collection[str] = (),
) -> Collection[str] | None:
    """Refuses f(x, **options) of options of which nothing tells, and a word that f takes.

    It is read again as a dictionary that has what f needs: weights and biases of layers.
    What f takes by words where that is all known; None for what may be any words.
    """
    function, path = lowering.resolve(node.func), path_of(lowering, value)
    if not inspect.isfunction(function) or not path:
        return None
    params = list(inspect.signature(function).parameters.values())[count:]
    words = {*known, *(word.arg for word in node.keywords)}
    asked = [one for one in params if one.name not in words]
    plain = (inspect.Parameter.empty, None)
    if any(one.kind is one.VAR_KEYWORD for one in params) or not all(
        one.default in plain or is_plain(one.default) for one in asked
    ):
        return None
    for one in asked:
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            untold_part(lowering, path[0], one.name, node)
            lowering.problems[-1].read_of = path, one.name
            if one.default is not one.empty:
                lowering.problems[-1].otherwise = repr(one.default)
            raise Refusal
    return [one.name for one in params]


def _spread_items(lowering: Lowering, arg: gast.Starred, node: gast.Call) -> list[Expr]:
    """What *arg stands for: the items of a container, the entries of an array."""
    found = lowering.items(arg.value)
    if found.known is not None:
        return list(found.known)
    value = lengths(lowering, lowering.read_at_once(arg.value), arg)
    count = _count_of(lowering, value, arg, node)
    if value is REFUSED or count is None:
        lowering.fail(
            "GG207",
            "how many values a starred argument stands for is not known",
            arg,
            "each by itself: f(x[0], x[1])",
        )
    raise_unless_long(lowering, value, count, arg)
    return [lowering.item(value, Const(i), arg) for i in range(count)]


def _count_of(
    lowering: Lowering, value: Expr, star: gast.Starred, node: gast.Call
) -> int | None:
    """How many entries *x hands over: what is told of x, or what f takes.

    Other starred arguments are written out: f(*p, *[t]).
    """
    dims = (
        lowering.facts.of(lowering.current(value)).dims
        if value is not REFUSED
        else None
    )
    if dims and dims[0].number is not None:
        return dims[0].number
    others = 0
    for arg in node.args:
        if isinstance(arg, gast.Starred) and arg is not star:
            written = isinstance(arg.value, (gast.List, gast.Tuple))
            items = arg.value.elts if written else [arg]
            if any(isinstance(item, gast.Starred) for item in items):
                return None
            others += len(items) - 1
    function: Any = lowering.resolve(node.func)
    bound = 0
    if isinstance(function, Partial) and not function.kwargs:  # a method
        function, bound = function.function, len(function.args)
    taken = None
    if isinstance(function, types.FunctionType):
        code = function.__code__
        plain = not function.__defaults__ and not code.co_flags & 0x04
        taken = code.co_argcount if plain else None
    elif isinstance(function, Closure):
        spec = function.node.args
        first = [*getattr(spec, "posonlyargs", []), *spec.args]
        plain = not spec.defaults and spec.vararg is None
        taken = len(first) if plain else None
    elif isinstance(function, numpy.ufunc):
        taken = function.nin
    elif isinstance(function, type) and not node.keywords:
        taken = _taken_by_class(function)
    return None if taken is None else taken - bound - others - len(node.args) + 1


def _taken_by_class(cls: type) -> int | None:
    """How many values make an instance: the fields, or what __init__ takes."""
    try:
        params = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return None
    plain = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    if any(one.kind not in plain or one.default is not one.empty for one in params):
        return None
    return len(params)


def positional(lowering: Lowering, node: gast.Call) -> list[Expr]:
    """The handles of a call's arguments, starred ones spread."""
    args: list[Expr] = []
    for arg in node.args:
        if not isinstance(arg, gast.Starred):
            args.append(lowering.read(arg))
            continue
        value = lowering.gone_through(lowering.read_at_once(arg.value), arg)
        known = contents(lowering, value)
        if value is REFUSED:
            args.append(REFUSED)
        elif known is None:
            lowering.fail(
                "GG207", "starred arguments are not supported", arg, "each by name"
            )
        else:
            args += known.args
    return args


def by_keyword(lowering: Lowering, node: gast.Call) -> tuple[tuple[str, Expr], ...]:
    """The handles of a call's keyword arguments."""
    found: list[tuple[str, Expr]] = []
    for keyword in node.keywords:
        value = lowering.read(keyword.value)
        if keyword.arg is not None:
            found.append((keyword.arg, value))
            continue
        known = contents(lowering, value)
        if known is None or known.op != "dict":
            lowering.fail(
                "GG207", "** arguments are not supported", node, "each by name"
            )
        found += [(str(k.value), v) for k, v in pairs_of(lowering, known)]
    return tuple(found)
