"""with and try blocks, imports and del inside a function.

A try block whose handler computes something else where np.linalg or Python's math raises
is a branch of the text (fallbacks.py). Any other is its body: where that raises, the text
raises as well, and does not go on as the function would. So it is never another value,
and the docstring says it. A raise of the function's own goes on in its handler where it
is sure; where a test decides on it, it is refused.
"""

from __future__ import annotations

import contextlib
import importlib
import types
import warnings
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.lookup import among
from gradgen.frontend.contexts import JUMPS, LOCKS, Contexts
from gradgen.frontend.evaluation import Raised, Trying
from gradgen.frontend.fallbacks import (
    caught_as,
    fall_back,
    fallback_of,
    goes_on,
    unless_number,
)
from gradgen.frontend.fence import own_nodes, refused_statement
from gradgen.frontend.held import Held
from gradgen.frontend.jumps import FALSE
from gradgen.frontend.lasting import bound_around
from gradgen.frontend.memory import Poison
from gradgen.frontend.names import assigned, is_plain
from gradgen.frontend.probes import is_undecided
from gradgen.frontend.statics import is_known
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Branch, Const, Expr
from gradgen.rules.load import operation_of, operations

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
# blocks that do nothing to what is computed in them
PLAIN: tuple[Any, ...] = (warnings.catch_warnings, numpy.printoptions)


class Blocks(Contexts):
    """Writes blocks that are more than statements, and what binds modules."""

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if among(value, SILENT):
            return Const(None)
        return super().special_call(value, node)

    def unsettle(self, node: gast.AST) -> None:
        """What a refused block assigns is refused with it: one cause, one message."""
        if isinstance(node, (gast.With, gast.Try, gast.Import, gast.ImportFrom)):
            for name in assigned([node]):
                if self.lookup(name) is None:
                    self.state.names[self.frame.number, name] = REFUSED

    # with

    def write_With(self, node: gast.With) -> None:
        item, *others = node.items
        if others:
            inner = gast.With(items=others, body=node.body, type_comment=None)
            body: list[Any] = [gast.copy_location(inner, node)]
        else:
            body = list(node.body)
        call: Any = item.context_expr
        value = self.resolve(call.func) if isinstance(call, gast.Call) else None
        target: Any = item.optional_vars
        named = target is not None
        if value is numpy.errstate and not named and not call.args:
            self._errstate(node, call, body)
        elif among(value, PLAIN) and not named:
            self.block(body)
        elif value is contextlib.suppress and not named:
            kinds = tuple(self._classes_named([one]) for one in call.args)
            tried = _suppressed(call, body)
            if fallback_of(self, tried, kinds) is not None:
                return self.write_Try(tried)
            if self._within(body, node, kinds, tuple(True for _ in kinds)) is None:
                self.decided(f"nothing is suppressed in line {self._row(node)}")
        elif value is contextlib.nullcontext and len(call.args) <= 1:
            if named:
                self.start(node, self.source.segment(target))
                mark = self.mark()
                held = self.read(call.args[0]) if call.args else Const(None)
                self.assign(target, held, mark)
            self.block(body)
        elif isinstance(self.resolve(call), LOCKS) and not named:
            self.block(body)
        else:
            self._entered(node, body)

    def _errstate(self, node: gast.With, call: gast.Call, body: list[Any]) -> None:
        """with np.errstate(...): the block, and the with in the text."""
        text = f"with {self.source.one_line(call)}"
        self.start(node, "", text, call)
        note = self.note
        kwargs = self.by_keyword(self.spread(call))
        before, mark = self.state, self.mark()
        then = self.arm(before, lambda: self.block(body))
        orelse = self.arm(before, lambda: setattr(self.state, "dead", True))
        ended = then.state.dead
        place = len(self.body)
        self.close(Apply("numpy.errstate", (), kwargs), then, orelse, mark, note)
        self.state.dead = ended
        assert isinstance(self.body[place], Branch)

    def _row(self, node: gast.AST) -> int:
        return self.source.first + node.lineno - 1

    # try

    def store(
        self,
        target: Expr,
        key: Expr,
        value: Expr,
        node: gast.AST,
        add: bool = False,
        op: str = "",
    ) -> None:
        if self.trying:
            unless_number(self, target)
        super().store(target, key, value, node, add, op)

    def write_Try(self, node: gast.Try) -> None:
        caught = [handler for handler in node.handlers if goes_on(handler)]
        kinds = tuple(self._caught(handler) for handler in node.handlers)
        place = fallback_of(self, node, kinds)
        if place is not None:
            fall_back(self, node, node.handlers[place], kinds[place])
            if node.finalbody:
                self._finally(node)
            return
        going = tuple(map(goes_on, node.handlers))
        raised = self._within(node.body, node, kinds, going)
        if raised is not None:
            self._handled(node, raised, kinds)
        else:
            if caught:
                self.decided(f"nothing is caught in line {self._row(node)}")
            if self.gone() == FALSE:
                self.block(node.orelse)
        if node.finalbody:
            self._finally(node)

    def _within(
        self, body: list[Any], node: gast.AST, kinds: Any, goes_on: tuple[bool, ...]
    ) -> Exception | None:
        """The statements of a try block, and what one of them surely raises.

        What stands before that one is done, whatever is done behind it.
        """
        frame, note, loops, before = self.frame, self.note, self.frame.loops, self.state
        flags = {name: before.names.get((frame.number, name)) for name in JUMPS}
        active, lists = len(self.active), list(self.lists_read)
        gone_over, generated = list(self.gone_over), list(self.generated)
        depth, calls = len(self.trying), self.calls_made
        self.trying.append(Trying(self.body, kinds, goes_on))
        try:
            self._certain(body, node)
            return None
        except Raised as found:
            error = found.error
        finally:
            own = self.trying[depth]
            del self.trying[depth:]
        if own.handler_of(type(error)) is None and not getattr(node, "finalbody", 0):
            raise Raised(error)  # a try block around takes it
        self.frame, self.note, self.frame.loops = frame, note, loops
        del self.active[active:]
        self.lists_read, self.gone_over = lists, gone_over
        self.generated = generated
        names = self.state.names
        for key in [key for key in names if key[0] > calls]:
            del names[key]  # of calls that it has left
        for name, value in flags.items():
            names.pop((frame.number, name), None)
            if value is not None:
                names[frame.number, name] = value
        return error

    def _caught(self, handler: Any) -> tuple[type, ...]:
        """The exceptions that a handler takes."""
        if handler.type is None:
            return (BaseException,)
        return self._classes_named(getattr(handler.type, "elts", [handler.type]))

    def _classes_named(self, nodes: list[Any]) -> tuple[type, ...]:
        """The classes of exceptions that expressions name, those of tuples too."""
        found: list[type] = []
        for one in nodes:
            inner = one.value if isinstance(one, gast.Starred) else one
            value = self.resolve(inner)
            every = value if isinstance(value, tuple) else (value,)
            found += [cls for cls in every if isinstance(cls, type)]
        return tuple(found)

    def _handled(self, node: gast.Try, error: Exception, kinds: Any) -> None:
        """The handler of what the body surely raises."""
        for handler, classes in zip(node.handlers, kinds, strict=True):
            if isinstance(error, classes):
                caught_as(self, handler)
                self.block(handler.body)
                return
        self.fail("GG269", f"this raises {type(error).__name__}", node, "another value")

    def _certain(self, body: list[Any], node: gast.AST) -> None:
        """The statements of a block in which an exception is part of what happens.

        What is computed for its exceptions alone would be left out of the text.
        """
        first = len(self.body)
        self.block(body)
        own = [n for statement in body for n in gast.walk(statement)]
        read = {
            n.id
            for n in own_nodes(self.frame.node.body)
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
        }
        for statement in own:
            targets = getattr(statement, "targets", [])
            names = [t.id for t in targets if isinstance(t, gast.Name)]
            idle = isinstance(statement, gast.Expr) or names and not set(names) & read
            called = getattr(statement, "value", None)
            if idle and called and self._is_caught(TypeError, IndexError):
                if is_undecided(self, called):
                    self._refuse_idle(called)
            if idle and isinstance(called, gast.Call) and self.is_check(called):
                continue
            if idle and isinstance(called, gast.Call) and len(self.body) > first:
                word = self.callee(called.func) if self._is_numpys(called) else None
                if word is not None:
                    self._refuse_idle(called)

    def _is_caught(self, *kinds: type[BaseException]) -> bool:
        """Whether a handler of the try block around goes on behind one of these."""
        own = self.trying[-1]
        places = [own.handler_of(kind) for kind in kinds]
        return any(place is not None and own.goes_on[place] for place in places)

    def _refuse_idle(self, node: gast.AST) -> NoReturn:
        self.fail(
            "GG113",
            "a try block around what is computed for its exceptions alone is not "
            "supported",
            node,
            "a test before it: np.all(np.linalg.eigvalsh(A) > 0), or np.ndim(x) > 0",
        )

    def is_check(self, node: gast.Call) -> bool:
        """Whether a call is made for what it raises alone, and no handler goes on.

        before:  try:                                       after:  nothing
                     np.linalg.cholesky(A)
                 except np.linalg.LinAlgError:
                     raise ValueError("A is not positive definite")
        """
        own = self.trying[-1] if self.trying else None
        if own is None or own.body is not self.body or any(own.goes_on):
            return False
        op = operation_of().get(id(self.resolve(node.func)))
        rule = operations().get(op) if op is not None else None
        given = [word.arg for word in node.keywords]
        known = rule is not None and rule.kind != "refused"
        return known and self._is_numpys(node) and "out" not in given

    def _is_numpys(self, node: gast.Call) -> bool:
        module = getattr(self.resolve(node.func), "__module__", "") or ""
        return module.partition(".")[0] in ("numpy", "scipy")

    def _finally(self, node: gast.Try) -> None:
        """What stands in finally, behind a block that has not returned."""
        jumps = (gast.Return, gast.Break, gast.Continue)
        if any(isinstance(one, jumps) for one in own_nodes(node.finalbody)):
            if self.gone() == FALSE:
                return self.block(node.finalbody)
            self.fail(
                "GG113",
                "a return in a finally behind a return is not supported",
                node.finalbody[0],
                "a name for the result, and the return behind the try",
            )
        self.on_every_way(lambda: self.block(node.finalbody))

    # names

    def write_Import(self, node: gast.Import) -> None:
        for alias in node.names:
            module = self._module_of(alias.name, node)
            if alias.asname is None and "." in alias.name:
                module = self._module_of(alias.name.partition(".")[0], node)
            name = alias.asname or alias.name.partition(".")[0]
            self._set(name, Const(module))

    def write_ImportFrom(self, node: gast.ImportFrom) -> None:
        package = self.source.globals.get("__package__")
        for alias in node.names:
            where = "." * (node.level or 0) + (node.module or "")
            module = self._module_of(where, node, package)
            value = getattr(module, alias.name, None)
            if not hasattr(module, alias.name):
                full = f"{module.__name__}.{alias.name}"
                value = self._module_of(full, node)
            handle: Expr | None = None
            if is_plain(value) or callable(value) or is_known(value):
                handle = Const(value)
            elif isinstance(value, types.ModuleType):
                handle = Const(value)
            if handle is None:
                self.fail(
                    "GG211", f"{alias.name} is no plain value", node, "a parameter"
                )
            self._set(alias.asname or alias.name, handle)

    def _set(self, name: str, value: Expr) -> None:
        self.state.names[self.frame.number, name] = value
        self.bound(self.frame.number, name)

    def _module_of(self, name: str, node: Any, package: Any = None) -> types.ModuleType:
        try:
            return importlib.import_module(name, package)
        except Exception as error:
            kind = type(error).__name__
            self.fail(
                "GG113",
                f"an import inside the function raises {kind}",
                node,
                "the import at the module's top",
            )

    def write_Nonlocal(self, node: gast.Nonlocal) -> None:
        """nonlocal total: the name is bound in the call around it."""
        name = bound_around(self, node)
        if name is not None:
            self.fail(
                "GG113",
                f"a nonlocal statement for {name}, which outlives the call, is not "
                "supported",
                node,
                f"{name} as a result, or as a parameter",
            )

    def write_Delete(self, node: gast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, gast.Name):
                handle = self.lookup(target.id)
                if handle is None or handle is REFUSED:
                    self.problems.append(refused_statement(self.source, node))
                    raise Refusal
                gone = f"{target.id} is read where it may have been deleted"
                key = self.frame.number, target.id
                self.state.names[key] = Poison("GG215", gone, "the read before the del")
            elif isinstance(target, gast.Subscript):
                self.start(node, "")
                self._deleted(target, node)
            else:
                self.problems.append(refused_statement(self.source, node))

    def _deleted(self, target: gast.Subscript, node: gast.Delete) -> None:
        """del items[i], of a container that is known."""
        base, key = self.read(target.value), self.read(target.slice)
        held, place = Held(base, target.value), Held(key, target.slice)
        pop = gast.Attribute(value=held, attr="pop", ctx=gast.Load())
        call = gast.Call(func=pop, args=[place], keywords=[])
        self._placed(call, target)
        known = self.contents(base) if REFUSED not in (base, key) else None
        if known is None or self.method_call(call) is None:
            self.problems.append(refused_statement(self.source, node))


def _suppressed(call: gast.Call, body: list[Any]) -> gast.Try:
    """with suppress(ValueError): ..., as a try block with a handler for each."""
    passed = [gast.copy_location(gast.Pass(), call)]
    handlers = [gast.ExceptHandler(one, None, passed) for one in call.args]
    made = gast.Try(body, [gast.copy_location(h, call) for h in handlers], [], [])
    return gast.copy_location(made, body[0])
