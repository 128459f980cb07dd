"""Sums of the rows of a gradient that are zero: a softmax's, beside what was picked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, MULTIPLICATIVE, SIGNED
from gradgen.ir.operators import TOTALS, add, divide, multiply, negative, subtract
from gradgen.ir.walk import is_static, lets, rewrite_derived, static, subexpressions
from gradgen.shapes.dims import ONE
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL
from gradgen.shapes.shape import equal
from gradgen.simplify.deviations import Deviations
from gradgen.simplify.normal import Normal

WHOLE = Apply("slice", (Const(None),) * 3)
COLUMN = Apply("tuple", (WHOLE, Const(None)))


def balanced(function: Function, facts: Facts) -> Function:
    """The function without sums of rows whose terms cancel.

        before:  d_z = (d_lse / z_exp_sum)[:, None] * z_exp
                 d_z[np.arange(len(x)), np.arange(len(x))] -= d_lse
                 d_z_max = -np.sum(d_z, axis=1, keepdims=True)
                 hits = x == z_max
                 hits_sum = np.sum(hits, axis=1, keepdims=True, dtype=x.dtype)
                 d_x = d_z + np.where(hits, d_z_max / hits_sum, 0)
        after:   d_z = (d_lse / z_exp_sum)[:, None] * z_exp
                 d_z[np.arange(len(x)), np.arange(len(x))] -= d_lse
                 return d_z

        before:  d_diff = d_out / e_sum * e
                 d_top = d_out - np.sum(d_diff, axis=1, keepdims=True)
                 d_x = d_diff + np.where(hits, d_top / hits_sum, 0)
        after:   d_x = d_out / e_sum * e

        before:  d_x = d_a - np.sum(d_a) / len(x)       # d_a = s * a, a = x - x.mean()
        after:   d_x = d_a

    A row of z_exp over its sum adds up to 1, and so does what is picked of it. A maximum
    that is subtracted, so that nothing overflows, has no gradient where it cancels.
    """
    every = list(lets(function.body))
    if not any(let.note.derived and _may_cancel(let.value) for let in every):
        return function
    rows = _Rows(every, facts)
    if not any(map(rows.is_asked, every)):
        return function

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in ARITHMETIC:
            return node
        args = tuple(Const(0.0) if rows.is_zero(arg) else arg for arg in node.args)
        new = node if args == node.args else replace(node, args=args)
        return new if equal(facts.of(new), facts.of(node)) else node

    return rewrite_derived(function, change)


class _Rows:
    """What the rows of matrices add up to."""

    def __init__(self, every: Sequence[Let], facts: Facts) -> None:
        self.facts = facts
        self.values: Mapping[Var, Expr] = {let.var: let.value for let in every}
        self.deviations = Deviations(every, self.values, facts)
        # matrices that one entry of each row is added to
        self.stored = {
            let.var for let in every if let.note.derived and _is_added(let.value)
        }
        # the sums of rows that the primal has
        self.sums: dict[Expr, list[Ref]] = {}
        for let in every:
            of = None if let.note.derived else self._summed(let.value)
            if of is not None:
                self.sums.setdefault(of, []).append(Ref(let.var))

    def is_asked(self, let: Let) -> bool:
        """Whether a statement may have a sum of such rows."""
        if not let.note.derived:
            return False
        if self._cancels(let.value):
            return True
        if any(map(self.deviations.is_zero, subexpressions(let.value))):
            return True
        return any(self._of_stored(node) for node in subexpressions(let.value))

    def is_zero(self, node: Expr) -> bool:
        """Whether an expression is a sum of rows that surely is zero, or a name of it."""
        if isinstance(node, Apply) and node.op == "getitem" and node.args[1] == COLUMN:
            node = node.args[0]
        node = self.values.get(node.var, node) if isinstance(node, Ref) else node
        while isinstance(node, Apply) and node.op in (*SIGNED, "numpy.divide"):
            node = node.args[0]
        if self._cancels(node) or self.deviations.is_zero(node):
            return True
        if not self._of_stored(node):
            return False
        assert isinstance(node, Apply)
        total = self._total(node.args[0])
        return total is not None and Normal(self.facts).is_zero(total)

    def _cancels(self, node: Expr) -> bool:
        """Whether it is d - np.sum(d / e_sum * e, axis=1), of which nothing is left."""
        if not isinstance(node, Apply) or node.op not in ADDITIVE:
            return False
        for one, other in (node.args, node.args[::-1]):
            matrix = self._summed(other)
            made = self.values.get(matrix.var) if isinstance(matrix, Ref) else matrix
            if not isinstance(made, Apply) or _is_added(made):
                continue
            total = self._total(made)
            narrow = None if total is None else self._as_vector(one, [], total)
            if narrow is None and self.facts.rank(one) == self.facts.rank(other) == 1:
                narrow = one  # a number for each row, as the sums are
            if total is None or narrow is None:
                continue
            left, right = (narrow, total) if one is node.args[0] else (total, narrow)
            return Normal(self.facts).is_zero(replace(node, args=(left, right)))
        return False

    def _of_stored(self, node: Expr) -> bool:
        of = self._summed(node)
        return isinstance(of, Ref) and of.var in self.stored

    def _summed(self, node: Expr) -> Expr | None:
        """The matrix whose rows are added up."""
        if not isinstance(node, Apply) or node.op != "numpy.sum" or len(node.args) != 1:
            return None
        said = dict(node.kwargs)
        if not said.keys() <= {"axis", "keepdims"} or not is_static(
            said.get("axis", Const(None))
        ):
            return None
        if static(said.get("axis", Const(None))) not in (1, -1):
            return None
        return node.args[0] if self.facts.rank(node.args[0]) == 2 else None

    def _total(self, matrix: Expr) -> Expr | None:
        """The sum of each row, a vector or a number; None where it is not known."""
        made = self.values.get(matrix.var) if isinstance(matrix, Ref) else matrix
        if not isinstance(made, Apply):
            return None
        if _is_added(made):
            base, key, entries = made.args
            before = self._total(base) if self._once_each(base, key) else None
            if before is None or self.facts.rank(entries) not in (0, 1):
                return None
            return add(before, entries)
        if made.op in ADDITIVE:
            both = [self._total(arg) for arg in made.args]
            if None in both or not all(self.facts.same(a, made) for a in made.args):
                return None
            one, other = (Const(0) if total is None else total for total in both)
            is_difference = made.op == "numpy.subtract"
            return subtract(one, other) if is_difference else add(one, other)
        if made.op in SIGNED:
            inner = self._total(made.args[0])
            if inner is None:
                return None
            return negative(inner) if made.op == "numpy.negative" else inner
        return self._of_product(made)

    def _of_product(self, made: Apply) -> Expr | None:
        """The sum of rows of a product in which one factor has more than one column."""
        factors = list(_factors(made, False))
        wide = [one for one, below in factors if self._is_wide(one)]
        if len(wide) != 1 or (wide[0], True) in factors or wide[0] not in self.sums:
            return None
        of = self.sums[wide[0]]
        vectors = [ref for ref in of if self.facts.rank(ref) == 1]
        columns = [ref for ref in of if self.facts.rank(ref) == 2]
        total: Expr = (vectors or columns)[0]
        above, under = total, None
        for one, below in factors:
            if one == wide[0]:
                continue
            narrow = self._as_vector(one, columns, total)
            if narrow is None:
                return None
            if not below:
                above = multiply(above, narrow)
            else:
                under = narrow if under is None else multiply(under, narrow)
        return above if under is None else divide(above, under)

    def _as_vector(self, one: Expr, columns: list[Ref], total: Expr) -> Expr | None:
        """A factor that each row has one of, as a vector; None of one that is none."""
        if one in columns:
            return total
        if self.facts.rank(one) == 0:
            return one
        plain = isinstance(one, Apply) and one.op == "getitem" and one.args[1] == COLUMN
        if isinstance(one, Apply) and plain:
            return one.args[0]
        made = self.values.get(one.var) if isinstance(one, Ref) else one
        if not isinstance(made, Apply) or made.op not in MULTIPLICATIVE:
            return None
        if self._is_wide(made):
            return None
        args = [self._as_vector(arg, columns, total) for arg in made.args]
        known = tuple(arg for arg in args if arg is not None)
        return replace(made, args=known) if len(known) == len(args) else None

    def _is_wide(self, one: Expr) -> bool:
        """Whether a factor has more than one column, or may have."""
        dims = self.facts.of(one).dims
        return dims is None or len(dims) == 2 and dims[1] != ONE

    def _once_each(self, base: Expr, key: Expr) -> bool:
        """Whether places are one in each row of a matrix."""
        dims = self.facts.of(base).dims
        places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        if dims is None or len(dims) != 2 or len(places) != 2 or dims[0].number == 1:
            return False
        first, second = places
        rows = self.values.get(first.var) if isinstance(first, Ref) else first
        if not isinstance(rows, Apply) or rows.op != "numpy.arange":
            return False
        if len(rows.args) != 1 or rows.kwargs:
            return False
        whole = self.facts.dim(rows.args[0]) == dims[0]
        second_made = self.values.get(second.var) if isinstance(second, Ref) else None
        kind = self.facts.kind(second)
        fits = self.facts.of(second) <= self.facts.of(first)
        integral = kind in INTEGRAL or rows in (second, second_made)
        return whole and integral and fits


def _may_cancel(value: Expr) -> bool:
    """Whether entries are added to a matrix, or a sum to something."""
    if not isinstance(value, Apply):
        return False
    return (
        _is_added(value)
        or value.op in ADDITIVE
        and any(getattr(part, "op", "") in TOTALS for part in subexpressions(value))
    )


def _is_added(value: Expr) -> bool:
    """Whether a value is a matrix to which entries are added."""
    adds = isinstance(value, Apply) and value.op == "additem"
    return adds and len(value.args) == 3


def _factors(expr: Expr, below: bool) -> Iterator[tuple[Expr, bool]]:
    """The factors of a product, and whether each divides it."""
    if isinstance(expr, Apply) and expr.op in MULTIPLICATIVE:
        yield from _factors(expr.args[0], below)
        yield from _factors(expr.args[1], below ^ (expr.op == "numpy.divide"))
    elif isinstance(expr, Apply) and expr.op == "numpy.negative":
        yield Const(-1), below
        yield from _factors(expr.args[0], below)
    else:
        yield expr, below
