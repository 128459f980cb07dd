"""np.where of numbers is a conditional expression."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC, COMPARISONS, JOINTS, STORES
from gradgen.ir.walk import lets, own_expressions, statements, subexpressions
from gradgen.ir.walk import with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import RANK_0


def conditionals(function: Function, facts: Facts) -> Function:
    """The function that chooses between numbers as Python does.

        before:  d_a = np.where(a > 0.0, d_out * b, 0)
        after:   d_a = d_out * b if a > 0.0 else 0.0

    So it does what is added to numbers and stored in entries.

    Of the derivative's statements alone, where all that is chosen by and between are
    numbers: np.where makes an array of rank 0 of them, and takes ten times as long.
    """
    if any(param.fact == RANK_0 for param in function.params):
        return function
    asked = _asked(function)

    def made(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let):
            if not stmt.note.derived or stmt.var in asked:
                return stmt
            value = _chosen(stmt.value, facts)
            return stmt if value is stmt.value else replace(stmt, value=value)
        return with_blocks(stmt, lambda block: map(made, block))

    if not any(_is_choice(let.value, facts) for let in lets(function.body)):
        return function
    return replace(function, body=tuple(map(made, function.body)))


def _asked(function: Function) -> Set[Var]:
    """The numbers of which a method, an attribute or an entry is read: x[mask].

    Those are NumPy's; Python's have none.
    """
    exprs = [e for stmt in statements(function.body) for e in own_expressions(stmt)]
    exprs += [result.value for result in function.results]
    return {
        part.args[0].var
        for expr in exprs
        for part in subexpressions(expr)
        if isinstance(part, Apply)
        and (part.op == "getitem" or part.spelling.startswith(("method", "attribute")))
        and part.args
        and isinstance(part.args[0], Ref)
    }


def _is_choice(value: Expr, facts: Facts) -> bool:
    """Whether there is such a choice in a value."""
    return any(_is_of_numbers(part, facts) for part in subexpressions(value))


def _is_of_numbers(expr: Expr, facts: Facts) -> bool:
    if not isinstance(expr, Apply) or expr.op != "numpy.where" or len(expr.args) != 3:
        return False
    if expr.kwargs or any(facts.rank(arg) != 0 for arg in expr.args):
        return False
    return _test(expr.args[0], facts) is not None


def _chosen(value: Expr, facts: Facts) -> Expr:
    """A value with conditional expressions at its root, and among what it is made of."""
    if not isinstance(value, Apply):
        return value
    if _is_of_numbers(value, facts):
        test = _test(value.args[0], facts)
        assert test is not None
        ways = (_float(_chosen(arg, facts)) for arg in value.args[1:])
        return replace(value, args=(test, *ways), spelling="conditional")
    if value.op == "accumulate" or value.op in STORES:  # x += c, x[t] = c
        *place, last = value.args
        new = _chosen(last, facts)
        return value if new is last else with_children(value, (*place, new))
    if value.op in ARITHMETIC and not value.kwargs:
        args = [_chosen(arg, facts) for arg in value.args]
        if any(new is not old for new, old in zip(args, value.args)):
            return with_children(value, args)
    return value


def _test(test: Expr, facts: Facts) -> Expr | None:
    """A test of numbers in Python's words; None of what is no comparison, nor the name
    of one."""
    if isinstance(test, Ref) and facts.is_boolean(test):
        return test
    if not isinstance(test, Apply) or test.kwargs:
        return None
    if test.op in JOINTS:
        parts = [_test(arg, facts) for arg in test.args]
        if any(part is None for part in parts):
            return None
        known = tuple(part for part in parts if part is not None)
        return Apply(JOINTS[test.op], known, (), "operator")
    return test if test.op in COMPARISONS else None


def _float(value: Expr) -> Expr:
    if isinstance(value, Const) and type(value.value) is int:
        return Const(float(value.value))
    return value
