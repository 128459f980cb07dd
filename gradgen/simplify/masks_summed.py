"""Factors that go with a mask into a sum to a shape that nothing tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS, MULTIPLICATIVE, SIGNED
from gradgen.ir.walk import children, with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, join
from gradgen.simplify.masks_ahead import LINEAR, is_nonzero

SUM, FILLED = "helper._unbroadcast", "numpy.full_like"
ZEROS = (Const(0), Const(0.0))
# what makes no infinity of numbers of any usual size
PLAIN = {*ADDITIVE, *MULTIPLICATIVE, *SIGNED, *COMPARISONS} - {"numpy.divide"}
# what ends a way back through what names stand for
DEEPEST = 12


def factors_inside(function: Function, facts: Facts) -> Function:
    """The function that sums masked adjoints once all is multiplied that may be infinite.

        before:  d_y = _unbroadcast(np.where(m > 0, d_out, 0), y)
                 d_x = _unbroadcast(d_y * a, x) / x
        after:   d_x = _unbroadcast(np.where(m > 0, d_out, 0) * a / x, x)

    x may be 0 where m is: a sum of zeros over 0 is no number. Where the shapes are known
    to be the same there is no sum in between.
    """
    made = _Inside(facts)
    return replace(function, body=tuple(made.block(function.body)))


class _Inside:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.values: dict[Var, Expr] = {}
        # what was found once: a sum of products would be walked again from each of them
        self.ways: dict[Expr, int | None] = {}
        self.plain: dict[tuple[Expr, int], bool] = {}

    def block(self, body: tuple[Stmt, ...]) -> Iterator[Stmt]:
        outer = dict(self.values)
        for stmt in body:
            if isinstance(stmt, Let) and stmt.note.derived:
                value = self.changed(stmt.value)
                self.values[stmt.var] = value
                yield stmt if value is stmt.value else replace(stmt, value=value)
            else:
                yield with_blocks(stmt, self.block)
        self.values = outer

    def changed(self, value: Expr) -> Expr:
        """A value, or each term of a sum, with its factors inside."""
        if not isinstance(value, Apply):
            return value
        if value.op in ADDITIVE or value.op == "accumulate":
            terms = [self.changed(arg) for arg in value.args]
            alike = all(a is b for a, b in zip(terms, value.args))
            return value if alike else with_children(value, terms)
        inside = self.inside(value)
        return self.by_terms(value) if inside is None else inside

    def by_terms(self, value: Apply) -> Expr:
        """A quotient of a sum, with each term divided where one of them is such a sum.

        before:  (np.where(k, 0, d_b) + _unbroadcast(np.where(m, d_a, 0), y)) / s
        after:   np.where(k, 0, d_b) / s + _unbroadcast(np.where(m, d_a, 0) / s, y)

        So is what is summed, has another sign or is divided once more, behind that.
        """
        around: list[Apply] = []
        total: Expr = value
        while isinstance(total, Apply) and self.is_divided(total):
            around.append(total)
            total = self.meant(total.args[0])
        if not isinstance(total, Apply) or total.op not in ADDITIVE or total.kwargs:
            return value
        alike = all(self.facts.same(one, total) for one in total.args)
        if not alike and any(step.op == SUM for step in around):
            return value  # a term that is stretched counts as often as it is
        terms: list[Expr] = []
        found = False
        for one in total.args:
            term = one
            for step in reversed(around):
                term = with_children(step, (term, *step.args[1:]))
            changed = self.inside(term) if isinstance(term, Apply) else None
            found = found or changed is not None
            terms.append(term if changed is None else changed)
        return with_children(total, terms) if found else value

    def is_divided(self, step: Apply) -> bool:
        """Whether a step is a quotient, or changes its sign, or is a sum to a shape."""
        alone = step.op in LINEAR and len(step.args) == 1
        return not step.kwargs and (alone or step.op in (SUM, "numpy.divide"))

    def inside(self, value: Apply) -> Expr | None:
        """A product with its factors in the sum; None where none has to be there."""
        steps = list(self.steps(value))
        sums = [k for k, step in enumerate(steps) if step.op == SUM]
        after = steps[: sums[-1]] if sums else []
        if not any(map(self.may_be_infinite, after)):
            return None
        base: Expr = self.meant(steps[-1].args[self.arm(steps[-1])])
        if not isinstance(base, Apply) or not _is_masked(base):
            return None
        if not _has_zeros(base) and all(map(self.is_by_number, after)):
            return None  # the number is infinite everywhere, and no choice is worth it
        whole = base
        for step in reversed(steps):
            if step.op != SUM:
                args = list(step.args)
                args[self.arm(step)] = whole
                whole = with_children(step, args)
        if not all(self.may_wait(steps[:k], steps[k].args[1]) for k in sums):
            return None
        return with_children(steps[sums[0]], (whole, steps[sums[0]].args[1]))

    def may_wait(self, after: list[Apply], target: Expr) -> bool:
        """Whether a sum may come after all that follows it up to the next sum, and be
        part of that one.

        What multiplies a sum to (n, 1) is the same along the axis that is summed; a
        factor of (n, m) is not, nor is what is summed to (n, m) later.
        """
        for step in reversed(after):
            if step.op == SUM:
                return self.broadcasts(step.args[1], target)
            if not self.fits(step, target):
                return False
        return True

    def steps(self, value: Expr) -> Iterator[Apply]:
        """The products and sums from a value back to what they are of."""
        for _ in range(DEEPEST):
            value = self.meant(value)
            if not isinstance(value, Apply) or self.way(value) is None:
                return
            yield value
            value = value.args[self.arm(value)]

    def meant(self, value: Expr) -> Expr:
        for _ in range(DEEPEST):
            if not isinstance(value, Ref) or value.var not in self.values:
                break
            value = self.values[value.var]
        if isinstance(value, Apply) and value.op == FILLED and not value.kwargs:
            like, filled = value.args[0], self.meant(value.args[1])
            if isinstance(filled, Apply) and _is_masked(filled):
                test, *ways = filled.args
                whole = (
                    w if w in ZEROS else with_children(value, (like, w)) for w in ways
                )
                return with_children(filled, (test, *whole))
        return value

    def arm(self, value: Apply) -> int:
        """The same, of what has one."""
        return self.way(value) or 0

    def way(self, value: Apply) -> int | None:
        """Which argument of a product or a sum leads on to a masked adjoint."""
        if value not in self.ways:
            self.ways[value] = self.found_way(value)
        return self.ways[value]

    def found_way(self, value: Apply) -> int | None:
        if value.kwargs:
            return None
        if value.op == SUM or value.op in LINEAR and len(value.args) == 1:
            return 0
        if value.op == "numpy.divide":
            return 0
        if value.op != "numpy.multiply":
            return None
        ways = [k for k, arg in enumerate(value.args) if self.leads(arg)]
        return ways[0] if len(ways) == 1 else None

    def leads(self, arg: Expr) -> bool:
        value = self.meant(arg)
        if not isinstance(value, Apply):
            return False
        if _is_masked(value):
            return True
        way = self.way(value)
        return way is not None and self.leads(value.args[way])

    def may_be_infinite(self, step: Apply) -> bool:
        """Whether what a step multiplies or divides by may be infinite, or 0."""
        if step.op == SUM or step.op not in MULTIPLICATIVE:
            return False
        (other,) = (a for k, a in enumerate(step.args) if k != self.way(step))
        if step.op == "numpy.divide":
            return not is_nonzero(other)
        return not self.is_plain(other)

    def is_by_number(self, step: Apply) -> bool:
        """Whether a step is no product, or one by a number."""
        if step.op != "numpy.multiply":
            return step.op != "numpy.divide"
        (other,) = (a for k, a in enumerate(step.args) if k != self.way(step))
        return self.facts.rank(other) == 0

    def is_plain(self, value: Expr, depth: int = DEEPEST) -> bool:
        """Whether finite arguments make finite values of a size like theirs."""
        if (value, depth) not in self.plain:
            self.plain[value, depth] = self.found_plain(value, depth)
        return self.plain[value, depth]

    def found_plain(self, value: Expr, depth: int) -> bool:
        if isinstance(value, Ref):
            made = self.values.get(value.var, self.facts.definitions.get(value.var))
            return made is None or depth > 0 and self.is_plain(made, depth - 1)
        if not isinstance(value, Apply):
            return True
        plain = value.op in PLAIN
        return plain and all(self.is_plain(a, depth - 1) for a in children(value))

    def fits(self, step: Apply, target: Expr) -> bool:
        """Whether what a step multiplies by broadcasts to what the sum is to."""
        if step.op not in MULTIPLICATIVE:
            return True
        (other,) = (a for k, a in enumerate(step.args) if k != self.way(step))
        return self.broadcasts(other, target)

    def broadcasts(self, one: Expr, target: Expr) -> bool:
        whole = self.facts.of(target)
        try:
            return join(self.facts.of(one), whole) == whole
        except ShapeConflict:
            return False


def _is_masked(value: Expr) -> bool:
    """Whether it is a choice between a value and 0, or between that and another value.

    np.clip has half of an adjoint at its ends, and all of it or 0 elsewhere.
    """
    if not isinstance(value, Apply) or value.op != "numpy.where":
        return False
    ways = value.args[1:]
    return len(ways) == 2 and (_has_zeros(value) or any(map(_is_masked, ways)))


def _has_zeros(choice: Apply) -> bool:
    """Whether one of the two values of a choice is 0."""
    return any(way in ZEROS for way in choice.args[1:])
