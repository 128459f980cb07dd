"""Convention C of what is a number by its place in a formula: gamma ** np.arange(n)."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.numbers import Numbers, Step
from gradgen.facts.places import COUNT
from gradgen.facts.through import factors_of, is_elementwise, of_entries
from gradgen.ir.nodes import Apply, Branch, Expr, Let, Loop, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import statements
from gradgen.shapes.infer import Facts


def progressions(numbers: Numbers) -> Iterator[Step]:
    """The base of powers that a range counts, and the step from one array to another.

    before:  S * up ** np.arange(n + 1) - K          a + t * (b - a)
    after:   S, up, n and K are numbers              t is one

    Bases for each of which there are powers have an axis for these: x[:, None]. An
    array that meets them may be as long as np.arange(n), but not as np.arange(n + 1).
    """
    facts = numbers.facts
    long: set[Var] = set()  # of a length that no argument has
    every = list(statements(numbers.primal.body))
    for stmt in (*every, *every):  # what arms give is known when they were gone through
        for merge in stmt.merges if isinstance(stmt, Branch) else ():
            ways = merge.then, merge.orelse
            if all(isinstance(way, Ref) and way.var in long for way in ways):
                long.add(merge.var)
        for slot in stmt.carried if isinstance(stmt, Loop) else ():
            if isinstance(slot.entry, Ref) and slot.entry.var in long:
                long |= {slot.inner, slot.exit}
        value = stmt.value if isinstance(stmt, Let) else None
        if not isinstance(stmt, Let) or not isinstance(value, Apply):
            continue
        if value.op == "numpy.power":
            counted = _counted(value.args[1], facts)
            if counted is not None:
                yield from numbers.backwards(value.args[0], True)
            if counted is not None and _is_own(counted, facts):
                long.add(stmt.var)
        if value.op in ADDITIVE:
            for one, other in (value.args, value.args[::-1]):
                yield from _step(one, other, facts)
        if long.isdisjoint(arg.var for arg in value.args if isinstance(arg, Ref)):
            continue
        if is_elementwise(value):
            long.add(stmt.var)
            for arg in value.args:
                if not isinstance(arg, Ref) or arg.var not in long:
                    yield from numbers.backwards(arg, True)
        elif value.op == "getitem" and getattr(value.args[1], "op", "") == "slice":
            long.add(stmt.var)


def _counted(value: Expr, facts: Facts) -> Apply | None:
    """The range that a value is, but for numbers that it is added to or multiplied by."""
    for end in upstream(value, facts.definitions, of_entries):
        made = facts.definitions.get(end.var) if isinstance(end, Ref) else end
        if isinstance(made, Apply) and made.op == COUNT:
            return made
    return None


def _is_own(counted: Apply, facts: Facts) -> bool:
    """Whether no argument is as long as a range: np.arange(n + 1), np.arange(-n, n, 2)."""
    if len(counted.args) > 2:
        return True
    last = counted.args[-1]
    made = facts.definitions.get(last.var) if isinstance(last, Ref) else last
    if not isinstance(made, Apply) or made.op not in ADDITIVE:
        return False
    ends = upstream(last, facts.definitions, of_entries)
    return all(end.var.origin is Origin.PARAM for end in ends if isinstance(end, Ref))


def _step(start: Expr, part: Expr, facts: Facts) -> Iterator[Step]:
    """t of a + t * (b - a), an argument or what is computed of some."""
    factors = list(upstream(part, facts.definitions, factors_of))
    if not isinstance(start, Ref) or len(factors) != 2:
        return
    for one, other in (factors, factors[::-1]):
        made = facts.definitions.get(one.var) if isinstance(one, Ref) else one
        if not isinstance(made, Apply) or made.op != "numpy.subtract":
            continue
        if made.args[1] == start and isinstance(other, Ref):
            if other.var.origin is Origin.PARAM and other.var.name.islower():
                yield [(other.var, 0)]
