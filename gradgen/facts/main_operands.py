"""Convention C of the operand that has as many axes as what is made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.capitals import Capitals
from gradgen.facts.fits import DATA, OBSERVED
from gradgen.facts.keys import is_turned
from gradgen.facts.matrices import Step
from gradgen.facts.numbers import MOMENTS, NUMBERS, is_parameter
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import children, reads
from gradgen.rules.load import operations
from gradgen.shapes.ranks import Ranks


class MainOperands(Capitals):
    """What is assumed of the operands of what has so many axes."""

    def main(self, ranks: Ranks, wrt: Collection[str] = ()) -> Iterator[Step]:
        """Of what makes an array of so many axes the main operand has them.

        before:  np.sum((a - p) ** 2, axis=1)     X / np.exp(log_scale), a matrix
        after:   a is a matrix                    X is one

        That is the one with a capital, else the first, or the last one of a product. What
        meets x[:, None, :] has an axis for each from the new one on: mu of
        `(y[:, None] - mu) / sigma`; but all that a gradient is asked of beside a matrix
        of logits has two.
        """
        asked = [p.var for p in self.primal.params if p.label in wrt]
        yield from self._weighted(ranks, asked)
        asked = [var for var in asked if var.name.islower()]
        for let in reversed(ranks.statements):
            value = let.value
            rule = operations().get(value.op) if isinstance(value, Apply) else None
            if rule is None or rule.shape is not None:
                continue
            assert isinstance(value, Apply)
            refs = [arg for arg in value.args if isinstance(arg, Ref)]
            for one, other in zip(refs, refs[::-1]):
                ahead = value.op == "numpy.subtract" and other == refs[0]
                behind = self._behind(other, ranks, ahead)
                if behind > 1 and one.var.name in MOMENTS:
                    behind = 1  # mu of y[:, None] - mu: one for each state
                if len(refs) == 2 and behind and len(ranks.of(one)) > 1:
                    both = any(ranks.of(Ref(var)) == {2} for var in asked)
                    alike = both and one.var in asked and ranks.of(other) == {2}
                    yield [(one.var, 2 if alike else behind)]
            sure = ranks.of(Ref(let.var))
            if len(sure) > 1 or sure in map(ranks.of, refs):
                continue
            if len(refs) > 1 and len(set(map(self._array_of, refs))) == 1:
                if self._array_of(refs[0]) is not None:  # x[i] - x[j]
                    yield [(arg.var, min(sure)) for arg in refs]
            if not min(sure):
                continue
            may = [arg for arg in refs if min(sure) in ranks.of(arg)]
            may = [arg for arg in may if arg.var.name not in NUMBERS] or may
            # mean + draws * sd
            may = [arg for arg in may if arg.var.name not in MOMENTS] or may
            is_product = value.op == "numpy.multiply"
            if is_product:
                may = [arg for arg in may if not self._is_scale(arg)] or may
            first = [arg for arg in may if self._is_capital(arg)] or may
            if is_product and len(first) == 2:
                if self._is_function(first, wrt) or self._is_asked(first, wrt):
                    first = first[:1]
            if first:
                yield [(first[-1 if is_product else 0].var, min(sure))]

    def _weighted(self, ranks: Ranks, asked: Collection[Var]) -> Iterator[Step]:
        """What is asked of has the axes of the weights that it is summed with.

        before:  np.sum(mean_returns * weights)        weights is a vector
        after:   mean_returns is one: a number would stand before the sum
        """
        values = {let.var: let.value for let in ranks.statements}
        for value in list(values.values()):
            if not isinstance(value, Apply) or value.op != "numpy.sum":
                continue
            if len(value.args) > 1 or value.kwargs:
                continue
            part = value.args[0]
            made = values.get(part.var) if isinstance(part, Ref) else None
            if not isinstance(made, Apply) or made.op != "numpy.multiply":
                continue
            for one, other in (made.args, made.args[::-1]):
                if not isinstance(one, Ref) or one.var not in asked:
                    continue
                if getattr(other, "var", one.var).origin is not Origin.PARAM:
                    continue  # what is computed may be larger
                name, known = one.var.name, ranks.of(other)
                is_number = is_parameter(name) and name not in MOMENTS
                if len(known) == 1 and known != {0} and name not in NUMBERS:
                    if not is_number and len(ranks.of(one)) > 1:
                        yield [(one.var, min(known))]

    def _is_asked(self, refs: list[Ref], wrt: Collection[str]) -> bool:
        """Whether a gradient is asked of the first factor alone, which is no number.

        before:  Z = density * velocity; Z[1:] - Z[:-1]
        after:   density is a vector, and velocity one or a number
        """
        labels = {p.var: p.label for p in self.primal.params}
        one, other = (labels.get(ref.var, "") for ref in refs)
        if one not in wrt or other in wrt or not other or other in DATA:
            return False
        return one in DATA or not (is_parameter(one) or one in NUMBERS or "." in one)

    def _is_function(self, refs: list[Ref], wrt: Collection[str]) -> bool:
        """Whether a factor is computed of what is asked, and the other is another argument.

        np.tanh(y) * t
        """
        labels = {p.var: p.label for p in self.primal.params}
        one, other = (ref.var for ref in refs)
        if one in labels or other not in labels or labels[other] in wrt:
            return False
        ends = upstream(refs[0], self.facts.definitions, children)
        read = {var for end in ends for var in reads(end)}
        return any(labels.get(var) in wrt for var in read)

    def _behind(self, value: Expr, ranks: Ranks, first: bool) -> int:
        """The axes from the new one on of x[:, None, :], which another array has."""
        made = self._made(value)
        if made is None or not is_turned(made):
            return 0
        items = getattr(made.args[1], "args")
        at = items.index(Const(None))
        plain = Const(...) not in items and Const(None) not in items[at + 1 :]
        plain = plain and ranks.of(made.args[0]) == {len(items) - 1}
        if plain and getattr(made.args[0], "var").name in OBSERVED:
            return len(items)  # y[:, None] - f has a prediction for each quantile
        # of w[:, None] * x nothing is known of x, of t[:, None] - x that it is a vector
        return len(items) - at if plain and 0 < at < len(items) - (not first) else 0

    def _is_scale(self, value: Expr) -> bool:
        """Whether a value is one over another: x * (1 / s) is written of a number s."""
        made = self._made(value)
        if made is None or made.op != "numpy.divide":
            return False
        return isinstance(made.args[0], Const)
