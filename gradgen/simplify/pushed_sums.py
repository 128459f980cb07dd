"""Sums of products along an axis that one factor has: that factor is summed first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import call
from gradgen.ir.walk import lets, map_values, rewrite, uses
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

SUM = "numpy.sum"


def pushed_sums(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies sums, and does not sum products.

        before:  d_b = np.sum(d_z @ W.T, axis=0)
        after:   d_b = np.sum(d_z, axis=0) @ W.T

    Of matrices, and of `np.einsum` where the index stands in one operand alone: each row
    takes as many operations as the sum then does. A product that something else reads
    as well stays.
    """
    counted = uses(function)
    made = {let.var: let.value for let in lets(function.body) if let.note.derived}

    def value(let: Let) -> Expr:
        if not let.note.derived:
            return let.value
        return rewrite(let.value, lambda node: _pushed(node, made, counted, facts))

    return map_values(function, value)


def _pushed(
    node: Expr, made: dict[Var, Expr], counted: Counter[Var], facts: Facts
) -> Expr:
    if not isinstance(node, Apply) or node.op != SUM or len(node.args) != 1:
        return node
    axis = dict(node.kwargs).get("axis")
    if dict(node.kwargs).keys() != {"axis"} or not isinstance(axis, Const):
        return node
    whole = node.args[0]
    if isinstance(whole, Ref) and counted[whole.var] == 1:
        whole = made.get(whole.var, whole)
    rank = facts.rank(whole)
    if not isinstance(whole, Apply) or rank is None or type(axis.value) is not int:
        return node
    at = axis.value % rank if rank else 0
    new = None
    if whole.op == "numpy.matmul":
        new = _product(whole, at, facts)
    elif whole.op == "numpy.einsum" and not whole.kwargs:
        new = _einsum(whole, at, facts)
    return new if new is not None and equal(facts.of(new), facts.of(node)) else node


def _product(whole: Apply, at: int, facts: Facts) -> Expr | None:
    """np.sum(A, axis=0) @ B, and A @ np.sum(B, axis=1)."""
    left, right = whole.args
    if facts.rank(left) != 2 or facts.rank(right) != 2:
        return None
    if at == 0:
        return replace(whole, args=(_summed(left, 0), right))
    return replace(whole, args=(left, _summed(right, 1)))


def _einsum(whole: Apply, at: int, facts: Facts) -> Expr | None:
    """The sum over the one operand that has the index."""
    spec, *operands = whole.args
    text = spec.value if isinstance(spec, Const) else None
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    inputs, output = text.replace(" ", "").split("->")
    letters = inputs.split(",")
    letter = output[at]
    having = [i for i, one in enumerate(letters) if letter in one]
    if len(having) != 1 or letters[having[0]].count(letter) != 1 or len(letters) < 2:
        return None
    (place,) = having
    operands[place] = _summed(operands[place], letters[place].index(letter))
    letters[place] = letters[place].replace(letter, "")
    if not letters[place]:
        return None
    rest = Const(f"{','.join(letters)}->{output.replace(letter, '')}")
    return replace(whole, args=(rest, *operands))


def _summed(value: Expr, axis: int) -> Expr:
    return call(SUM, value, axis=Const(axis))
