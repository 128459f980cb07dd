"""Calls of the user's functions: their statements take the place of the call."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.lookup import among
from gradgen.errors import GradgenError
from gradgen.frontend.binding import bind
from gradgen.frontend.callables import Closure, Partial, is_users
from gradgen.frontend.decorated import stores_outside
from gradgen.frontend.falling import ended
from gradgen.frontend.fence import unreachable
from gradgen.frontend.jumps import GONE, RESULT, RETURNED
from gradgen.frontend.kept import KeptCalls
from gradgen.frontend.lasting import is_cached, once
from gradgen.frontend.named import did_you_mean
from gradgen.frontend.names import NO_VALUE, assigned, declared, nonlocals
from gradgen.frontend.recursion import CALLS, DEEP, whole_number
from gradgen.frontend.tuples_apart import called_by
from gradgen.frontend.source import Source, parameters
from gradgen.frontend.through_calls import told_at_call
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.frontend.written import written
from gradgen.ir.nodes import Apply, Const, Expr, Supply
from gradgen.rules.load import helpers, own_operation, operations

# decorators that make a function of the same values
SEEN_THROUGH = (functools.wraps, functools.lru_cache, functools.cache)
# calls inside calls, and calls of functions in all: libraries call without end
DEPTH = 24
MOST = 2000


class Calls(KeptCalls):
    """Reads calls."""

    def __init__(self, source: Source, supply: Supply, shapes: dict[Any, Any]) -> None:
        super().__init__(source, supply, shapes)
        self.sources: dict[Any, Any] = {}
        self.self_calls = 0

    def read_Call(self, node: gast.Call) -> Expr:
        function = self.function_of(node.func)
        if function is None:
            return self.other_call(node)
        args = self.positional(node)
        kwargs = self.by_keyword(node)
        if any(value is REFUSED for value in (*args, *(v for _, v in kwargs))):
            return REFUSED
        return self.call(function, args, kwargs, node)

    def other_call(self, node: gast.Call) -> Expr:
        """A call of something that is not the user's function."""
        value = self.resolve(node.func)
        if value is functools.partial and node.args:
            function, *args = self.positional(node)
            if not isinstance(function, Const) or not callable(function.value):
                told = "the function must be known here"
                self.fail("GG253", told, node, "a def, by name")
            return Const(Partial(function.value, tuple(args), self.by_keyword(node)))
        special: Expr | None = None
        if value is not NO_VALUE:
            special = self.unless_none(node, lambda: self.special_call(value, node))
        if special is None:
            special = self.unless_none(node, lambda: self.method_call(node))
        return super().read_Call(node) if special is None else special

    def callee(self, node: gast.AST) -> tuple[str, str] | None:
        copy = copied_helper(self.resolve(node))
        return super().callee(node) if copy is None else (copy, "")

    def function_of(self, node: gast.AST) -> Any:
        """The user's function that a callee is, or None."""
        value = self.resolve(node)
        if copied_helper(value) is not None:
            return None
        if value is NO_VALUE:
            if isinstance(node, gast.Name) and self.is_local(node.id):
                handle = self.name(node)
            elif isinstance(node, (gast.Lambda, gast.Call, gast.Subscript)):
                handle = self.read(node)
            else:
                return None
            value = getattr(handle, "value", None)
        return value if self.is_called(value) and not own_operation(value) else None

    def is_called(self, value: object) -> bool:
        """Whether a value is a function that is read where it is called."""
        return is_users(value)

    def positional(self, node: gast.Call) -> list[Expr]:
        """The handles of a call's arguments, starred ones spread."""
        args: list[Expr] = []
        for arg in node.args:
            if not isinstance(arg, gast.Starred):
                args.append(self.read(arg))
                continue
            value = self.gone_through(self.read_at_once(arg.value), arg)
            known = self.contents(value)
            if value is REFUSED:
                args.append(REFUSED)
            elif known is None:
                self.fail(
                    "GG207", "starred arguments are not supported", arg, "each by name"
                )
            else:
                args += known.args
        return args

    def by_keyword(self, node: gast.Call) -> tuple[tuple[str, Expr], ...]:
        """The handles of a call's keyword arguments."""
        found: list[tuple[str, Expr]] = []
        for keyword in node.keywords:
            value = self.read(keyword.value)
            if keyword.arg is not None:
                found.append((keyword.arg, value))
                continue
            known = self.contents(value)
            if known is None or known.op != "dict":
                self.fail(
                    "GG207", "** arguments are not supported", node, "each by name"
                )
            found += [(str(k.value), v) for k, v in self.pairs(known)]
        return tuple(found)

    def call(
        self,
        function: Callable[..., Any],
        args: list[Any],
        kwargs: Any,
        node: gast.AST,
    ) -> Expr:
        """The handle of a function's result."""
        if isinstance(function, Partial):
            kwargs = tuple({**dict(function.kwargs), **dict(kwargs)}.items())
            return self.call(function.function, [*function.args, *args], kwargs, node)
        if isinstance(function, functools.partial):
            before = [self.value_of(value, node) for value in function.args]
            given = {k: self.value_of(v, node) for k, v in function.keywords.items()}
            kwargs = tuple({**given, **dict(kwargs)}.items())
            return self.call(function.func, [*before, *args], kwargs, node)
        if isinstance(function, Closure):
            frame = self._frame(function.node, function.frame.source, function.frame)
            defaults = function.defaults
        elif isinstance(function, types.FunctionType):
            frame, defaults = self._frame_of(function, node)
            if self.callees.stays(frame.source) and not function.__closure__:
                bound = self._bound(frame, args, dict(kwargs), defaults, node)
                result = self.kept(frame.source, bound, node)
                if result is not None:
                    return result
        else:
            return self.apply(Const(function), args, kwargs, node)
        deep = sum(active.node is frame.node for active in self.active)
        if deep:
            self.self_calls += 1
            if deep > DEEP or self.self_calls > CALLS:
                if not getattr(function, "__closure__", True):
                    self.callees.recurs(frame.source)
                self.fail(
                    "GG250",
                    f"{frame.name} calls itself, and when it ends is not known",
                    node,
                    "a loop",
                )
            known = self.facts.definitions
            args = [whole_number(arg, known) for arg in args]
            kwargs = tuple((key, whole_number(arg, known)) for key, arg in kwargs)
        if deep and len(self.active) > DEPTH:
            if not getattr(function, "__closure__", True):
                self.callees.recurs(frame.source)
            self.fail("GG250", "calls are nested too deeply", node, "fewer of them")
        bound = self._bound(frame, args, dict(kwargs), defaults, node)
        if is_cached(function):
            inlined = functools.partial(self._inlined, frame, bound, node)
            return once(self, function, inlined, node)
        return self._inlined(frame, bound, node)

    def value_of(self, value: object, node: gast.AST) -> Expr:
        """A Python value as a constant."""
        found = self.given_value(value, node, "it")
        if found is not REFUSED:
            return found
        kind = type(value).__name__
        self.fail("GG211", f"a {kind} is not a plain number", node, "a parameter")

    def _frame_of(
        self, function: types.FunctionType, node: gast.AST
    ) -> tuple[Frame, dict[Any, Any]]:
        written = self.source.segment(node.func) if hasattr(node, "func") else "it"
        try:
            if function not in self.sources:
                self.sources[function] = called_by(self.root.source, function)
            source = self.sources[function]
        except GradgenError as error:
            self.fail(
                "GG212",
                f"calls of other functions ({written}) are not supported when "
                f"{error.message}",
                node,
                f"the body of {written} in place of the call",
            )
        frame = self._frame(source.node, source, None)
        defaults = source.defaults.items()
        return frame, {name: self.given_value(v, node, name) for name, v in defaults}

    def _frame(self, node: gast.AST, source: Source, parent: Frame | None) -> Frame:
        body = [node.body] if isinstance(node, gast.Lambda) else node.body
        shared = nonlocals(node) | declared(node)
        own = [name for name in assigned(body) if name not in shared]
        local = own + [a.id for a in parameters(node)]
        name, outer = getattr(node, "name", "the lambda"), declared(node)
        number = self.calls_made = self.calls_made + 1
        if number > MOST:
            root = self.active[0].source if self.active else source
            raise root.error(
                "GG199",
                f"{root.name} calls functions {MOST} times and more where it is read",
                advice="an own function in place of the library's; keep_calls",
            )
        return Frame(
            number, source, frozenset(local), parent, node=node, name=name, shared=outer
        )

    def _bound(
        self,
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
            self.fail(
                "GG209",
                f"{frame.name} takes {len(names)} arguments, not {len(args)}",
                node,
                f"{frame.name}({', '.join(names)})",
            )
        known = names + [arg.id for arg in spec.kwonlyargs]
        more = {name: value for name, value in kwargs.items() if name not in known}
        for name, value in kwargs.items():
            if name in bound:
                self.fail(
                    "GG209", f"{frame.name} got two values for {name}", node, "one"
                )
            if name in known:
                bound[name] = value
        if spec.kwarg is not None:
            bound[spec.kwarg.id] = self.new_dict(more)
        elif more:
            self.fail(
                "GG209",
                f"{frame.name} has no argument {next(iter(more))}",
                node,
                did_you_mean(next(iter(more)), known),
            )
        for name in known:
            if name not in bound:
                if name not in defaults:
                    self.fail(
                        "GG209",
                        f"{frame.name} needs the argument {name}",
                        node,
                        f"{name}=...",
                    )
                if defaults[name] is REFUSED:
                    self.fail(
                        "GG116",
                        f"the default of {name} is not a plain value",
                        node,
                        f"{name}=None",
                    )
                bound[name] = defaults[name]
        return bound

    def _inlined(self, frame: Frame, bound: dict[Any, Any], node: gast.AST) -> Expr:
        caller, note, problems = self.frame, self.note, len(self.problems)
        target = note.lines[0].target if note.lines else ""
        if target.isidentifier():
            frame.target = target
        bind(self, frame, bound, target)
        self.frame = frame
        self.active.append(frame)
        try:
            if isinstance(frame.node, gast.Lambda):
                result = self.read(frame.node.body)
            else:
                self.problems += unreachable(frame.source, frame.node.body)
                self.begin(frame)
                self.taken_apart(frame)
                self.block(ended(frame.node.body))
                key = frame.number, RESULT
                result = self.state.names.get(key, Const(None))
        finally:
            self.active.pop()
            self.frame, self.note = caller, note
        self._leave(frame)
        self._told(problems, frame, node)
        if self.state.dead:
            raise Refusal if len(self.problems) > problems else Ended
        return result

    def _leave(self, frame: Frame) -> None:
        for key in [key for key in self.state.names if key[0] == frame.number]:
            if not frame.keeps or key[1] in (GONE, RESULT, RETURNED):
                del self.state.names[key]
        self.state.left -= {frame.number}

    def _told(self, first: int, frame: Frame, node: gast.AST) -> None:
        """Adds where the call stands to the problems of its function."""
        inner = self.problems[first:]
        found = told_at_call(inner, frame.name, frame.source, self.source, node)
        self.problems[first:] = found

    # functions as values

    def write_FunctionDef(self, node: gast.FunctionDef) -> None:
        made = self._closure(node)
        cached = any(map(self.is_cache, node.decorator_list))
        value: Expr = Const(replace(made.value, cached=cached))
        for decorator in reversed(node.decorator_list):
            if stores_outside(node) and self.is_cache(decorator):
                told = f"{node.name} is cached, and changes what is outside of it"
                self.fail("GG112", told, node, "the function without the cache")
            if not self.is_seen_through(decorator):
                value = self.apply(self.read(decorator), [value], (), decorator)
        self.state.names[self.frame.number, node.name] = value
        self.bound(self.frame.number, node.name)

    def is_cache(self, node: gast.AST) -> bool:
        base = node.func if isinstance(node, gast.Call) else node
        return among(self.resolve(base), SEEN_THROUGH[1:])

    def is_seen_through(self, node: gast.AST) -> bool:
        """Whether a decorator makes a function of the same values: wraps(f), cache."""
        base = node.func if isinstance(node, gast.Call) else node
        value = self.resolve(base)
        return among(value, SEEN_THROUGH)

    def read_Lambda(self, node: gast.Lambda) -> Expr:
        return self._closure(node)

    def _closure(self, node: gast.AST) -> Const:
        args = node.args
        first = [*getattr(args, "posonlyargs", []), *args.args]
        defaults = {
            arg.id: self.read(value)
            for arg, value in zip(
                first[len(first) - len(args.defaults) :], args.defaults
            )
        }
        for arg, value in zip(args.kwonlyargs, args.kw_defaults):
            if value is not None:
                defaults[arg.id] = self.read(value)
        self.frame.keeps = True
        return Const(Closure(node, self.frame, defaults))


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


class Ended(Refusal):
    """The call raises on every path: nothing follows it."""
