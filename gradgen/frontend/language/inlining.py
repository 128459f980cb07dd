"""Calls of the user's functions: their statements take the place of the call."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.calls.arguments import Ended, apply, by_keyword, positional
from gradgen.frontend.calls.binding import bind, name_result
from gradgen.frontend.calls.kept import kept
from gradgen.frontend.calls.lasting import is_cached, once
from gradgen.frontend.control.returned import as_object
from gradgen.frontend.control.bindings import begin, bound
from gradgen.frontend.control.branches import block, unless_none
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.outer_values import given_value
from gradgen.frontend.heap.stores import taken_apart
from gradgen.frontend.lowering.callables import Closure, Partial, is_users
from gradgen.frontend.lowering.frames import REFUSED, Frame, Refusal
from gradgen.frontend.lowering.jumps import GONE, RESULT, RETURNED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.recursion import CALLS, DEEP, whole_number
from gradgen.frontend.source.decorated import stores_outside
from gradgen.frontend.source.falling import ended
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.named import did_you_mean
from gradgen.frontend.source.names import NO_VALUE, declared, own_names
from gradgen.frontend.source.source import Source, parameters
from gradgen.frontend.source.through_calls import told_at_call
from gradgen.frontend.source.written import written
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.rules.load import helpers, operations, own_operation

# decorators that make a function of the same values
SEEN_THROUGH = (functools.wraps, functools.lru_cache, functools.cache)
# calls inside calls, and calls of functions in all: libraries call without end
DEPTH = 24
MOST = 2000


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    function = lowering.function_of(node.func)
    if function is None:
        return lowering.other_call(node)
    args = positional(lowering, node)
    kwargs = by_keyword(lowering, node)
    if any(value is REFUSED for value in (*args, *(v for _, v in kwargs))):
        return REFUSED
    return lowering.call(function, args, kwargs, node)


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    """A call of something that is not the user's function."""
    value = lowering.resolve(node.func)
    if value is functools.partial and node.args:
        function, *args = positional(lowering, node)
        if not isinstance(function, Const) or not callable(function.value):
            told = "the function must be known here"
            lowering.fail("GG253", told, node, "a def, by name")
        return Const(Partial(function.value, tuple(args), by_keyword(lowering, node)))
    special: Expr | None = None
    if value is not NO_VALUE:
        special = unless_none(
            lowering, node, lambda: lowering.special_call(value, node)
        )
    if special is None:
        special = unless_none(lowering, node, lambda: lowering.method_call(node))
    return called.further(lowering, node) if special is None else special


@answers(Lowering.callee)
def callee(lowering: Lowering, node: gast.AST) -> tuple[str, str] | None:
    copy = copied_helper(lowering.resolve(node))
    return callee.further(lowering, node) if copy is None else (copy, "")


@answers(Lowering.function_of)
def function_of(lowering: Lowering, node: gast.AST) -> Any:
    """The user's function that a callee is, or None."""
    value = lowering.resolve(node)
    if copied_helper(value) is not None:
        return None
    if value is NO_VALUE:
        if isinstance(node, gast.Name) and lowering.is_local(node.id):
            handle = lowering.name(node)
        elif isinstance(node, (gast.Lambda, gast.Call, gast.Subscript)):
            handle = lowering.read(node)
        else:
            return None
        value = getattr(handle, "value", None)
    return value if lowering.is_called(value) and not own_operation(value) else None


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: object) -> bool:
    """Whether a value is a function that is read where it is called."""
    return is_users(value)


@answers(Lowering.call)
def call(
    lowering: Lowering,
    function: Callable[..., Any],
    args: list[Any],
    kwargs: Any,
    node: gast.AST,
) -> Expr:
    """The handle of a function's result."""
    if isinstance(function, Partial):
        kwargs = tuple({**dict(function.kwargs), **dict(kwargs)}.items())
        return lowering.call(function.function, [*function.args, *args], kwargs, node)
    if isinstance(function, functools.partial):
        before = [value_of(lowering, value, node) for value in function.args]
        given = {k: value_of(lowering, v, node) for k, v in function.keywords.items()}
        kwargs = tuple({**given, **dict(kwargs)}.items())
        return lowering.call(function.func, [*before, *args], kwargs, node)
    if isinstance(function, Closure):
        frame = _frame(lowering, function.node, function.frame.source, function.frame)
        defaults = function.defaults
    elif isinstance(function, types.FunctionType):
        frame, defaults = _frame_of(lowering, function, node)
        if lowering.callees.stays(frame.source) and not function.__closure__:
            bound = _bound(lowering, frame, args, dict(kwargs), defaults, node)
            result = kept(lowering, frame.source, bound, node)
            if result is not None:
                return result
        lowering.callees.written_out(frame.source, lowering.source, node)
    else:
        return apply(lowering, Const(function), args, kwargs, node)
    deep = sum(active.node is frame.node for active in lowering.active)
    if deep:
        lowering.self_calls += 1
        if deep > DEEP or lowering.self_calls > CALLS:
            _stays_a_call(lowering, function, frame)
            lowering.fail(
                "GG250",
                f"{frame.name} calls itself, and when it ends is not known",
                node,
                "a loop",
            )
        known = lowering.facts.definitions
        args = [whole_number(arg, known) for arg in args]
        kwargs = tuple((key, whole_number(arg, known)) for key, arg in kwargs)
    if deep and len(lowering.active) > DEPTH:
        _stays_a_call(lowering, function, frame)
        lowering.fail("GG250", "calls are nested too deeply", node, "fewer of them")
    bound = _bound(lowering, frame, args, dict(kwargs), defaults, node)
    if is_cached(function):
        inlined = functools.partial(lowering.inlined, frame, bound, node)
        return once(lowering, function, inlined, node)
    return lowering.inlined(frame, bound, node)


def _stays_a_call(lowering: Lowering, function: object, frame: Frame) -> None:
    """Reads all anew with a function whose calls stay, or that which it is called by.

    A wrapper has a closure: it is written out around calls of what stands in it.
    """
    if not getattr(function, "__closure__", True):
        lowering.callees.recurs(frame.source)
    for one in reversed(lowering.active):
        again = sum(other.node is one.node for other in lowering.active) > 1
        if again and one.parent is None and not one.source.closure:
            lowering.callees.recurs(one.source)


def value_of(lowering: Lowering, value: object, node: gast.AST) -> Expr:
    """A Python value as a constant."""
    found = given_value(lowering, value, node, "it")
    if found is not REFUSED:
        return found
    kind = type(value).__name__
    lowering.fail("GG211", f"a {kind} is not a plain number", node, "a parameter")


def _frame_of(
    lowering: Lowering, function: types.FunctionType, node: gast.AST
) -> tuple[Frame, dict[Any, Any]]:
    written = lowering.source.segment(node.func) if hasattr(node, "func") else "it"
    try:
        source = lowering.sources.get(function)
        source = source or lowering.callees.text(lowering.root.source, function)
    except GradgenError as error:
        lowering.fail(
            "GG212",
            f"calls of other functions ({written}) are not supported when "
            f"{error.message}",
            node,
            f"the body of {written} in place of the call",
        )
    frame = _frame(lowering, source.node, source, None)
    defaults = source.defaults.items()
    return frame, {name: given_value(lowering, v, node, name) for name, v in defaults}


def _frame(
    lowering: Lowering, node: gast.AST, source: Source, parent: Frame | None
) -> Frame:
    local = {*own_names(node), *(a.id for a in parameters(node))}
    name, outer = getattr(node, "name", "the lambda"), declared(node)
    number = lowering.calls_made = lowering.calls_made + 1
    if number > MOST:
        root = lowering.active[0].source if lowering.active else source
        raise root.error(
            "GG199",
            f"{root.name} calls functions {MOST} times and more where it is read",
            advice="an own function in place of the library's; keep_calls",
        )
    return Frame(
        number, source, frozenset(local), parent, node=node, name=name, shared=outer
    )


def _bound(
    lowering: Lowering,
    frame: Frame,
    args: list[Any],
    kwargs: dict[Any, Any],
    defaults: dict[str, Expr],
    node: gast.AST,
) -> dict[str, Expr]:
    """The handles of a function's parameters by name."""
    spec = frame.node.args
    bound: dict[str, Expr] = {}
    first = [*getattr(spec, "posonlyargs", []), *spec.args]
    names = [arg.id for arg in first]
    bound.update(zip(names, args))
    extra = args[len(names) :]
    if spec.vararg is not None:
        bound[spec.vararg.id] = Apply("tuple", tuple(extra))
    elif extra:
        lowering.fail(
            "GG209",
            f"{frame.name} takes {len(names)} arguments, not {len(args)}",
            node,
            f"{frame.name}({', '.join(names)})",
        )
    known = names + [arg.id for arg in spec.kwonlyargs]
    more = {name: value for name, value in kwargs.items() if name not in known}
    for name, value in kwargs.items():
        if name in bound:
            lowering.fail(
                "GG209", f"{frame.name} got two values for {name}", node, "one"
            )
        if name in known:
            bound[name] = value
    if spec.kwarg is not None:
        bound[spec.kwarg.id] = new_dict(lowering, more)
    elif more:
        lowering.fail(
            "GG209",
            f"{frame.name} has no argument {next(iter(more))}",
            node,
            did_you_mean(next(iter(more)), known),
        )
    for name in known:
        if name not in bound:
            if name not in defaults:
                lowering.fail(
                    "GG209",
                    f"{frame.name} needs the argument {name}",
                    node,
                    f"{name}=...",
                )
            if defaults[name] is REFUSED:
                lowering.fail(
                    "GG116",
                    f"the default of {name} is not a plain value",
                    node,
                    f"{name}=None",
                )
            bound[name] = defaults[name]
    return bound


@answers(Lowering.inlined)
def inlined(
    lowering: Lowering, frame: Frame, bound: dict[Any, Any], node: gast.AST
) -> Expr:
    caller, note, problems = lowering.frame, lowering.note, len(lowering.problems)
    target = note.lines[0].target if note.lines else ""
    if target.isidentifier():
        frame.target = target
    frame.call = note.lines[0].call or note.lines[0] if note.lines else None
    bind(lowering, frame, bound, target)
    mark = lowering.mark()
    lowering.frame = frame
    lowering.active.append(frame)
    try:
        if isinstance(frame.node, gast.Lambda):
            result = lowering.read(frame.node.body)
        else:
            begin(lowering, frame)
            taken_apart(lowering, frame)
            block(lowering, ended(frame.node.body))
            key = frame.number, RESULT
            result = lowering.state.names.get(key, Const(None))
    finally:
        lowering.active.pop()
        lowering.frame, lowering.note = caller, note
    _leave(lowering, frame)
    _told(lowering, problems, frame, node)
    if lowering.state.dead:
        raise Refusal if len(lowering.problems) > problems else Ended
    result = as_object(lowering, frame, result)
    name_result(lowering, frame, bound, result, mark)
    return result


def _leave(lowering: Lowering, frame: Frame) -> None:
    for key in [key for key in lowering.state.names if key[0] == frame.number]:
        if not frame.keeps or key[1] in (GONE, RESULT, RETURNED):
            del lowering.state.names[key]
    lowering.state.left -= {frame.number}


def _told(lowering: Lowering, first: int, frame: Frame, node: gast.AST) -> None:
    """Adds where the call stands to the problems of its function."""
    inner = lowering.problems[first:]
    found = told_at_call(inner, frame.name, frame.source, lowering.source, node)
    lowering.problems[first:] = found


@handles(gast.FunctionDef)
def definition(lowering: Lowering, node: gast.FunctionDef) -> None:
    made = _closure(lowering, node)
    cached = any(map(functools.partial(is_cache, lowering), node.decorator_list))
    value: Expr = Const(replace(made.value, cached=cached))
    for decorator in reversed(node.decorator_list):
        if stores_outside(node) and is_cache(lowering, decorator):
            told = f"{node.name} is cached, and changes what is outside of it"
            lowering.fail("GG112", told, node, "the function without the cache")
        if not is_seen_through(lowering, decorator):
            value = apply(lowering, lowering.read(decorator), [value], (), decorator)
    lowering.state.names[lowering.frame.number, node.name] = value
    bound(lowering, lowering.frame.number, node.name)


def is_cache(lowering: Lowering, node: gast.AST) -> bool:
    base = node.func if isinstance(node, gast.Call) else node
    return among(lowering.resolve(base), SEEN_THROUGH[1:])


def is_seen_through(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a decorator makes a function of the same values: wraps(f), cache."""
    base = node.func if isinstance(node, gast.Call) else node
    value = lowering.resolve(base)
    return among(value, SEEN_THROUGH)


@handles(gast.Lambda)
def lambda_(lowering: Lowering, node: gast.Lambda) -> Expr:
    return _closure(lowering, node)


def _closure(lowering: Lowering, node: gast.AST) -> Const:
    args = node.args
    first = [*getattr(args, "posonlyargs", []), *args.args]
    defaults = {
        arg.id: lowering.read(value)
        for arg, value in zip(first[len(first) - len(args.defaults) :], args.defaults)
    }
    for arg, value in zip(args.kwonlyargs, args.kw_defaults):
        if value is not None:
            defaults[arg.id] = lowering.read(value)
    lowering.frame.keeps = True
    return Const(Closure(node, lowering.frame, defaults))


def copied_helper(value: object) -> str | None:
    """The operation of a function that an emitted file has a copy of, or None."""
    if not isinstance(value, types.FunctionType) or value.__name__[:1] != "_":
        return None
    # one that stood in the way of an argument's name has another: _unbroadcast_
    name = value.__name__.rstrip("_")
    if f"helper.{name}" not in operations():
        return None
    try:
        found = written(value)
    except (OSError, TypeError):
        return None
    text = found.text.rstrip().replace(f"def {value.__name__}(", f"def {name}(")
    same = found.own and helpers().get(name) == text
    return f"helper.{name}" if same else None
