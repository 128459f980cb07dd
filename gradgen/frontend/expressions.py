"""What the expressions of the user's code mean: names, operations, conditions."""

from __future__ import annotations

import builtins
import functools
import types
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.items import in_parts, known_item
from gradgen.frontend.memory import Poison, is_structure, leaves
from gradgen.frontend.advice import (
    NO_FUNCTION,
    call_advice,
    function_advice,
    method_advice,
    named_elsewhere,
    unbound_advice,
)
from gradgen.frontend.named import did_you_mean
from gradgen.frontend.names import NO_VALUE, canonical, is_plain, looked_up
from gradgen.frontend.outer_values import OuterValues, attribute_of
from gradgen.frontend.own import spelled
from gradgen.frontend.triangles import of_one_triangle
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.frontend.written_lists import beside_arrays, with_arrays
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import AS_ARRAY, BUILTINS, EQUALITIES, MATH
from gradgen.ir.strong import strong_constant
from gradgen.ir.renaming import in_expression
from gradgen.ir.temporaries import temporary_name
from gradgen.ir.walk import substitute
from gradgen.quoting import import_line
from gradgen.rules.expression import ExpressionReader
from gradgen.rules.load import operation_of, operations, own_operation, ufunc_method
from gradgen.rules.methods import operation_of_method
from gradgen.rules.rule import Rule


class Expressions(OuterValues, ExpressionReader):
    """Reads expressions into handles, writing the operations on the way."""

    def read(self, node: gast.AST) -> Expr:
        try:
            return super().read(node)
        except Refusal:
            if not self.problems:  # a statement without it would be another function
                told = "what this reads is not known here"
                self.problem("GG113", told, node, "the value under another name")
            return REFUSED

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        if any(leaf is REFUSED for leaf in leaves(Apply("tuple", value.args))):
            return REFUSED
        if any(v is REFUSED for _, v in value.kwargs):
            return REFUSED
        value, dtype = _without_dtype(value)
        if dtype is not None:
            array = self.bind(value, node)
            cast = Apply("numpy.astype", (array, dtype), (), "method:astype")
            return array if array is REFUSED else self.bind(cast, node)
        rule = operations().get(value.op)
        if rule is None:
            self.fail("GG205", f"{value.op} has no rule", node)
        if rule.kind == "refused":
            reason, instead = rule.linear
            name = rule.op.removeprefix("numpy.")
            self.fail("GG218", f"no gradient through {name}: {reason}", node, instead)
        value = beside_arrays(self, value, node)
        self._check_values(value, rule, node)
        value = of_one_triangle(self, value, node)
        try:
            parts = in_parts(rule, value, self.facts)
        except TypeError as error:
            self.fail("GG209", str(error), node, call_advice(rule, value))
        known = known_item(value, self.facts)
        if known is not None:
            return known
        for arg, items in parts.items():
            whole = Apply("tuple", tuple(self.bind(item, node) for item in items))
            changed = substitute(value, {arg.var: whole})
            assert isinstance(changed, Apply)
            value = changed
        value = with_arrays(self, value, rule, node)
        return self.result(value, self.wished(value), node)

    def wished(self, value: Apply) -> str:
        """The name that an operation's result wishes for."""
        target = self.note.lines[0].target if self.note.lines else ""
        known = in_expression(value, {}, self.renamed)
        return temporary_name(known if isinstance(known, Apply) else value, target)

    def _check_values(self, value: Apply, rule: Rule, node: gast.AST | None) -> None:
        every = (*value.args, *(v for _, v in value.kwargs))
        for leaf in leaves(Apply("tuple", every)):
            version = self.state.held(leaf)
            if isinstance(version, Apply) and version.op == "dict":
                self.fail(
                    "GG214", "a dictionary is not an array", node, "one of its values"
                )
            kind = getattr(leaf, "value", None)
            if callable(kind) and not isinstance(kind, type):
                name = getattr(kind, "__name__", "a function")
                self.fail(
                    "GG211",
                    f"{name} is a function, not a value",
                    node,
                    f"{name}(...)",
                )
        if value.spelling != "operator" or rule.kind != "elementwise":
            return
        for arg in value.args:
            version = self.state.held(arg)
            arg = version if isinstance(version, Apply) else arg
            tuples = isinstance(arg, Const) and isinstance(arg.value, tuple)
            if tuples or is_structure(arg):
                self.fail(
                    "GG214",
                    "a list is not an array yet",
                    node,
                    "np.array([...]), as a parameter or at the module's top",
                )
            if isinstance(arg, Const) and isinstance(arg.value, (str, type(None))):
                if value.op not in EQUALITIES:
                    self.fail(
                        "GG213", f"{arg.value!r} is not a number", node, "a number"
                    )

    def made_by(self, value: Expr) -> str:
        if not isinstance(value, Ref):
            return ""
        return getattr(self.facts.definitions.get(value.var), "op", "")

    # names

    def name(self, node: gast.Name) -> Expr:
        value = self.lookup(node.id)
        if isinstance(value, Poison):
            self.fail(value.code, value.message, node, value.advice)
        if value is REFUSED:
            raise Refusal
        if value is not None:
            self.raise_unless_bound(node.id)
            return self.seen_now(value)
        if node.id in self.frame.locals:
            self.fail(
                "GG215",
                f"{node.id} may be read before it is assigned",
                node,
                f"{node.id} = ..., on a line before",
            )
        value = self.global_value(node.id)
        if value is NO_VALUE:
            known = [name for _, name in self.state.names]
            known += self.source.globals
            self.fail(
                "GG210",
                f"the name {node.id} resolves to nothing",
                node,
                unbound_advice(node.id, [n for n in known if n[0] not in "_%"]),
            )
        return self._constant(value, node, node.id)

    def lookup(self, name: str) -> Expr | None:
        """What a local name, or one of an enclosing function, is bound to."""
        frame: Frame | None = self.frame
        while frame is not None:
            found = self.state.names.get((frame.number, name))
            if found is not None or name in frame.locals:
                return found
            if name in frame.shared:
                break
            frame = frame.parent
        return None

    def is_refused(self, name: str) -> bool:
        """Whether what a local name holds has been refused."""
        return self.lookup(name) is REFUSED

    def is_local(self, name: str) -> bool:
        """Whether a name is assigned in this function or in an enclosing one."""
        frame: Frame | None = self.frame
        while frame is not None:
            if name in frame.locals:
                return True
            if name in frame.shared:
                break
            frame = frame.parent
        return False

    def global_value(self, name: str) -> Any:
        """What a name means outside the function, or NO_VALUE."""
        for table in (self.source.closure, self.source.globals, vars(builtins)):
            if name in table:
                return table[name]
        return NO_VALUE

    def _constant(self, value: object, node: gast.AST, text: str) -> Expr:
        """A module constant under its name, or a refusal."""
        if is_plain(value):
            return self.constant_under(text, value)
        if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
            return Const(value, canonical(value, text))
        named = hasattr(value, "__name__") or isinstance(value, functools.partial)
        if callable(value) and named or isinstance(value, types.ModuleType):
            return Const(value, text)
        if isinstance(value, numpy.complex128) and numpy.isfinite(value):
            return self.module_number(value, text.rpartition(".")[2], node)
        if isinstance(value, numpy.generic) and strong_constant(value) is not None:
            return self.strong_under(text, value)
        found = self.held(value, node, text)
        if found is not None:
            return found
        kind = type(value).__name__
        self.fail(
            "GG211",
            f"{text} is a {kind}, not a plain number",
            node,
            "a parameter of the function",
        )

    def resolve(self, node: gast.AST) -> Any:
        """The Python object a dotted name of modules leads to, or NO_VALUE."""
        if isinstance(node, gast.Name):
            return NO_VALUE if self.is_local(node.id) else self.global_value(node.id)
        if isinstance(node, gast.Attribute):
            base = self.resolve(node.value)
            if isinstance(base, types.ModuleType):
                if not hasattr(base, node.attr):
                    near = did_you_mean(node.attr, dir(base))
                    self.fail(
                        "GG205",
                        f"{base.__name__} has no {node.attr}",
                        node,
                        near if near.startswith("did") else named_elsewhere(node.attr),
                    )
                return getattr(base, node.attr)
            return attribute_of(base, node.attr)
        return NO_VALUE

    def constant_of(self, node: gast.Attribute) -> Expr | None:
        value = self.resolve(node)
        if value is NO_VALUE:
            return None
        base = self.resolve(node.value)
        if value is None:
            return Const(None)
        if is_plain(value) and base is numpy:
            return Const(value, f"np.{node.attr}")
        if type(value) is float and getattr(numpy, node.attr, None) is value:
            return Const(value, f"np.{node.attr}")  # NumPy's own, of another module
        if is_plain(value) and isinstance(base, types.ModuleType):
            return self.constant_in(base, node.attr, value)
        if not isinstance(base, types.ModuleType):
            text = self.source.segment(node)
            return (
                Const(value) if is_plain(value) else self._constant(value, node, text)
            )
        prefix = "np" if base is numpy else base.__name__
        return self._constant(value, node, f"{prefix}.{node.attr}")

    def callee(self, node: gast.AST) -> tuple[str, str] | None:
        value = self.resolve(node)
        if value is NO_VALUE and isinstance(node, gast.Name):
            # a name of the function's own, bound to a function of numpy's
            value = getattr(self.name(node), "value", NO_VALUE)
            if not callable(value):
                self.fail("GG208", f"{node.id} is no function", node, NO_FUNCTION)
        if value is NO_VALUE and isinstance(node, gast.Attribute):
            owner = self.resolve(node.value)
            if isinstance(owner, numpy.ufunc):
                method = ufunc_method(operation_of().get(id(owner)), node.attr)
                return method or self.no_rule(getattr(owner, node.attr, None), node)
            op = None if owner is NO_VALUE else operation_of_method(owner, node.attr)
            if op is not None:
                return op, ""
        if value is NO_VALUE:
            return None
        op = operation_of().get(id(value))
        own = own_operation(value) if op is None else None
        if own:
            spelling, lines = spelled(own, node, self)
            for name, line in lines.items():
                if not self.is_free(name, line):
                    self.fail(
                        "GG217",
                        f"{name} is what the gradient calls, and another name here",
                        node,
                        f"another name for the other {name}",
                    )
            self.context |= lines
            return own, spelling
        if op is not None:
            last = node.attr if isinstance(node, gast.Attribute) else ""
            written = f"{op.rpartition('.')[0]}.{last}"
            same = last and operation_of().get(id(looked_up(written))) == op
            return op, f"name:{written}" if same and written != op else ""
        module = getattr(value, "__module__", "")
        name = getattr(value, "__name__", "?")
        if module == "math" and name in MATH:
            return MATH[name], f"name:{self.module_name('math')}.{name}"
        if module == "builtins" and name in BUILTINS:
            return BUILTINS[name], f"name:{name}"
        self.no_rule(value, node)

    def importing(
        self,
        module: str,
        node: gast.AST | None,
        name: str | None = None,
        alias: str | None = None,
    ) -> str:
        """The line that imports a module, or a name of it; refused where none can."""
        line = import_line(module, name, alias)
        if line is None:
            what = f"the module {module}"
            what = what if name is None else f"{name} of {what}"
            advice = "a module whose file's name is a name of Python's"
            self.problem("GG219", f"{what} cannot be imported", node, advice)
        return line or ""

    def no_rule(self, value: object, node: gast.AST) -> NoReturn:
        """Refuses a function that is not known."""
        written = self.source.segment(node)
        if f"numpy.{written}" in operations():
            self.fail("GG205", f"Python's {written} has no rule", node, f"np.{written}")
        advice = function_advice(value, written)
        self.fail("GG205", f"{written} has no rule", node, advice)

    def no_attribute(self, node: gast.Attribute, value: Expr) -> NoReturn:
        if value is REFUSED:
            raise Refusal
        super().no_attribute(node, value)

    def no_method(self, node: gast.Attribute, receiver: Expr) -> NoReturn:
        if receiver is REFUSED:
            raise Refusal
        message = f"the method .{node.attr}() is not supported"
        operand = self.source.segment(node.value)
        self.fail("GG206", message, node, method_advice(node.attr, operand))

    def literal(self, node: gast.Constant) -> str | None:
        return self.source.segment(node)


def _copied(option: Expr) -> Expr:
    """copy= as True, None or False: NumPy has an enum for it as well."""
    name = getattr(getattr(option, "value", None), "name", "")
    ways = {"ALWAYS": True, "IF_NEEDED": None, "NEVER": False}
    return Const(ways[name]) if name in ways else option


def _without_dtype(value: Apply) -> tuple[Apply, Expr | None]:
    """np.array(x, dtype) as np.array(x) and the dtype that it is cast to."""
    if value.op not in AS_ARRAY:
        return value, None
    named = dict(value.kwargs)
    op = value.op
    if "copy" in named:
        named["copy"] = _copied(named["copy"])
    if op == "numpy.array" and named.get("copy") == Const(True):
        named.pop("copy")
    elif named.get("copy") in (Const(False), Const(None)):
        named.pop("copy")
        op = "numpy.asarray"
    if named.get("order") in (*map(Const, "CcKk"), Const(None)):
        named.pop("order")
    if named.get("subok") in (Const(False), Const(True)):
        named.pop("subok")  # arrays are of no class of their own
    value = replace(value, op=op, kwargs=tuple(named.items()))
    dtype = value.args[1] if len(value.args) == 2 else named.pop("dtype", None)
    if not named and dtype == Const(None):
        return replace(value, args=value.args[:1], kwargs=()), None
    if named or len(value.args) > 2 or dtype is None:
        return value, None
    return replace(value, args=value.args[:1], kwargs=()), dtype
