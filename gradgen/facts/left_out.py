"""Arguments that may be left out: what is made in their place tells their rank."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Var,
)
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.walk import lets, reads, statements
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def made_instead(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The rank of what is given where something is made if it is None.

        before:  if W is None: W = np.eye(len(x))       if s is None: s = np.std(x)
        after:   W is a matrix                          s is a number

    An array has to be an operand of what asks for its axes: of others it is known that
    they are stretched. Of a number that is written there nothing is known: `if w is
    None: w = 1.0` takes weights as well.
    """
    asked = set(_operands(primal))
    for stmt in statements(primal.body):  # the state that a loop begins with
        for slot in stmt.carried if isinstance(stmt, Loop) else ():
            if slot.inner in asked and isinstance(slot.entry, Ref):
                asked.add(slot.entry.var)
    values = {
        stmt.var: stmt.value
        for stmt in statements(primal.body)
        if isinstance(stmt, Let)
    }
    for stmt in statements(primal.body):
        if not isinstance(stmt, Branch):
            continue
        var = _asked_for_none(stmt, values)
        for merge in () if var is None else stmt.merges:
            assert var is not None
            both = merge.then, merge.orelse
            if Ref(var) not in both:
                continue
            made = both[0] if both[1] == Ref(var) else both[1]
            known = ranks.of(made)
            if not isinstance(made, Ref) or len(known) != 1:
                continue
            is_written = isinstance(values.get(made.var), Const)
            if not is_written and (min(known) == 0 or asked & {var, merge.var}):
                yield [(var, min(known))]


def _operands(primal: Function) -> Iterator[Var]:
    """What is read by products of matrices, and by functions of linear algebra."""
    for let in lets(primal.body):
        if isinstance(let.value, Apply):
            if "linalg." in let.value.op or let.value.op in MATRIX_PRODUCTS:
                yield from reads(let.value)


def _asked_for_none(branch: Branch, values: dict[Var, Expr]) -> Var | None:
    """The argument of which a branch asks whether it is None."""
    test = branch.test
    while isinstance(test, Ref) and test.var in values:
        test = values[test.var]
    if not isinstance(test, Apply) or test.op not in ("is", "is_not"):
        return None
    asked, none = test.args
    if none != Const(None) or not isinstance(asked, Ref):
        return None
    return asked.var if asked.var.origin is Origin.PARAM else None
