"""Calls that stay calls: of functions that call themselves, and with --keep-calls."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any, TypeGuard

from gradgen.errors import GradgenError
from gradgen.frontend.callees import Callees, Unkept, numbers, plain
from gradgen.frontend.comprehensions import Comprehensions
from gradgen.frontend.memory import is_structure
from gradgen.frontend.source import Source
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.callee import Callee
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Supply
from gradgen.ir.operators import getitem
from gradgen.shapes.callees import described


class KeptCalls(Comprehensions):
    """Writes calls of functions that get a function of their own in the text."""

    def __init__(self, source: Source, supply: Supply, shapes: dict[Any, Any]) -> None:
        super().__init__(source, supply, shapes)
        self.callees = Callees()
        # the arguments that are constants other than numbers, such as functions
        self.static: dict[str, Const] = {}

    def kept(self, source: Source, bound: dict[str, Expr], node: Any) -> Expr | None:
        """The handle of a call's result; None where it has to be written out.

        before:  y = power(x, 3) ** 2
        after:   power_value = kept(power, x, 3)
                 y = power_value ** 2
        """
        body, problems, state = len(self.body), len(self.problems), self.state.copy()
        try:
            return self._kept(source, bound, node)
        except Unkept as reason:
            why = str(reason)
        except GradgenError as error:
            if self.callees.must_stay(source):
                self.problems.append(error)
                raise Refusal from None
            why = ""
        if self.callees.must_stay(source):
            self.fail(
                "GG250",
                f"{source.node.name} calls itself, when it ends is not known, and the "
                f"calls cannot stay calls: {why}",
                node,
                "a loop",
            )
        del self.body[body:], self.problems[problems:]
        self.state = state
        return None

    def _kept(self, source: Source, bound: dict[str, Expr], node: Any) -> Expr:
        spec = source.node.args
        if spec.vararg is not None or spec.kwarg is not None:
            raise Unkept("it has starred parameters")
        if getattr(spec, "posonlyargs", []):
            raise Unkept("it has positional-only parameters")
        if source.node.decorator_list:
            raise Unkept("it is decorated")
        if self.bound_outside():
            raise Unkept("names of a module hold other values here")
        static: dict[str, Const] = {}
        handles: dict[str, Expr] = {}
        for name, handle in bound.items():
            if self._is_static(handle):
                static[name] = handle
            else:
                handles[name] = handle
        args = tuple(self._handed_over(handle, node) for handle in handles.values())
        texts, names = described(self.facts, args), tuple(handles)
        if all((text or "").startswith(":") for text in texts):
            raise Unkept("it is given no number that could have a gradient")
        callee = self.callees.found(source, static, names, texts, self._read_callee)
        given = any(outcome.given for outcome in callee.outcomes)
        if given and not self.callees.must_stay(source):
            raise Unkept("it returns what it is given")  # inlined, it is known
        value = Apply("kept", (Const(callee), *args))
        self.context |= self._context_of(callee)
        return self._results_of(callee, value, list(handles.values()), node)

    def _is_static(self, handle: Expr) -> TypeGuard[Const]:
        """Whether an argument is known here and no number: a function, a string."""
        if not isinstance(handle, Const):
            return False
        value = handle.value
        if callable(value) and not isinstance(value, (types.FunctionType, type(None))):
            raise Unkept("it is given a function that stands in another")
        if callable(value) and value.__closure__:
            raise Unkept("it is given a function that stands in another")
        return not isinstance(value, (int, float)) or isinstance(value, bool)

    def _handed_over(self, handle: Expr, node: Any) -> Expr:
        """The current value of an argument that is an array or a number."""
        if handle is REFUSED or isinstance(handle, Const):
            return self.current(handle, node)
        if not isinstance(handle, Ref) or is_structure(handle):
            raise Unkept("it is given a container")
        known = self.contents(handle)
        value = self.current(handle, node)
        if known is not None or self.facts.is_list(value) or not isinstance(value, Ref):
            raise Unkept("it is given a container")
        return value

    def _read_callee(
        self, callee: Callee, static: dict[Any, Any]
    ) -> tuple[Function, object]:
        """The function itself, read for arguments of its facts."""
        texts = {
            name: text
            for name, text in zip(callee.params, callee.texts)
            if text is not None
        }
        source = replace(plain(callee.source), described=False)
        lowering = type(self)(source, self.supply, texts)
        lowering.callees, lowering.static = self.callees, static
        lowering.outermost = self.outermost or self.root.source.node.name
        function = lowering.lowered()
        for var in lowering.arguments:
            stored = lowering.state.version(var) != Ref(var)
            if stored and var not in lowering.memory.numbers:
                raise Unkept(f"it changes its argument {var.name}")
        return function, numbers(function.body, lowering.memory.numbers)

    def _context_of(self, callee: Callee) -> dict[str, str]:
        """The lines of its module that a function needs."""
        function = callee.function
        lines = {} if function is None else dict(function.context)
        for name, line in lines.items():
            if self.context.get(name, line) != line:
                raise Unkept(f"its module has another {name}")
        return lines

    def _results_of(
        self, callee: Callee, value: Apply, handles: list[Any], node: Any
    ) -> Expr:
        """A handle for the result of a call, or a tuple of several."""
        made = self.emit(value, f"{callee.name}_value", node)
        if len(callee.outcomes) == 1:
            refs = [made]
        else:
            count = range(len(callee.outcomes))
            name = callee.name
            refs = [self.emit(getitem(made, i), f"{name}_{i}", node) for i in count]
        for ref, outcome in zip(refs, callee.outcomes, strict=True):
            if outcome.number:
                self.memory.numbers.add(ref.var)
                continue
            for place in outcome.shared:
                base = handles[place]
                if isinstance(base, Ref):
                    self.memory.join(ref.var, self.memory.reach(base.var))
        return refs[0] if len(refs) == 1 else Apply("tuple", tuple(refs))

    def through_itself(self) -> Expr:
        """The result of a call of the function itself with its own parameters."""
        node = self.source.node
        names = [arg.id for arg in (*node.args.args, *node.args.kwonlyargs)]
        bound = {name: self.state.names[0, name] for name in names}
        value = self.kept(self.source, bound, node)
        assert value is not None  # one that must stay a call is never written out
        return value
