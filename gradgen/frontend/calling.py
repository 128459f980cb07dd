"""Calls: starred arguments spread, functions that are values, one of several of them."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from typing import Any

import gast
import numpy

from gradgen.frontend.stand_ins import stood_in_for
from gradgen.frontend.alike import as_numpys
from gradgen.frontend.callables import Choice, Closure, Partial
from gradgen.frontend.decorated import behind
from gradgen.frontend.held import Held, call_of
from gradgen.frontend.joined_lists import joined
from gradgen.frontend.lasting import is_cached, once
from gradgen.frontend.lengths import lengths, number_known
from gradgen.frontend.memory import is_structure
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.records import Records
from gradgen.frontend.statics import static_value
from gradgen.frontend.rewritten import rewritten
from gradgen.frontend.scipy_fft import as_of_numpy
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import TEXTS
from gradgen.rules.methods import operation_of_method

LIBRARIES = ("builtins", "numpy")
# a table of more entries is not compared key by key
MOST = 8
NAMES = (gast.Name, gast.Attribute, Held)


class Calling(Records):
    """Reads calls whatever their arguments and functions are written as."""

    def read_Held(self, node: Held) -> Expr:
        return node.handle

    def read_Call(self, node: gast.Call) -> Expr:
        node = self.spread(node)
        names = [arg.id for arg in node.args if isinstance(arg, gast.Name)]
        if any(map(self.is_refused, names)) and self.resolve(node.func) is not NO_VALUE:
            return REFUSED  # what it is of has been refused, with the reason
        if not isinstance(node.func, NAMES):
            handle = self.read(node.func)
            if handle is REFUSED:
                return REFUSED
            func = Held(handle, node.func)
            made = gast.Call(func=func, args=node.args, keywords=node.keywords)
            node = gast.copy_location(made, node)
        value = self.resolve(node.func)
        inner = behind(value)
        if inner is not value:
            func = Held(Const(inner), node.func)
            made = gast.Call(func=func, args=node.args, keywords=node.keywords)
            made = gast.copy_location(made, node)
            if is_cached(value):
                return once(self, value, lambda: self.read_Call(made), node)
            node, value = made, inner
        if isinstance(value, Choice):
            return self._called_by_choice(value, node)
        other = as_of_numpy(value, rewritten(self, value, as_numpys(value, node)))
        if other is not node:
            return self.read_Call(other)
        put_together = joined(self, value, node)
        if put_together is not None:
            return put_together
        if isinstance(value, types.MethodType):
            whose, method = value.__self__, value.__name__
            if operation_of_method(whose, method) is not None:
                held = Held(Const(whose), node.func)
                named = gast.Attribute(held, method, gast.Load())
                node.func = gast.copy_location(named, node.func)
                return super().read_Call(node)
            first = Held(Const(value.__self__), node)
            func = Held(Const(value.__func__), node.func)
            made = gast.Call(
                func=func, args=[first, *node.args], keywords=node.keywords
            )
            return self.read_Call(gast.copy_location(made, node))
        return super().read_Call(node)

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        """A call that stands for something else than one operation, else None."""
        return None

    def apply(
        self,
        function: Expr,
        args: Iterable[Expr],
        kwargs: Iterable[tuple[str, Expr]],
        node: gast.AST,
    ) -> Expr:
        """The result of a function that is known on handles."""
        return self.read(call_of(function, args, kwargs, node))

    def value_known(self, handle: Expr) -> Any:
        """The Python value of a handle that is known as a whole, else NO_VALUE."""
        known = self.facts.definitions
        found = static_value(handle, self.state, known, self.memory.numbers)
        return number_known(handle, self.facts) if found is NO_VALUE else found

    def resolve(self, node: gast.AST) -> Any:
        """The Python object that a name, a dotted name or a handle leads to."""
        if isinstance(node, Held):
            return self._object(node.handle)
        if isinstance(node, gast.Name) and self.is_local(node.id):
            return self._object(self.lookup(node.id))
        if isinstance(node, gast.Attribute):
            base = self.resolve(node.value)
            own = isinstance(base, type) and base.__module__ not in LIBRARIES
            if own:
                return getattr(base, node.attr, NO_VALUE)
        found = super().resolve(node)
        return stood_in_for(found) or found if isinstance(found, type) else found

    def _object(self, handle: Expr | None) -> Any:
        value = getattr(handle, "value", NO_VALUE)
        is_object = callable(value) or isinstance(value, types.ModuleType)
        return value if is_object else NO_VALUE

    def function_of(self, node: gast.AST) -> Any:
        """The user's function that a callee is, or None."""
        if isinstance(node, Held):
            value = getattr(node.handle, "value", None)
            return value if self.is_called(value) else None
        return super().function_of(node)

    # starred arguments

    def spread(self, node: gast.Call) -> gast.Call:
        """The call with its starred arguments one by one.

        before:  f(*pair, **options)       after:  f(pair[0], pair[1], axis=0)
        """
        stars = any(isinstance(arg, gast.Starred) for arg in node.args)
        if not stars and all(keyword.arg is not None for keyword in node.keywords):
            return node
        args: list[Any] = []
        for arg in node.args:
            if not isinstance(arg, gast.Starred):
                args.append(Held(self.read(arg), arg))
                continue
            items = self._spread_items(arg, node)
            args += [Held(item, arg) for item in items]
        keywords = []
        for keyword in node.keywords:
            value = self.read(keyword.value)
            if keyword.arg is not None:
                pairs = [(keyword.arg, value)]
            else:
                known = self.contents(value)
                if value is not REFUSED and (known is None or known.op != "dict"):
                    self.fail(
                        "GG207",
                        "the keys of a ** argument must be known",
                        keyword.value,
                        "each by name: axis=0",
                    )
                found = [] if known is None else self.pairs(known)
                pairs = [(str(getattr(k, "value", "")), v) for k, v in found]
            for name, one in pairs:
                word = gast.keyword(name, Held(one, keyword.value))
                keywords.append(gast.copy_location(word, keyword.value))
        made = gast.Call(func=node.func, args=args, keywords=keywords)
        return gast.copy_location(made, node)

    def _spread_items(self, arg: gast.Starred, node: gast.Call) -> list[Expr]:
        """What *arg stands for: the items of a container, the entries of an array."""
        found = self.items(arg.value)
        if found.known is not None:
            return list(found.known)
        value = lengths(self, self.read_at_once(arg.value), arg)
        count = self._count_of(value, node)
        if value is REFUSED or count is None:
            self.fail(
                "GG207",
                "how many values a starred argument stands for is not known",
                arg,
                "each by itself: f(x[0], x[1])",
            )
        self._raise_unless_long(value, count, arg)
        return [self.item(value, Const(i), arg) for i in range(count)]

    def _count_of(self, value: Expr, node: gast.Call) -> int | None:
        """How many entries *x hands over: what is told of x, or what f takes."""
        dims = self.facts.of(self.current(value)).dims if value is not REFUSED else None
        if dims and dims[0].number is not None:
            return dims[0].number
        if sum(isinstance(arg, gast.Starred) for arg in node.args) > 1:
            return None
        function: Any = self.resolve(node.func)
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
        return None if taken is None else taken - bound - len(node.args) + 1

    # one of several functions

    def _called_by_choice(self, choice: Choice, node: gast.Call) -> Expr:
        """f(x), where f is one function or another by a condition.

        before:  f = np.tanh if flag else np.sin       after:  if flag:
                 y = f(x)                                          y = np.tanh(x)
                                                               else:
                                                                   y = np.sin(x)
        """
        args, kwargs = self.positional(node), self.by_keyword(node)
        if REFUSED in (*args, *(value for _, value in kwargs)):
            return REFUSED
        target = self.note.lines[0].target if self.note.lines else ""
        return self.choose(
            choice.test,
            lambda: self.apply(choice.then, args, kwargs, node),
            lambda: self.apply(choice.orelse, args, kwargs, node),
            target if target.isidentifier() else "chosen",
            self.note,
        )

    # what stands in tables, by a key that is known when the text runs

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        known = self.contents(base) if REFUSED not in (base, key) else None
        now = self.current(key, node) if isinstance(key, Ref) else key
        asked = isinstance(now, Ref) or isinstance(now, Apply) and now.op in TEXTS
        if known is not None and known.op == "dict" and asked:
            return self._looked_up(self.pairs(known), now, node)
        if isinstance(now, Ref) and isinstance(base, Apply) and is_structure(base):
            plain = all(isinstance(value, Const) for value in base.args)
            if any(callable(getattr(v, "value", None)) for v in base.args) and plain:
                pairs = [(Const(i), value) for i, value in enumerate(base.args)]
                return self._looked_up(pairs, now, node)
        return super().item(base, key, node)

    def _looked_up(
        self, pairs: Sequence[tuple[Expr, Expr]], key: Expr, node: gast.AST | None
    ) -> Expr:
        """One of the values of a dictionary, by a key that the text compares."""
        if not pairs:
            self.fail("GG240", "there is no such key", node, "one of its keys")
        if len(pairs) > MOST:
            self.fail(
                "GG240",
                f"a table of {len(pairs)} entries is read by a key that is not known here",
                node,
                f"a literal key, or a table of at most {MOST} entries",
            )
        tests: list[Expr] = []
        for name, _ in pairs:
            differs = Apply("numpy.not_equal", (key, name), (), "operator")
            tests.append(differs)
        none = Apply("and", tuple(tests), (), "operator") if tests[1:] else tests[0]
        self.raise_where(none, KeyError, key)

        def chosen(rest: Sequence[tuple[Expr, Expr]]) -> Expr:
            (name, value), *others = rest
            if not others:
                return value
            same = Apply("numpy.equal", (key, name), (), "operator")
            target = self.note.lines[0].target if self.note.lines else ""
            word = target if target.isidentifier() else "chosen"
            return self.choose(
                same, lambda: value, lambda: chosen(others), word, self.note
            )

        return chosen(pairs)
