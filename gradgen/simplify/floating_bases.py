"""What is added to is floating, also where a seed is a Python int."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Loop
from gradgen.ir.nodes import Origin, Param, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, LIKES, PUTTING, STORES, call
from gradgen.ir.walk import children, joins, lets, rewrite, statements
from gradgen.ir.walk import subexpressions, with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import WHOLE, Kind
from gradgen.shapes.wholes import may_be_whole, whole_among

SEEDS = (Origin.SEED, Origin.TANGENT)
# what np.pad computes of the entries that it is given
COMPUTED = ("mean", "median", "linear_ramp")


def floating_bases(function: Function, facts: Facts) -> Function:
    """The function whose adjoints take in fractions where they start as whole numbers.

        before:  d_x = d_out * v
                 d_x[1] += 2 * d_out * x[1]
        after:   d_x = 1.0 * d_out * v
                 d_x[1] += 2 * d_out * x[1]

    d_out may be a Python int, and v, which no gradient is asked of, an array of
    integers: NumPy would cut off what is stored there. A product with a float is one.
    So it would what np.insert puts into a tangent, np.insert(1.0 * d_x, 1, d_y).
    """
    ends = [stmt for stmt in lets(function.body) if _takes_in(stmt, facts)]
    puts = any(map(_puts_in, lets(function.body)))
    if not ends and not puts:
        return function
    found = whole_among(function, _given(function, facts))
    bases = _bases(function, ends)
    if not bases and not puts:
        return function

    def put(node: Expr) -> Expr:
        if not isinstance(node, Apply) or not _is_put(node):
            return node
        first, *others = children(node)
        if not may_be_whole(first, found):
            return node
        return with_children(node, (_float(first), *others))

    def made(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let):
            value = stmt.value
            if stmt.var in bases and may_be_whole(value, found):
                value = _float(value)
            if _puts_in(stmt):
                value = rewrite(value, put)
            return stmt if value is stmt.value else replace(stmt, value=value)
        return with_blocks(stmt, lambda block: map(made, block))

    return replace(function, body=tuple(map(made, function.body)))


def _given(function: Function, facts: Facts) -> set[Var]:
    """The parameters that may be whole: seeds that are numbers, and data."""
    asked = {result.of for result in function.results}

    def may_be(param: Param) -> bool:
        if param.var.origin in SEEDS:
            return param.var not in facts.complexes
        if facts.kinds[param.var] in WHOLE:
            return True
        if facts.kinds[param.var] > Kind.LIKE or param.var in facts.complexes:
            return False
        told = facts.rank(Ref(param.var)) and not (param.assumed or param.whole)
        return not (told and param.var in asked)

    return {param.var for param in function.params if may_be(param)}


def _takes_in(let: Let, facts: Facts) -> bool:
    """Whether a statement of the derivative stores into an array that it has made."""
    value = let.value
    if not isinstance(value, Apply) or not let.note.derived:
        return False
    if value.op == "accumulate":
        return facts.rank(value.args[0]) != 0
    return value.op in STORES and isinstance(value.args[0], Ref)


def _puts_in(let: Let) -> bool:
    """Whether what a statement of the derivative computes is put among other entries."""
    return let.note.derived and any(map(_is_put, subexpressions(let.value)))


def _is_put(node: Expr) -> bool:
    """Whether an operation puts computed values among those of its first argument."""
    if not isinstance(node, Apply) or node.op not in PUTTING:
        return False
    words = dict(node.kwargs)
    values = (*node.args[2:3], words.get("values"), words.get("constant_values"))
    is_mean = any(words.get("mode") == Const(mode) for mode in COMPUTED)
    return is_mean or any(one and not isinstance(one, Const) for one in values)


def _bases(function: Function, ends: Iterable[Let]) -> set[Var]:
    """The variables that arrays start as, into which a fraction may be stored."""
    made = {let.var: let for let in lets(function.body)}
    ways: dict[Var, list[Expr]] = {}
    for stmt in statements(function.body):
        if isinstance(stmt, (Branch, Loop)):
            for var, value in joins(stmt):
                ways.setdefault(var, []).append(value)
    values = [let.value for let in ends if isinstance(let.value, Apply)]
    todo = [one.args[0] for one in values if not isinstance(one.args[-1], Const)]
    seen: set[Var] = set()
    bases: set[Var] = set()
    while todo:
        base = todo.pop()
        if not isinstance(base, Ref) or base.var in seen:
            continue
        seen.add(base.var)
        let = made.get(base.var)
        todo += ways.get(base.var, [])
        if let is None or not let.note.derived:
            continue
        value = let.value
        changes = isinstance(value, Apply) and value.op in (*STORES, "accumulate")
        if isinstance(value, Ref):
            todo.append(value)
        elif changes:
            todo.append(value.args[0])
        elif _is_array(value):
            bases.add(base.var)
    return bases


def _is_array(expr: Expr) -> bool:
    """Whether it is surely no list: NumPy's, or what is read of such."""
    if isinstance(expr, Apply) and expr.op == "getitem":
        return _is_array(expr.args[0])
    if isinstance(expr, Apply) and expr.spelling == "function:list":
        return False  # list(d_parts), a copy
    return isinstance(expr, Apply) and expr.op.startswith(("numpy.", "helper."))


def _is_named(expr: Expr) -> bool:
    """Whether something is a variable, or read of one."""
    while isinstance(expr, Apply) and expr.op == "getitem":
        expr = expr.args[0]
    return isinstance(expr, Ref)


def _float(expr: Expr) -> Expr:
    """The same value as floats: a number in it is written as one, or 1.0 times it."""
    if isinstance(expr, Const) and type(expr.value) is int:
        return Const(float(expr.value))
    if isinstance(expr, Apply) and not expr.kwargs:
        if expr.op == "numpy.negative" and not isinstance(expr.args[0], Const):
            return Apply("numpy.multiply", (Const(-1.0), *expr.args), (), "operator")
        part = expr.op == "getitem" and not _is_named(expr)  # a name may be of a list
        if part or expr.op in (*ARITHMETIC, "helper._unbroadcast"):
            first, *rest = expr.args
            return with_children(expr, (_float(first), *rest))
        if expr.op == "numpy.where":
            for at in (2, 1):
                if isinstance(expr.args[at], Const):
                    changed = [*expr.args]
                    changed[at] = _float(changed[at])
                    return with_children(expr, changed)
    if isinstance(expr, Apply) and expr.op in LIKES and not expr.kwargs:
        dtype = call("numpy.result_type", expr.args[0], Const(0.0))
        return replace(expr, kwargs=(("dtype", dtype),))
    return Apply("numpy.multiply", (Const(1.0), expr), (), "operator")
