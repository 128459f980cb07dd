"""Ties of a maximum: half to each side, unless no other kink can cancel its kink."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Effect, Expr, Function, Let, Origin, Ref
from gradgen.ir.nodes import Role, Stmt, Var
from gradgen.ir.walk import children, is_static, own_expressions, reads, reads_of
from gradgen.ir.walk import rewrite_derived, statements, subexpressions
from gradgen.ir.operators import ADDITIVE, POWERS, SCALING, TOTALS
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

CHOICES = {
    "numpy.maximum": "numpy.greater",
    "numpy.minimum": "numpy.less",
    "numpy.clip": "",
}
# entry by entry, and differentiable wherever their derivative is finite
SMOOTH = {
    f"numpy.{name}"
    for name in (
        "add subtract multiply divide negative positive power square reciprocal exp "
        "expm1 exp2 log log1p log2 log10 logaddexp sqrt sin cos tan tanh sinh cosh "
        "arctan"
    ).split()
}
# what may stand behind the choice as well
BEHIND = {
    *SMOOTH,
    *TOTALS,
    *(f"numpy.{name}" for name in "matmul dot outer reshape transpose".split()),
    *("len", "size", "tuple", "slice"),
}
ZEROS = (Const(0), Const(0.0))
# the sums that an entry has gone into since it was an argument's
Way = tuple[Expr, ...]


def ties(function: Function, facts: Facts, called: bool = False) -> Function:
    """The function with a tie on one side where that is right as well.

        before:  d_out = d_loss / len(x)
                 d_x = np.where(x == y, d_out / 2, np.where(x > y, d_out, 0))
        after:   d_out = d_loss / len(x)
                 d_x = np.where(x > y, d_out, 0)

    max(x, 0) + min(x, 0) is x, whose derivative half to each side tells at 0. So do
    max(x, 0) - x * y + log(1 + exp(-abs(x))) and others in which kinks cancel. A
    function whose one maximum compares entry by entry, values of the same arguments,
    has nothing that cancels it:
    where it is differentiable at a tie, either side's derivative is that of the
    function. Its entries depend on entries of the arguments that no other entry of
    it depends on, and all else is smooth. So has one whose entries are all summed with
    one factor, as in a hinge loss, whatever they depend on, and with numbers put in
    place of some: all of its kinks bend the same way. So has max(x, 0) ** 2 where that
    is all that reads the maximum: what flows back to a tie is 0.

    Of a function that is `called` by others the kinks may cancel in these:
    relu(x) - relu(-x) is x.
    """
    found = None if called else _lone(function, facts)
    squared = _squared(function)
    if found is None and not squared:
        return function
    test = "" if found is None else CHOICES[found[0].op]
    both = found is not None and found[1]

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or not _is_tie(node):
            return node
        inner = node.args[2]
        assert isinstance(inner, Apply) and isinstance(inner.args[0], Apply)
        asked = inner.args[0]
        if frozenset(asked.args) in squared:
            value = inner.args[1]
            flows_back = isinstance(value, Ref) and value.var.origin is Origin.ADJOINT
            # 2 * d * max(x, 0), which is 0 where x is no more; a tangent is not
            return value if flows_back else inner
        if found is None:
            return node
        if not both or asked.op == test:
            return inner
        value, zero = inner.args[1:]
        return replace(inner, args=(replace(asked, op=test), zero, value))

    return rewrite_derived(function, change)


def _is_tie(node: Apply) -> bool:
    """np.where(tie, d / 2, np.where(test, d, 0))"""
    if node.op != "numpy.where" or len(node.args) != 3:
        return False
    _, half, inner = node.args
    return (
        isinstance(half, Apply)
        and half.op == "numpy.divide"
        and half.args[1] == Const(2)
        and isinstance(inner, Apply)
        and inner.op == "numpy.where"
        and isinstance(inner.args[0], Apply)
        and inner.args[1:2] == half.args[:1]
        and inner.args[2] in ZEROS
    )


def _squared(function: Function) -> set[frozenset[Expr]]:
    """The operands of maxima of something and 0 of which powers alone are read.

    Of all of them: a tie tells its operands, and not which of several it is of.
    """
    forward = [
        stmt for stmt in statements(function.body) if stmt.note.role is Role.FORWARD
    ]
    operands = {
        stmt.var: frozenset(stmt.value.args)
        for stmt in forward
        if isinstance(stmt, Let)
        and isinstance(stmt.value, Apply)
        and stmt.value.op in CHOICES
        and len(stmt.value.args) == 2
        and any(arg in ZEROS for arg in stmt.value.args)
    }
    read: set[Var] = set()
    for stmt in forward if operands else ():
        for expr in own_expressions(stmt):
            if not (isinstance(stmt, Let) and _is_power(expr)):
                read.update(reads(expr))
    for value in (*function.values, *(one.value for one in function.results)):
        read.update(reads(value))
    besides = {both for var, both in operands.items() if var in read}
    # np.clip(x, 0, None) has ties of the same two
    others = [stmt for stmt in forward if getattr(stmt, "var", None) not in operands]
    for stmt in others if operands else ():
        for expr in own_expressions(stmt):
            for node in subexpressions(expr):
                given = children(node) if isinstance(node, Apply) else ()
                besides |= {both for both in operands.values() if both <= {*given}}
    return set(operands.values()) - besides


def _is_power(expr: Expr) -> bool:
    """Whether an expression is z**2, z**3 or z * z of something with a name."""
    if not isinstance(expr, Apply) or expr.kwargs:
        return False
    if expr.op == "numpy.multiply":
        return expr.args[0] == expr.args[1]
    if expr.op != "numpy.power" or not isinstance(expr.args[1], Const):
        return expr.op == "numpy.square"
    number = expr.args[1].value
    return type(number) in (int, float) and number >= 2


def _lone(function: Function, facts: Facts) -> tuple[Apply, bool] | None:
    """The function's one maximum, and whether both of its sides vary."""
    ways: dict[Var, Way] = {result.of: () for result in function.results}
    active = set(ways)
    roots = {var: frozenset([var]) for var in ways}
    summed = _summed(function, facts)
    found: list[tuple[Apply, bool]] = []
    for stmt in _giving(function):
        if active.isdisjoint(reads_of(stmt)):
            continue
        if not isinstance(stmt, Let):
            return None
        active.add(stmt.var)
        roots[stmt.var] = _roots(stmt.value, roots)
        for node in subexpressions(stmt.value):
            if not isinstance(node, Apply) or active.isdisjoint(reads(node)):
                continue
            if node.op in CHOICES and not node.kwargs:
                sides = [arg for arg in node.args if not active.isdisjoint(reads(arg))]
                # two arguments that tie share what flows back
                apart = len({_roots(side, roots) for side in sides}) > 1
                alike = node in summed and node.op != "numpy.clip"
                if apart or not alike and _way(node, ways, active, facts) is None:
                    return None
                found.append((node, len(sides) > 1))
            elif node.op in ("getitem", "numpy.where"):
                # by places, or a mask, that do not vary
                if not active.isdisjoint(reads(node.args[node.op == "getitem"])):
                    return None
            elif _is_put(node):
                if not active.isdisjoint(reads(node.args[1])):
                    return None
            elif node.op not in BEHIND and not _is_length(node):
                return None
        way = _way(stmt.value, ways, active, facts)
        if way is not None:
            ways[stmt.var] = way
    if len(found) != 1 or found[0][0].op == "numpy.clip" and found[0][1]:
        return None
    return found[0]


def _is_put(node: Apply) -> bool:
    """Whether numbers are put at places: margins[rows, labels] = 0."""
    return node.op == "setitem" and isinstance(node.args[2], Const)


def _is_length(node: Apply) -> bool:
    """Whether a value is the lengths of vectors, which are smooth but at 0."""
    orders = {name for name, _ in node.kwargs} - {"axis", "keepdims"}
    return node.op == "numpy.linalg.norm" and len(node.args) == 1 and not orders


def _giving(function: Function) -> list[Stmt]:
    """The statements of the function that give a value, and are not only looked at."""
    read = {var for value in function.values for var in reads(value)}
    read |= {var for one in function.results for var in reads(one.value)}
    found = []
    for stmt in reversed(function.body):
        if isinstance(stmt, Let):
            gives = stmt.var in read
        else:
            gives = not isinstance(stmt, Effect) and bool(getattr(stmt, "merges", True))
        if gives:
            read.update(reads_of(stmt))
            found += [] if stmt.note.derived else [stmt]
    return found[::-1]


def _summed(function: Function, facts: Facts) -> set[Expr]:
    """The maxima whose entries go into one sum of all, and nowhere else.

    before:  loss = np.maximum(0, 1 - margin)     (in np.mean(0.5 * loss + x * x))
    after:   {np.maximum(0, 1 - margin)}
    """
    forward = _giving(function)
    counts = Counter(
        var
        for stmt in statements(forward)
        for expr in own_expressions(stmt)
        for node in subexpressions(expr)
        for var in ([node.var] if isinstance(node, Ref) else ())
    )
    counts.update(var for value in function.values for var in reads(value))
    made = {stmt.var: stmt.value for stmt in forward if isinstance(stmt, Let)}
    found: set[Expr] = set()
    for stmt in forward:
        for node in subexpressions(stmt.value) if isinstance(stmt, Let) else ():
            if isinstance(node, Apply) and node.op in TOTALS and facts.rank(node) == 0:
                found |= set(_terms(node.args[0], made, counts, facts))
    return found


def _terms(
    expr: Expr, made: Mapping[Var, Expr], counts: Mapping[Var, int], facts: Facts
) -> Iterator[Expr]:
    """What is summed, of what is read here alone; with what numbers multiply."""
    if isinstance(expr, Ref) and counts[expr.var] == 1:
        expr = made.get(expr.var, expr)
    if not isinstance(expr, Apply):
        return
    if expr.op in CHOICES:
        yield expr
    terms = expr.args if expr.op in ADDITIVE else ()
    if expr.op == "numpy.where":
        terms = expr.args[1:]
    if _is_put(expr):
        terms = expr.args[:1]
    if expr.op in SCALING:
        # divided by a number, or multiplied with one
        first, *others = expr.args
        terms = (first,) if all(facts.rank(one) == 0 for one in others) else ()
        if facts.rank(first) == 0 and expr.op in POWERS:  # no divisor
            terms = expr.args[1:]
    for term in terms:
        yield from _terms(term, made, counts, facts)


def _roots(expr: Expr, roots: Mapping[Var, frozenset[Var]]) -> frozenset[Var]:
    """The arguments that an expression varies with."""
    found: frozenset[Var] = frozenset()
    for var in reads(expr):
        found |= roots.get(var, frozenset())
    return found


def _way(
    expr: Expr, ways: Mapping[Var, Way], active: set[Var], facts: Facts
) -> Way | None:
    """The sums on the way to an expression, if its entries share no argument's entry."""
    if isinstance(expr, Ref):
        return ways.get(expr.var)
    if not isinstance(expr, Apply):
        return None
    if expr.op in TOTALS or _is_length(expr):
        axis = dict(expr.kwargs).get("axis")
        plain = len(expr.args) == 1 and axis is not None and is_static(axis)
        inner = _way(expr.args[0], ways, active, facts) if plain else None
        if inner is None or {name for name, _ in expr.kwargs} - {"axis", "keepdims"}:
            return None
        return (*inner, Apply("tuple", tuple(value for _, value in expr.kwargs)))
    if expr.op not in SMOOTH and expr.op not in CHOICES or expr.kwargs:
        return None
    found: set[Way] = set()
    for arg in expr.args:
        if active.isdisjoint(reads(arg)):
            continue
        way = _way(arg, ways, active, facts)
        if way is None or not equal(facts.of(arg), facts.of(expr)):
            return None
        found.add(way)
    return found.pop() if len(found) == 1 else None
