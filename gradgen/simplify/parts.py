"""Parts of expressions that get a name, once for all that is read after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Supply, Var
from gradgen.ir.temporaries import temporary_name
from gradgen.ir.walk import reads, rewrite, with_blocks
from gradgen.shapes.certain import dims_of
from gradgen.shapes.infer import Facts

Named = dict[Expr, Var]


class Parts:
    """Names parts of the statements that a pass goes through.

    `change(expr, parts)` is asked for each operation, innermost first; what it calls
    `named` with gets a line above the statement. A part that has a name is read under
    it in what follows.
    """

    def __init__(
        self, facts: Facts, supply: Supply, change: Callable[[Expr, Parts], Expr]
    ) -> None:
        self.facts, self.supply, self.change = facts, supply, change
        self.known: Named = {}
        self.made: list[Stmt] = []

    def through(self, function: Function) -> Function:
        """The function with its assignments changed."""
        body = tuple(self._block(function.body))
        return function if body == function.body else replace(function, body=body)

    def named(self, expr: Expr) -> Expr:
        """A part under a name: a variable stays itself."""
        if not isinstance(expr, Apply):
            return expr
        if expr not in self.known:
            name = temporary_name(expr, self.let.var.name)
            var = self.supply.var(name, Origin.TEMP)
            let = Let(var, expr, self.let.note)
            self.facts.learn(let)
            self.made.append(let)
            self.known[expr] = var
        return Ref(self.known[expr])

    def _block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        outer = self.known
        self.known = dict(outer)
        done: list[Stmt] = []
        for stmt in body:
            if not isinstance(stmt, Let):
                done.append(with_blocks(stmt, self._block))
                continue
            self.let, self.made = stmt, []
            value = rewrite(stmt.value, self._part)
            done += self.made
            done.append(stmt if value == stmt.value else replace(stmt, value=value))
        self.known = outer
        yield from done

    def _part(self, expr: Expr) -> Expr:
        found = self.known.get(expr) if isinstance(expr, Apply) else None
        return Ref(found) if found is not None else self.change(expr, self)


def witness(exprs: Iterable[Expr], like: Expr, facts: Facts) -> Ref | None:
    """A variable that is read in some expressions and has the shape of another."""
    dims = dims_of(like, facts)
    for expr in exprs:
        for var in reads(expr):
            if dims is not None and dims_of(Ref(var), facts) == dims:
                return Ref(var)
    return None
