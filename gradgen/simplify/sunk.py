"""Adjoints that only one arm of a branch has are handed on inside that arm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Merge,
    Param,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import ADDITIVE, LENGTHS, SIGNED, call
from gradgen.ir.walk import (
    defined,
    reads,
    reads_of,
    subexpressions,
    substitute,
    with_blocks,
)
from gradgen.shapes.infer import Facts
from gradgen.simplify.another import NOTHING, another, is_alike, is_zero


def sunk(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function that divides by what an arm was there to exclude in the other alone.

    before:  if n == 0:
                 d_x = d_out
                 d_n = 0.0
             else:
                 d_x = d_out / n
                 d_n = -(d_x @ x) / n
             d_x = d_x + d_n / n * x
    after:   if n == 0:
                 d_x = d_out
             else:
                 d_x = d_out / n
                 d_n = -(d_x @ x) / n
                 d_x = d_x + d_n / n * x

    Nothing flows to n where n == 0, and 0 / 0 would be nan. Only quotients are worth
    it: what reads the adjoint has to be linear in it, and to stand behind the branch.
    """
    last = {var for result in function.results for var in reads(result.value)}
    sinking = _Sinking(facts, supply, function.params)
    body = sinking.block(function.body, last)
    return function if body == function.body else replace(function, body=body)


@dataclass
class _Moved:
    """What goes into an arm: statements, and what they hand on to the rest."""

    zeros: set[Var]
    lets: list[Let] = field(default_factory=list)
    # what leaves: a variable, and what it is in the other arm
    handed: dict[Var, Expr] = field(default_factory=dict)


@dataclass
class _Sinking:
    facts: Facts
    supply: Supply
    params: tuple[Param, ...]

    def block(self, body: Iterable[Stmt], read: set[Var]) -> tuple[Stmt, ...]:
        """The block; `read` is what is read of it behind it."""
        done = list(body)
        at = 0
        while at < len(done):
            stmt = done[at]
            plain = isinstance(stmt, Branch) and not stmt.is_try
            if isinstance(stmt, Branch) and plain and stmt.note.role is Role.GRAD:
                done[at:] = self._sunk(stmt, done[at + 1 :], read)
                stmt = done[at]
            if isinstance(stmt, (Branch, Loop)):
                done[at] = with_blocks(stmt, lambda b: self.block(b, _inner(stmt)))
            at += 1
        return tuple(done)

    def _sunk(self, branch: Branch, behind: list[Stmt], read: set[Var]) -> list[Stmt]:
        for is_then in (True, False):
            arm = branch.then if is_then else branch.orelse
            zeros = {
                merge.var
                for merge in branch.merges
                if is_zero(merge.then if is_then else merge.orelse, arm)
            }
            found = self._moved(zeros, branch, is_then, behind, read)
            if found is not None:
                branch, behind = self._with(found, branch, is_then, behind)
        return [branch, *behind]

    def _moved(
        self,
        zeros: set[Var],
        branch: Branch,
        is_then: bool,
        behind: list[Stmt],
        read: set[Var],
    ) -> _Moved | None:
        """The statements behind that read what is zero in one arm; None if they stay."""
        moved = _Moved(set(zeros))
        merged = {merge.var: merge for merge in branch.merges}
        kept: set[Var] = set()
        for stmt in behind:
            if not moved.zeros.intersection(reads_of(stmt)):
                kept.update(defined(stmt))
                continue
            if not isinstance(stmt, Let) or kept.intersection(reads(stmt.value)):
                return None
            other = self._without(stmt.value, moved.zeros)
            if other is None:
                return None
            moved.lets.append(stmt)
            if other in NOTHING:
                moved.zeros.add(stmt.var)
                continue
            inside = moved.handed.keys() & set(reads(other))
            ways = {v: moved.handed[v] for v in inside} | {
                v: m.then if is_then else m.orelse
                for v, m in merged.items()
                if v in reads(other)
            }
            moved.handed[stmt.var] = substitute(other, ways)
        if not moved.lets or not any(map(_divides, moved.lets)):
            return None
        rest = set(read).union(*(reads_of(s) for s in behind if s not in moved.lets))
        for let in moved.lets:
            if let.var in moved.zeros and let.var in rest:
                none = self._zeros(let.var)
                if none is None:
                    return None
                moved.handed[let.var] = none
        return moved

    def _without(self, value: Expr, zeros: set[Var]) -> Expr | None:
        """What an expression is where these are 0; None where that is not plain."""
        if not zeros.intersection(reads(value)):
            return value
        if isinstance(value, Ref):
            return Const(0)
        assert isinstance(value, Apply)
        if value.kwargs:
            return None
        parts = [self._without(arg, zeros) for arg in value.args]
        if value.op == "numpy.multiply":
            return Const(0) if any(part in NOTHING for part in parts) else None
        if value.op == "numpy.divide":
            same = parts[1] == value.args[1]
            return Const(0) if parts[0] in NOTHING and same else None
        if value.op in SIGNED or value.op.endswith("unbroadcast"):
            return Const(0) if parts[0] in NOTHING else None
        if value.op in ADDITIVE:
            return self._sum(value, parts)
        if value.op == "additem" and parts[:2] == list(value.args[:2]):
            return value.args[0] if parts[2] in NOTHING else None
        if value.op == "accumulate":
            return self._sum(value, parts)
        return None

    def _sum(self, value: Apply, parts: Sequence[Expr | None]) -> Expr | None:
        first, second = parts
        if first in NOTHING and second in NOTHING:
            return Const(0)
        if second in NOTHING and first == value.args[0]:
            return first if is_alike(first, value, self.facts) else None
        plus = value.op != "numpy.subtract"
        if first in NOTHING and second == value.args[1] and plus:
            return second if is_alike(second, value, self.facts) else None
        return None

    def _zeros(self, var: Var) -> Expr | None:
        """Zeros of the shape of an adjoint."""
        if self.facts.rank(Ref(var)) == 0:
            return Const(0.0)
        for param in self.params:
            if is_alike(Ref(param.var), Ref(var), self.facts):
                return call("numpy.zeros_like", Ref(param.var))
        return None

    def _with(
        self, moved: _Moved, branch: Branch, is_then: bool, behind: list[Stmt]
    ) -> tuple[Branch, list[Stmt]]:
        """The branch with the statements in its other arm, and what stays behind."""
        arm = list(branch.orelse if is_then else branch.then)
        merges: list[Merge] = []
        inside: dict[Var, Expr] = {}
        for merge in branch.merges:
            value = merge.orelse if is_then else merge.then
            if isinstance(value, Apply):
                name = another(merge.var, self.supply, self.facts)
                arm.append(Let(name, value, branch.note))
                value = Ref(name)
            inside[merge.var] = value
            ways = (merge.then, value) if is_then else (value, merge.orelse)
            merges.append(Merge(merge.var, *ways))
        for let in moved.lets:
            name = another(let.var, self.supply, self.facts)
            arm.append(Let(name, substitute(let.value, inside), let.note))
            inside[let.var] = Ref(name)
        for var, other in moved.handed.items():
            ways = (other, inside[var]) if is_then else (inside[var], other)
            merges.append(Merge(var, *ways))
        rest = [stmt for stmt in behind if stmt not in moved.lets]
        if is_then:
            changed = replace(branch, merges=tuple(merges), orelse=tuple(arm))
        else:
            changed = replace(branch, merges=tuple(merges), then=tuple(arm))
        return changed, rest


def _inner(stmt: Stmt) -> set[Var]:
    """What a statement reads of the ends of its blocks."""
    if isinstance(stmt, Branch):
        values = [v for merge in stmt.merges for v in (merge.then, merge.orelse)]
    elif isinstance(stmt, Loop):
        values = [slot.next for slot in stmt.carried]
        values += [stmt.until] if stmt.until is not None else []
    else:
        values = []
    return {var for value in values for var in reads(value)}


def _divides(let: Let) -> bool:
    """Whether a statement divides by what is no number, and no length."""
    return any(
        isinstance(node, Apply)
        and node.op == "numpy.divide"
        and not _is_length(node.args[1])
        for node in subexpressions(let.value)
    )


def _is_length(value: Expr) -> bool:
    """Whether a value is a constant or is measured: len(X), X.size."""
    lengths = isinstance(value, Apply) and value.op in LENGTHS
    return lengths or isinstance(value, Const)
