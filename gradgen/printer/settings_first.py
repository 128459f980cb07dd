"""What a text is made for is looked at before anything is read that others may lack.

before:  eps = self.params["eps"]           KeyError where self.kind is another
         if self.kind != "lj":
             raise ValueError("self.kind is taken for 'lj'")
after:   if self.kind != "lj":
             raise ValueError("self.kind is taken for 'lj'")
         eps = self.params["eps"]
"""

from __future__ import annotations

from collections.abc import Sequence

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Stmt
from gradgen.ir.operators import EQUALITIES, LENGTHS
from gradgen.ir.walk import raises, reads, subexpressions, uses

# what is asked of what is there: how long, and of which class
BESIDES = ("name:len", "name:type", "attribute:__name__")


def settings_first(
    function: Function, body: Sequence[Stmt]
) -> tuple[list[Stmt], list[Stmt]]:
    """The statements that stand before what is read of arguments, and the others."""
    roots = {param.var for param in function.params if not param.path}
    read = uses(function)
    if not any(param.path and read[param.var] for param in function.params):
        return [], list(body)
    ahead: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, Branch) or stmt.orelse or not raises(stmt.then):
            break
        if set(reads(stmt.test)) <= roots and _is_of_settings(stmt.test):
            ahead.append(stmt)
    return ahead, [stmt for stmt in body if not any(stmt is one for one in ahead)]


def _is_of_settings(test: Expr) -> bool:
    """Whether a test holds what an argument is, or has, against another value."""
    for one in subexpressions(test):
        if not isinstance(one, Apply) or len(one.args) != 2:
            continue
        value, known_as = one.args
        if one.op == "is_not" or EQUALITIES.get(one.op) is False:
            asked = isinstance(value, Apply) and value.op in LENGTHS
            if isinstance(known_as, Const) and not asked:
                if getattr(value, "spelling", "") not in BESIDES:
                    return True
    return False
