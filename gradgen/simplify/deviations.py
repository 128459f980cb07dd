"""What adds up to zero: deviations from a mean, and sums of them with numbers in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, SIGNED, TOTALS
from gradgen.shapes.dims import ONE
from gradgen.shapes.infer import Facts
from gradgen.simplify.centred import deviation

# so deep are adjoints looked into
DEPTH = 12


class Deviations:
    """The deviations that a primal has computed, each with the axis of its mean.

    before:  a = x - x.mean()
             b = y - y.mean()
             d_a = s * (b - c * a)
    after:   np.sum(d_a) is 0

    Factors are numbers, or do not change along the axis.
    """

    def __init__(
        self, every: Iterable[Let], values: Mapping[Var, Expr], facts: Facts
    ) -> None:
        self.values, self.facts = values, facts
        self.axes: dict[Var, Expr] = {}
        for let in every:
            found = None if let.note.derived else deviation(let.value, facts)
            if found is not None:
                self.axes[let.var] = found[1]

    def is_zero(self, node: Expr) -> bool:
        """Whether an expression is the sum or the mean of such along their axis."""
        if not self.axes or not isinstance(node, Apply) or node.op not in TOTALS:
            return False
        given = dict(node.kwargs)
        if len(node.args) > 2 or not given.keys() <= {"axis", "keepdims"}:
            return False
        axis = node.args[1] if len(node.args) == 2 else given.get("axis", Const(None))
        return self._is_centred(node.args[0], axis, DEPTH)

    def _is_centred(self, value: Expr, axis: Expr, depth: int) -> bool:
        if not depth:
            return False
        if isinstance(value, Ref):
            if value.var in self.axes:
                return self._is_same(self.axes[value.var], axis, value)
            made = self.values.get(value.var)
            return made is not None and self._is_centred(made, axis, depth - 1)
        if not isinstance(value, Apply):
            return False
        if value.op in SIGNED or value.op in ADDITIVE:
            same = all(self.facts.same(arg, value) for arg in value.args)
            return same and all(
                self._is_centred(arg, axis, depth - 1) for arg in value.args
            )
        if value.op == "numpy.divide":
            whole, number = value.args
            return self._is_level(number, value, axis) and self._is_centred(
                whole, axis, depth - 1
            )
        if value.op == "numpy.multiply":
            return any(
                self._is_level(number, value, axis)
                and self._is_centred(whole, axis, depth - 1)
                for number, whole in (value.args, value.args[::-1])
            )
        return False

    def _is_same(self, one: Expr, other: Expr, of: Expr) -> bool:
        """Whether two axes of an array are one: -1 and 1 of a matrix."""
        rank = self.facts.rank(of)
        if one == other or not rank:
            return one == other
        both = [a.value for a in (one, other) if isinstance(a, Const)]
        if len(both) != 2 or any(type(axis) is not int for axis in both):
            return False
        return bool(both[0] % rank == both[1] % rank)

    def _is_level(self, factor: Expr, whole: Expr, axis: Expr) -> bool:
        """Whether a factor is one number, or does not change along the axis."""
        rank = self.facts.rank(factor)
        if rank == 0:
            return True
        dims, around = self.facts.of(factor).dims, self.facts.rank(whole)
        if dims is None or around is None or not isinstance(axis, Const):
            return False
        if type(axis.value) is not int:
            return False
        place = axis.value if axis.value < 0 else axis.value - around
        return -around <= place < -len(dims) or (
            -len(dims) <= place and dims[place] == ONE
        )
