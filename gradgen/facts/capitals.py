"""Convention C of capitals: what meets a matrix, or gives a loop its rows."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Products, Step
from gradgen.facts.two_axes import TwoAxes
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import EQUALITIES, MULTIPLICATIVE, POWERS
from gradgen.ir.walk import lets, subexpressions
from gradgen.shapes.ranks import Ranks

# capitals of numbers: a temperature, a constant, a gain
CONSTANTS = frozenset("TCGLR")


class Capitals(TwoAxes):
    """What is assumed of arguments that are called by a capital."""

    def capitals(self, ranks: Ranks) -> Iterator[Step]:
        """A capital that meets a matrix is one, and what a loop takes the rows of.

        before:  X @ W + M          x / p["G"]         d - L0         word == Z[i]
        after:   M is a matrix      nothing of G, which may be a number, as L0 may be,
                                    and nothing of Z, which may be a list of words
        """
        words = set(self._compared())
        products = Products(self.primal, self.facts)
        if products.are_stacked:
            return
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply):
                continue
            known = [ranks.of(arg) for arg in value.args]
            key = value.args[1] if value.op == "getitem" else Const(None)
            if not isinstance(key, Const) and self.facts.is_index(key):
                known = [frozenset([2])]
            elif value.spelling != "operator":
                continue
            for arg in value.args if {2} in known else ():
                stem = self._scaled(products.stem(arg))  # M of np.eye(n) - d * M
                if stem is None or stem in words or self._is_number(stem, arg, value):
                    continue
                if self._is_capital(Ref(stem)) and len(ranks.of(Ref(stem))) > 1:
                    yield [(stem, 2)]

    def _is_reshaped(self, value: Expr) -> bool:
        """Whether a value has rows that were made of an array of any number of axes."""
        return getattr(self._made(value), "op", "") == "numpy.reshape"

    def _compared(self) -> Iterator[Var]:
        """The arrays of which entries are compared with words, or others, or are keys."""
        entries: dict[Expr, Var] = {}
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply):
                continue
            if value.op == "getitem" and isinstance(value.args[0], Ref):
                entries[Ref(let.var)] = value.args[0].var
                used = [*subexpressions(value.args[1])]
            else:
                used = [*value.args] if value.op in EQUALITIES else []
            yield from (entries[one] for one in used if one in entries)

    def _is_number(self, stem: Var, arg: Expr, value: Apply) -> bool:
        """Whether what meets a matrix may be a number, by its name or where it stands."""
        scales = value.op in MULTIPLICATIVE or arg != Ref(stem)
        divides = value.op in MULTIPLICATIVE - POWERS and Ref(stem) == value.args[1]
        if divides and self._is_capital(value.args[0]):  # X / Y, but X / T
            divides = stem.name in CONSTANTS
        part = next((p.path for p in self.primal.params if p.var == stem), ())
        name = stem.name.rstrip("0")
        return (
            divides or scales and bool(part) or name != stem.name and name in CONSTANTS
        )

    def _scaled(self, stem: Var | None) -> Var | None:
        """The one factor with a capital, K of s * K; else the value itself."""
        made = self._made(Ref(stem)) if stem is not None else None
        if made is not None and made.op == "numpy.multiply":
            large = [one for one in made.args if self._is_capital(one)]
            if len(large) == 1 and isinstance(large[0], Ref):
                return large[0].var
        return stem
