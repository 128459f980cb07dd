"""Both indices of a pair: sums along either are alike where the pairs mirror."""

from __future__ import annotations


from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import (
    ADDITIVE,
    EVEN,
    MULTIPLICATIVE,
    ODD,
    getitem,
    lift,
    multiply,
)
from gradgen.ir.walk import is_static, lets, map_values, rewrite, static
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts

WHOLE = slice(None)


def pairs(function: Function, facts: Facts) -> Function:
    """The function that sums what came back to pairs along one of their indices.

        before:  gaps = x[:, None, :] - x[None, :, :]
                 r2 = np.sum(gaps**2, axis=2)
                 d_gaps = np.exp(r2)[:, :, None] * gaps
                 d_x = np.sum(d_gaps, axis=1) - np.sum(d_gaps, axis=0)
        after:   gaps = x[:, None, :] - x[None, :, :]
                 r2 = np.sum(gaps**2, axis=2)
                 d_gaps = np.exp(r2)[:, :, None] * gaps
                 d_x = 2 * np.sum(d_gaps, axis=1)

    With i and j changed about, gaps changes its sign, and so does d_gaps: its sum
    over i is the negative of that over j.
    """
    found = _Mirrored(function, facts)

    def value(let: Let) -> Expr:
        return rewrite(let.value, found.once) if let.note.derived else let.value

    return map_values(function, value)


class _Mirrored:
    """What an array is with its first two axes changed about: itself, its negative."""

    def __init__(self, function: Function, facts: Facts) -> None:
        self.facts = facts
        self.values = {let.var: let.value for let in lets(function.body)}
        self.known: dict[tuple[Var, int], int] = {}

    def once(self, node: Expr) -> Expr:
        """A sum along both axes as twice the sum along one of them."""
        if not isinstance(node, Apply) or node.op not in ADDITIVE or node.kwargs:
            return node
        left, right = map(_summed, node.args)
        if left is None or right is None or left[0] != right[0]:
            return node
        (array, ours), (_, others) = left, right
        rank = self.facts.rank(array)
        if rank is None or ours ^ others != {0, 1} or max(ours | others) >= rank:
            return node
        if self.sign(array, rank) != ADDITIVE[node.op]:
            return node
        return multiply(Const(2), node.args[0] if 1 in ours else node.args[1])

    def sign(self, expr: Expr, rank: int) -> int:
        """1 of what stays itself, -1 of what becomes its negative, 0 of others.

        Of an array of `rank` axes, or of one that is stretched to that.
        """
        own = self.facts.rank(expr)
        if own is not None and own <= rank - 2:
            return 1
        if own != rank:
            return 0
        if isinstance(expr, Ref):
            key = expr.var, rank
            if key not in self.known:
                self.known[key] = 0
                value = self.values.get(expr.var)
                self.known[key] = 0 if value is None else self.sign(value, rank)
            return self.known[key]
        return self._of(expr, rank) if isinstance(expr, Apply) else 0

    def _of(self, expr: Apply, rank: int) -> int:
        if expr.op in ADDITIVE:
            signs = {self.sign(arg, rank) for arg in expr.args}
            if len(signs) == 1 and 0 not in signs:
                return signs.pop()
            one, other = map(self._read, expr.args)
            return ADDITIVE[expr.op] if _is_swapped(one, other, rank) else 0
        if expr.op in MULTIPLICATIVE:
            return self.sign(expr.args[0], rank) * self.sign(expr.args[1], rank)
        if expr.op == "numpy.negative":
            return self.sign(expr.args[0], rank)
        if expr.op == "numpy.power" and isinstance(expr.args[1], Const):
            exponent = expr.args[1].value
            base = self.sign(expr.args[0], rank)
            return (
                base**exponent if type(exponent) is int and exponent > 0 else base == 1
            )
        if expr.op in EVEN:
            return abs(self.sign(expr.args[0], rank))
        if expr.op == "numpy.eye":
            return int(
                len(expr.args) == 1 and {name for name, _ in expr.kwargs} <= {"dtype"}
            )
        if expr.op == "numpy.sum":
            return self._of_sum(expr)
        if expr.op == "getitem":
            return self._of_new_axes(expr, rank)
        if expr.op == "numpy.outer":
            return int(expr.args[0] == expr.args[1])
        if expr.op == "numpy.matmul" and rank == 2:
            left, right = map(self._read, expr.args)
            return int(_transposed(left) == right or left == _transposed(right))
        if expr.op in ODD and len(expr.args) == 1 and not expr.kwargs:
            return self.sign(expr.args[0], rank)
        rule = operations().get(expr.op)
        if rule is not None and rule.kind in ("elementwise", "boolean"):
            alike = all(self.sign(arg, rank) == 1 for arg in expr.args)
            return int(alike and not expr.kwargs)
        return 0

    def _read(self, expr: Expr) -> Expr:
        """A view of an array for the name that it has, where it has one."""
        value = self.values.get(expr.var) if isinstance(expr, Ref) else None
        views = ("getitem", "numpy.transpose")
        return value if isinstance(value, Apply) and value.op in views else expr

    def _of_sum(self, expr: Apply) -> int:
        """A sum along other axes than the two."""
        inner = self.facts.rank(expr.args[0])
        kwargs = dict(expr.kwargs)
        if inner is None or len(expr.args) != 1 or kwargs.keys() - {"axis", "keepdims"}:
            return 0
        axes = _axes(kwargs.get("axis"))
        if not axes or {axis % inner for axis in axes} & {0, 1}:
            return 0
        return self.sign(expr.args[0], inner)

    def _of_new_axes(self, expr: Apply, rank: int) -> int:
        """An array with axes of one entry behind its own: w[:, :, None]."""
        inner = self.facts.rank(expr.args[0])
        if inner is None or not 2 <= inner < rank:
            return 0
        key = lift((WHOLE,) * inner + (None,) * (rank - inner))
        return self.sign(expr.args[0], inner) if expr.args[1] == key else 0


def _summed(expr: Expr) -> tuple[Expr, frozenset[int]] | None:
    """What is summed, and along which axes, counted from the first."""
    if not isinstance(expr, Apply) or expr.op != "numpy.sum" or len(expr.args) != 1:
        return None
    if [name for name, _ in expr.kwargs] != ["axis"]:
        return None
    axes = _axes(expr.kwargs[0][1])
    return (expr.args[0], frozenset(axes)) if axes and min(axes) >= 0 else None


def _axes(axis: Expr | None) -> tuple[int, ...]:
    """The axes that a sum names, none where they are not known."""
    told = static(axis) if axis is not None and is_static(axis) else None
    axes = told if isinstance(told, tuple) else (told,)
    return axes if all(type(one) is int for one in axes) else ()


def _is_swapped(one: Expr, other: Expr, rank: int) -> bool:
    """Whether two arrays are one with two axes changed about: x[:, None], x[None]."""
    if _transposed(one) == other or one == _transposed(other):
        return rank == 2
    return _across(one, other, rank) or _across(other, one, rank)


def _across(column: Expr, row: Expr, rank: int) -> bool:
    """Whether two arrays are x[:, None, ...] and x, or x[None, ...]."""
    if not isinstance(column, Apply) or column.op != "getitem":
        return False
    x, key = column.args
    rest = (WHOLE,) * (rank - 2)
    if key not in (lift((WHOLE, None)), lift((WHOLE, None, *rest))):
        return False
    keys = (lift(None), lift((None, WHOLE)), lift((None, WHOLE, *rest)))
    return row == x or any(row == getitem(x, one) for one in keys)


def _transposed(expr: Expr) -> Apply:
    return Apply("numpy.transpose", (expr,), spelling="attribute:T")
