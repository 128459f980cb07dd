"""Products and sums with the identity: A @ (c * np.eye(n)) is c * A."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Ref, Var
from gradgen.ir.operators import call, multiply
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal
from gradgen.simplify.counts import is_counted


def of_identity(product: Apply, facts: Facts) -> Expr:
    """A product with the identity, or with a number of it, as the other factor."""
    left, right = product.args
    for one, other in ((left, right), (right, left)):
        factor, eye = scaled(one, facts)
        if not isinstance(eye, Apply) or eye.op != "numpy.eye":
            continue
        if {name for name, _ in eye.kwargs} - {"dtype"} or len(eye.args) > 2:
            continue
        dims = facts.of(eye).dims
        if len(eye.args) == 2 and (dims is None or dims[0] != dims[1]):
            continue
        if facts.kind(product) is facts.kind(other):
            return other if factor is None else multiply(factor, other)
    return product


def without_eye(expr: Expr, eyes: Mapping[Var, Expr], facts: Facts) -> Expr:
    """A product with an adjoint that is the identity, turned over or not, as the other."""
    if not isinstance(expr, Apply) or expr.op != "numpy.matmul":
        return expr
    bare = [
        one.args[0] if isinstance(one, Apply) and one.spelling == "attribute:T" else one
        for one in expr.args
    ]
    args = [
        eyes.get(one.var, arg) if isinstance(one, Ref) else arg
        for one, arg in zip(bare, expr.args)
    ]
    if all(one is other for one, other in zip(args, expr.args)):
        return expr
    written = replace(expr, args=tuple(args))
    found = of_identity(written, facts)
    return expr if found is written else found


def square(eye: Apply, facts: Facts) -> Expr:
    """The identity by one length, where both are the same.

    before:  np.eye(len(C), C.shape[1])        # C (n, n)
    after:   np.eye(len(C))
    """
    if len(eye.args) != 2 or facts.dim(eye.args[0]) != facts.dim(eye.args[1]):
        return eye
    return replace(eye, args=eye.args[:1])


def scaled(value: Expr, facts: Facts) -> tuple[Expr | None, Expr]:
    """A number in front of a value, where there is one, and the rest."""
    if isinstance(value, Apply) and value.op == "numpy.multiply":
        for number, rest in (value.args, value.args[::-1]):
            if facts.rank(number) == 0:
                return number, rest
    return None, value


def trace(total: Apply, product: Apply, facts: Facts) -> Expr:
    """The trace for the sum of a matrix times the identity."""
    one, other = product.args
    for eye, matrix in ((one, other), (other, one)):
        made = facts.definitions.get(eye.var) if isinstance(eye, Ref) else eye
        if not isinstance(made, Apply) or made.op != "numpy.eye":
            continue
        options = {name for name, _ in made.kwargs}
        if len(total.args) > 1 or len(made.args) != 1 or options - {"dtype"}:
            continue
        if facts.rank(matrix) != 2 or not equal(facts.of(matrix), facts.of(eye)):
            continue
        floats = facts.kind(product) is facts.kind(matrix)
        if floats and not is_counted(matrix, facts):
            return call("numpy.trace", matrix)
    return total
