"""Values that the text has a name for anyway: to read them is no work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref
from gradgen.ir.operators import power

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def note_quotient(facts: Facts, let: Let) -> None:
    """Notes a quotient that has a name: the user's, or that of what zeros are like.

    before:  d_p = np.zeros_like(p)        # p = e / e_sum, of a call that was written out
    after:   p has a name, and is read where e / e_sum would be computed again

    So has a logistic function, whatever it is a part of. The power of a quotient is read as
    the quotient of two powers: s6 of (c / r2) ** 3.
    """
    var, value = let.var, let.value
    if let.note.derived and isinstance(value, Apply) and value.op == "numpy.zeros_like":
        first = value.args[0]
        made = facts.definitions.get(first.var) if isinstance(first, Ref) else None
        if isinstance(first, Ref) and first.var.origin is Origin.TEMP and made:
            var, value = first.var, made
            facts.named.add(var)
    elif var.origin is not Origin.USER:
        if not let.note.derived and _is_logistic(value, facts):
            facts.named.add(var)  # its slope is z * (1 - z)
        return
    found = _quotient(value, facts)
    if found is not None:
        facts.quotients.setdefault(found, var)


def _is_logistic(value: Expr, facts: Facts) -> bool:
    """Whether a value is 1 / (1 + np.exp(y))."""
    if not isinstance(value, Apply) or value.op != "numpy.divide":
        return False
    above, total = value.args[0], _made(value.args[1], facts)
    if not _is_one(above) or total is None or total.op != "numpy.add":
        return False
    made = [_made(arg, facts) for arg in total.args]
    exps = any(one is not None and one.op == "numpy.exp" for one in made)
    return exps and any(map(_is_one, total.args))


def _is_one(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 1


def _made(value: Expr, facts: Facts) -> Apply | None:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    return made if isinstance(made, Apply) else None


def _quotient(value: Expr, facts: Facts) -> tuple[Expr, Expr] | None:
    """What is divided by what: a and b of a / b, a**3 and b**3 of (a / b) ** 3."""
    if not isinstance(value, Apply):
        return None
    if value.op == "numpy.divide":
        return value.args[0], value.args[1]
    if value.op != "numpy.power" or not isinstance(value.args[1], Const):
        return None
    base, exponent = value.args
    made = _made(base, facts)
    if made is None or made.op != "numpy.divide":
        return None
    return power(made.args[0], exponent), power(made.args[1], exponent)
