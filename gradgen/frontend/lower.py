"""gast -> IR: one Let for each operation, each variable assigned once."""

from __future__ import annotations

import builtins
import types
from dataclasses import replace

import gast
import numpy

from gradgen.errors import GradgenError, gather
from gradgen.frontend.fence import fence
from gradgen.frontend.source import Source, comments, constant_line, did_you_mean
from gradgen.ir.temporaries import temporary_name
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Line,
    Note,
    Origin,
    Param,
    Ref,
    Role,
    Supply,
)
from gradgen.ir.operators import BUILTINS, MATH, getitem
from gradgen.ir.walk import substitute
from gradgen.rules.expression import ExpressionReader
from gradgen.rules.load import operation_of, operations
from gradgen.rules.rule import bind

# Stands for a value that was refused, so that one mistake is told once.
REFUSED = Const("refused")
NO_VALUE = object()


class _Refusal(Exception):
    pass


def lower(source: Source, supply: Supply) -> Function:
    """The function as IR. Raises GradgenError with every problem it has."""
    return _Lowering(source, supply).lowered()


class _Lowering(ExpressionReader):
    def __init__(self, source: Source, supply: Supply):
        self.source, self.supply = source, supply
        self.names: dict[str, Expr] = {}
        self.body: list[Let] = []
        self.context: dict[str, str] = {}
        self.problems: list[GradgenError] = fence(source)
        self.above, self.trailing = comments(source)
        self.note = Note(Role.FORWARD)

    def lowered(self) -> Function:
        """The whole function."""
        params = tuple(self._params())
        result: Expr = REFUSED
        for node in self.source.node.body:
            if isinstance(node, gast.Return) and node.value is not None:
                result = self._return(node)
            elif isinstance(node, (gast.Assign, gast.AnnAssign)):
                self._assign(node)
        if self.problems:
            raise gather(self.problems)
        name, context = self.source.node.name, tuple(self.context.items())
        return Function(name, params, tuple(self.body), (result,), context=context)

    # parameters and statements

    def _params(self):
        args = self.source.node.args
        for keyword_only, group in ((False, args.args), (True, args.kwonlyargs)):
            for arg in group:
                var = self.supply.var(arg.id, Origin.PARAM)
                self.names[arg.id] = Ref(var)
                annotation = None
                if arg.annotation is not None:
                    annotation = self.source.segment(arg.annotation)
                yield Param(var, self._default(arg), annotation, keyword_only)

    def _default(self, arg) -> str | None:
        if arg.id not in self.source.defaults:
            return None
        value = self.source.defaults[arg.id]
        args = self.source.node.args
        positional = args.args[len(args.args) - len(args.defaults) :]
        written = dict(zip((a.id for a in positional), args.defaults))
        written |= {a.id: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
        node = written[arg.id]
        if isinstance(node, gast.Constant):
            return self.source.segment(node)
        if type(value) in (int, float, bool, str, type(None), tuple):
            return repr(value)
        error = self.source.error(
            "GG116",
            f"the default of {arg.id} is not a plain value",
            node,
            f"{arg.id}=None",
        )
        self.problems.append(error)
        return None

    def _start(self, node, target: str) -> None:
        """Makes the statement the one that new operations belong to."""
        row = node.lineno
        line = Line(
            self.source.first + row - 1,
            self.source.one_line(node),
            target,
            tuple(self.above.get(row, ())),
            self.trailing.get(node.end_lineno, ""),
        )
        self.note = Note(Role.FORWARD, (line,), self.source.place(node))

    def _return(self, node: gast.Return) -> Expr:
        self._start(node, "out")
        count = len(self.body)
        value = self.read(node.value)
        if isinstance(value, Apply) and value.op == "tuple":
            self._problem(
                "GG117",
                "a tuple as result is not supported",
                node.value,
                "return one value",
            )
            return REFUSED
        if isinstance(value, Ref) and value.var.origin is Origin.USER:
            return value
        return self._named(value, "out", count, is_result=True)

    def _assign(self, node) -> None:
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if node.value is None:
            return
        self._start(node, ", ".join(self.source.segment(t) for t in targets))
        count = len(self.body)
        value = self.read(node.value)
        for target in targets:
            # The second name of a = b = value is another name of the first.
            value = self._store(target, value, count)

    def _store(self, target, value: Expr, count: int) -> Expr:
        if isinstance(target, gast.Name):
            value = self.names[target.id] = self._named(value, target.id, count)
        elif isinstance(target, (gast.Tuple, gast.List)):
            items = self._unpacked(target, value)
            for item, part in zip(target.elts, items, strict=True):
                self._store(item, part, count)
        return value

    def _unpacked(self, target, value: Expr) -> list[Expr]:
        wanted = len(target.elts)
        if value is REFUSED:
            return [REFUSED] * wanted
        if isinstance(value, Apply) and value.op in ("tuple", "list"):
            if len(value.args) != wanted:
                self._problem(
                    "GG118",
                    f"{wanted} names for {len(value.args)} values",
                    target,
                    "as many names as values",
                )
                return [REFUSED] * wanted
            return list(value.args)
        return [
            self.bind(replace(getitem(value, i), spelling="operator"), target)
            for i in range(wanted)
        ]

    def _named(
        self, value: Expr, name: str, count: int, is_result: bool = False
    ) -> Expr:
        """The value under the user's name: its last operation takes the name."""
        if value is REFUSED:
            return value
        if isinstance(value, Ref):
            for i in range(len(self.body) - 1, count - 1, -1):
                let = self.body[i]
                if let.var == value.var and let.var.origin is Origin.TEMP:
                    return self._renamed(i, name)
            if not is_result:
                return value
        # A plain number keeps its name as well; other constants are inlined.
        is_number = isinstance(value, Const) and type(value.value) is float
        if is_result or is_number:
            var = self.supply.var(name, Origin.USER)
            self.body.append(Let(var, value, self.note))
            return Ref(var)
        return value

    def _renamed(self, i: int, name: str) -> Ref:
        old = self.body[i]
        var = self.supply.var(name, Origin.USER)
        self.body[i] = replace(old, var=var)
        for j in range(i + 1, len(self.body)):
            value = substitute(self.body[j].value, {old.var: Ref(var)})
            self.body[j] = replace(self.body[j], value=value)
        return Ref(var)

    # what the expressions of the user's code mean

    def read(self, node) -> Expr:
        try:
            return super().read(node)
        except _Refusal:
            return REFUSED

    def bind(self, value: Apply, node) -> Expr:
        if REFUSED in value.args or any(v is REFUSED for _, v in value.kwargs):
            return REFUSED
        rule = operations().get(value.op)
        if rule is None:
            self.fail("GG205", f"{value.op} has no rule", node)
        if value.spelling == "operator" and rule.kind == "elementwise":
            for arg in value.args:
                tuples = isinstance(arg, Const) and isinstance(arg.value, tuple)
                if tuples or isinstance(arg, Apply) and arg.op in ("list", "tuple"):
                    self.fail(
                        "GG214",
                        "a list is not an array yet",
                        node,
                        "np.array([...]), as a parameter or at the module's top",
                    )
                if isinstance(arg, Const) and isinstance(arg.value, (str, type(None))):
                    self.fail(
                        "GG213", f"{arg.value!r} is not a number", node, "a number"
                    )
        try:
            bind(rule, value)
        except TypeError as error:
            self.fail("GG209", str(error), node, _call_form(rule))
        target = self.note.lines[0].target if self.note.lines else ""
        name = temporary_name(value, target)
        var = self.supply.var(name, Origin.TEMP)
        note = replace(self.note, place=self.source.place(node))
        self.body.append(Let(var, value, note))
        return Ref(var)

    def name(self, node: gast.Name) -> Expr:
        if node.id in self.names:
            value = self.names[node.id]
            if value is REFUSED:
                raise _Refusal
            return value
        value = self._global(node.id)
        if value is NO_VALUE:
            known = [*self.names, *self.source.globals]
            self.fail(
                "GG210",
                f"the name {node.id} resolves to nothing",
                node,
                did_you_mean(node.id, [n for n in known if n[0] != "_"]),
            )
        return self._constant(value, node, node.id)

    def _global(self, name: str):
        for table in (self.source.closure, self.source.globals, vars(builtins)):
            if name in table:
                return table[name]
        return NO_VALUE

    def _constant(self, value, node, text: str) -> Expr:
        """A module constant under its name, or a refusal."""
        plain = (int, float, complex, bool, str, type(None))
        if type(value) in plain or (
            type(value) is tuple and all(type(item) in plain for item in value)
        ):
            if "." not in text:
                self.context[text] = constant_line(self.source, text, value)
            return Const(value, text)
        if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
            return Const(value, self._canonical(value, text))
        kind = type(value).__name__
        self.fail(
            "GG211",
            f"{text} is a {kind}, not a plain number",
            node,
            "a parameter of the function",
        )

    def _canonical(self, value: type, text: str) -> str:
        return f"np.{value.__name__}" if value.__module__ == "numpy" else text

    def _resolve(self, node):
        """The Python object a dotted name of modules leads to, or NO_VALUE."""
        if isinstance(node, gast.Name):
            return NO_VALUE if node.id in self.names else self._global(node.id)
        if isinstance(node, gast.Attribute):
            base = self._resolve(node.value)
            if isinstance(base, types.ModuleType):
                if not hasattr(base, node.attr):
                    near = did_you_mean(node.attr, dir(base))
                    self.fail(
                        "GG205",
                        f"{base.__name__} has no {node.attr}",
                        node,
                        near if near.startswith("did") else "",
                    )
                return getattr(base, node.attr)
        return NO_VALUE

    def constant_of(self, node: gast.Attribute) -> Const | None:
        value = self._resolve(node)
        if value is NO_VALUE:
            return None
        base = self._resolve(node.value)
        prefix = "np" if base is numpy else base.__name__
        if base is not numpy and type(value) in (int, float):
            self.context[base.__name__.partition(".")[0]] = f"import {base.__name__}"
        if value is None:
            return Const(None)
        return self._constant(value, node, f"{prefix}.{node.attr}")

    def callee(self, node) -> tuple[str, str] | None:
        value = self._resolve(node)
        if value is NO_VALUE:
            if isinstance(node, gast.Name) and node.id not in self.names:
                self.name(node)
            return None
        op = operation_of().get(id(value))
        if op is not None:
            last = node.attr if isinstance(node, gast.Attribute) else ""
            written = f"{op.rpartition('.')[0]}.{last}"
            same = last and operation_of().get(id(_lookup(written))) == op
            return op, f"name:{written}" if same and written != op else ""
        module = getattr(value, "__module__", "")
        name = getattr(value, "__name__", "?")
        if module == "math" and name in MATH:
            self.context["math"] = "import math"
            return MATH[name], f"name:math.{name}"
        if module == "builtins" and name in BUILTINS:
            return BUILTINS[name], f"name:{name}"
        self._no_rule(value, node)

    def _no_rule(self, value, node) -> None:
        written = self.source.segment(node)
        if isinstance(value, types.FunctionType) and not value.__module__.startswith(
            ("numpy", "scipy")
        ):
            self.fail(
                "GG212",
                f"calls of other functions ({written}) are not supported",
                node,
                f"the body of {written} in place of the call",
            )
        if f"numpy.{written}" in operations():
            self.fail("GG205", f"Python's {written} has no rule", node, f"np.{written}")
        known = [op.removeprefix("numpy.") for op in operations()]
        name = getattr(value, "__name__", written)
        near = did_you_mean(name, known)
        self.fail(
            "GG205",
            f"{written} has no rule",
            node,
            near if near.startswith("did") else "functions that gradgen ops lists",
        )

    def literal(self, node: gast.Constant) -> str | None:
        return self.source.segment(node)

    def fail(self, code: str, message: str, node, advice: str = ""):
        self._problem(code, message, node, advice)
        raise _Refusal

    def _problem(self, code: str, message: str, node, advice: str = "") -> None:
        self.problems.append(self.source.error(code, message, node, advice))


def _lookup(dotted: str):
    value = numpy
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def _call_form(rule) -> str:
    """How the function may be called: norm(x, ord=, axis=, keepdims=)."""
    parts = []
    for param in rule.params:
        name = param.var.name.rstrip("_")
        star = "*" if param.star else ""
        parts.append(f"{star}{name}" + ("=" if param.default is not None else ""))
    return f"{rule.op.removeprefix('numpy.')}({', '.join(parts)})"
