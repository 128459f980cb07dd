"""The gradient's last stages: made shorter, guarded, and what is said of the guards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.errors import InternalError
from gradgen.guard.selects import Finding
from gradgen.ir.nodes import Function, Supply
from gradgen.request import Request
from gradgen.shapes.infer import Facts
from gradgen.guard.rounds import rounds
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
from gradgen.simplify.turned import turned
from gradgen.watch import UNWATCHED, Watch

ROUNDS = 20
# A line saved is worth so many operations on numbers in joint style. A callback
# may be called often, and shares what it can.
LINE = 2
# Variables of a text that is thrown away are numbered from here.
SPARE = 1 << 30
# A longer expression is no help in a docstring.
SHORT = 24


def shortened(
    function: Function,
    facts: Facts,
    supply: Supply,
    save: str,
    callback: bool,
    watch: Watch = UNWATCHED,
    guarding: bool = False,
) -> Function:
    """The gradient in its shortest form, its stores still functions."""

    def done(run: Callable[..., Function], before: Function, *rest: Any) -> Function:
        after = run(before, *rest)
        watch.step(run, after, facts)
        return after

    function = _settled(function, facts, done)
    function = done(share, function, facts, 0 if callback else LINE)
    function = _settled(function, facts, done)
    function = done(dead, done(results, function, facts, supply))
    if guarding:
        function = done(rounds, function, facts)
    function = done(saved, function, facts, supply, save)
    function = done(fold, done(dead, function))
    function = done(dead, done(products, function, facts, supply))
    function = done(identities, done(dead, done(recompute, function, facts)))
    return done(gathered, done(dead, done(gram, function)))


def _settled(function: Function, facts: Facts, done: Callable[..., Any]) -> Function:
    """Aliases, single uses, arithmetic and dead code, until nothing changes."""
    for _ in range(ROUNDS):
        before = function
        function = done(fold, done(joins, done(aliases, function)))
        function = done(turned, done(identities, function), facts)
        function = done(terms, function, facts)
        function = done(dead_adjoints, function)
        if function == before:
            return function
    raise InternalError("simplification does not settle")


def dead_adjoints(function: Function) -> Function:
    """The function without adjoints that are never read."""
    return dead(function, forward=False)


def guarded(
    function: Function,
    facts: Facts,
    supply: Supply,
    request: Request,
    watch: Watch = UNWATCHED,
) -> tuple[Function, tuple[Finding, ...]]:
    """The gradient with its guards, if they are asked for, and what they are for."""
    if request.guard is False:
        _, hazards = guard(function, facts.copy(), Supply(SPARE))
        return function, hazards
    epsilon = None if request.guard is True else request.guard
    function, hazards = guard(function, facts, supply, epsilon)
    watch.step(guard, function, facts)
    function = dead(function)  # a quotient may have been computed again
    watch.step(dead, function, facts)
    return function, hazards


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
