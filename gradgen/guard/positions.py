"""Where an expression is linear: what is not finite there stays so to the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Expr, Let, Origin, Stmt, Var
from gradgen.ir.walk import children, lets, reads

# operations that are linear in all their arguments (each for itself)
WHOLE = {
    f"numpy.{name}"
    for name in "add subtract negative positive multiply matmul dot outer sum mean "
    "real imag conj cumsum tensordot inner vdot concatenate stack vstack hstack".split()
} | {"tuple", "list", "real"}
# operations that are linear in some: which
PARTS = {
    **{
        f"numpy.{name}": (0,)
        for name in "divide transpose reshape expand_dims squeeze broadcast_to copy "
        "ravel flip roll swapaxes moveaxis matrix_transpose diag trace repeat tile "
        "diagonal triu tril atleast_1d atleast_2d".split()
    },
    "getitem": (0,),
    "astype": (0,),
    "unreduce": (0,),
    "unbroadcast": (0,),
    "helper._unbroadcast": (0,),
    "setitem": (0, 2),
    "additem": (0, 2),
    "add_at": (0, 2),
    "accumulate": (0, 1),
    "append": (0, 1),
    "numpy.where": (1, 2),
    "numpy.full_like": (1,),
    "numpy.einsum": (1, 2, 3, 4),
}
# operations whose entries are of the same entries of their arguments
ELEMENTWISE = {
    f"numpy.{name}"
    for name in "add subtract negative positive multiply divide real imag conj".split()
} | {"real"}
# variables of the gradient half that are values of the primal, computed again
PRIMAL = (Origin.USER, Origin.PARAM, Origin.SAVED, Origin.COUNT)
ADJOINTS = (Origin.ADJOINT, Origin.TANGENT, Origin.SEED)


def is_adjoint(stmt: Stmt) -> TypeGuard[Let]:
    """Whether a statement computes a part of the gradient, not of the primal."""
    return isinstance(stmt, Let) and stmt.note.derived and stmt.var.origin not in PRIMAL


class Positions:
    """The linear positions of a function's gradient half.

    Every part of a gradient is linear in the adjoints. What has none in it may be
    bent: 1 / (1 + (a / b) ** 2) is finite where b is 0, and a / b stays as it is.
    """

    def __init__(self, body: Iterable[Stmt]) -> None:
        grad = [let for let in lets(body) if let.note.derived]
        self.carriers: set[Var] = set()
        for let in grad:
            if is_adjoint(let) and self.carries(let.value):
                self.carriers.add(let.var)
        self.bent: set[Var] = set()
        for let in reversed(grad):
            if not is_adjoint(let) or let.var in self.bent:
                self.bent.update(reads(let.value))
            else:
                self.bent.update(self._bent_reads(let.value))
        self.bent -= self.carriers

    def carries(self, expr: Expr) -> bool:
        """Whether an adjoint or a seed is in an expression."""
        return any(v.origin in ADJOINTS or v in self.carriers for v in reads(expr))

    def linear(self, expr: Apply) -> set[int]:
        """The positions of the arguments that an operation is linear in."""
        if expr.op in WHOLE:
            return set(range(len(expr.args)))
        own = set(PARTS.get(expr.op, ()))
        return own | {i for i, a in enumerate(expr.args) if self.carries(a)}

    def _bent_reads(self, expr: Expr) -> Iterator[Var]:
        if not isinstance(expr, Apply):
            return
        linear = self.linear(expr)
        for at, child in enumerate(children(expr)):
            yield from self._bent_reads(child) if at in linear else reads(child)
