"""Values that the host reads on the way: a copy from the device, or a whole graph run."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Let,
    Loop,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.walk import children, joins, statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.table import Target

CONVERSIONS = ("float", "int", "bool")
ARRAYS = (Kind.MIXED, Kind.LIKE, Kind.WIDE)
# what is known of an array without reading it, and settings that an instance has
SIZES = (
    *("len", "numpy.shape", "numpy.ndim", "numpy.size", "dtype", "is", "is_not"),
    *("type", "field", "numpy.iscomplexobj"),
)


def array_like(expr: Expr, facts: Facts) -> bool:
    """Whether a value is an array, or a number that was computed from one."""
    if isinstance(expr, Const):
        return False
    if isinstance(expr, Apply) and expr.op in SIZES:
        return False
    if isinstance(expr, Apply) and expr.op in ("slice", "tuple", "list", "chain"):
        return any(array_like(arg, facts) for arg in expr.args)
    kind, rank = facts.kind(expr), facts.rank(expr)
    return kind in ARRAYS or rank != 0 and kind in (Kind.BOOLEAN, *INTEGRAL)


class Host:
    """Finds where a text waits for values: tests, conversions, messages."""

    def __init__(self, facts: Facts, target: Target, body: tuple[Stmt, ...] = ()):
        self.facts, self.target = facts, target
        self.computed = _computed(body, facts)

    def check(self, stmt: Stmt) -> None:
        """Raises GradgenError for a statement that reads a value of an array."""
        if isinstance(stmt, Branch):
            if stmt.is_try:
                self._refuse("a try block")
            if getattr(stmt.test, "op", "") != "numpy.errstate":
                self._test(stmt.test)
        elif isinstance(stmt, Loop):
            for test in (stmt.test, stmt.until):
                if test is not None:
                    self._test(test)
            for bound in stmt.over.args if stmt.over is not None else ():
                self._read(bound, "the bound of a range")
        elif isinstance(stmt, Effect):
            self._read(stmt.value, "a message or an assertion")
        elif isinstance(stmt, Let):
            self._conversions(stmt.value)

    def is_array(self, expr: Expr) -> bool:
        """Whether a value is an array of the library, as sums and entries are."""
        computed = any(var in self.computed for var in _values(expr))
        return computed or array_like(expr, self.facts) or _calls(expr)

    def _test(self, test: Expr) -> None:
        self._conversions(test)
        self._read(test, "an if or a while")

    def _read(self, expr: Expr, what: str) -> None:
        computed = any(
            var in self.computed or array_like(Ref(var), self.facts)
            for var in _values(expr)
        )
        if computed or _calls(expr):
            self._refuse(what)

    def _conversions(self, value: Expr) -> None:
        for part in subexpressions(value):
            if not isinstance(part, Apply) or not part.args:
                continue
            if part.op in CONVERSIONS or part.spelling == "method:item":
                computed = any(var in self.computed for var in _values(part.args[0]))
                if computed or array_like(part.args[0], self.facts):
                    self._refuse(f"{part.op}()")

    def _refuse(self, what: str) -> None:
        waits = "runs the whole graph" if self.target.lazy else "waits for the device"
        raise GradgenError(
            "GG707",
            f"{what} reads the value of an array, which {waits}",
            advice="np.where, or a fixed number of rounds",
        )


def _computed(body: tuple[Stmt, ...], facts: Facts) -> set[Var]:
    """Numbers that are computed from arrays or by calls, and so are arrays too.

    found:  close in  close = np.sum(g * g) < 1e-12,  t in  t = np.exp(2.0)
    """
    pairs: list[tuple[Var, Expr]] = []
    for stmt in statements(body):
        pairs += [(stmt.var, stmt.value)] if isinstance(stmt, Let) else joins(stmt)
    plain = (Kind.OTHER, Kind.BOOLEAN, *INTEGRAL, Kind.WEAK)
    pairs = [
        (var, value)
        for var, value in pairs
        if facts.kind(Ref(var)) in plain or facts.is_list(Ref(var))
    ]
    found = {var for var, value in pairs if _calls(value)}
    before = -1
    while before < len(found):
        before = len(found)
        for var, value in pairs:
            sources = _values(value)
            if any(one in found or array_like(Ref(one), facts) for one in sources):
                found.add(var)
    return found


def _calls(expr: Expr) -> bool:
    """Whether an expression has a call of the library, whose result is an array."""
    if not isinstance(expr, Apply) or expr.op in SIZES:
        return False
    if expr.op.startswith(("numpy.", "scipy.")):
        kind = expr.spelling.partition(":")[0]
        if kind in ("", "method") and not are_counts(expr):
            return True
    return any(map(_calls, children(expr)))


def are_counts(node: Apply) -> bool:
    """Whether all arguments are lengths or literals: np.minimum(len(x), 5)."""
    counts = ("len", "numpy.size")
    if node.op not in ("numpy.minimum", "numpy.maximum") or node.kwargs:
        return False
    return all(
        isinstance(arg, Const) or isinstance(arg, Apply) and arg.op in counts
        for arg in node.args
    )


def _values(expr: Expr) -> Iterator[Var]:
    """The variables of which more than the size is read."""
    if isinstance(expr, Ref):
        yield expr.var
    elif not (isinstance(expr, Apply) and expr.op in SIZES):
        for inner in children(expr):
            yield from _values(inner)
