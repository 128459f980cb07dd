"""How what may not be changed in place is copied first."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.sharing import TURNS, viewed
from gradgen.shapes.infer import Facts

SEEDS = (Origin.SEED, Origin.TANGENT)


def copy_of(value: Expr, rank: int | None, facts: Facts, number: bool) -> Apply:
    """A copy of an array, or of what is viewed of one; +x of a `number`.

    x       x.copy(), and np.copy(x) where no rank is known
    x.T     np.copy(x.T)
    """
    # a number, or an array of rank 0, of which it makes a number
    if rank == 0 and number:
        return Apply("numpy.positive", (value,), spelling="operator")
    if rank is None or _is_turned(value, facts):
        return Apply("numpy.copy", (value,))
    return Apply("numpy.copy", (value,), spelling="method:copy")


def of_seed(copied: Apply, facts: Facts) -> Apply:
    """1.0 * d_y for d_y.copy(), of a seed that is an array, which is stored into.

    Whoever hands it over may have made it of whole numbers, as a row of an identity:
    what is stored would be cut off.
    """
    found: Expr | None = copied.args[0]
    while found is not None:
        if isinstance(found, Ref):
            if found.var not in facts.definitions:
                if found.var.origin not in SEEDS or facts.is_list(found):
                    return copied
                factors = Const(1.0), copied.args[0]
                return Apply("numpy.multiply", factors, spelling="operator")
            found = facts.definitions[found.var]
        elif isinstance(found, Apply) and viewed(found):
            found = viewed(found)[0]
        else:
            return copied
    return copied


def _is_turned(value: Expr, facts: Facts) -> bool:
    """Whether a view has its axes in another order; np.copy keeps it so.

    x.T.copy() does not, and sums over it would go through its entries in
    another order than the primal's.
    """
    base: Expr | None = value
    while True:
        if isinstance(base, Ref):
            base = facts.definitions.get(base.var)
        if not isinstance(base, Apply) or not viewed(base):
            return False
        if base.op in TURNS:
            return True
        base = viewed(base)[0]
