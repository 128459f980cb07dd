"""Numbers in front of what is solved for or multiplied stand in front of the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, LINEAR_IN, STORES, multiply
from gradgen.ir.walk import reads, rewrite, substitute, subexpressions, uses
from gradgen.ir.walk import with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.simplify.cost import cost
from gradgen.simplify.counts import is_counted, may_be_whole
from gradgen.simplify.grouped import with_groups
from gradgen.simplify.monomials import Monomial, build
from gradgen.simplify.normal import Normal
from gradgen.simplify.terms import shortest


def unscaled(function: Function, facts: Facts) -> Function:
    """The function whose gradient solves without the numbers in front.

        before:  d_w = 0.5 * d_out * e
                 d_S = 0.5 * d_out * K - np.outer(d_w, w)
        after:   d_S = 0.5 * d_out * (K - np.outer(e, w))

    So is a solution that several lines read: flow = np.linalg.solve(S.T, d_w), and a
    product in a sum, d_out / (2 * out) * (C @ w + w @ C). Only where that is less work:
    other terms have the same numbers in front.
    """
    counted, facts = uses(function), facts.remembering()
    body = _block(function.body, counted, Normal(facts))
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], counted: Counter[Var], forms: Normal
) -> tuple[Stmt, ...]:
    body = [with_blocks(stmt, lambda b: _block(b, counted, forms)) for stmt in source]
    readers: dict[Var, list[Let]] = {}
    for let in body:
        if isinstance(let, Let):
            for var in set(reads(let.value)):
                readers.setdefault(var, []).append(let)
    for let in body:
        if not isinstance(let, Let) or not _is_scaled(let, readers, counted, forms):
            continue
        (reader,) = readers[let.var]
        found = _without(let, reader, readers.get(reader.var, []), counted, forms)
        if found is not None:
            new = {one.var: one for one in found}
            body = [
                new.get(stmt.var, stmt) if isinstance(stmt, Let) else stmt
                for stmt in body
                if stmt is not let
            ]
            return _block(body, counted, forms)
    return tuple(_grouped(one, forms) if isinstance(one, Let) else one for one in body)


def _grouped(let: Let, forms: Normal) -> Let:
    """A sum with the numbers in front of all its terms, also of products in them."""
    value, facts = let.value, forms.facts
    is_sum = isinstance(value, Apply) and value.op in ADDITIVE
    if not let.note.derived or not is_sum:
        return let
    outside = _outside(value, forms)
    if outside == value:
        return let
    found = _best(outside, facts)
    if facts.of(found) != facts.of(value) or facts.kind(found) is not facts.kind(value):
        return let
    less = cost(found, facts) < cost(value, facts)
    return replace(let, value=found) if less else let


def _is_scaled(
    let: Let, readers: dict[Var, list[Let]], counted: Counter[Var], forms: Normal
) -> bool:
    """Whether a value has a number in front, and one product or solution reads it."""
    if not let.note.derived or counted[let.var] != 1:
        return False
    if let.var.origin is not Origin.ADJOINT or len(readers.get(let.var, [])) != 1:
        return False
    (reader,) = readers[let.var]
    if not reader.note.derived or _numbers(let.value, forms) is None:
        return False
    return any(
        isinstance(part, Apply) and Ref(let.var) in _arguments(part)
        for part in subexpressions(reader.value)
    )


def _without(
    let: Let, reader: Let, users: list[Let], counted: Counter[Var], forms: Normal
) -> list[Let] | None:
    """The reader, and what reads that where it is no adjoint of the user's."""
    facts = forms.facts
    value = _outside(substitute(reader.value, {let.var: let.value}), forms)
    before = [let, reader]
    after = [replace(reader, value=_best(value, facts))]
    front = _numbers(value, forms)
    everywhere = counted[reader.var] == sum(
        reads(user.value).count(reader.var) for user in users
    )
    if reader.var.origin is Origin.LOCAL and front is not None and everywhere:
        numbers, rest = front
        scaled = multiply(build(numbers, facts), Ref(reader.var))
        after = [replace(reader, value=build(rest, facts))]
        for user in users:
            if not user.note.derived or _stores(user):
                return None
            changed = _outside(substitute(user.value, {reader.var: scaled}), forms)
            before.append(user)
            after.append(replace(user, value=_best(changed, facts)))
    for old, new in zip(before[1:], after, strict=True):
        if facts.of(old.value) != facts.of(new.value):
            return None
        if facts.kind(old.value) is not facts.kind(new.value):
            return None
    less = _work(after, facts) < _work(before, facts)
    return after if less else None


def _work(some: list[Let], facts: Facts) -> int:
    return sum(cost(one.value, facts) for one in some)


def _best(value: Expr, facts: Facts) -> Expr:
    return with_groups(shortest(value, facts), facts)


def _stores(let: Let) -> bool:
    return isinstance(let.value, Apply) and let.value.op in STORES


def _arguments(part: Apply) -> list[Expr]:
    return [part.args[i] for i in LINEAR_IN.get(part.op, ()) if i < len(part.args)]


def _outside(expr: Expr, forms: Normal) -> Expr:
    """An expression with the numbers in front of products and solutions."""

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in LINEAR_IN or node.kwargs:
            return node
        front, args = Monomial(Fraction(1)), list(node.args)
        for i in LINEAR_IN[node.op]:
            found = _numbers(args[i], forms)
            if found is not None:
                numbers, rest = found
                front = front.times(numbers)
                args[i] = build(rest, forms.facts)
        if front == Monomial(Fraction(1)):
            return node
        return multiply(build(front, forms.facts), with_children(node, args))

    return rewrite(expr, change)


def _numbers(expr: Expr, forms: Normal) -> tuple[Monomial, Monomial] | None:
    """The numbers in front of an array, and the array."""
    facts = forms.facts
    term = forms.product(expr)
    if term is None:
        return None
    above = tuple(b for b in term.numerators if facts.rank(b) == 0)
    below = tuple(f for f in term.denominators if facts.rank(f.base) == 0)
    numbers = Monomial(term.coefficient, above, below)
    rest = Monomial(
        Fraction(1),
        tuple(b for b in term.numerators if facts.rank(b) != 0),
        tuple(f for f in term.denominators if facts.rank(f.base) != 0),
    )
    if not above or not rest.numerators:
        return None
    left = build(rest, facts)
    if is_counted(left, facts) or may_be_whole(left, facts):
        return None
    return numbers, rest
