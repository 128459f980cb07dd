"""One function of a rule file -> Rule, each name in it checked.

A mistake in a rule is an error that names its file and line.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, NoReturn

import gast

from gradgen.errors import GradgenError
from gradgen.ir.library import SCIPY
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Supply, Var
from gradgen.lines import segment
from gradgen.rules import vocabulary
from gradgen.rules.deciding import is_call
from gradgen.rules.expression import ExpressionReader
from gradgen.rules.rule import Adjoint, Each, If, Local, Rule, RuleParam

# what the names of modules stand for in a rule file
MODULES = {name: f"scipy.{name}" for name in SCIPY}
MODULES["np"] = "numpy"
KINDS = "elementwise linear general constant boolean integer creation refused".split()
FIELDS = "holomorphic to_real to_complex from_real".split()


def fail(file: str, line: int, message: str) -> NoReturn:
    """Raises the error of a mistake in a rule file."""
    raise GradgenError("GG902", message, file=file, line=line)


class RuleReader(ExpressionReader):
    """Reads one function of a template file."""

    def __init__(
        self, node: gast.FunctionDef, file: str, module: str, lines: list[Any]
    ) -> None:
        self.node, self.file, self.module, self.lines = node, file, module, lines
        # Apart from the numbers of any function, so that the two never meet.
        self.supply = Supply(1 << 40)
        self.names: dict[str, Var] = {}
        self.shape: Expr | None = None
        self.items: list[Expr] = []
        self.tangents: dict[Var, Var] = {}
        self.alone: Expr | None = None
        arguments = [arg.id for arg in node.args.args]
        if not arguments:
            fail(file, node.lineno, f"{node.name} needs the result as first parameter")
        self.result = self._new(arguments[0])
        self.cotangent = self.supply.var("d_" + arguments[0], Origin.LOCAL)
        self.degrees: dict[Var, int | None] = {self.cotangent: 1}

    def _new(self, name: str, origin: Origin = Origin.PARAM) -> Var:
        var = self.supply.var(name, origin)
        self.names[name] = var
        return var

    def rules(self) -> list[Rule]:
        """The rule, once for each function it holds for."""
        kind, linear, names, field = "", (), [self.node.name], ""
        for decorator in self.node.decorator_list:
            called = isinstance(decorator, gast.Call)
            word = getattr(decorator.func if called else decorator, "id", "")
            texts = tuple(arg.value for arg in decorator.args) if called else ()
            if word == "like":
                names += texts
            elif word == "named":
                names = list(texts)
            elif word in KINDS:
                kind, linear = word, texts
            elif word in FIELDS:
                field = word
            else:
                self.fail("GG902", f"unknown decorator {word}".rstrip(), decorator)
        if not kind:
            self.fail("GG902", f"{self.node.name} has no kind", self.node)
        params = tuple(self._params())
        convention = self._convention()
        body = tuple(self._lines(self.node.body))
        return [
            Rule(
                f"{self.module}.{name}" if self.module else name,
                kind,
                linear,
                self.result,
                self.cotangent,
                params,
                self.shape,
                body,
                self.file,
                self.node.lineno,
                convention,
                tuple(self.items),
                self.alone,
                self.tangents,
                field,
            )
            for name in names
        ]

    def _params(self) -> Iterator[RuleParam]:
        args = self.node.args
        named = args.args[1:]
        defaults = [None] * (len(named) - len(args.defaults)) + args.defaults
        for arg, default in zip(named, defaults, strict=True):
            value = None if default is None else self.read(default)
            yield RuleParam(self._new(arg.id), value)
        if args.vararg:
            yield RuleParam(self._new(args.vararg.id), star=True)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if default is None:
                self.fail("GG902", f"{arg.id} needs a default", arg)
            yield RuleParam(self._new(arg.id), self.read(default), keyword_only=True)

    def _convention(self) -> str:
        first, last = self.node.lineno, self.node.end_lineno
        comments = (line.partition("  # ")[2] for line in self.lines[first - 1 : last])
        return "; ".join(comment for comment in comments if comment)

    def _lines(self, statements: list[gast.stmt]) -> Iterator[Any]:
        for node in statements:
            if isinstance(node, gast.If):
                test, before = self.read(node.test), self.shape
                then = tuple(self._lines(node.body))
                if self.shape is not before:
                    self.alone = test
                yield If(test, then, tuple(self._lines(node.orelse)))
            elif isinstance(node, gast.For):
                over = self.read(node.iter)
                index = self._new(node.target.id)
                yield Each(index, over.args[0], tuple(self._lines(node.body)))
            elif isinstance(node, (gast.Assign, gast.AugAssign)):
                yield from self._assignment(node)
            elif not (isinstance(node, gast.Expr) or isinstance(node, gast.Pass)):
                self.fail("GG902", "only assignments, if and for stand in a rule", node)

    def _assignment(
        self, node: gast.Assign | gast.AugAssign
    ) -> Iterator[Local | Adjoint]:
        augmented = isinstance(node, gast.AugAssign)
        target = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
        value = self.read(node.value)
        if isinstance(target, gast.Name):
            origin = Origin.LOCAL
            if is_call(value, "own_line"):
                origin, (value,) = Origin.NAMED, value.args
            local = self.names.get(target.id)
            if local is None or local.origin is not origin:
                local = self._new(target.id, origin)
            self.degrees[local] = _degree(value, self.degrees)
            yield Local(local, value)
            return
        inner = target.value
        if isinstance(inner, gast.Subscript) and augmented:
            yield Adjoint(
                self.read(inner.slice),
                self._linear(value, node),
                self.read(target.slice),
            )
        elif isinstance(inner, gast.Name) and inner.id == "shape":
            if isinstance(target.slice, gast.Subscript):
                if target.slice.slice.value != len(self.items):
                    self.fail("GG902", "shape[z[0]], shape[z[1]] in order", node)
                self.items.append(value)
                return
            if self.shape is not None:
                self.fail("GG902", "a rule has one shape line", node)
            self.shape = value
        elif isinstance(inner, gast.Name) and inner.id == "t" and not augmented:
            yield Adjoint(self.read(target.slice), value)
        elif isinstance(inner, gast.Name) and inner.id == "d" and not augmented:
            yield Adjoint(self.read(target.slice), self._linear(value, node))
        else:
            self.fail(
                "GG902",
                "a rule assigns d[x], d[x][key], t[z], shape[z] or a name",
                node,
            )

    def _linear(self, value: Expr, node: gast.AST) -> Expr:
        """The value, after a check that each of its terms has d[z] once."""
        if _degree(value, self.degrees) != 1:
            self.fail("GG902", "d[z] must stand exactly once in each term", node)
        return value

    # what the expressions of a rule mean

    def name(self, node: gast.Name) -> Expr:
        if node.id not in self.names:
            self.fail("GG902", f"{node.id} is neither parameter, local nor word", node)
        return Ref(self.names[node.id])

    def read_Subscript(self, node: gast.Subscript) -> Expr:
        if isinstance(node.value, gast.Name) and node.value.id == "t":
            if not isinstance(node.slice, gast.Name):
                self.fail("GG902", "only t of a parameter stands on the right", node)
            param = self.name(node.slice).var
            if param not in self.tangents:
                name = f"t_{param.name}"
                self.tangents[param] = self.supply.var(name, Origin.LOCAL)
            return Ref(self.tangents[param])
        if isinstance(node.value, gast.Name) and node.value.id == "d":
            inner = node.slice
            if isinstance(inner, gast.Subscript) and (
                isinstance(inner.value, gast.Name)
                and self.names.get(inner.value.id) == self.result
            ):
                return Apply("getitem", (Ref(self.cotangent), self.read(inner.slice)))
            if not (
                isinstance(node.slice, gast.Name)
                and self.names.get(node.slice.id) == self.result
            ):
                self.fail("GG902", "only d of the result stands on the right", node)
            return Ref(self.cotangent)
        return super().read_Subscript(node)

    def read_BoolOp(self, node: gast.BoolOp) -> Expr:
        op = "and" if isinstance(node.op, gast.And) else "or"
        return Apply(op, tuple(self.read(value) for value in node.values))

    def callee(self, node: gast.AST) -> tuple[str, str] | None:
        if isinstance(node, gast.Name):
            if node.id.startswith("_"):
                return f"helper.{node.id}", ""
            if not hasattr(vocabulary, node.id):
                self.fail("GG902", f"{node.id} is not a word of the rules", node)
            return node.id, ""
        dotted = _dotted(node)
        if dotted and dotted[0] in MODULES:
            return ".".join([MODULES[dotted[0]], *dotted[1:]]), ""
        if dotted and ".".join(dotted[:-1]) == self.module:
            return ".".join(dotted), ""
        return None

    def constant_of(self, node: gast.Attribute) -> Const | None:
        dotted = _dotted(node)
        if dotted and dotted[0] == "np":
            value = getattr(importlib.import_module("numpy"), dotted[1], None)
            if isinstance(value, float):
                return Const(value, f"np.{dotted[1]}")
            self.fail("GG902", f"{'.'.join(dotted)} is not a constant", node)
        return None

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        return value

    def literal(self, node: gast.Constant) -> str | None:
        return segment(self.lines, node)

    def fail(
        self, code: str, message: str, node: gast.AST, advice: str = ""
    ) -> NoReturn:
        fail(self.file, getattr(node, "lineno", self.node.lineno), message)


def _dotted(node: gast.AST) -> list[str] | None:
    """The parts of a dotted name, or None."""
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return None
    return [node.id, *reversed(parts)]


def _degree(expr: Expr, degrees: dict[Var, int | None]) -> int | None:
    """The degree of an expression in d[z]; None when it is not one number."""
    if isinstance(expr, Ref):
        return degrees.get(expr.var, 0)
    if not isinstance(expr, Apply):
        return 0
    found = [_degree(arg, degrees) for arg in expr.args]
    known = [degree for degree in found if degree is not None]
    if found != known or any(_degree(value, degrees) for _, value in expr.kwargs):
        return None
    if expr.op in ("numpy.add", "numpy.subtract"):
        # A sum of terms: each has the same degree.
        return found[0] if len(set(found)) == 1 else None
    if expr.op == "numpy.where":
        # 0 is linear in everything.
        chosen = [n for n, arg in zip(found[1:], expr.args[1:]) if arg != Const(0)]
        return chosen[0] if len(set(chosen)) == 1 else None
    return sum(known)
