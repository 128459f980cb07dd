"""The gradient of a Gaussian density through its Cholesky factor, by its own formula."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import TypeGuard

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt
from gradgen.ir.nodes import Supply, Var
from gradgen.ir.operators import add, call, divide, matmul, multiply, negative
from gradgen.ir.walk import lets, rewrite, subexpressions, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

WEIGHTED = "weighted"


def densities(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function without the adjoint of a Cholesky factor that is symmetric in z.

        before:  d_x = np.linalg.solve(L.T, d_z)
                 d_L = -np.outer(d_x, z)
                 d_L[np.arange(len(S)), np.arange(len(S))] += d_out / np.diag(L)
                 inverse = np.linalg.inv(L)
                 inner = L.T @ d_L
        after:   weighted = np.linalg.solve(L.T, z)
                 d_x = d_out * weighted
                 inverse = np.linalg.inv(L)
                 d_S = 0.5 * d_out * (inverse.T @ inverse - np.outer(weighted, weighted))

    Before, d_S is 0.5 * (inverse.T @ (np.tril(inner) + np.tril(inner, -1).T) @ inverse).
    d_z is s * z, with a number s: d_x is s * weighted.
    Proof: L.T @ outer(d_x, z) is s * outer(z, z), which is symmetric. L.T is an upper
    triangle, so that L.T @ diag(c / diag(L)) has c on its diagonal and nothing below it.
    What reads only the lower triangle, and mirrors it, so has c * I - s * outer(z, z),
    and inverse.T @ z is weighted. Several columns z are `weighted @ weighted.T`.
    """
    every = list(lets(function.body))
    if not any(_inverse_of(let.value) is not None for let in every):
        return function
    found = _Densities(every, facts, supply)
    body = found.block(function.body)
    return function if body == function.body else replace(function, body=body)


@dataclass
class _Factor:
    """What d_L is made of: weights of z with signs, and what the logarithms count."""

    columns: list[tuple[Expr, Expr, Expr]] = field(default_factory=list)
    counts: list[Expr] = field(default_factory=list)


class _Densities:
    def __init__(self, every: list[Let], facts: Facts, supply: Supply) -> None:
        self.values = {let.var: let.value for let in every}
        self.notes = {let.var: let.note for let in every}
        self.facts, self.supply = facts, supply
        # what stands in the place of a flow: the variable that solves for z, and it
        self.weighted: dict[Var, tuple[Let, Let]] = {}
        # statements that go before the one that is looked at
        self.before: list[Let] = []

    def block(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """A block with the formula in place of the adjoint's."""
        done: list[Stmt] = []
        for stmt in body:
            stmt = with_blocks(stmt, self.block)
            if isinstance(stmt, Let) and stmt.note.derived:
                stmt = self._let(stmt)
                done += self.before
                self.before = []
            done.append(stmt)
        return tuple(one for stmt in done for one in self._with_weighted(stmt))

    def _with_weighted(self, stmt: Stmt) -> tuple[Stmt, ...]:
        found = self.weighted.get(stmt.var) if isinstance(stmt, Let) else None
        return (stmt,) if found is None else found

    def _let(self, let: Let) -> Let:
        for node in subexpressions(let.value):
            new = self._formula(node, let)
            if new is not None:
                change = new
                value = rewrite(let.value, lambda e: change if e == node else e)
                return replace(let, value=value)
        return let

    def _formula(self, node: Expr, let: Let) -> Expr | None:
        """inverse.T @ mirrored(L.T @ d_L) @ inverse by its formula, if it is that."""
        if not _is(node, "numpy.matmul") or not _is(node.args[0], "numpy.matmul"):
            return None
        inverse = node.args[1]
        turned, mirrored = node.args[0].args
        factor = _inverse_of(self._value(inverse))
        if factor is None or self._upright(turned) != inverse:
            return None
        inner = self._mirrored(mirrored)
        inner = None if inner is None else self._value(inner)
        if inner is None or not _is(inner, "numpy.matmul"):
            return None
        if self._upright(inner.args[0]) != factor or self.facts.is_complex(factor):
            return None
        parts = _Factor()
        if not self._parts(inner.args[1], Const(1), factor, parts):
            return None
        return self._written(parts, matmul(turned, inverse), let)

    def _written(self, parts: _Factor, inverse: Expr, let: Let) -> Expr:
        """The sum of the parts; `inverse` is that of the matrix."""
        done: list[Expr] = []
        for front, flow, z in parts.columns:
            w = self._weighted(flow, z, let)
            square = call("numpy.outer", w, w)
            if self.facts.rank(z) == 2:
                square = matmul(w, _transposed(w))
            done.append(_times(front, square))
        if parts.counts:
            count = parts.counts[0]
            for other in parts.counts[1:]:
                count = add(count, other)
            done.insert(0, _times(count, inverse))
        total = done[0]
        for other in done[1:]:
            total = add(total, other)
        return total

    def _weighted(self, flow: Expr, z: Expr, let: Let) -> Ref:
        """The variable that solves for z; the flow is a multiple of it."""
        name = flow.var if isinstance(flow, Ref) else None
        if name in self.weighted:
            return Ref(self.weighted[name][0].var)
        solved = self._value(flow)
        assert isinstance(solved, Apply)
        if isinstance(flow, Ref) and solved.args[1] == z:
            return flow  # the primal has it
        var = self.supply.var(WEIGHTED, Origin.LOCAL)
        own = Let(var, replace(solved, args=(solved.args[0], z)), let.note)
        self.facts.shapes[var] = self.facts.of(z)
        self.facts.kinds[var] = Kind.LIKE
        if name is None:
            self.before.append(own)
            return Ref(var)
        ratio = self._ratio(solved.args[1], z)
        assert ratio is not None
        own = replace(own, note=self.notes[name])
        self.weighted[name] = own, Let(name, _times(ratio, Ref(var)), own.note)
        return Ref(var)

    def _parts(self, expr: Expr, front: Expr, factor: Expr, into: _Factor) -> bool:
        """Whether an adjoint of the factor is made of such parts, which are put down."""
        expr = self._value(expr)
        if not isinstance(expr, Apply):
            return False
        if expr.op in ("setitem", "additem"):
            base, key, value = expr.args
            count = self._count(value, factor)
            if count is None or not _is_diagonal(key):
                return False
            into.counts.append(_times(front, count))
            if expr.op == "setitem":
                return _is(self._value(base), "numpy.zeros_like")
            return self._parts(base, front, factor, into)
        if _is(expr, "numpy.tril") and len(expr.args) == 1:
            return self._parts(expr.args[0], front, factor, into)
        below = self._upright(expr)
        if _is(below, "numpy.triu") and len(below.args) == 1:
            return self._turned(below.args[0], front, factor, into)
        if _is(expr, "numpy.negative"):
            return self._parts(expr.args[0], negative(front), factor, into)
        if _is(expr, "numpy.add") or _is(expr, "numpy.subtract"):
            one, other = expr.args
            second = front if expr.op == "numpy.add" else negative(front)
            return self._parts(one, front, factor, into) and self._parts(
                other, second, factor, into
            )
        return self._column(expr, front, factor, into)

    def _turned(self, expr: Expr, front: Expr, factor: Expr, into: _Factor) -> bool:
        """Whether np.triu(expr).T is made of such parts: np.tril of what is turned."""
        expr = self._value(expr)
        if _is(expr, "numpy.negative"):
            return self._turned(expr.args[0], negative(front), factor, into)
        if not _is(expr, "numpy.outer"):
            return False
        turned = replace(expr, args=expr.args[::-1])
        return self._column(turned, front, factor, into)

    def _column(self, expr: Apply, front: Expr, factor: Expr, into: _Factor) -> bool:
        """Whether it is outer(flow, z), or flow @ z.T, of a flow that solves for z."""
        if not (_is(expr, "numpy.outer") or _is(expr, "numpy.matmul")):
            return False
        flow, last = expr.args
        z = self._upright(last) if expr.op == "numpy.matmul" else last
        if _is(flow, "numpy.negative"):
            front, flow = negative(front), flow.args[0]
        if z is not None and not isinstance(z, Ref):
            scale, z = self._scaled(z)
            front = front if scale is None else _times(front, scale)
        if not isinstance(z, Ref):
            return False
        if self.facts.is_complex(z) or self.facts.rank(z) not in (1, 2):
            return False
        scale, flow = self._scaled(flow)
        front = front if scale is None else _times(front, scale)
        right = self._solved_for(self._value(flow), factor)
        ratio = None if right is None else self._ratio(right, z)
        if ratio is None and isinstance(right, Ref):  # outer(alpha, 0.5 * z)
            ratio, z = self._ratio(z, right), right
        if ratio is None:
            return False
        into.columns.append((_times(front, ratio), flow, z))
        return True

    def _scaled(self, flow: Expr) -> tuple[Expr | None, Expr]:
        """The number in front of what solves for z, and that: 0.5 * d_out * alpha."""
        made = self._value(flow)
        if not _is(made, "numpy.multiply"):
            return None, flow
        for number, rest in (made.args, made.args[::-1]):
            if self.facts.rank(number) == 0:
                inner, base = self._scaled(rest)
                return number if inner is None else multiply(number, inner), base
        return None, flow

    def _solved_for(self, value: Expr | None, factor: Expr) -> Expr | None:
        """g, where a value solves L.T @ value = g."""
        if not isinstance(value, Apply) or len(value.args) != 2:
            return None
        word, kwargs = value.op.rpartition(".")[2], dict(value.kwargs)
        if word == "solve" and self._upright(value.args[0]) == factor and not kwargs:
            return value.args[1]
        turned = kwargs == {"trans": Const(1), "lower": Const(True)}
        if word == "solve_triangular" and self._upright(value.args[0]) == factor:
            plain = kwargs.get("lower", Const(False)) == Const(False)
            return value.args[1] if plain and kwargs.keys() <= {"lower"} else None
        if word == "solve_triangular" and value.args[0] == factor and turned:
            return value.args[1]
        return None

    def _ratio(self, expr: Expr, z: Expr) -> Expr | None:
        """The number s in s * z; None for anything else."""
        if expr == z:
            return Const(1)
        if isinstance(expr, Ref):
            value = self.values.get(expr.var)
            return None if value is None else self._ratio(value, z)
        if _is(expr, "numpy.negative"):
            inner = self._ratio(expr.args[0], z)
            return None if inner is None else negative(inner)
        if _is(expr, "numpy.multiply") or _is(expr, "numpy.divide"):
            one, other = expr.args
            build = _times if expr.op == "numpy.multiply" else divide
            if self.facts.rank(other) == 0:
                inner = self._ratio(one, z)
                return None if inner is None else build(inner, other)
            if self.facts.rank(one) == 0 and build is _times:
                inner = self._ratio(other, z)
                return None if inner is None else _times(inner, one)
        return None

    def _count(self, value: Expr, factor: Expr) -> Expr | None:
        """The number c in c / np.diag(L)."""
        if _is(value, "numpy.negative"):
            inner = self._count(value.args[0], factor)
            return None if inner is None else negative(inner)
        if not _is(value, "numpy.divide") or self.facts.rank(value.args[0]) != 0:
            return None
        below = self._value(value.args[1])
        if not isinstance(below, Apply) or below.args != (factor,) or below.kwargs:
            return None
        is_diagonal = below.op.rpartition(".")[2] in ("diag", "diagonal")
        return value.args[0] if is_diagonal else None

    def _mirrored(self, expr: Expr) -> Expr | None:
        """inner in np.tril(inner) + np.tril(inner, -1).T."""
        if not _is(expr, "numpy.add"):
            return None
        lower, upper = expr.args
        below = self._upright(upper)
        if below is None:
            return None
        if not _is(lower, "numpy.tril") or not _is(below, "numpy.tril"):
            return None
        inner = lower.args[0]
        is_below = len(below.args) == 2 and below.args[1] in (Const(-1), -1)
        is_below = is_below or below.args[1:] == (negative(Const(1)),)
        same = lower.args == (inner,) and below.args[0] == inner
        return inner if same and is_below else None

    def _upright(self, expr: Expr) -> Expr | None:
        """x, where an expression is x.T."""
        value = self._value(expr)
        if _is(value, "numpy.transpose") and len(value.args) == 1:
            return value.args[0]
        return None

    def _value(self, expr: Expr) -> Expr:
        """What a variable is computed as."""
        return self.values.get(expr.var, expr) if isinstance(expr, Ref) else expr


def _times(front: Expr, value: Expr) -> Expr:
    return value if front == Const(1) else multiply(front, value)


def _is_diagonal(key: Expr) -> bool:
    """Whether a key is np.arange(n), np.arange(n)."""
    if not isinstance(key, Apply) or key.op != "tuple" or len(key.args) != 2:
        return False
    return key.args[0] == key.args[1] and _is(key.args[0], "numpy.arange")


def _inverse_of(value: Expr) -> Expr | None:
    """x in np.linalg.inv(x)."""
    if isinstance(value, Apply) and value.op.endswith("linalg.inv"):
        return value.args[0]
    return None


def _transposed(expr: Expr) -> Apply:
    return Apply("numpy.transpose", (expr,), spelling="attribute:T")


def _is(expr: Expr | None, op: str) -> TypeGuard[Apply]:
    return isinstance(expr, Apply) and expr.op == op
