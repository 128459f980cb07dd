"""What a branch alone adds to an adjoint is added in its arm, behind all else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Expr,
    Function,
    Let,
    Merge,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import add
from gradgen.ir.sharing import changes
from gradgen.ir.walk import reads, reads_of, uses, with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.simplify.another import another, is_alike, is_zero


def branch_terms(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose branches add where the other arm would hand on zeros.

        before:  if lam is not None:
                     d_w = 2 * d_loss * lam * w
                 else:
                     d_w = np.zeros_like(w)
                 d_r = 2 * d_loss / len(X) * r
                 d_w = d_w + d_r @ X
        after:   d_r = 2 * d_loss / len(X) * r
                 d_w = d_r @ X
                 if lam is not None:
                     d_w = d_w + 2 * d_loss * lam * w

    Of a gradient's branch, of which each value that it hands on is a term of one sum
    behind it in the same block; what is left of the sum has the shape and the dtype
    of the whole.
    """
    if not any(isinstance(stmt, Branch) for stmt in function.body):
        return function
    moving = _Moving(facts, supply, uses(function))
    body = moving.block(function.body)
    return function if body == function.body else replace(function, body=body)


class _Moving:
    def __init__(self, facts: Facts, supply: Supply, used: Counter[Var]) -> None:
        self.facts, self.supply, self.used = facts, supply, used

    def block(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        done = [with_blocks(stmt, self.block) for stmt in body]
        for stmt in [one for one in done if isinstance(one, Branch)]:
            assert isinstance(stmt, Branch)
            at = done.index(stmt)
            done[at:] = self._moved(stmt, done[at + 1 :])
        return tuple(done)

    def _moved(self, branch: Branch, behind: list[Stmt]) -> list[Stmt]:
        """The branch and what is behind it, the branch behind the sums if it adds."""
        stays = [branch, *behind]
        idle = self._idle(branch)
        if idle is None:
            return stays
        sums: dict[Var, Let] = {}
        last = 0
        for merge in branch.merges:
            for at, stmt in enumerate(behind):
                if merge.var in reads_of(stmt):
                    break
            else:
                return stays
            if not isinstance(stmt, Let) or stmt in sums.values():
                return stays
            sums[merge.var], last = stmt, max(last, at)
        others = [one for one in behind[: last + 1] if one not in sums.values()]
        if not all(map(_is_plain, others)):
            return stays
        ends = {let.var for let in sums.values()}
        if any(ends & set(reads_of(stmt)) for stmt in behind[: last + 1]):
            return stays
        rests = {}
        for var, let in sums.items():
            rest = _without(let.value, Ref(var))
            if rest is None or not is_alike(rest, Ref(let.var), self.facts):
                return stays
            first = another(let.var, self.supply, self.facts)
            rests[var] = Let(first, rest, let.note)
        ahead = [
            next((rests[v] for v, let in sums.items() if let is stmt), stmt)
            for stmt in behind[: last + 1]
        ]
        added = self._added(branch, idle, sums, {v: r.var for v, r in rests.items()})
        return [*ahead, added, *behind[last + 1 :]]

    def _idle(self, branch: Branch) -> bool | None:
        """Which arm hands on zeros alone: True for `then`; None if neither does."""
        if branch.is_try or branch.note.role is not Role.GRAD or not branch.merges:
            return None
        if any(self.used[merge.var] != 1 for merge in branch.merges):
            return None
        for is_then in (False, True):
            arm = branch.then if is_then else branch.orelse
            ways = [merge.then if is_then else merge.orelse for merge in branch.merges]
            made = {way.var for way in ways if isinstance(way, Ref)}
            own = all(isinstance(one, Let) and one.var in made for one in arm)
            if own and all(is_zero(way, arm) for way in ways):
                return is_then
        return None

    def _added(
        self, branch: Branch, idle: bool, sums: dict[Var, Let], firsts: dict[Var, Var]
    ) -> Branch:
        """The branch that adds to what the sums are without it."""
        arm = list(branch.orelse if idle else branch.then)
        inside = Counter(v for stmt in arm for v in reads_of(stmt))
        ways = [merge.orelse if idle else merge.then for merge in branch.merges]
        inside.update(v for way in ways for v in reads(way))
        merges = []
        for merge in branch.merges:
            value = merge.orelse if idle else merge.then
            end, note = arm[-1] if arm else None, branch.note
            let, first = sums[merge.var], Ref(firsts[merge.var])
            whole: Expr | None = None
            if isinstance(end, Let) and value == Ref(end.var) and inside[end.var] == 1:
                if changes(end):
                    whole = _at_place(arm, first, inside)
                else:
                    value, note = end.value, end.note
                    arm.pop()
            new = another(let.var, self.supply, self.facts)
            arm.append(Let(new, whole or add(first, value), note))
            own = (first, Ref(new)) if idle else (Ref(new), first)
            merges.append(Merge(let.var, *own))
        then, orelse = ((), tuple(arm)) if idle else (tuple(arm), ())
        return replace(branch, then=then, orelse=orelse, merges=tuple(merges))


def _at_place(arm: list[Stmt], first: Ref, inside: Counter[Var]) -> Expr | None:
    """first[i] += v for zeros with v at i, the last two statements, which go; or None."""
    zeros, store = arm[-2] if len(arm) > 1 else None, arm[-1]
    if not isinstance(zeros, Let) or not isinstance(store, Let):
        return None
    value = store.value
    if not isinstance(value, Apply) or value.op != "setitem":
        return None
    if (
        value.args[0] != Ref(zeros.var)
        or inside[zeros.var] != 1
        or not is_zero(Ref(zeros.var), [zeros])
    ):
        return None
    del arm[-2:]
    return Apply("additem", (first, *value.args[1:]))


def _without(value: Expr, part: Ref) -> Expr | None:
    """A sum without one of its terms; None where that is no plain term of it."""
    if not isinstance(value, Apply) or value.kwargs:
        return None
    if value.op == "accumulate" and value.args[0] == part:
        return value.args[1]
    if value.op == "numpy.add":
        first, second = value.args
        if part in value.args:
            return second if first == part else first
        for at, term in enumerate(value.args):
            rest = _without(term, part)
            if rest is not None:
                return with_children(value, (rest, second) if not at else (first, rest))
    if value.op == "numpy.subtract":
        rest = _without(value.args[0], part)
        if rest is not None:
            return with_children(value, (rest, value.args[1]))
    return None


def _is_plain(stmt: Stmt) -> bool:
    """Whether a statement computes a value and changes nothing."""
    return isinstance(stmt, Let) and not changes(stmt)
