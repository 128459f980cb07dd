"""Which variables carry a derivative from the chosen arguments to the result."""

from __future__ import annotations

from collections.abc import Container, Iterator

from gradgen.ir.callee import read_by_call
from gradgen.errors import GradgenError
from gradgen.ir.liveness import SHAPE_READS, entries_read
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import LINEAR_WORDS, OF_TYPES
from gradgen.ir.walk import (
    all_defined,
    blocks,
    children,
    joins,
    lets,
    reads,
    statements,
)
from gradgen.rules.load import operations
from gradgen.rules.binding import bind

WITHOUT_DERIVATIVE = ("constant", "boolean", "integer", "creation")
# words that hold a derivative back, or have none, and calls that stay calls
WORDS = frozenset(
    "slice range len count extent dtype limit not and or is is_not in not_in "
    "zeros_of stopped kept pulled share vjp".split()
)
# arguments that only choose: the result is piecewise constant in them
DISCRETE = frozenset(("condition", "condlist", "key", "where", "indices"))


def differentiable_reads(let: Let) -> Iterator[Var]:
    """The variables that the statement's result depends on differentiably."""
    value = let.value
    if isinstance(value, Ref):
        yield value.var
    if isinstance(value, Apply) and value.op == "kept":
        yield from read_by_call(value)
    if not isinstance(value, Apply):
        return
    if value.op in LINEAR_WORDS and value.op not in operations():
        places = LINEAR_WORDS[value.op] or range(len(value.args))
        for place in places:
            yield from _direct(value.args[place])
    if value.op not in operations():
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


def _numbers_read(expr: Expr) -> Iterator[Var]:
    """The variables whose numbers an expression depends on, not the shape alone."""
    if isinstance(expr, Ref):
        yield expr.var
    elif isinstance(expr, Apply) and expr.op not in (*OF_TYPES, "numpy.result_type"):
        skipped = SHAPE_READS.get(expr.op)
        for i, child in enumerate(children(expr)):
            if i != skipped:
                yield from _numbers_read(child)


def _refuse_creation(let: Let, varied: set[Var]) -> None:
    """Refuses an array made from a varied number: its rule says nothing of it."""
    value = let.value
    if not isinstance(value, Apply) or value.op not in operations():
        return
    read = _numbers_read(value)
    if operations()[value.op].kind == "creation" and varied.intersection(read):
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
    for i, (param, bound) in enumerate(bind(rule, value).items()):
        silent = param.name not in rule.differentiable | DISCRETE
        if SHAPE_READS.get(value.op) == i:
            continue  # its entries are not read
        if silent and varied.intersection(_direct(bound)):
            name = rule.op.removeprefix("numpy.")
            raise GradgenError(
                "GG308",
                f"no gradient with respect to the argument {param.name} of {name}",
                advice=f"a constant {param.name}",
            ).at(let.note.place)


def _refuse_unknown(let: Let, varied: set[Var]) -> None:
    """Refuses an operation that nothing is known of: it is never a constant."""
    value = let.value
    if not isinstance(value, Apply) or value.op in operations():
        return
    if value.op in LINEAR_WORDS or value.op in WORDS:
        return
    if varied.intersection(entries_read(value)):
        raise GradgenError(
            "GG316",
            f"no derivative of {value.op.removeprefix('helper._').replace('_', ' ')}, "
            "which a gradient needs",
            advice="shape facts where ranks are not known, or the text of the first "
            "gradient (gradgen emit), differentiated again",
        ).at(let.note.place)


def varied_inside(
    stmt: Stmt, active: Container[Var], entries: bool = True
) -> Iterator[Var]:
    """The active variables from outside that a loop or branch depends on, in order.

    With `entries=False` those that a loop only starts from are left out.
    """
    inside = set(all_defined((stmt,)))
    found: dict[Var, None] = {}

    def visit(one: Stmt, top: bool) -> None:
        if isinstance(one, Let) and one.var in active:
            found.update(dict.fromkeys(differentiable_reads(one)))
        for block in blocks(one):
            for inner in block:
                visit(inner, False)
        for var, way in joins(one, entries or not top):
            if var in active:
                found.update(dict.fromkeys(reads(way)))

    visit(stmt, True)
    for var in found:
        if var in active and var not in inside:
            yield var


def varied_from(
    function: Function, wrt: tuple[Var, ...], stop: frozenset[Var]
) -> set[Var]:
    """The variables that a differentiable path leads to from wrt."""
    varied = set(wrt) - stop
    size = -1
    while size != len(varied):
        size = len(varied)
        for stmt in statements(function.body):
            if isinstance(stmt, Let):
                reached = not varied.isdisjoint(differentiable_reads(stmt))
                if reached and stmt.var not in stop:
                    varied.add(stmt.var)
            for var, way in joins(stmt):
                if var not in stop and not varied.isdisjoint(reads(way)):
                    varied.add(var)
    return varied


def active(
    function: Function, wrt: tuple[Var, ...], stop: frozenset[Var]
) -> frozenset[Var]:
    """The variables on a differentiable path from wrt to the result.

    Variables in `stop` are held constant: no path leads through them. Around a
    loop the path may lead any number of times.
    """
    varied = varied_from(function, wrt, stop)
    for let in lets(function.body):
        _refuse_unknown(let, varied)
        _refuse_creation(let, varied)
        _refuse_unruled(let, varied)
    useful = {var for value in function.values for var in reads(value)}
    size = -1
    while size != len(useful):
        size = len(useful)
        for stmt in reversed(list(statements(function.body))):
            if isinstance(stmt, Let) and stmt.var in useful and stmt.var in varied:
                useful.update(differentiable_reads(stmt))
            for var, way in joins(stmt):
                if var in useful and var in varied:
                    useful.update(reads(way))
    return frozenset(varied & useful)
