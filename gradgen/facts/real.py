"""Arguments that count as real, in a function that computes with complex numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from typing import TypeGuard

from gradgen.facts.compared import Compared
from gradgen.ir.nodes import Apply, Expr, Function, Let, Param, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, LOOKING, PARTS_OF_COMPLEX, SIGNED
from gradgen.ir.walk import joins, own_expressions, reads, statements, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind

NONE: frozenset[Var] = frozenset()


def looked_at_as_real(
    also: Compared, primal: Function, facts: Facts, wrt: Collection[str]
) -> Compared:
    """The tests with those that an argument which meets complex numbers is none.

    before:  return np.sum(np.imag(Y) * 3)
    after:   if np.iscomplexobj(Y):
                 raise ValueError("expected Y, real (--complex Y if it is not)")

    Its gradient would be that of a real Y, of a complex one a part alone. So it is where
    a part is taken, and where what is computed of a real argument is complex: np.fft.fft(x),
    x * np.exp(1j * k). Of another argument it is where slopes depend on it: that of
    np.real(c * x) for x on c, which np.real(c) * x may have as it is.
    """
    params = [p for p in primal.params if not facts.is_complex(Ref(p.var))]
    asked = {p.var for p in params if _is_asked(p, wrt)}
    seen = _Seen(primal, facts, asked).seen()
    given = [p for p in params if p.var in seen and _may_be(p, facts)]
    if not given:
        return also
    tests = [Apply("numpy.iscomplexobj", (Ref(param.var),)) for param in given]
    names = [
        f"{param.label}, real (--complex {param.label} if it is not)" for param in given
    ]
    return Compared((*also.tests, *tests), (*also.names, *names))


def _is_asked(param: Param, wrt: Collection[str]) -> bool:
    """Whether a gradient is asked of an argument, or of something that it holds."""
    return param.label in wrt or param.bundle in wrt


def _may_be(param: Param, facts: Facts) -> bool:
    """Whether an argument may be complex, as far as it is told."""
    whole = facts.kind(Ref(param.var)) in (*INTEGRAL, Kind.BOOLEAN, Kind.OTHER)
    return not whole and not (param.fact or "").startswith((":", "="))


class _Seen:
    """The real arguments of which a part is taken, or complex numbers are made."""

    def __init__(self, primal: Function, facts: Facts, asked: set[Var]) -> None:
        self.facts, self.asked = facts, asked
        self.body = list(statements(primal.body))
        # the arguments that a value depends on, and those that its slopes do
        self.roots = {p.var: frozenset([p.var]) for p in primal.params}
        self.slopes: dict[Var, frozenset[Var]] = {}
        # rounds hand values on to the next
        while sum(map(self.grown, self.body)):
            pass

    def grown(self, stmt: Stmt) -> bool:
        """Whether a statement tells of more arguments."""
        if isinstance(stmt, Let):
            found = [(stmt.var, stmt.value, not _is_sum(stmt.value))]
        else:
            found = [(var, value, False) for var, value in joins(stmt)]
        is_more = False
        for var, value, is_factor in found:
            roots, slopes = self.of(value)
            if is_factor and not roots.isdisjoint(self.asked):
                slopes = roots
            known = self.roots.get(var, NONE), self.slopes.get(var, NONE)
            self.roots[var], self.slopes[var] = known[0] | roots, known[1] | slopes
            is_more |= known != (self.roots[var], self.slopes[var])
        return is_more

    def of(self, value: Expr) -> tuple[frozenset[Var], frozenset[Var]]:
        """The arguments that a value depends on, and those that its slopes do."""
        known = reads(value)
        roots = NONE.union(*(self.roots.get(var, NONE) for var in known))
        return roots, NONE.union(*(self.slopes.get(var, NONE) for var in known))

    def seen(self) -> set[Var]:
        """The arguments that have to be real."""
        found: set[Var] = set()
        meets = any(self.meets_complex(stmt) for stmt in self.body)
        for stmt in self.body:
            for value, is_linear in self.values(stmt, meets):
                roots, slopes = self.of(value)
                if not roots.isdisjoint(self.asked):
                    found |= roots & self.asked | (slopes if is_linear else roots)
        return found

    def values(self, stmt: Stmt, meets: bool) -> Iterator[tuple[Expr, bool]]:
        """What would have to be complex, and whether that is seen as it is: its parts."""
        for node in _nodes(stmt):
            if node.op in LOOKING or meets and _makes_real(node):
                for whole in node.args[:1]:
                    if not self.facts.is_complex(whole):
                        yield whole, node.op in PARTS_OF_COMPLEX - {"numpy.angle"}
        if self.meets_complex(stmt) and _may_be_complex(stmt.value):
            for var in reads(stmt.value):
                if not self.facts.is_complex(Ref(var)):
                    yield Ref(var), True

    def meets_complex(self, stmt: Stmt) -> TypeGuard[Let]:
        """Whether a statement computes complex numbers."""
        return isinstance(stmt, Let) and self.facts.is_complex(Ref(stmt.var))


def _is_sum(value: Expr) -> bool:
    """Whether slopes are those of what is read: a sum, or linear in one value."""
    if not isinstance(value, Apply) or value.op in (*ADDITIVE, *SIGNED):
        return True
    rule = operations().get(value.op)
    is_linear = rule is not None and rule.kind == "linear"
    return is_linear and len(set(reads(value))) == 1


def _makes_real(value: Apply) -> bool:
    """Whether an operation makes real numbers of complex ones: np.abs, a norm."""
    rule = operations().get(value.op)
    return rule is not None and rule.field == "to_real"


def _may_be_complex(value: Expr) -> bool:
    """Whether an operation takes complex arguments, as np.fft.rfft does not."""
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    return rule is not None and rule.field in ("holomorphic", "to_complex")


def _nodes(stmt: Stmt) -> Iterator[Apply]:
    """The operations of a statement itself."""
    for expr in own_expressions(stmt):
        for node in subexpressions(expr):
            if isinstance(node, Apply):
                yield node
