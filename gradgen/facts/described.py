"""Numbers that a default, an annotation or a docstring tells of, and no fact."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.facts.assumed import Assumed
from gradgen.ir.nodes import Function
from gradgen.ir.walk import uses
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR


def described_numbers(primal: Function, facts: Facts) -> tuple[Assumed, ...]:
    """The arguments that are described as numbers, where no other rank is told.

    A caller may hand an array all the same: the text for a number raises then. A
    docstring that tells shapes of arrays holds as told facts do.

    before:  def lerp(a, b, t=0.5):
    after:   t is a number
    """
    if any(facts.shapes[param.var].rank for param in primal.params):
        return ()
    read = uses(primal)
    return tuple(
        Assumed(param.label, 0, True)
        for param in primal.params
        if facts.shapes[param.var] == SCALAR
        and facts.kinds[param.var] is Kind.WEAK
        and param.var in read
        and not param.bundle
    )


def in_order(primal: Function, found: Iterable[Assumed]) -> tuple[Assumed, ...]:
    """What is looked at, in the order of the arguments."""
    places = {param.label: i for i, param in enumerate(primal.params)}
    return tuple(sorted(found, key=lambda one: places[one.name]))
