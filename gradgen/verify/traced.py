"""A function that tells what it computed: the value of each statement and each term."""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeGuard

import numpy as np

from gradgen.frozen import dataclass
from gradgen.lines import dedented, lines_of

SEE = "_gradgen_see"


@dataclass(frozen=True)
class Term:
    """A place in a text: an expression, or one term of a sum.

    `name` is what a statement assigns it to; `sums` are the terms that it is the sum
    of: the number of each, its sign, and the number of its factor where there is one.
    """

    line: int
    text: str
    name: str = ""
    sums: tuple[tuple[int, int, int | None], ...] = ()


@dataclass
class Trace:
    """The places of a text, and their values in the order of one run.

    `bumps` are numbers that are added to the values at places.
    """

    file: str
    lines: list[str]
    terms: list[Term] = field(default_factory=list)
    seen: list[tuple[int, np.ndarray]] = field(default_factory=list)
    bumps: dict[int, Any] = field(default_factory=dict)

    def see(self, number: int, value: Any) -> Any:
        """Notes a value, and hands it on."""
        if isinstance(value, (np.ndarray, np.generic, float, complex)):
            # A copy: what is changed in place later had this value here.
            self.seen.append((number, np.array(value)))
            if number in self.bumps:
                return value + self.bumps[number]
        return value

    def last(self, number: int) -> np.ndarray | None:
        """The last value at a place, None where it was never reached."""
        return next((v for n, v in reversed(self.seen) if n == number), None)

    def line(self, number: int) -> str:
        """The line of the text that a place stands in."""
        return self.lines[number - 1].strip()


def traced(function: Callable[..., Any]) -> tuple[Callable[..., Any], Trace] | None:
    """A function as one that notes its values; None where its text cannot be read."""
    try:
        lines, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function) or function.__code__.co_filename
        tree = ast.parse(dedented("".join(lines)))
        (node,) = tree.body
        if not isinstance(node, ast.FunctionDef) or node.name != function.__name__:
            return None
        node.decorator_list = []
        trace = Trace(file, ["", *lines])
        made = _compiled(tree, trace, around(function))[node.name]
    except Exception:  # foreign code, whose text may be anything
        return None
    # Lines are those of the file.
    trace.lines = [""] * (first - 1) + lines
    trace.terms = [_moved(term, first - 1) for term in trace.terms]
    made.__defaults__, made.__kwdefaults__ = (
        function.__defaults__,
        function.__kwdefaults__,
    )
    return made, trace


def traced_text(
    text: str, name: str, like: Callable[..., Any] | None = None
) -> tuple[Callable[..., Any], Trace]:
    """The function of that name in a module's text, as one that notes its values.

    `like` is the function itself where it runs already: its imports are there.
    """
    trace = Trace("", lines_of(text))
    names = dict(like.__globals__) if like is not None else {}
    found = _compiled(ast.parse(text), trace, names)
    return found[name], trace


def around(function: Callable[..., Any]) -> dict[Any, Any]:
    """The names that a function's text may read."""
    closure = inspect.getclosurevars(function).nonlocals
    return {**function.__globals__, **closure}


def _compiled(tree: ast.Module, trace: Trace, names: dict[Any, Any]) -> dict[Any, Any]:
    _Notes(trace).visit(tree)
    names[SEE] = trace
    exec(compile(ast.fix_missing_locations(tree), "<traced>", "exec"), names)
    return names


def _moved(term: Term, rows: int) -> Term:
    return Term(term.line + rows, term.text, term.name, term.sums)


class _Notes(ast.NodeTransformer):
    """Puts a note around what is assigned or returned, and around its terms.

    y = a + b  ->  y = see(2, see(0, a) + see(1, b))
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        node.value = self._noted(node.value, names[0] if names else "")
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            node.value = self._noted(node.value, "")
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        if not isinstance(node.target, ast.Name):
            return node
        name = node.target.id
        number = self._place(node, ast.unparse(node.value), name)
        after = ast.Expr(self._call(number, ast.Name(name, ast.Load())))
        return [node, ast.copy_location(after, node)]

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        node.body = self._noted(node.body, "")
        return node

    def _noted(self, value: ast.expr, name: str) -> ast.expr:
        """A value with notes; those of its parts where it is a tuple or a dict."""
        if isinstance(value, (ast.Tuple, ast.List)):
            value.elts = [self._noted(item, "") for item in value.elts]
            return value
        if isinstance(value, ast.Dict):
            value.values = [self._noted(item, "") for item in value.values]
            return value
        if isinstance(value, (ast.Name, ast.Constant, ast.Starred)):
            return value
        if isinstance(value, ast.Lambda):
            return self.visit_Lambda(value)
        text = ast.unparse(value)
        place = copy.copy(value)
        sums: list[tuple[int, int, int | None]] = []
        value = self._with_terms(value, 1, sums)
        number = self._place(place, text, name, tuple(sums))
        return ast.copy_location(self._call(number, value), place)

    def _with_terms(
        self, value: ast.expr, sign: int, sums: list[Any], factor: int | None = None
    ) -> ast.expr:
        """A sum whose terms are noted, with their signs and a factor of all in it."""
        if _is_sum(value):
            value.left = self._with_terms(value.left, sign, sums, factor)
            turned = -sign if isinstance(value.op, ast.Sub) else sign
            value.right = self._with_terms(value.right, turned, sums, factor)
            return value
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            value.operand = self._with_terms(value.operand, -sign, sums, factor)
            return value
        if factor is None and isinstance(value, ast.BinOp):
            if isinstance(value.op, ast.Mult) and _is_sum(value.right):
                number = self._place(value.left, ast.unparse(value.left), "")
                value.left = self._call(number, value.left)
                value.right = self._with_terms(value.right, sign, sums, number)
                return value
        number = self._place(value, ast.unparse(value), "")
        sums.append((number, sign, factor))
        return ast.copy_location(self._call(number, value), value)

    def _place(
        self,
        node: ast.expr | ast.stmt,
        text: str,
        name: str,
        sums: tuple[Any, ...] = (),
    ) -> int:
        self.trace.terms.append(Term(node.lineno, text, name, sums))
        return len(self.trace.terms) - 1

    def _call(self, number: int, value: ast.expr) -> ast.Call:
        see = ast.Attribute(ast.Name(SEE, ast.Load()), "see", ast.Load())
        return ast.Call(see, [ast.Constant(number), value], [])


def _is_sum(value: ast.expr) -> TypeGuard[ast.BinOp]:
    return isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub))
