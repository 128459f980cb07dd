"""Several results of one operation, used as if they were one array."""

from __future__ import annotations

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Const, Expr, Let, Ref
from gradgen.ir.operators import STORES
from gradgen.ir.walk import children, subexpressions
from gradgen.shapes.infer import Facts


def refuse_whole(let: Let, facts: Facts) -> None:
    """Refuses a list of several results that is used as if it were one array."""
    for node in subexpressions(let.value):
        for place, child in enumerate(children(node)):
            if not isinstance(child, Ref) or not facts.several(child):
                continue
            if node.op in ("getitem", *STORES) and place == 1:
                continue  # a key: x[np.nonzero(mask)]
            if node.op == "getitem" and _is_index(node.args[1]):
                continue
            op = facts.definitions[child.var].op.removeprefix("numpy.")
            raise GradgenError(
                "GG216",
                f"the results of {op} are used as one array",
                advice=f"each by its name, a, b = np.{op}(...), or by a constant index",
            )


def _is_index(key: Expr) -> bool:
    return isinstance(key, Const) and type(key.value) is int
