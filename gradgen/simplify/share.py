"""A temporary used several times is folded in where that costs no more work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import (
    ARITHMETIC,
    MULTIPLICATIVE,
    STORES,
    divide,
    multiply,
    negative,
)
from gradgen.ir.walk import lets, reads, substitute, uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.simplify.bounded import is_exponential
from gradgen.simplify.cost import LENGTH, cost, is_entry, is_product
from gradgen.simplify.fold import is_temporary
from gradgen.simplify.normal import Normal
from gradgen.simplify.terms import shortest


def share(function: Function, facts: Facts, line: int = 0) -> Function:
    """The function without shared temporaries that are cheaper written twice.

    before:  d_norms = -d_s * s / (xnorm * ynorm)
             d_xnorm = d_norms * ynorm
             d_ynorm = d_norms * xnorm
    after:   d_xnorm = -d_s * s / xnorm
             d_ynorm = -d_s * s / ynorm

    So is a number times an entry at a place that is written out, 2 * d_R[0, 1]: it
    says as much as a name. So is an adjoint of the user's that one line reads, where an
    operation on an array is saved: (d_p - mean) / total * w is (d_p - mean) * p, where
    p is w / total. A number that cancels in the readers leaves a shared value. A
    product of numbers that the user has named is written out where a factor cancels:
    -d_r * r / den * sy is -d_r * r / sx, where den is sx * sy.
    """
    facts = facts.remembering()
    sharing = _Sharing(uses(function), Normal(facts), _products(function, facts), line)
    body = _shared(function.body, sharing)
    return function if body == function.body else replace(function, body=body)


@dataclass(frozen=True)
class _Sharing:
    """What is known of a function: its uses, its forms, the products that it names."""

    counted: Counter[Any]
    forms: Normal
    products: Mapping[Var, Expr]
    line: int  # what a line of text counts, beside an operation on a number


def _products(function: Function, facts: Facts) -> dict[Var, Expr]:
    """The products of numbers that the user has named, of what the gradient may read.

    In a loop that is what it reads anyway: nothing more is kept.
    """
    stored: set[Var] = set()
    read: set[Var] = set()
    found: dict[Var, Expr] = {}
    for let in lets(function.body):
        if isinstance(let.value, Apply) and let.value.op in STORES:
            stored.update(reads(let.value.args[0]))
        if let.note.derived:
            read.update(reads(let.value))
        elif let.var.origin is Origin.USER and is_product(let.value):
            if facts.rank(let.value) == 0:
                found[let.var] = let.value
    read.update(var for var in facts.homes if not facts.homes[var])
    read -= stored
    return {var: value for var, value in found.items() if read.issuperset(reads(value))}


def _shared(body: Iterable[Stmt], sharing: _Sharing) -> tuple[Stmt, ...]:
    """The same for one block and those inside it: only its own lines are joined."""
    counted, forms, line = sharing.counted, sharing.forms, sharing.line
    body = tuple(with_blocks(s, lambda b: _shared(b, sharing)) for s in body)
    readers: dict[Any, Any] = {}
    own = [stmt for stmt in body if isinstance(stmt, Let)]
    for let in own:
        for var in reads(let.value):
            readers.setdefault(var, []).append(let.var)
    current = {let.var: let for let in own}
    here = Counter({var: len(users) for var, users in readers.items()})
    gone = set()
    for let in own:
        # One that a nested block or the return reads as well stays.
        shared = counted[let.var] > 1 and counted[let.var] == here[let.var]
        # An adjoint of the user's that one line reads goes where that saves work.
        once = (
            counted[let.var] == here[let.var]
            and len(set(readers.get(let.var, ()))) == 1
        )
        once = once and let.var.origin is Origin.ADJOINT and not is_temporary(let)
        shared = shared and is_temporary(let)
        if not let.note.derived or not (shared or once):
            continue
        if not isinstance(let.value, Apply) or let.value.op not in ARITHMETIC:
            continue
        users = [current[var] for var in dict.fromkeys(readers[let.var])]
        if shared and forms.facts.rank(let.value) != 0:
            # of a value and its negative, `signs` computes one
            if any(user.value == negative(Ref(let.var)) for user in users):
                continue
        if shared:
            # a number before an entry costs each of its readers one operation
            more = len(users) if line and _is_scaled_entry(let, forms) else 0
            changed = _written_twice(current[let.var], users, forms, line + more)
            lighter = _without_number(current[let.var], users, forms, changed)
            if lighter is not None:
                current.update((one.var, one) for one in lighter)
                continue
        else:
            changed = _saving(current[let.var], users, sharing)
        if changed is not None:
            current.update((user.var, user) for user in changed)
            for user in changed:
                for var in reads(user.value):
                    readers.setdefault(var, []).append(user.var)
            gone.add(let.var)
    if not gone and all(current[let.var] is let for let in own):
        return body
    return tuple(
        current[stmt.var] if isinstance(stmt, Let) else stmt
        for stmt in body
        if not (isinstance(stmt, Let) and stmt.var in gone)
    )


def _written_twice(
    let: Let,
    users: list[Let],
    forms: Normal,
    line: int,
    products: Mapping[Var, Expr] | None = None,
) -> list[Let] | None:
    """The users with the value in place of the variable, when that is no dearer."""
    facts = forms.facts
    before, after, changed = cost(let.value, facts), 0, []
    for user in users:
        if not user.note.derived:
            return None
        stored = isinstance(user.value, Apply) and user.value.op in STORES
        if stored and not _is_minus(let.value, facts):
            return None  # an array that it reads may be what is stored into
        value = substitute(user.value, {let.var: let.value})
        value = shortest(value, facts, forms, products)
        before += cost(user.value, facts)
        after += cost(value, facts)
        changed.append(replace(user, value=value))
    return changed if after <= before + line else None


def _saving(let: Let, users: list[Let], sharing: _Sharing) -> list[Let] | None:
    """The only reader of the user's adjoint with its value, where that saves work.

    That is more than an operation on a row; of a number what cancels: d / s * s, and
    d / den * y with the user's den = x * y. It goes as well where that keeps what may
    overflow out of a product: d_e * e with d_e = -d * s / (1 + e) and e = exp(u).
    """
    forms = sharing.forms
    if any(
        is_exponential(var, forms.facts) for user in users for var in reads(user.value)
    ):
        finite = _written_twice(let, users, forms, cost(let.value, forms.facts))
        if finite is not None and _is_without_overflow(users, finite, forms.facts):
            return finite
    if forms.facts.rank(let.value) != 0:
        return _written_twice(let, users, forms, -LENGTH - 1)
    changed = _written_twice(let, users, forms, -1, sharing.products)
    if changed is None or _is_through(let, changed, sharing.products):
        return changed
    changed = _written_twice(let, users, forms, -2)
    cancels = changed is not None and _cancels(let, users, changed)
    return changed if cancels else None


def _is_without_overflow(users: list[Let], changed: list[Let], facts: Facts) -> bool:
    """Whether the lines read a power of e no more: it may be inf where their value is 0."""
    pairs = zip(users, changed, strict=True)
    return any(
        is_exponential(var, facts)
        for user, new in pairs
        for var in set(reads(user.value)) - set(reads(new.value))
    )


def _is_through(let: Let, changed: list[Let], products: Mapping[Var, Expr]) -> bool:
    """Whether a product of the user's has been written out in what reads a value."""
    own = products.keys() & set(reads(let.value))
    return any(own - set(reads(new.value)) for new in changed)


def _cancels(let: Let, users: list[Let], changed: list[Let]) -> bool:
    """Whether what the value and a reader of it read is read no more: lam of g / lam."""
    own = set(reads(let.value))
    pairs = zip(users, changed, strict=True)
    return any(own & set(reads(u.value)) - set(reads(new.value)) for u, new in pairs)


def _without_number(
    let: Let, users: list[Let], forms: Normal, twice: list[Let] | None
) -> list[Let] | None:
    """The value without its number, and its users, where that is less work than all else.

    before:  d_s = d_out / (2 * s)       after:  d_s = d_out / s
             d_x = 2 * d_s * x                   d_x = d_s * x
             d_y = 2 * d_s * y                   d_y = d_s * y
    """
    facts = forms.facts
    front = forms.number(let.value)
    if abs(front) == 1 or not all(user.note.derived for user in users):
        return None
    if any(isinstance(u.value, Apply) and u.value.op in STORES for u in users):
        return None
    above, below = Const(front.numerator), Const(front.denominator)
    bare = forms.normal(divide(multiply(below, let.value), above))
    scaled = divide(multiply(above, Ref(let.var)), below)
    changed = [replace(let, value=bare)]
    for user in users:
        value = shortest(substitute(user.value, {let.var: scaled}), facts, forms)
        changed.append(replace(user, value=value))
    after = sum(cost(one.value, facts) for one in changed)
    ways = [[let, *users]] if twice is None else [[let, *users], twice]
    best = min(sum(cost(one.value, facts) for one in way) for way in ways)
    return changed if after < best else None


def _is_scaled_entry(let: Let, forms: Normal) -> bool:
    """Whether a value is a number times an entry: 2 * d_R[0, 1]."""
    if not isinstance(let.value, Apply) or let.value.op not in MULTIPLICATIVE:
        return False
    front, entry = let.value.args
    if not isinstance(front, Const) or not isinstance(entry, Apply):
        return False
    return is_entry(entry, forms.facts)


def _is_minus(value: Expr, facts: Facts) -> bool:
    """Whether a value is the negative of a number, which costs nothing in a sum."""
    minus = isinstance(value, Apply) and value.op == "numpy.negative"
    return minus and facts.rank(value) == 0
