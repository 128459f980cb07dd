"""What adds up to zero: deviations from a mean, and sums of them with numbers in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, SIGNED, TOTALS
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
                return self.axes[value.var] == axis
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
            return self._is_number(number) and self._is_centred(whole, axis, depth - 1)
        if value.op == "numpy.multiply":
            return any(
                self._is_number(number) and self._is_centred(whole, axis, depth - 1)
                for number, whole in (value.args, value.args[::-1])
            )
        return False

    def _is_number(self, value: Expr) -> bool:
        return self.facts.rank(value) == 0
