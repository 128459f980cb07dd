"""An expression of the primal in the user's words, for messages."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Note, Origin, Ref, Var
from gradgen.ir.operators import BINARY, COMPARE, UNARY

LONGEST = 40
_SIGNS = {op: name for table in (BINARY, COMPARE, UNARY) for name, op in table.items()}
# values that the user has given no name
NAMELESS = (Origin.TEMP, Origin.LOCAL, Origin.NAMED)


def gives_no_name(note: Note) -> bool:
    """Whether a statement is of a line that returns its value, without a name."""
    return bool(note.lines) and note.lines[0].text.startswith("return ")


class Unworded(Exception):
    """An expression that no line of the user's says."""


def worded(
    expr: Expr,
    definitions: Mapping[Var, Expr],
    labels: Mapping[Var, str] = {},
    nameless: Container[Var] = (),
) -> str:
    """What an expression is called in the primal; "" where it has no short name.

    `definitions` are those of the primal, `labels` what its parameters are called,
    `nameless` what has a name in the text alone: the value of a return statement.

    before:  inner, with inner = numpy.sqrt(inner_1) and inner_1 = numpy.sum(x)
    after:   np.sqrt(np.sum(x))
    """
    try:
        text = ast.unparse(_Words(definitions, labels, nameless).node(expr))
    except Unworded:
        return ""
    return text if len(text) <= LONGEST else ""


class _Words:
    def __init__(
        self,
        definitions: Mapping[Var, Expr],
        labels: Mapping[Var, str],
        nameless: Container[Var],
    ) -> None:
        self.definitions, self.labels = definitions, labels
        self.nameless = nameless
        self.budget = LONGEST  # a value may be read by many: no more nodes than letters

    def node(self, expr: Expr) -> ast.expr:
        self.budget -= 1
        if self.budget < 0:
            raise Unworded
        if isinstance(expr, Ref):
            var = expr.var
            has_none = var.origin in NAMELESS or var in self.nameless
            if has_none and var in self.definitions:
                return self.node(self.definitions[var])
            if var.origin not in (Origin.PARAM, Origin.USER):
                raise Unworded
            return ast.Name(self.labels.get(var, var.name))
        if isinstance(expr, Const):
            return ast.Name(expr.text or repr(expr.value))
        assert isinstance(expr, Apply)
        args = expr.args
        sort, _, name = expr.spelling.partition(":")
        if expr.op in _SIGNS and sort in ("operator", "augmented"):
            return self._operator(_SIGNS[expr.op], args)
        if expr.op == "getitem":
            key = ast.unparse(self._key(args[1])) if args[1] != Const(()) else "()"
            return ast.Subscript(self.node(args[0]), ast.Name(key.strip("()") or "()"))
        if expr.op in ("tuple", "list"):
            display = ast.Tuple if expr.op == "tuple" else ast.List
            return display(list(map(self.node, args)), ast.Load())
        if sort == "attribute":
            return ast.Attribute(self.node(args[0]), name)
        if sort in ("method", "method*"):
            given = args[1:]
            if sort == "method*" and given and isinstance(given[0], Apply):
                given = (*given[0].args, *given[1:])
            return self._call(ast.Attribute(self.node(args[0]), name), given, expr)
        if sort == "name":
            return self._call(ast.Name(name), args, expr)
        if "." not in expr.op and expr.op != "len":
            raise Unworded
        called = expr.op
        if called.startswith("numpy."):
            called = "np." + called.removeprefix("numpy.")
        return self._call(ast.Name(called), args, expr)

    def _call(self, of: ast.expr, args: tuple[Expr, ...], expr: Apply) -> ast.expr:
        keywords = [ast.keyword(name, self.node(v)) for name, v in expr.kwargs]
        return ast.Call(of, list(map(self.node, args)), keywords)

    def _operator(self, sign: str, args: tuple[Expr, ...]) -> ast.expr:
        nodes = list(map(self.node, args))
        of = getattr(ast, sign)()
        if isinstance(of, ast.unaryop):
            return ast.UnaryOp(of, nodes[0])
        if isinstance(of, ast.cmpop):
            return ast.Compare(nodes[0], [of], nodes[1:])
        return ast.BinOp(nodes[0], of, nodes[1])

    def _key(self, key: Expr) -> ast.expr:
        if isinstance(key, Apply) and key.op == "tuple":
            return ast.Tuple([self._key(item) for item in key.args], ast.Load())
        if isinstance(key, Apply) and key.op == "slice":
            ends = [None if p == Const(None) else self.node(p) for p in key.args]
            text = ":".join("" if end is None else ast.unparse(end) for end in ends[:2])
            step = "" if ends[2] is None else f":{ast.unparse(ends[2])}"
            return ast.Name(text + step)
        return self.node(key)
