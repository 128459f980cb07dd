"""Convention C of small letters: sides of systems, products whose rows are reduced, labels."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.layers import TARGETS, WEIGHTS
from gradgen.facts.matrices import Step
from gradgen.facts.through import is_elementwise, is_lower_argument
from gradgen.ir.nodes import Apply, Const, Function, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS, lift
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

COLUMN = lift((slice(None), None))


def sides(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What small letters are where a system is solved, or a product is reduced by rows.

    before:  np.linalg.solve(K, y)      np.std(returns @ w)       np.mean(x @ u.T, axis=0)
    after:   y is a vector              w is a vector, and        x is a matrix
                                        returns a matrix

    before:  np.take_along_axis(logp, labels[:, None], axis=-1)
    after:   labels is a vector, logp a matrix
    """
    found = _Readers(primal, facts)
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or len(value.args) < 2:
            continue
        if value.op == "numpy.linalg.solve":
            side = value.args[1]
            if is_lower_argument(side) and {1} < ranks.of(side):
                yield [(getattr(side, "var"), 1)]
        if value.op == "numpy.take_along_axis":
            yield from _labels(value, facts, ranks)
        if value.op in MATRIX_PRODUCTS:
            yield from _product(let.var, value, found, ranks)


def _labels(value: Apply, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    whole, places = value.args[:2]
    made = facts.definitions.get(places.var) if isinstance(places, Ref) else places
    if not isinstance(made, Apply) or made.op != "getitem" or made.args[1] != COLUMN:
        return
    inner = made.args[0]
    if isinstance(inner, Ref) and isinstance(whole, Ref):
        if {1} < ranks.of(inner) and 2 in ranks.of(whole):
            yield [(inner.var, 1), (whole.var, 2)]


def _product(var: Var, value: Apply, found: _Readers, ranks: Ranks) -> Iterator[Step]:
    left, right = value.args[:2]
    if not is_lower_argument(left) or not {1, 2} <= ranks.of(left):
        return
    if getattr(left, "var").name in WEIGHTS | TARGETS:  # w @ W, y @ X
        return
    assert isinstance(left, Ref)
    if ranks.of(right) == {2} and found.has_rows(var):
        yield [(left.var, 2)]
    elif isinstance(right, Ref) and {1, 2} <= ranks.of(right) and found.is_spread(var):
        yield [(left.var, 2), (right.var, 1)]


class _Readers:
    """What is done with the entries of values, through what goes entry by entry."""

    def __init__(self, primal: Function, facts: Facts) -> None:
        self.readers: dict[Var, list[tuple[Var, Apply]]] = {}
        for let in lets(primal.body):
            if isinstance(let.value, Apply):
                for arg in let.value.args:
                    if isinstance(arg, Ref):
                        self.readers.setdefault(arg.var, []).append(
                            (let.var, let.value)
                        )

    def has_rows(self, var: Var) -> bool:
        """Whether an array is reduced, or put in order, along an axis that is named."""
        return any(
            "axis" in dict(value.kwargs) and dict(value.kwargs)["axis"] != Const(None)
            for value in self._ends(var, set())
        )

    def is_spread(self, var: Var) -> bool:
        """Whether the spread of all entries is asked for: no number has one."""
        return any(
            (value.op == "numpy.std" or value.op == "numpy.var")
            and "axis" not in dict(value.kwargs)
            for value in self._ends(var, set())
        )

    def _ends(self, var: Var, seen: set[Var]) -> Iterator[Apply]:
        if var in seen:
            return
        seen.add(var)
        for made, value in self.readers.get(var, ()):
            rule = operations().get(value.op)
            if is_elementwise(value):
                yield from self._ends(made, seen)
            elif rule is not None and rule.kind in ("linear", "general"):
                yield value
