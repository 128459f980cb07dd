"""Convention C beside what is computed: operands of its products, of rolls and of systems."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.keys import is_slice
from gradgen.facts.matrices import Products, Step
from gradgen.facts.through import of_entries
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

GIVEN = (Origin.PARAM, Origin.USER)


def computed(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What stands beside a value whose rank is known, in the order of the statements.

    before:  s = x.mean(axis=(2, 3))               # a matrix
             np.maximum(s @ W1 + b1, 0)
    after:   W1 is a matrix

    before:  np.stack([1 - t, t], axis=1) @ P      np.roll(x, -1)      np.solve(A, u)
    after:   t is a vector, P a matrix             x is a vector       u, of a loop, too

    before:  np.diag([np.exp(a), np.exp(b)])       E[tokens] + P[:n]   # of three axes
    after:   a and b are numbers                   P is a matrix

    Where the function speaks of a third axis, a value that may have one tells nothing.
    """
    stacked = Products(primal, facts).are_stacked
    for let in ranks.statements:
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op in MATRIX_PRODUCTS:
            yield from _operands(value, facts, ranks, stacked)
        elif value.op == "numpy.diag":
            yield from _diagonal(value.args[0], facts, ranks)
        elif value.op == "numpy.roll" and _is_small(value.args[0]):
            axis = dict(value.kwargs).get("axis", Const(None))
            if len(value.args) == 2 and axis == Const(None):
                yield [(getattr(value.args[0], "var"), 1)]
        elif value.op == "numpy.linalg.solve" and _is_small(value.args[1]):
            if {1} < ranks.of(value.args[1]):
                yield [(getattr(value.args[1], "var"), 1)]
        elif value.op in ADDITIVE:
            yield from _rows(let, value, facts, ranks)


def _operands(
    value: Apply, facts: Facts, ranks: Ranks, stacked: bool
) -> Iterator[Step]:
    left, right = value.args[:2]
    made = _made(left, facts)
    if made is not None and made.op == "numpy.stack" and isinstance(left, Ref):
        if _is_large(right) and 2 in ranks.of(left):
            items = getattr(made.args[0], "args", ())
            yield [(one.var, 1) for one in items if isinstance(one, Ref)]
            yield [(left.var, 2)]
    for one, other in ((left, right), (right, left)):
        if not isinstance(one, Ref) or len(ranks.of(one)) == 1:
            continue
        known = min(ranks.of(other)) == 2 and _made(other, facts) is not None
        if stacked:
            known = known and _is_of_matrices(other, facts, ranks)
        if known and _is_large(one):
            yield [(one.var, 2)]


def _is_of_matrices(value: Expr, facts: Facts, ranks: Ranks) -> bool:
    """Whether a value is computed entry by entry of what surely has two axes, biases apart."""
    ends = upstream(value, facts.definitions, of_entries)
    made = [one for one in ends if isinstance(one, Ref) and _made(one, facts)]
    return bool(made) and all(ranks.of(one) == {2} for one in made)


def _diagonal(value: Expr, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The entries of a list that is a diagonal: rows would be a matrix of their own."""
    made = value if isinstance(value, Apply) else _made(value, facts)
    while made is not None and made.op.endswith("array") and made.args:
        inner = made.args[0]
        made = inner if isinstance(inner, Apply) else _made(inner, facts)
    if made is None or made.op != "list":
        return
    for item in made.args:
        if isinstance(item, Ref) and len(ranks.of(item)) > 1:
            yield [(item.var, 0)]


def _rows(let: Let, value: Apply, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    for one, other in (value.args[:2], value.args[1::-1]):
        made = _made(one, facts)
        if made is None or made.op != "getitem" or not is_slice(made.args[1]):
            continue
        if _is_large(made.args[0]) and ranks.of(other) == {3} and isinstance(one, Ref):
            yield [(one.var, 2)]


def _is_large(value: Expr) -> bool:
    """Whether it is an argument with a capital."""
    given = isinstance(value, Ref) and value.var.origin is Origin.PARAM
    return given and getattr(value, "var").name[:1].isupper()


def _is_small(value: Expr) -> bool:
    """Whether it is a variable of the user's without a capital."""
    given = isinstance(value, Ref) and value.var.origin in GIVEN
    return given and getattr(value, "var").name.islower()


def _made(value: Expr, facts: Facts) -> Apply | None:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else None
    return made if isinstance(made, Apply) else None
