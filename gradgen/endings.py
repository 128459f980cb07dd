"""The gradient's last stages: made shorter, guarded, and what is said of the guards."""

from __future__ import annotations

from gradgen.errors import InternalError
from gradgen.guard.selects import Finding
from gradgen.ir.nodes import Function, Supply
from gradgen.request import Request
from gradgen.shapes.infer import Facts
from gradgen.guard.selecting import guard
from gradgen.simplify.dead import dead
from gradgen.simplify.fold import aliases, fold
from gradgen.simplify.gathered import gathered
from gradgen.simplify.gram import gram
from gradgen.simplify.joins import joins
from gradgen.simplify.products import products
from gradgen.simplify.recompute import recompute
from gradgen.simplify.results import results
from gradgen.simplify.rewrite import identities
from gradgen.simplify.saved import saved
from gradgen.simplify.share import share
from gradgen.simplify.terms import terms

ROUNDS = 20
# A line saved is worth so many operations on numbers in joint style. A callback
# may be called often, and shares what it can.
LINE = 2
# Variables of a text that is thrown away are numbered from here.
SPARE = 1 << 30
# A longer expression is no help in a docstring.
SHORT = 24


def shortened(
    function: Function, facts: Facts, supply: Supply, save: str, callback: bool
) -> Function:
    """The gradient in its shortest form, its stores still functions."""
    function = _settled(function, facts)
    function = share(function, facts, 0 if callback else LINE)
    function = _settled(function, facts)
    function = dead(results(function, facts, supply))
    function = fold(dead(saved(function, facts, supply, save)))
    function = dead(products(function, facts, supply))
    function = identities(dead(recompute(function, facts)))
    return gathered(dead(gram(function)))


def _settled(function: Function, facts: Facts) -> Function:
    """Aliases, single uses, arithmetic and dead code, until nothing changes."""
    for _ in range(ROUNDS):
        before = function
        function = terms(identities(fold(joins(aliases(function)))), facts)
        function = dead(function, forward=False)
        if function == before:
            return function
    raise InternalError("simplification does not settle")


def guarded(
    function: Function, facts: Facts, supply: Supply, request: Request
) -> tuple[Function, tuple[Finding, ...]]:
    """The gradient with its guards, if they are asked for, and what they are for."""
    if request.guard is False:
        _, hazards = guard(function, facts.copy(), Supply(SPARE))
        return function, hazards
    epsilon = None if request.guard is True else request.guard
    function, hazards = guard(function, facts, supply, epsilon)
    return dead(function), hazards  # a quotient may have been computed again


def what_is_guarded(hazards: tuple[Finding, ...], request: Request) -> str:
    """The docstring's words for the guards, "" without any."""
    if request.guard is False or not hazards:
        return ""
    found: dict[str, list[str]] = {}
    for one in hazards:
        names = found.setdefault(one.what, [])
        short = one.hazard if len(one.hazard) <= SHORT else "a divisor"
        names += [short] if short not in names else []
    return ", ".join(
        what if what.startswith("|") else f"{what} for {' and '.join(of)}"
        for what, of in found.items()
    )
