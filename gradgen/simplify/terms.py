"""Sums of products: equal terms are added up, common arrays are factored out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gradgen.ir.nodes import (
    Apply,
    Const,
    Effect,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import COMPARISONS
from gradgen.ir.walk import children, reads, reads_of, rewrite, substitute
from gradgen.ir.walk import with_children, with_located
from gradgen.shapes.infer import Facts
from gradgen.simplify.counts import may_overflow
from gradgen.simplify.cost import cost, is_product, with_names
from gradgen.simplify.exponents import is_broken
from gradgen.simplify.in_order import in_order
from gradgen.simplify.normal import Normal

# so many products of constants are looked through, each a factor of the next
DEPTH = 4


def terms(function: Function, facts: Facts) -> Function:
    """The function with each adjoint in its shortest arithmetic form.

        before:  d_X = X * d_XX_sum + X * d_XX_sum
        after:   d_X = 2 * d_XX_sum * X

    An expression keeps its shape: where cancelling would make it smaller than
    what was stretched and summed before, it is left as it was.
    """

    read = Counter(
        var for stmt in function.body if stmt.note.derived for var in reads_of(stmt)
    )
    body = tuple(_shortened(function.body, (), facts.remembering(), read))
    return function if body == function.body else replace(function, body=body)


def _shortened(
    body: Iterable[Stmt], path: tuple[Any, ...], facts: Facts, read: Counter[Var]
) -> Iterator[Stmt]:
    for stmt, here in in_order(body, facts, path):
        if not stmt.note.derived and isinstance(stmt, Let | Effect):
            yield stmt
        elif isinstance(stmt, Let):
            value = _settled(stmt.value, here, read)
            if value == Const(0) and stmt.var.origin is Origin.ADJOINT:
                value = Const(0.0)
            yield stmt if value == stmt.value else replace(stmt, value=value)
        else:
            yield with_located(stmt, path, partial(_shortened, facts=here, read=read))


def _settled(expr: Expr, facts: Facts, read: Counter[Var]) -> Expr:
    """The shortest form; what has been found to be its own is not looked at again."""
    known = facts.settled.get(id(expr))
    if known is not None and known[0] is expr and known[1] == facts.here:
        return expr
    found = shortest(expr, facts, read=read)
    if found == expr and not facts.ahead:
        facts.settled[id(expr)] = expr, facts.here
    return found


def shortest(
    expr: Expr,
    facts: Facts,
    forms: Normal | None = None,
    named: Mapping[Var, Expr] | None = None,
    read: Counter[Var] | None = None,
) -> Expr:
    """The normal form; with the primal's products written out where that cancels.

    `forms` keeps what was found before from the same facts. `named` has products that
    the user has named: in a * y / den, with den = x * y, that is a / x. `read` is how
    often the gradient reads each variable.

    In `d * k / y`, with k = 2 * np.pi and y = k * s, both are written out, so that k
    cancels: products of constants alone are written out in other products as well. So
    are products in products: a @ b / (r * s) * s is a @ b / r.
    """
    forms = forms or Normal(facts)
    best = forms.normal(_by_names(_with_signs(expr, facts), facts))
    for kind, (test, deep) in enumerate(WAYS):
        products = {
            var: _with_constants(facts.definitions[var], facts)
            for var in reads(best)
            if var.origin is Origin.TEMP and test(facts.definitions.get(var), facts)
        }
        if deep:
            inside = {
                var: _with_products(value, facts) for var, value in products.items()
            }
            products = inside if inside != products else {}
        products = {
            var: value
            for var, value in products.items()
            if facts.gone.isdisjoint(reads(value))
        }
        if not products:
            continue
        best = _written_out(best, products, forms, kind, read)
    if named:
        there = set(reads(best))
        products = {var: named[var] for var in there & named.keys()}
        if any(there & set(reads(value)) for value in products.values()):
            best = _written_out(best, products, forms, len(WAYS))
    return best


def _written_out(
    expr: Expr,
    products: Mapping[Var, Expr],
    forms: Normal,
    kind: int,
    read: Counter[Var] | None = None,
) -> Expr:
    """An expression with these products written out, where that is less work.

    Of a kind of products, each variable stands for one: parts of expressions that have
    been written out once are found in `forms`.

    A test reads its operands by their names: nothing cancels in it. What the gradient
    reads several times has a name; what else is read of it is computed again. Of a round
    it would be kept for each.
    """
    known = forms.written.setdefault(kind, {})
    found, facts = forms.normal(_outside_tests(expr, products, known)), forms.facts
    before = Counter(reads(expr))
    often = {
        var
        for var in products
        if read and max(read[var], before[var]) > 1
        if not any(arm is None for _, arm in facts.homes.get(var, ()))
    }
    if not often:
        return found if cost(found, facts) < cost(expr, facts) else expr
    facts = with_names(facts, often)
    work = cost(found, facts) + sum(
        cost(value, facts)
        for var in set(reads(found)) - before.keys()
        if var.origin is Origin.TEMP and not (read and read[var])
        if not is_product(value := facts.definitions.get(var)) and value is not None
    )
    return found if work < cost(expr, facts) else expr


def _outside_tests(
    expr: Expr, values: Mapping[Var, Expr], known: dict[int, tuple[Expr, Expr]]
) -> Expr:
    """An expression with variables replaced, but for what is compared."""
    if isinstance(expr, Ref):
        return values.get(expr.var, expr)
    if not isinstance(expr, Apply) or expr.op in COMPARISONS:
        return expr
    if id(expr) not in known:
        parts = [_outside_tests(one, values, known) for one in children(expr)]
        known[id(expr)] = expr, with_children(expr, parts)
    return known[id(expr)][1]


def _by_names(expr: Expr, facts: Facts) -> Expr:
    """An expression that reads a sum by its name everywhere, where it does once.

    before:  d - d * np.sum(e) / e_sum          # e_sum = np.sum(e)
    after:   d - d * e_sum / e_sum
    """
    known: dict[Expr, Expr] = {
        value: Ref(var)
        for var in reads(expr)
        if isinstance(value := facts.definitions.get(var), Apply)
        and value.op == "numpy.sum"
        and facts.gone.isdisjoint(reads(value))
    }
    return rewrite(expr, lambda one: known.get(one, one)) if known else expr


def _with_signs(expr: Expr, facts: Facts) -> Expr:
    """An expression with -k for a temporary that is that: its sign is the product's.

    Of what may be integers -k is another number than -1 * k.
    """
    known = {
        var: value
        for var in reads(expr)
        if var.origin is Origin.TEMP
        and isinstance(value := facts.definitions.get(var), Apply)
        and value.op == "numpy.negative"
        and isinstance(value.args[0], Ref)
        and value.args[0].var not in facts.gone
        and not may_overflow(value.args[0], facts)
    }
    return substitute(expr, known) if known else expr


def _with_products(value: Expr, facts: Facts) -> Expr:
    """A product with the products in it that have names as temporaries written out."""
    known = {
        var: facts.definitions[var]
        for var in reads(value)
        if var.origin is Origin.TEMP and is_product(facts.definitions.get(var))
    }
    return substitute(value, known) if known else value


def _with_constants(value: Expr, facts: Facts) -> Expr:
    """A product with the constants in it that have names as temporaries written out."""
    known = {
        var: _with_constants(facts.definitions[var], facts)
        for var in reads(value)
        if var.origin is Origin.TEMP and _is_constant(facts.definitions.get(var), facts)
    }
    return substitute(value, known) if known else value


def _is_constant(value: Expr | None, facts: Facts, depth: int = DEPTH) -> bool:
    """Whether a temporary is a product of constants: 2 * np.pi."""
    if isinstance(value, Ref):
        if value.var.origin is not Origin.TEMP or not depth:
            return False
        return _is_constant(facts.definitions.get(value.var), facts, depth - 1)
    if not isinstance(value, Apply) or not is_product(value):
        return False
    return all(
        isinstance(arg, Const) or _is_constant(arg, facts, depth) for arg in value.args
    )


def _cancels(value: Expr | None, facts: Facts) -> bool:
    """Whether factors of a temporary's value may cancel once it is written out.

    Broken powers are added up by their names.
    """
    if isinstance(value, Apply) and value.op == "numpy.power":
        exponent = value.args[1]
        return isinstance(exponent, Const) and not is_broken(value)
    conjugate = isinstance(value, Apply) and value.op == "numpy.conj"
    return conjugate or is_product(value)


# which temporaries are written out in turn, and whether with the products in them
WAYS = ((_is_constant, False), (_cancels, False), (_cancels, True))
