"""Which variables carry a derivative from the chosen arguments to the result."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Var
from gradgen.ir.walk import reads
from gradgen.rules.load import operations
from gradgen.rules.rule import bind

WITHOUT_DERIVATIVE = ("constant", "boolean", "integer", "creation")
# arguments that only choose: the result is piecewise constant in them
DISCRETE = frozenset(("condition", "condlist", "key", "where", "indices"))


def differentiable_reads(let: Let) -> Iterator[Var]:
    """The variables that the statement's result depends on differentiably."""
    value = let.value
    if isinstance(value, Ref):
        yield value.var
    if not isinstance(value, Apply) or value.op not in operations():
        return
    rule = operations()[value.op]
    names = rule.differentiable
    for param, bound in bind(rule, value).items():
        if param.name in names:
            yield from _direct(bound)


def _direct(expr: Expr) -> Iterator[Var]:
    if isinstance(expr, Apply) and expr.op in ("tuple", "list"):
        for item in expr.args:
            yield from _direct(item)
    elif isinstance(expr, Ref):
        yield expr.var


def _refuse_creation(let: Let, varied: set[Var]) -> None:
    """Refuses an array made from a varied number: its rule says nothing of it."""
    value = let.value
    if not isinstance(value, Apply) or value.op not in operations():
        return
    if operations()[value.op].kind == "creation" and varied.intersection(reads(value)):
        name = value.op.removeprefix("numpy.")
        raise GradgenError(
            "GG305",
            f"no gradient through the arguments of {name}",
            advice=f"a {name} of constants, scaled and shifted after it",
        ).at(let.note.place)


def _refuse_unruled(let: Let, varied: set[Var]) -> None:
    """Refuses a varied number as an argument that a rule gives no adjoint."""
    value = let.value
    if not isinstance(value, Apply) or value.op not in operations():
        return
    rule = operations()[value.op]
    if rule.kind in WITHOUT_DERIVATIVE:
        return
    for param, bound in bind(rule, value).items():
        silent = param.name not in rule.differentiable | DISCRETE
        if silent and varied.intersection(_direct(bound)):
            name = rule.op.removeprefix("numpy.")
            raise GradgenError(
                "GG308",
                f"no gradient with respect to the argument {param.name} of {name}",
                advice=f"a constant {param.name}",
            ).at(let.note.place)


def active(
    function: Function, wrt: tuple[Var, ...], stop: frozenset[Var]
) -> frozenset[Var]:
    """The variables on a differentiable path from wrt to the result.

    Variables in `stop` are held constant: no path leads through them.
    """
    varied = set(wrt) - stop
    for let in function.body:
        _refuse_creation(let, varied)
        _refuse_unruled(let, varied)
        if let.var not in stop and not varied.isdisjoint(differentiable_reads(let)):
            varied.add(let.var)
    useful = {var for value in function.values for var in reads(value)}
    for let in reversed(function.body):
        if let.var in useful and let.var in varied:
            useful.update(differentiable_reads(let))
    return frozenset(varied & useful)
