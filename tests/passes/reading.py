"""Text of a few statements -> a Function and its facts, to show a pass at work.

A capital letter in front means an array of unknown shape, anything else a number,
unless `shapes` says otherwise. Names in `temporaries` are the compiler's; d_x is
the adjoint of x, and belongs to the gradient.
"""

from __future__ import annotations

import re
import textwrap

import gast

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
    Result,
    Role,
    Supply,
    Var,
)
from gradgen.ir.operators import getitem
from gradgen.rules.expression import ExpressionReader
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, whole
from gradgen.shapes.spec import read_shape


class Reading(ExpressionReader):
    """Reads statements as the examples in docstrings write them."""

    def __init__(self, shapes: dict[str, str], temporaries: frozenset[str]):
        self.shapes, self.temporaries = shapes, temporaries
        self.supply = Supply()
        self.vars: dict[str, Var] = {}
        self.params: list[Var] = []
        self.facts = Facts({}, {})

    def function(self, text: str) -> Function:
        """The statements as a function; names never assigned are parameters."""
        body, results, values = [], (), ()
        for node in gast.parse(textwrap.dedent(text)).body:
            if isinstance(node, gast.Return):
                given = self.read(node.value)
                if isinstance(given, Ref) and given.var.of is not None:
                    results = (Result(given, given.var.of),)
                else:
                    values = (given,)
                continue
            value = self.read(node.value)
            if isinstance(node.targets[0], gast.Tuple):
                body += self.taken_apart(node, value, text)
                continue
            name = node.targets[0].id
            role = Role.GRAD if name.startswith("d_") else Role.FORWARD
            line = Line(node.lineno, name, name)
            let = Let(self.assigned(name), value, Note(role, (line,)))
            body.append(let)
            self.facts.learn(let)
        params = tuple(Param(var) for var in self.params)
        return Function("f", params, tuple(body), values, results)

    def taken_apart(self, node: gast.Assign, value: Expr, text: str) -> list[Let]:
        """u, s, vt = factors = f(x): factors, and those of its items that are read."""
        names = [target.id for target in node.targets[0].elts]
        line = Line(node.lineno, ", ".join(names), ", ".join(names))
        note = Note(Role.FORWARD, (line,))
        whole = self.supply.var(node.targets[1].id, Origin.TEMP)
        self.vars[whole.name] = whole
        found = [Let(whole, value, note)]
        for place, name in enumerate(names):
            if len(re.findall(rf"\b{name}\b", text)) > 1:
                item = getitem(Ref(whole), place)
                found.append(Let(self.assigned(name), item, note))
        for let in found:
            self.facts.learn(let)
        return found

    def assigned(self, name: str) -> Var:
        inner = name.removeprefix("d_")
        temporary = inner in self.temporaries
        if inner != name:
            of = self.primal(inner)
            var = self.supply.var(name, Origin.ADJOINT, of, 1)
        else:
            origin = Origin.TEMP if temporary else Origin.USER
            var = self.supply.var(name, origin)
        self.vars[name] = var
        return var

    def primal(self, name: str) -> Var:
        """The variable an adjoint belongs to, whether the text has it or not."""
        if name not in self.vars:
            origin = Origin.TEMP if name in self.temporaries else Origin.USER
            self.vars[name] = self.supply.var(name, origin)
            self.know(self.vars[name])
        return self.vars[name]

    def know(self, var: Var) -> None:
        text = self.shapes.get(var.name)
        if text is None:
            number = not var.name.removeprefix("d_")[0].isupper()
            shape = SCALAR if number else whole(var.name)
        else:
            shape = read_shape(text)
        self.facts.shapes[var] = shape
        self.facts.kinds[var] = Kind.WEAK if shape == SCALAR else Kind.LIKE

    def name(self, node: gast.Name) -> Expr:
        if node.id not in self.vars:
            inner = node.id.removeprefix("d_")
            if inner != node.id:
                of = self.primal(inner)
                var = self.supply.var(node.id, Origin.SEED, of, 1)
            else:
                temporary = node.id in self.temporaries
                origin = Origin.TEMP if temporary else Origin.PARAM
                var = self.supply.var(node.id, origin)
                self.params.append(var)
            self.vars[node.id] = var
            self.know(var)
        return Ref(self.vars[node.id])

    def callee(self, node) -> tuple[str, str] | None:
        if isinstance(node, gast.Name):
            return node.id, ""
        if isinstance(node.value, gast.Name) and node.value.id == "np":
            return f"numpy.{node.attr}", ""
        inner = (
            self.callee(node.value) if isinstance(node.value, gast.Attribute) else None
        )
        return (f"{inner[0]}.{node.attr}", "") if inner else None

    def constant_of(self, node):
        is_inf = isinstance(node, gast.Attribute) and node.attr == "inf"
        return Const(float("inf"), "np.inf") if is_inf else None

    def bind(self, value: Apply, node) -> Expr:
        return value

    def fail(self, code, message, node, advice=""):
        raise AssertionError(message)
