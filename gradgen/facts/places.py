"""Convention C of places: what stands beside a count of rows, and tables of intervals.

Labels are read by row, values of a table at places that a search has found, weights
of a filter one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.keys import is_place, is_slice, is_turned
from gradgen.frozen import dataclass
from gradgen.facts.through import as_one_shape
from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import OF_VECTORS, SEARCHES
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

COUNT = "numpy.arange"


@dataclass(frozen=True)
class Places:
    """What is assumed of arrays that are read by places, or give them."""

    primal: Function
    facts: Facts

    def steps(self, ranks: Ranks) -> Iterator[Step]:
        """The vectors among the arguments that places are told by, or read of.

        before:  logits[np.arange(n), labels]        values[np.searchsorted(knots, t)]
        after:   labels is a vector                  knots and values are vectors

        So are the operands of functions that take vectors: np.convolve(x, w).
        """
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply):
                continue
            for at in OF_VECTORS.get(value.op, ()):
                one = value.args[at] if at < len(value.args) else None
                if isinstance(one, Ref):
                    yield [(one.var, 1)]
            if value.op != "getitem":
                continue
            base, key = value.args
            places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
            if any(_is_made(self.facts, one, COUNT) for one in places):
                yield from ([(one.var, 1)] for one in places if isinstance(one, Ref))
            if isinstance(base, Ref) and self._is_found(key):
                yield [(base.var, 1)]
        yield from self._weights(ranks)
        yield from self._stencils()
        yield from self._counted()

    def _weights(self, ranks: Ranks) -> Iterator[Step]:
        """An entry that a loop takes of a vector, and arrays are added up with.

        before:  out += w[k] * x[k : k + n]        image += alpha[..., None] * colors[k]
        after:   w is a vector                     colors is a matrix
        """
        scaled = {}
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply) or not value.args:
                continue
            if value.op == "numpy.multiply":
                for one, other in (value.args, value.args[::-1]):
                    of = self._entry_of(one)
                    if of is not None and self._is_column(other):
                        if not self._is_at_a_place(one):
                            yield [(of.var, 2)]
                    elif of is not None and 0 not in ranks.of(other):
                        scaled[let.var] = of
            last = value.args[-1]
            if value.spelling == "augmented" and isinstance(last, Ref):
                if last.var in scaled:
                    yield [(scaled[last.var].var, 1)]

    def _counted(self) -> Iterator[Step]:
        """An array of which all entries are counted, and read by one index, is a vector.

        before:  for t in range(u.size): h = A @ h + B * u[t]
        after:   u is a vector
        """
        values = [let.value for let in lets(self.primal.body)]
        calls = [one for one in values if isinstance(one, Apply)]
        counted = {one.args[0] for one in calls if one.op == "numpy.size"}
        for one in calls:
            if one.op == "getitem" and one.args[0] in counted:
                base, key = one.args
                if isinstance(base, Ref) and isinstance(key, Ref):
                    yield [(base.var, 1)]

    def _stencils(self) -> Iterator[Step]:
        """What is stored into a slice, of neighbours in another array, along one axis.

        before:  B[1:-1] = A[:-2] + A[2:]
        after:   A and B are vectors
        """
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply) or value.op != "setitem":
                continue
            base, key, stored = value.args
            if not isinstance(base, Ref) or not is_slice(key):
                continue
            parts = [one for one in self._terms(stored) if is_slice(one.args[1])]
            of = {one.args[0] for one in parts}
            if len(set(parts)) > 1 and len(of) == 1:
                array = of.pop()
                if isinstance(array, Ref):
                    yield [(base.var, 1), (array.var, 1)]

    def _terms(self, value: Expr) -> Iterator[Apply]:
        """The parts of arrays that a value is computed of, entry by entry."""
        known = self.facts.definitions
        for end in upstream(value, known, as_one_shape):
            made = known.get(end.var) if isinstance(end, Ref) else end
            if isinstance(made, Apply) and made.op == "getitem":
                yield made

    def _entry_of(self, value: Expr) -> Ref | None:
        """w of w[k]: an array without a capital, of which one entry is read."""
        made = (
            self.facts.definitions.get(value.var) if isinstance(value, Ref) else value
        )
        if not isinstance(made, Apply) or made.op != "getitem":
            return None
        base, key = made.args
        if not isinstance(base, Ref) or base.var.name[:1].isupper():
            return None
        return base if self.facts.is_index(key) else None

    def _is_at_a_place(self, value: Expr) -> bool:
        """Whether a value is x[0], which no loop takes."""
        made = (
            self.facts.definitions.get(value.var) if isinstance(value, Ref) else value
        )
        return isinstance(made, Apply) and is_place(made.args[1])

    def _is_column(self, value: Expr) -> bool:
        """Whether a value gets a last axis for what it is multiplied with: a[..., None]."""
        made = (
            self.facts.definitions.get(value.var) if isinstance(value, Ref) else value
        )
        if not isinstance(made, Apply) or made.op != "getitem":
            return False
        key = made.args[1]
        parts = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        return bool(parts) and parts[-1] == Const(None) != parts[0]

    def _is_found(self, key: Expr) -> bool:
        """Whether a key is what a search has found, or a place beside it: i - 1."""
        made = self.facts.definitions.get(key.var) if isinstance(key, Ref) else key
        if not isinstance(made, Apply):
            return False
        rule = operations().get(made.op)
        if rule is not None and rule.shape is None:
            return any(map(self._is_found, made.args))
        return made.op in SEARCHES


def labels(primal: Function, facts: Facts) -> Iterator[Var]:
    """The arguments that stand beside a count of rows: y of p[np.arange(n), y]."""
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op != "getitem":
            continue
        key = value.args[1]
        places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        if any(_is_made(facts, one, COUNT) for one in places):
            for one in places:
                if isinstance(one, Ref) and one.var.origin is Origin.PARAM:
                    yield one.var


def rows_labelled(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The lengths of labels and of the rows that they are counted beside.

    before:  logits[np.arange(n), labels]        after:  (m, n), of labels (m)

    So are the count itself and the rows of what is read.
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op != "getitem":
            continue
        base, key = value.args
        places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        counts = [one for one in places if _is_made(facts, one, COUNT)]
        rows, count = facts.of(base).dims, facts.of(counts[0]).dims if counts else None
        if rows and count and len(rows) == len(places) == 2 and places[0] == counts[0]:
            yield rows[0], count[0]
        for one in places if counts else ():
            if isinstance(one, Ref) and one not in counts:
                lengths = facts.of(one).dims or (), facts.of(counts[0]).dims or ()
                if len(lengths[0]) == len(lengths[1]) == 1:
                    yield lengths[0][0], lengths[1][0]


def homogeneous(primal: Function, facts: Facts) -> Iterator[tuple[Dim, int]]:
    """The length of an axis of which the first entries are divided by the next one.

    before:  p[:, :2] / p[:, 2:]     p[:2] / p[2]     p[:, :2] / p[:, [2]]     # p (n, m)
    after:   m is 3

    Not of x[:, :2] * x[:, 2:], which may be halves.
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op != "numpy.divide":
            continue
        one, other = ((facts.of(arg).dims or (ONE,))[-1] for arg in value.args)
        for name in other.names:
            ahead = (Dim.of(name) - other).number
            firsts = f"?{name}[{{}}:{ahead}:None]"
            if one.symbol in (firsts.format(None), firsts.format(0)):
                yield Dim.of(name), (ahead or 0) + 1
        yield from _by_the_next(value, facts)


def _by_the_next(value: Apply, facts: Facts) -> Iterator[tuple[Dim, int]]:
    """The same, of an array of which one entry behind the first ones is read."""
    parts, last = (_part(facts, arg) for arg in value.args)
    if parts is None or last is None or parts.args[0] != last.args[0]:
        return
    base = facts.of(parts.args[0]).dims or ()
    for dim, first, entry in zip(base, _keys(parts.args[1]), _keys(last.args[1])):
        number = _end(first)
        if number and _place(entry) == number and dim.symbol:
            yield dim, number + 1


def _part(facts: Facts, value: Expr) -> Apply | None:
    """The part of an array that a value is, but for an axis that it gets."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    while isinstance(made, Apply) and made.op == "getitem" and is_turned(made):
        whole = made.args[0]
        made = facts.definitions.get(whole.var) if isinstance(whole, Ref) else whole
    return made if isinstance(made, Apply) and made.op == "getitem" else None


def _keys(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)


def _end(key: Expr) -> int:
    """k of the slice :k, else 0."""
    if not is_slice(key) or not isinstance(key, Apply):
        return 0
    start, stop, step = (getattr(one, "value", "?") for one in key.args)
    return stop if start in (None, 0) and step is None and type(stop) is int else 0


def _place(key: Expr) -> int | None:
    """k of the place k, of k : k + 1 and of [k]."""
    if is_slice(key) and isinstance(key, Apply):
        start, stop, _ = (getattr(one, "value", None) for one in key.args)
        known = type(start) is int and type(stop) is int and stop == start + 1
        return start if known else None
    if isinstance(key, Apply) and key.op == "list" and len(key.args) == 1:
        key = key.args[0]
    return key.value if isinstance(key, Const) and type(key.value) is int else None


def _is_made(facts: Facts, value: Expr, op: str) -> bool:
    """Whether a value is what this operation makes."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    return isinstance(made, Apply) and made.op == op
