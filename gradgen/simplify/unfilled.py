"""What the arms of a branch hand on is not filled where an array multiplies it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Origin
from gradgen.ir.nodes import Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC
from gradgen.ir.walk import children, reads, reads_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind, joined
from gradgen.shapes.shape import Shape, equal, within

FILLED = "numpy.full_like"


def unfilled(function: Function, facts: Facts) -> Function:
    """The function whose arms fill no adjoint that is only multiplied by a whole array.

        before:  if w is not None:
                     d_r = d_out * w
                 else:
                     d_r = np.full_like(x, d_out)
                 d_x = d_r * np.cos(x)
        after:   if w is not None:
                     d_r = d_out * w
                 else:
                     d_r = d_out
                 d_x = d_r * np.cos(x)

    An adjoint may be smaller than what it is of; where a branch ends each of its arms
    has made it whole, since nothing was known then of what reads it.
    """
    body = list(function.body)
    for at, stmt in enumerate(body):
        if not isinstance(stmt, Branch) or not stmt.note.derived or stmt.is_try:
            continue
        for merge in stmt.merges:
            rest = body[at + 1 :]
            returned = {v for one in function.results for v in reads(one.value)}
            whole = facts.shapes[merge.var]
            smaller = _shrinking(merge.var, rest, facts, whole)
            if smaller is None or smaller & returned:
                continue
            then = _filled(stmt.then, merge.then, stmt, facts)
            orelse = _filled(stmt.orelse, merge.orelse, stmt, facts)
            if then is None or orelse is None or not {**then, **orelse}:
                continue
            stmt = body[at] = replace(
                stmt,
                then=_with_values(stmt.then, then),
                orelse=_with_values(stmt.orelse, orelse),
            )
            for var, entry in {**then, **orelse}.items():
                facts.shapes[var], facts.kinds[var] = facts.of(entry), facts.kind(entry)
                facts.definitions[var] = entry
            for one in smaller:
                facts.shapes[one] = within(facts.fresh_name(), whole)
            facts.kinds[merge.var] = joined(map(facts.kind, (merge.then, merge.orelse)))
    return (
        function if body == list(function.body) else replace(function, body=tuple(body))
    )


def _shrinking(
    var: Var, rest: Iterable[Stmt], facts: Facts, whole: Shape
) -> set[Var] | None:
    """What is smaller where a variable is; None where one that reads it would not fit.

    All that reads it computes with an array of its shape, or hands it on to a variable
    of which the same holds, through another branch as well.
    """
    found = {var}
    for stmt in rest:
        read = found & set(reads_of(stmt))
        if isinstance(stmt, Branch) and not stmt.is_try:
            inner: set[Var] = set()
            for arm in (stmt.then, stmt.orelse):
                for one in found:
                    more = _shrinking(one, arm, facts, whole)
                    if more is None:
                        return None
                    inner |= more
            ways = found | inner
            for merge in stmt.merges:
                if ways & {*reads(merge.then), *reads(merge.orelse)}:
                    found.add(merge.var)
            if ways & set(reads(stmt.test)):
                return None
        elif not read:
            continue
        elif not isinstance(stmt, Let):
            return None
        elif not all(
            fit for one in read for fit in _fitting(stmt.value, one, facts, whole)
        ):
            if not _is_scaled(stmt.value, read):
                return None
            found.add(stmt.var)
    return found


def _is_scaled(value: Expr, read: Set[Var]) -> bool:
    """Whether a value is a variable among `read`, or one computed of it by operators."""
    if isinstance(value, Ref):
        return True
    if not isinstance(value, Apply) or value.op not in ARITHMETIC:
        return not read & set(reads(value))
    return all(_is_scaled(arg, read) for arg in value.args)


def _fitting(
    expr: Expr, var: Var, facts: Facts, whole: Shape, beside: bool = False
) -> Iterator[bool]:
    """For each place where a variable is read whether it meets an array of its shape.

    That is by operators alone: np.where(mask, 0.5, 0) has another dtype.
    """
    if expr == Ref(var):
        yield beside
    if not isinstance(expr, Apply):
        return
    computes = expr.op in ARITHMETIC
    others = [arg for arg in expr.args if var not in reads(arg)] if computes else []
    near = computes and (beside or any(_is_whole(arg, facts, whole) for arg in others))
    for inner in children(expr):
        yield from _fitting(inner, var, facts, whole, near)


def _is_whole(value: Expr, facts: Facts, whole: Shape) -> bool:
    """Whether a value is an array of a shape, of the dtype of the arguments."""
    known = equal(facts.of(value), whole) and facts.kind(value) is Kind.LIKE
    return known and facts.rank(value) != 0


def _filled(
    arm: tuple[Stmt, ...], way: Expr, branch: Branch, facts: Facts
) -> dict[Var, Expr] | None:
    """What an arm fills for a merge alone, by its variable; None for another dtype."""
    if not isinstance(way, Ref):
        return {}
    ends = [one for merge in branch.merges for one in (merge.then, merge.orelse)]
    if ends.count(way) > 1 or any(way.var in reads_of(stmt) for stmt in arm):
        return {}
    for stmt in arm:
        value = stmt.value if isinstance(stmt, Let) and stmt.var == way.var else None
        if isinstance(value, Apply) and value.op == FILLED and _is_of(value):
            like, entry = value.args
            alike = facts.is_complex(like) == facts.is_complex(entry)
            narrow = alike and facts.kind(entry) is not Kind.WIDE
            narrow = narrow and not _is_strong(entry, facts)
            return {way.var: entry} if narrow else None
    return {}


def _is_strong(value: Expr, facts: Facts) -> bool:
    """Whether a value is made of a number that may be NumPy's: np.sum(w) of w = 2.0.

    Such a number is a float64, and wider than arrays of float32.
    """
    waiting, seen = list(reads(value)), set[Var]()
    while waiting:
        var = waiting.pop()
        if var in seen:
            continue
        seen.add(var)
        made = facts.definitions.get(var)
        inner = [] if made is None else list(reads(made))
        waiting += inner
        if facts.rank(Ref(var)) == 0 and facts.kind(Ref(var)) is Kind.LIKE:
            handed_on = made is None and var.origin not in (Origin.SEED, Origin.PARAM)
            if handed_on or any(facts.rank(Ref(one)) is None for one in inner):
                return True
    return False


def _is_of(filled: Apply) -> bool:
    """Whether an array that is filled has the dtype of another one, or of its slopes."""
    own = Apply("numpy.result_type", (filled.args[0], Const(0.0)))
    return all(name == "dtype" and value == own for name, value in filled.kwargs)


def _with_values(arm: tuple[Stmt, ...], values: Mapping[Var, Expr]) -> tuple[Stmt, ...]:
    return tuple(
        replace(stmt, value=values[stmt.var])
        if isinstance(stmt, Let) and stmt.var in values
        else stmt
        for stmt in arm
    )
