"""Exponentials divided by their sum are those of the log-probabilities of the user."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Role, Var
from gradgen.ir.operators import MULTIPLICATIVE, call
from gradgen.ir.walk import lets, map_values, reads, rewrite, subexpressions
from gradgen.shapes.infer import Facts

EXP = "numpy.exp"
LOG = "numpy.log"
SUM = "numpy.sum"


def normalised(function: Function, facts: Facts) -> Function:
    """The function whose gradient reads a softmax of the logarithm that has a name.

        before:  lp = z - np.log(np.sum(np.exp(z)))
                 d_lp = y * np.exp(lp)
                 d_z = d_lp - np.sum(d_lp) * (np.exp(z) / np.sum(np.exp(z)))
        after:   lp = z - np.log(np.sum(np.exp(z)))
                 d_lp = y * np.exp(lp)
                 d_z = d_lp - np.sum(d_lp) * np.exp(lp)

    Where it computes that exponential anyway: neither those of z nor their sum need a
    name then.
    """
    made = {let.var: let.value for let in lets(function.body)}
    read: set[Var] = set()
    computed: set[Expr] = set()
    for one in reversed(list(lets(function.body))):
        if one.note.role is not Role.FORWARD or one.var in read:
            read.update(reads(one.value))
            computed.update(subexpressions(one.value))
    found: dict[Expr, tuple[Expr, Var]] = {}
    for let in function.body:  # what a loop computes is not there behind it
        if isinstance(let, Let) and let.note.role is Role.FORWARD:
            parts = _parts(let.value, made)
            if parts is not None and call(EXP, Ref(let.var)) in computed:
                z, total = parts
                found.setdefault(total, (z, let.var))
    if not found:
        return function

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in MULTIPLICATIVE:
            return node
        for total, (z, name) in found.items():
            softmax = call(EXP, Ref(name))
            if node.op == "numpy.divide":
                rest = _with(node.args[0], z, softmax, made)
                if node.args[1] == total and rest is not None:
                    return rest
                continue
            for one, other in (node.args, node.args[::-1]):
                by, rest = _undivided(one, total), _with(other, z, softmax, made)
                if by is not None and rest is not None:
                    both = (by, rest) if one is node.args[0] else (rest, by)
                    return replace(node, args=both)
        return node

    def value(let: Let) -> Expr:
        return rewrite(let.value, change) if let.note.role is Role.GRAD else let.value

    return map_values(function, value)


def _parts(value: Expr, made: dict[Var, Expr]) -> tuple[Expr, Expr] | None:
    """z and the sum of exp(z) of z - log(sum(exp(z))), as they are read."""
    if not isinstance(value, Apply) or value.op != "numpy.subtract":
        return None
    z, logarithm = value.args
    inside = _written(logarithm, made)
    if not isinstance(inside, Apply) or inside.op != LOG or inside.kwargs:
        return None
    total = inside.args[0]
    added = _written(total, made)
    if not isinstance(added, Apply) or added.op != SUM or not added.args:
        return None
    if {name for name, _ in added.kwargs} - {"axis", "keepdims"}:
        return None
    return (z, total) if _is_exp(added.args[0], z, made) else None


def _with(product: Expr, z: Expr, instead: Expr, made: dict[Var, Expr]) -> Expr | None:
    """A product with another factor in place of exp(z); None where it has no such one."""
    if _is_exp(product, z, made):
        return instead
    if not isinstance(product, Apply) or product.op not in MULTIPLICATIVE:
        return None
    first, second = product.args
    rest = _with(first, z, instead, made)
    if rest is not None:
        return replace(product, args=(rest, second))
    if product.op == "numpy.divide":
        return None
    rest = _with(second, z, instead, made)
    return None if rest is None else replace(product, args=(first, rest))


def _undivided(product: Expr, by: Expr) -> Expr | None:
    """A product that is not divided by something; None where it is not divided."""
    if not isinstance(product, Apply) or product.op not in MULTIPLICATIVE:
        return None
    first, second = product.args
    if product.op == "numpy.divide" and second == by:
        return first
    rest = _undivided(first, by)
    if rest is not None:
        return replace(product, args=(rest, second))
    rest = _undivided(second, by) if product.op == "numpy.multiply" else None
    return None if rest is None else replace(product, args=(first, rest))


def _is_exp(value: Expr, z: Expr, made: dict[Var, Expr]) -> bool:
    return _written(value, made) == call(EXP, z)


def _written(value: Expr, made: dict[Var, Expr]) -> Expr:
    """What a part of a statement is computed from."""
    if isinstance(value, Ref) and value.var.origin is Origin.TEMP:
        return made.get(value.var, value)
    return value
