"""What the gradient computes and the user has a name for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Effect, Expr, Function, Let, Loop, Origin, Ref
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.operators import ARITHMETIC, LOOKING, MODULI, POWERS
from gradgen.ir.walk import children, lets, map_values, reads
from gradgen.ir.walk import with_blocks, with_children, with_expressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.simplify.cost import cost
from gradgen.simplify.terms import shortest

# kinds of rules, and endings of words, that make arrays to be filled
MADE = ("creation", "constant")
LIKE = ("_like", ".copy", ".array")


def equalities(function: Function) -> Function:
    """The function whose gradient reads what the primal has computed already.

        before:  mean = np.mean(x)
                 d = x - mean
                 d_x = d * (x - np.mean(x))
        after:   mean = np.mean(x)
                 d = x - mean
                 d_x = d * d

    Only values that the user has named, at the top of the function or in a loop that
    goes through both halves, and that are needed anyway: an expression in the gradient
    is no reason to keep a statement.
    """
    body = tuple(_read(function.body, {}, set(), Origin.USER))
    body = tuple(_of_rounds(body))
    return function if body == function.body else replace(function, body=body)


def _of_rounds(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Loops back that compute no values of the round which they read anyway.

    before:  d_x = d_y * np.cos(x) + d_z * x_cos       # x_cos = np.cos(x)
    after:   d_x = d_y * x_cos + d_z * x_cos

    Sums and products are written again, which needs no line.
    """
    made: dict[Var, Apply] = {}
    for stmt in body:
        if isinstance(stmt, Loop) and not stmt.note.derived:
            for let in lets(stmt.body):
                value = let.value
                if isinstance(value, Apply) and is_work(value):
                    if value.op not in ARITHMETIC:
                        made[let.var] = value
        if made and stmt.note.derived and not isinstance(stmt, Let):
            stmt = with_blocks(stmt, lambda block: _named(block, made, {}))
        yield stmt


def _named(
    body: Iterable[Stmt], made: dict[Var, Apply], outer: dict[Expr, Var]
) -> tuple[Stmt, ...]:
    """A block with names for what it reads under them itself.

    What an arm alone, or an inner loop, has computed has no value outside of it: what
    is read there alone tells nothing of the block around it.
    """
    body = tuple(body)
    read = {
        var
        for stmt in body
        if isinstance(stmt, Let | Effect)
        for var in reads(stmt.value)
    }
    known: dict[Expr, Var] = dict(outer)
    known |= {made[var]: var for var in read & made.keys()}
    ops = {made[var].op for var in known.values()}
    changed = (
        with_expressions(stmt, lambda expr: _change(expr, known, ops)) for stmt in body
    )
    return tuple(with_blocks(s, lambda b: _named(b, made, known)) for s in changed)


def _change(expr: Expr, known: dict[Expr, Var], ops: set[str]) -> Expr:
    """The parts of an expression by their names: a whole value stays.

    It may be memory that is stored into.
    """
    if not ops or not isinstance(expr, Apply):
        return expr
    old = children(expr)
    new = [_with_names(child, known, ops) for child in old]
    same = all(a is b for a, b in zip(old, new))
    return expr if same else with_children(expr, new)


def named_parts(function: Function, facts: Facts) -> Function:
    """The function whose gradient reads parts of the user's statements by their names.

        before:  rest = 1 - z
                 out = rest * h
                 d_h = d_out * rest
                 d_z = -d_out * h * z * (1 - z)
        after:   rest = 1 - z
                 out = rest * h
                 d_h = d_out * rest
                 d_z = -d_out * h * z * rest

    These are parts that have got a line of their own, since more reads them. What then
    divides by itself cancels.
    """
    return _shortened(function, facts, lambda value: True)


def costly_parts(function: Function, facts: Facts) -> Function:
    """The function whose gradient computes no sine again of an array, and no root.

        before:  wt_cos = np.cos(wt)
                 y = np.sin(wt) + wt_cos * a
                 d_wt = d_y * np.cos(wt)
        after:   wt_cos = np.cos(wt)
                 y = np.sin(wt) + wt_cos * a
                 d_wt = d_y * wt_cos

    These are parts of the user's statements that take many times as long as a product:
    they get a line of their own for it.
    """
    return _shortened(function, facts, lambda value: is_costly(value, facts))


def is_costly(value: Apply, facts: Facts) -> bool:
    """Whether a value is a function of each entry of one array, and not arithmetic."""
    rule = operations().get(value.op)
    if rule is None or rule.kind != "elementwise" or len(value.args) != 1:
        return False
    cheap = ARITHMETIC | MODULI | LOOKING | POWERS
    return value.op not in cheap and not value.kwargs and facts.rank(value) != 0


def _shortened(
    function: Function, facts: Facts, wanted: Callable[[Apply], bool]
) -> Function:
    before = {let.var: let.value for let in lets(function.body)}
    body = tuple(_read(function.body, {}, set(), Origin.TEMP, wanted))
    if body == function.body:
        return function
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        if let.value == before[let.var]:
            return let.value
        found = shortest(let.value, facts)
        return found if cost(found, facts) < cost(let.value, facts) else let.value

    return map_values(replace(function, body=body), value)


def _read(
    body: Iterable[Stmt],
    outer: dict[Expr, Var],
    known_ops: set[str],
    origin: Origin,
    wanted: Callable[[Apply], bool] = lambda value: True,
) -> Iterator[Stmt]:
    known, ops = dict(outer), set(known_ops)

    def change(expr: Expr) -> Expr:
        return _change(expr, known, ops)

    for stmt in body:
        if stmt.note.derived:
            stmt = with_expressions(stmt, change)
            yield with_blocks(
                stmt, lambda block: _read(block, known, ops, origin, wanted)
            )
            continue
        yield stmt
        if isinstance(stmt, Let) and stmt.var.origin is origin:
            value = stmt.value
            if isinstance(value, Apply) and is_work(value) and wanted(value):
                known.setdefault(change(value), stmt.var)
                known.setdefault(value, stmt.var)
                ops.add(value.op)


def _with_names(expr: Expr, known: dict[Expr, Var], ops: set[str]) -> Expr:
    """The expression with names for its parts, the innermost first."""
    if not isinstance(expr, Apply):
        return expr
    old = children(expr)
    new = [_with_names(child, known, ops) for child in old]
    if any(a is not b for a, b in zip(old, new)):
        expr = with_children(expr, new)
    if expr.op in ops and expr in known:
        return Ref(known[expr])
    return expr


def is_work(value: Apply) -> bool:
    """Whether a value is computed of arguments, and is no memory to be stored into."""
    rule = operations().get(value.op)
    if rule is None or rule.kind in MADE or value.op.endswith(LIKE):
        return False
    return value.spelling != "augmented"
