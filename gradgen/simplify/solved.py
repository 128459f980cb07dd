"""Systems of a matrix whose inverse is known are products with the inverse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Supply, Var
from gradgen.ir.operators import call, matmul
from gradgen.ir.walk import lets, map_expressions, reads_of, rewrite
from gradgen.ir.walk import subexpressions, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

SOLVE = "numpy.linalg.solve"
INVERSE = "numpy.linalg.inv"
# so many systems are worth a line for the inverse that a statement takes anyway
SYSTEMS = 2


def solved(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose gradient solves no system of a matrix that it inverts.

        before:  d_w = np.linalg.solve(S.T, d_v)
                 d_B = np.linalg.solve(S.T, d_w)
                 d_S = -d_out * np.linalg.inv(S).T - np.outer(d_w, v) - np.outer(d_B, w)
        after:   inverse = np.linalg.inv(S)
                 d_w = d_v @ inverse
                 d_B = d_w @ inverse
                 d_S = -d_out * inverse.T - np.outer(d_w, v) - np.outer(d_B, w)

    An inverse costs as much as three systems of one column, and each of them then
    costs a product. A single system before the inverse stays as it is. An inverse that
    a round of the primal has computed, and its gradient reads anyway, serves them all.
    """
    found = _Solved(facts, supply)
    found.kept = {
        let.value: let.var
        for let in lets(function.body)
        if not let.note.derived
        and isinstance(let.value, Apply)
        and let.value.op == INVERSE
    }
    body = found.block(function.body)
    return function if body == function.body else replace(function, body=body)


class _Solved:
    def __init__(self, facts: Facts, supply: Supply) -> None:
        self.facts, self.supply = facts, supply
        self.kept: dict[Expr, Var] = {}

    def block(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """A block with products for the systems of what it inverts itself."""
        done = tuple(with_blocks(stmt, self.block) for stmt in body)
        for matrix in dict.fromkeys(
            node.args[0]
            for stmt in done
            for node in _parts(stmt)
            if node.op == INVERSE and self.facts.rank(node.args[0]) == 2
        ):
            done = self._with_inverse(done, matrix)
        return done

    def _with_inverse(self, body: tuple[Stmt, ...], matrix: Expr) -> tuple[Stmt, ...]:
        """The block with the inverse of one matrix read wherever it may be."""
        own = call(INVERSE, matrix)
        named = [
            (i, stmt.var)
            for i, stmt in enumerate(body)
            if isinstance(stmt, Let) and stmt.value == own
        ]
        places = [
            i
            for i, stmt in enumerate(body)
            for node in _parts(stmt)
            if node != own and self._product(node, matrix, own) is not None
        ]
        kept = self.kept.get(own)
        read = {v for stmt in body if stmt.note.derived for v in reads_of(stmt)}
        if named:
            first, inverse = named[0]
            start = body[: first + 1]
        elif kept is not None and kept in read:
            first, inverse, start = -1, kept, ()
        elif len(places) >= SYSTEMS:
            first = next(i for i, s in enumerate(body) if self._reads(s, matrix, own))
            inverse = self._inverse(matrix)
            start = (*body[:first], Let(inverse, own, body[first].note))
            first -= 1
        else:
            return body

        def change(node: Expr) -> Expr:
            if node == own:
                return Ref(inverse)
            return self._product(node, matrix, Ref(inverse)) or node

        changed = (
            map_expressions((stmt,), lambda expr: rewrite(expr, change))[0]
            if isinstance(stmt, Let) and stmt.note.derived
            else stmt
            for stmt in body[first + 1 :]
        )
        return (*start, *changed)

    def _reads(self, stmt: Stmt, matrix: Expr, own: Expr) -> bool:
        return any(
            node == own or self._product(node, matrix, own) is not None
            for node in _parts(stmt)
        )

    def _inverse(self, matrix: Expr) -> Var:
        var = self.supply.var("inverse", Origin.LOCAL)
        self.facts.shapes[var] = self.facts.of(matrix)
        self.facts.kinds[var] = Kind.LIKE
        return var

    def _product(self, node: Expr, matrix: Expr, inverse: Expr) -> Expr | None:
        """A system of the matrix, or of its transpose, as a product with the inverse."""
        if not isinstance(node, Apply) or node.op != SOLVE or len(node.args) != 2:
            return None
        system, given = node.args
        rank = self.facts.rank(given)
        if rank not in (1, 2):
            return None
        if system == matrix:
            return matmul(inverse, given)
        if system != _transposed(matrix):
            return None
        if rank == 1:
            return matmul(given, inverse)
        return matmul(_transposed(inverse), given)


def _parts(stmt: Stmt) -> list[Apply]:
    """The operations of a statement of the gradient."""
    if not isinstance(stmt, Let) or not stmt.note.derived:
        return []
    return [node for node in subexpressions(stmt.value) if isinstance(node, Apply)]


def _transposed(expr: Expr) -> Apply:
    return Apply("numpy.transpose", (expr,), spelling="attribute:T")
