"""What becomes of a masked adjoint behind the expression in question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ARITHMETIC
from gradgen.ir.walk import children, lets, reads, subexpressions
from gradgen.shapes.infer import Facts

# linear in the one argument, entry by entry
LINEAR = {"numpy.negative", "numpy.positive", "numpy.conj", "numpy.real"}
HANDING_ON = LINEAR | ARITHMETIC | {"numpy.where", "numpy.transpose"}


def read_whole(body: Iterable[Stmt]) -> set[Var]:
    """The variables that something reads which hands no mask on."""
    found: set[Var] = set()
    for let in reversed([let for let in lets(body) if let.note.derived]):
        if isinstance(let.value, Ref) and let.var in found:
            found.add(let.value.var)
        for node in subexpressions(let.value):
            if isinstance(node, Apply) and (node.op not in HANDING_ON or node.kwargs):
                found |= {arg.var for arg in children(node) if isinstance(arg, Ref)}
    return found


def quotients_of(body: Iterable[Stmt], facts: Facts) -> set[Var]:
    """The variables that are computed by a division by arrays, in some way."""
    found: set[Var] = set()
    for let in lets(body):
        if found & set(reads(let.value)) or any(
            _divides(node, facts) for node in subexpressions(let.value)
        ):
            found.add(let.var)
    return found


class Ahead:
    """Which parts of adjoints are divided after them, by what may be 0 where they are 0.

        d_n = np.where(m, d, 0) / n
        d_x = d_n[:, None] * x

    The choice has to go beyond the division, and no further: x times 0 is 0.
    """

    def __init__(self, body: Iterable[Stmt], facts: Facts) -> None:
        body = tuple(body)
        self.facts, self.quotients = facts, quotients_of(body, facts)
        # the adjoints that are divided in a later statement
        self.later: set[Var] = set()
        self.pending: tuple[Let | None, set[int]] = None, set()
        for let in reversed([let for let in lets(body) if let.note.derived]):
            for node, divided in self._parts(let.value, let.var in self.later):
                if divided and isinstance(node, Ref):
                    self.later.add(node.var)

    def is_divided(self, let: Let, part: Expr) -> bool:
        """Whether a part of a statement is divided in it, or what it gives later is."""
        if self.pending[0] is not let:
            parts = self._parts(let.value, let.var in self.later)
            self.pending = let, {id(node) for node, divided in parts if divided}
        return id(part) in self.pending[1]

    def _parts(self, expr: Expr, divided: bool) -> Iterator[tuple[Expr, bool]]:
        """Every part of an expression, and whether it is divided around there."""
        yield expr, divided
        parts = children(expr)
        for part in parts:
            others = [other for other in parts if other is not part]
            is_first = part is parts[0]
            more = _divides(expr, self.facts) and is_first
            is_product = isinstance(expr, Apply) and expr.op == "numpy.multiply"
            if is_product and any(map(self._has_quotient, others)):
                more = True
            yield from self._parts(part, divided or more)

    def _has_quotient(self, expr: Expr) -> bool:
        """Whether a factor may be infinite, or no number, where it divides by 0."""
        if self.quotients & set(reads(expr)):
            return True
        return any(_divides(node, self.facts) for node in subexpressions(expr))


def _divides(node: Expr, facts: Facts) -> bool:
    """Whether an operation divides by what each lane has."""
    if not isinstance(node, Apply) or node.op != "numpy.divide":
        return False
    below = node.args[1]
    if isinstance(below, Const):
        return not is_nonzero(below)
    return facts.rank(below) != 0 or is_argument(below)


def is_nonzero(value: Expr) -> bool:
    """Whether it is a constant that divides: 2, and no 0."""
    return isinstance(value, Const) and bool(value.value)


def is_argument(value: Expr) -> bool:
    """Whether it is an argument, which may be 0, and no length."""
    return isinstance(value, Ref) and value.var.origin is Origin.PARAM
