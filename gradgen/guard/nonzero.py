"""Which signs a value may have: proofs that a denominator is never zero."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gradgen.ir.absent import is_absent
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Origin, Ref, Stmt, Var
from gradgen.ir.walk import is_static, reads, statements, static

Signs = frozenset[int]
ANY: Signs = frozenset((-1, 0, 1))
POSITIVE: Signs = frozenset((1,))
ABOVE: Signs = frozenset((0, 1))
# A smaller constant is 0 in float32, or makes products that are.
TINY = 1e-30


def _names(text: str) -> set[str]:
    return {f"numpy.{name}" for name in text.split()}


# operations whose value has the signs of their first argument
SAME = _names(
    "positive reshape transpose ravel squeeze expand_dims broadcast_to copy asarray "
    "array repeat tile real conj max min diagonal swapaxes moveaxis "
    "matrix_transpose sinh arctan arcsinh tanh cbrt atleast_1d atleast_2d"
) | {"getitem", "astype", "float"}
SIGNS = {
    **dict.fromkeys(_names("size"), POSITIVE),
    **dict.fromkeys(("len", "count", "extent"), POSITIVE),
    **dict.fromkeys(_names("cosh"), POSITIVE),
    **dict.fromkeys(("finfo.max", "finfo.eps"), POSITIVE),
    "finfo.tiny": ABOVE,
    "finfo.min": frozenset((-1,)),
    **dict.fromkeys(_names("exp exp2 hypot linalg.norm std var"), ABOVE),
}
EXPONENTIALS = _names("exp exp2")
LOGS = _names("log log2 log10")


def merged(body: Iterable[Stmt]) -> dict[Var, tuple[Expr, ...]]:
    """What the variables that branches hand on are after either arm that has a value."""
    return {
        merge.var: tuple(v for v in (merge.then, merge.orelse) if not is_absent(v))
        for stmt in statements(body)
        if isinstance(stmt, Branch)
        for merge in stmt.merges
    }


class Proofs:
    """The signs of expressions, by what their variables are computed from.

    `merges` are the variables that branches hand on, with their values in the arms.
    """

    def __init__(
        self,
        definitions: Mapping[Var, Expr],
        merges: Mapping[Var, tuple[Expr, ...]],
    ) -> None:
        self.definitions, self.merges = definitions, merges
        self.found: dict[Var, Signs] = {}
        # what is found, or is being found: a definition that reads itself is ANY
        self.begun: set[Var] = set()

    def nonzero(self, expr: Expr) -> bool:
        """Whether a value is surely not zero."""
        return 0 not in self.signs(expr)

    def why_not(self, expr: Expr) -> str:
        """Why a value is not known to be nonzero, in a few words."""
        if self.signs(expr) == ABOVE:
            return "it is at least 0, and may be 0"
        return "nothing keeps it from being 0"

    def signs(self, expr: Expr) -> Signs:
        """The signs that a value, or any entry of it, may have."""
        if isinstance(expr, Const):
            return _of_constant(expr.value)
        if isinstance(expr, Ref):
            return self._of_variable(expr.var)
        assert isinstance(expr, Apply)
        if expr.op in SIGNS:
            return SIGNS[expr.op]
        if expr.op == "getitem" and self._is_shape(expr.args[0]):
            return POSITIVE
        if expr.op in SAME and expr.args:
            return self.signs(expr.args[0])
        rule = RULES.get(expr.op)
        return ANY if rule is None or not expr.args else rule(self, expr)

    def definition(self, expr: Expr) -> Expr:
        """What a variable is computed from."""
        seen: set[Var] = set()
        while isinstance(expr, Ref) and expr.var not in seen:
            seen.add(expr.var)
            expr = self.definitions.get(expr.var, expr)
        return expr

    def _of_variable(self, var: Var) -> Signs:
        if var.origin is Origin.PARAM or not self._parts(var):
            return ANY
        waiting = [var] if var not in self.found else []
        while waiting:  # a definition comes after those that it reads
            last = waiting[-1]
            if last not in self.begun:
                self.begun.add(last)
                reading = [v for part in self._parts(last) for v in reads(part)]
                waiting += [v for v in reading if self._is_open(v)]
            else:
                waiting.pop()
                if last not in self.found:
                    signs = map(self.signs, self._parts(last))
                    self.found[last] = frozenset().union(*signs)
        return self.found.get(var, ANY)

    def _parts(self, var: Var) -> tuple[Expr, ...]:
        """What a variable is computed from, in each arm of the branch that sets it."""
        if var in self.definitions:
            return (self.definitions[var],)
        return self.merges.get(var, ())

    def _is_open(self, var: Var) -> bool:
        """Whether the signs of a variable are still to be found."""
        return bool(self._parts(var)) and var not in self.begun

    def _is_shape(self, expr: Expr) -> bool:
        source = self.definition(expr)
        return isinstance(source, Apply) and source.op == "numpy.shape"


def _of_constant(value: object) -> Signs:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ANY
    if abs(value) < TINY or value != value:
        return ABOVE if value >= 0 else ANY
    return POSITIVE if value > 0 else frozenset((-1,))


def _negative(proofs: Proofs, expr: Apply) -> Signs:
    return frozenset(-sign for sign in proofs.signs(expr.args[0]))


def _add(proofs: Proofs, expr: Apply) -> Signs:
    one, other = map(proofs.signs, expr.args[:2])
    return _sums(one, other)


def _sums(one: Signs, other: Signs) -> Signs:
    found: set[int] = set()
    for a in one:
        for b in other:
            found |= ANY if a * b < 0 else {a or b}
    return frozenset(found)


def _subtract(proofs: Proofs, expr: Apply) -> Signs:
    if _is_maximum(proofs.definition(expr.args[1]), expr.args[0]):
        return frozenset((-1, 0))
    one, other = map(proofs.signs, expr.args[:2])
    return _sums(one, frozenset(-sign for sign in other))


def _is_maximum(expr: Expr, of: Expr) -> bool:
    """Whether an expression is the maximum of all of x, or of x along an axis kept."""
    if not isinstance(expr, Apply) or expr.op not in ("numpy.max", "numpy.amax"):
        return False
    axes = (*expr.args[1:2], *(v for k, v in expr.kwargs if k == "axis"))
    whole = all(axis == Const(None) for axis in axes)
    kept = dict(expr.kwargs).get("keepdims") == Const(True)
    plain = len(expr.args) < 3 and dict(expr.kwargs).keys() <= {"axis", "keepdims"}
    return expr.args[:1] == (of,) and plain and (whole or kept)


def _multiply(proofs: Proofs, expr: Apply) -> Signs:
    one, other = expr.args[:2]
    if one == other:
        return _even(proofs.signs(one))
    return frozenset(a * b for a in proofs.signs(one) for b in proofs.signs(other))


def _even(signs: Signs) -> Signs:
    """The signs of a square, which is 0 where it underflows."""
    return POSITIVE if signs in (POSITIVE, frozenset((-1,))) else ABOVE


def _divide(proofs: Proofs, expr: Apply) -> Signs:
    one, other = map(proofs.signs, expr.args[:2])
    if 0 in other:
        return ANY
    return frozenset(a * b for a in one for b in other)


def _power(proofs: Proofs, expr: Apply) -> Signs:
    signs, exponent = proofs.signs(expr.args[0]), expr.args[1]
    if signs == POSITIVE:
        return POSITIVE
    if is_static(exponent) and isinstance(static(exponent), (int, float)):
        value = static(exponent)
        if value > 0 and (value % 2 == 0 or signs <= ABOVE):
            return ABOVE
    return ANY


def _absolute(proofs: Proofs, expr: Apply) -> Signs:
    return frozenset(abs(sign) for sign in proofs.signs(expr.args[0]))


def _root(proofs: Proofs, expr: Apply) -> Signs:
    return frozenset(max(sign, 0) for sign in proofs.signs(expr.args[0]))


def _square(proofs: Proofs, expr: Apply) -> Signs:
    return _even(proofs.signs(expr.args[0]))


def _total(proofs: Proofs, expr: Apply) -> Signs:
    value = proofs.definition(expr.args[0])
    if isinstance(value, Apply) and value.op in EXPONENTIALS:
        return POSITIVE
    signs = proofs.signs(expr.args[0])
    return ANY if {-1, 1} <= signs else signs


def _maximum(proofs: Proofs, expr: Apply) -> Signs:
    pairs = _pairs(proofs, expr)
    return frozenset(max(a, b) for a, b in pairs)


def _minimum(proofs: Proofs, expr: Apply) -> Signs:
    return frozenset(min(a, b) for a, b in _pairs(proofs, expr))


def _pairs(proofs: Proofs, expr: Apply) -> list[tuple[int, int]]:
    one, other = map(proofs.signs, expr.args[:2])
    return [(a, b) for a in one for b in other]


def _clip(proofs: Proofs, expr: Apply) -> Signs:
    if len(expr.args) < 2 or expr.args[1] == Const(None):
        return ANY
    lower = proofs.signs(expr.args[1])
    return POSITIVE if lower == POSITIVE else ABOVE if lower <= ABOVE else ANY


def _chosen(proofs: Proofs, expr: Apply) -> Signs:
    """np.where(d == 0, c, d) is not zero, and neither is where(abs(d) < c, e, d)."""
    if len(expr.args) != 3:
        return ANY
    test, one, other = expr.args
    rest = proofs.signs(other)
    if isinstance(test, Apply) and test.op == "numpy.equal":
        if test.args[0] == other and test.args[1] in (Const(0), Const(0.0)):
            rest -= {0}
    if isinstance(test, Apply) and test.op == "numpy.less":
        small, bound = test.args
        is_size = isinstance(small, Apply) and small.op == "numpy.abs"
        if is_size and small.args[0] == other and proofs.signs(bound) == POSITIVE:
            rest -= {0}
    return proofs.signs(one) | rest


def _or(proofs: Proofs, expr: Apply) -> Signs:
    *first, last = map(proofs.signs, expr.args)
    return frozenset().union(last, *(signs - {0} for signs in first))


def _copysign(proofs: Proofs, expr: Apply) -> Signs:
    return ANY - {0} if 0 not in proofs.signs(expr.args[0]) else ANY


RULES: dict[str, Callable[[Proofs, Apply], Signs]] = {
    "numpy.add": _add,
    "numpy.subtract": _subtract,
    "numpy.negative": _negative,
    "numpy.multiply": _multiply,
    "numpy.divide": _divide,
    "numpy.power": _power,
    "numpy.abs": _absolute,
    "numpy.absolute": _absolute,
    "numpy.fabs": _absolute,
    "numpy.sqrt": _root,
    "numpy.square": _square,
    "numpy.sum": _total,
    "numpy.mean": _total,
    "numpy.cumsum": _total,
    "numpy.maximum": _maximum,
    "numpy.minimum": _minimum,
    "numpy.clip": _clip,
    "numpy.where": _chosen,
    "or": _or,
    "numpy.copysign": _copysign,
}
