"""A quotient of two numbers in an arm of np.where is NumPy's: it may divide by 0."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, LENGTHS, call, divide, multiply
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import children, map_lets, reads, rewrite_derived
from gradgen.ir.walk import with_children
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.masks_ahead import is_nonzero

WHERE = "numpy.where"
DIVIDE = "numpy.divide"
# what an arm is made of, from its quotients on
INSIDE = ARITHMETIC | {"helper._unbroadcast", "numpy.full_like"}
ZEROS = (Const(0), Const(0.0))
FORWARD = (Origin.TEMP, Origin.USER)


def selected_quotients(function: Function, facts: Facts) -> Function:
    """The function whose arms do not raise where a divisor is 0 as Python's number.

        before:  d_x = np.where(x > 9, d_out / s, 2 * d_out)
        after:   d_x = np.where(x > 9, np.divide(d_out, s), 2 * d_out).astype(x.dtype)

    That is of np.where(x > 9, x / s, 2 * x), which has a value where s is 0 and no x is so
    large: Python raises for 1.0 / 0.0. In a product an array is divided, d_out * w / s for
    d_out / s * w; beside arrays the quotient has their dtype, as a number of Python's has.
    What divides outside of the function's own arms is written as it is there; a length is
    0 of no entries alone.
    """
    divisors = _divisors(facts)
    if not divisors:
        return function
    forward = {v for var, v in facts.definitions.items() if var.origin in FORWARD}

    def may_raise(expr: Expr) -> bool:
        """Whether it is a quotient of Python's numbers by what a choice divides by."""
        if not isinstance(expr, Apply) or expr.op != DIVIDE or expr in forward:
            return False
        below = expr.args[-1]
        if expr.spelling != "operator" or is_nonzero(below) or _is_count(below, facts):
            return False
        numbers = all(_may_be_pythons(one, facts) for one in expr.args)
        return numbers and not divisors.isdisjoint(_marks(below, facts))

    def quotient(expr: Expr, beside: Collection[Expr]) -> Expr:
        """An arm, with its quotients of numbers; `beside` are the arrays that it meets."""
        if not isinstance(expr, Apply) or expr.op not in INSIDE or expr.kwargs:
            return expr
        if expr.op == "numpy.multiply":
            for one, other in (expr.args, expr.args[::-1]):
                if may_raise(one) and _arrays([other], facts):
                    above, below = children(one)
                    above = multiply(above, quotient(other, beside))
                    # an array by a number is NumPy's, and keeps its precision
                    if _may_be_pythons(other, facts):
                        return call(DIVIDE, above, below)
                    return divide(above, below)
        expr = with_children(expr, [quotient(one, beside) for one in expr.args])
        if not may_raise(expr):
            return expr
        own = set().union(*(_read(one, facts) for one in expr.args))
        others = [one for one in beside if own.isdisjoint(reads(one))]
        if not others:
            return call(DIVIDE, *expr.args)
        dtype = call("numpy.result_type", *others, Const(0.0))
        return Apply("astype", (call(DIVIDE, *expr.args), dtype), (), "method:astype")

    read: set[Var] = set()  # what the arms read: they may have names

    def changed(expr: Expr) -> Expr:
        if not isinstance(expr, Apply) or expr.op != WHERE or len(expr.args) != 3:
            return expr
        test, *arms = expr.args
        read.update(*map(reads, arms))
        beside = _arrays(arms, facts)
        new = (test, *(quotient(arm, beside) for arm in arms), *children(expr)[3:])
        return with_children(expr, new)

    def named(let: Let) -> Let:
        beside = _arrays([let.value], facts)
        is_arm = let.var.origin is Origin.TEMP and let.var in read
        if not (let.note.derived and is_arm and beside):
            return let  # a number of its own stays Python's: it may meet float32
        return replace(let, value=quotient(let.value, beside))

    function = rewrite_derived(function, changed)
    return replace(function, body=map_lets(function.body, named)) if read else function


def _arrays(values: Iterable[Expr], facts: Facts) -> list[Expr]:
    """What may be arrays of what values read: their dtype is that of the whole."""
    every = dict.fromkeys(Ref(var) for value in values for var in reads(value))
    found = (one for one in every if facts.rank(one) != 0)
    return [one for one in found if facts.kind(one) is not Kind.BOOLEAN]


def _divisors(facts: Facts) -> set[Var | Const]:
    """What stands below in the arms of the function's choices, and what that reads."""
    found: set[Var | Const] = set()

    def through(value: Apply) -> Sequence[Expr] | None:
        if value.op == DIVIDE:
            above, below = value.args
            # of a number of Python's Python itself raises
            number = facts.rank(above) == 0 and _may_be_pythons(above, facts)
            found.update(set() if number else _marks(below, facts))
        rule = operations().get(value.op)
        return value.args if rule is not None and rule.kind == "elementwise" else None

    for value in facts.definitions.values():
        if isinstance(value, Apply) and value.op == WHERE and len(value.args) == 3:
            for arm in value.args[1:]:
                list(upstream(arm, facts.definitions, through))
    return found


def _marks(below: Expr, facts: Facts) -> set[Var | Const]:
    """What a divisor is known by: a constant, or the variables that it is computed of."""
    found: set[Var | Const] = set()

    def through(value: Apply) -> Sequence[Expr] | None:
        if value.op in LENGTHS or value.op == "getitem":  # x.shape[0]
            return value.args[:1]
        return value.args if value.op in ARITHMETIC else None

    for end in upstream(below, facts.definitions, through):
        # of zeros one stands for all
        found.update(ZEROS[:1] if end in ZEROS else reads(end))
    return found


def _read(value: Expr, facts: Facts) -> set[Var]:
    """The variables of which a number is computed, and not of their lengths alone."""
    found: set[Var] = set()

    def through(part: Apply) -> Sequence[Expr] | None:
        is_length = part.op in LENGTHS or part.op == "getitem"
        return () if is_length else part.args if part.op in ARITHMETIC else None

    for end in upstream(value, facts.definitions, through):
        found.update(reads(end))
    return found


def _is_count(value: Expr, facts: Facts) -> bool:
    """Whether it is a length, or one and more: len(x) + 1."""
    if isinstance(value, Ref):
        made = facts.definitions.get(value.var)
        return made is not None and _is_count(made, facts)
    if not isinstance(value, Apply):
        return False
    if ADDITIVE.get(value.op) == 1 and len(value.args) == 2:
        pairs = (value.args, value.args[::-1])
        return any(_is_positive(one) and _is_count(two, facts) for one, two in pairs)
    if value.op == "getitem":  # x.shape[0]
        return _is_count(value.args[0], facts)
    return value.op in LENGTHS


def _is_positive(value: Expr) -> bool:
    number = value.value if isinstance(value, Const) else None
    return isinstance(number, int | float) and number > 0


def _may_be_pythons(value: Expr, facts: Facts) -> bool:
    """Whether a value may be a number of Python's: its rank may be 0, and it is no result."""
    if isinstance(value, Const):
        return isinstance(value.value, int | float)
    if isinstance(value, Ref):
        made = facts.definitions.get(value.var)
        if made is not None:
            return _may_be_pythons(made, facts)
        return not facts.rank(value)
    if not isinstance(value, Apply):
        return False
    if _is_count(value, facts):
        return True
    return value.op in ARITHMETIC and all(
        _may_be_pythons(one, facts) for one in value.args
    )
