"""Systems that are solved already, up to a number in front."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref
from gradgen.ir.operators import multiply
from gradgen.ir.walk import rewrite
from gradgen.shapes.infer import Facts

# a number and the array that it stands in front of, by the name of their product
Scaled = dict[Ref, tuple[Expr, Ref]]
# an operation and its matrix, whether that is turned round, and the other arguments
System = tuple[str, Expr, bool, tuple[Any, ...]]
# the names of what has been solved, by the system and the right-hand side
Known = dict[tuple[str, Expr, bool, tuple[Any, ...], Expr], Ref]
# of what stands on the right they are linear
SOLVES = ("solve", "solve_triangular", "cho_solve")


def solved_again(function: Function, facts: Facts) -> Function:
    """The function whose gradient solves no system that has been solved before.

        before:  d_alpha = d_out * y
                 d_half = np.linalg.solve(L, d_alpha)
                 d_y = d_out * alpha + np.linalg.solve(L.T, d_half)
        after:   d_y = 2 * d_out * alpha

    There half is `np.linalg.solve(L, y)`, and alpha `np.linalg.solve(L.T, half)`.
    The right-hand side may have a number in front, which then stands in front of what
    was found. Of statements in loops and arms nothing is known behind them.
    """
    known: Known = {}
    scaled: Scaled = {}
    body = list(function.body)
    for at, let in enumerate(body):
        if not isinstance(let, Let):
            continue
        value = let.value
        if let.note.derived:
            value = rewrite(value, lambda one: _found(one, known, scaled, facts))
            if value != let.value:
                body[at] = replace(let, value=value)
                facts.learn(replace(let, value=value))
            front, base = _scaled(value, scaled, facts)
            if isinstance(base, Ref) and front is not None:
                scaled[Ref(let.var)] = front, base
        if isinstance(value, Apply) and _is_solve(value):
            known.setdefault((*_system(value, facts), value.args[1]), Ref(let.var))
    after = tuple(body)
    return function if after == function.body else replace(function, body=after)


def _found(
    node: Expr,
    known: Known,
    scaled: Scaled,
    facts: Facts,
) -> Expr:
    """A solution that is known, with the number that stands in front of it."""
    if not isinstance(node, Apply) or not _is_solve(node):
        return node
    system, right = _system(node, facts), node.args[1]
    if (*system, right) in known:
        return known[*system, right]
    front, base = _scaled(right, scaled, facts)
    if front is None:
        return node
    solved = known.get((*system, base))
    return node if solved is None else multiply(front, solved)


def _system(node: Apply, facts: Facts) -> System:
    """What is solved: the matrix as it stands upright, and what is told of it.

    before:  linalg.solve_triangular(L.T, b)        ..., (L, b, trans=1, lower=True)
    after:   that of L, lower, turned round, for both
    """
    matrix, turned, told = node.args[0], False, dict(node.kwargs)
    made = facts.definitions.get(matrix.var) if isinstance(matrix, Ref) else matrix
    if isinstance(made, Apply) and made.op == "numpy.transpose":
        if len(made.args) == 1:
            matrix, turned = made.args[0], True
    if node.op.endswith("solve_triangular"):
        if isinstance(lower := told.get("lower", Const(False)), Const):
            told["lower"] = Const(bool(lower.value) ^ turned)
        if told.get("trans", Const(0)) in (Const(1), Const("T")):
            del told["trans"]  # another one stays: 2 is conjugated as well
            turned = not turned
    rest = (*node.args[2:], *sorted(told.items(), key=str))
    return node.op, matrix, turned, rest


def _scaled(value: Expr, scaled: Scaled, facts: Facts) -> tuple[Expr | None, Expr]:
    """The number in front of an array, where there is one, and the array."""
    if isinstance(value, Ref):
        return scaled[value] if value in scaled else (None, value)
    numbers: list[Expr] = []
    arrays: list[Expr] = []
    for factor in _factors(value):
        (numbers if facts.rank(factor) == 0 else arrays).append(factor)
    if len(arrays) != 1 or not isinstance(arrays[0], Ref):
        return None, value
    inner, base = _scaled(arrays[0], scaled, facts)
    front: Expr = Const(1) if inner is None else inner
    for number in numbers:
        front = number if front == Const(1) else multiply(front, number)
    return front, base


def _factors(value: Expr) -> Iterator[Expr]:
    """The factors of a product, and -1 for a sign."""
    if isinstance(value, Apply) and value.op == "numpy.multiply":
        for one in value.args:
            yield from _factors(one)
    elif isinstance(value, Apply) and value.op == "numpy.negative":
        yield Const(-1)
        yield from _factors(value.args[0])
    else:
        yield value


def _is_solve(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op.rpartition(".")[2] in SOLVES
