"""The passes over a derivative, in their order, and the one loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gradgen.errors import InternalError
from gradgen.frozen import dataclass
from gradgen.guard.rounds import rounds
from gradgen.guard.selecting import guard
from gradgen.ir.nodes import Function, Var
from gradgen.ir.walk import all_defined, reads_of
from gradgen.pipeline.context import Context
from gradgen.pipeline.observer import UNWATCHED, Watch
from gradgen.printer.added_numbers import added_numbers
from gradgen.printer.backwards import backwards
from gradgen.printer.differences import differences
from gradgen.printer.reads_first import reads_first
from gradgen.printer.rescaled import rescaled
from gradgen.printer.reused import reused
from gradgen.printer.storage import storage
from gradgen.simplify.absorbed import absorbed
from gradgen.simplify.adjoint_products import adjoint_products
from gradgen.simplify.as_arrays import as_arrays
from gradgen.simplify.at_once import at_once
from gradgen.simplify.balanced import balanced
from gradgen.simplify.branch_terms import branch_terms
from gradgen.simplify.cached import cached
from gradgen.simplify.casts import casts
from gradgen.simplify.centred import centred
from gradgen.simplify.chained import chained
from gradgen.simplify.cleared import cleared
from gradgen.simplify.combined import combined
from gradgen.simplify.conditionals import conditionals
from gradgen.simplify.contracted import contracted
from gradgen.simplify.densities import densities
from gradgen.simplify.dots import dots
from gradgen.simplify.copied import copied
from gradgen.simplify.dead import dead, dead_adjoints
from gradgen.simplify.dtypes import dtypes
from gradgen.simplify.endings import endings
from gradgen.simplify.entries import entries
from gradgen.simplify.even import even
from gradgen.simplify.equalities import costly_parts, equalities, named_parts
from gradgen.simplify.exits import exits
from gradgen.simplify.filled import filled
from gradgen.simplify.flags import flags
from gradgen.simplify.flattened import flattened
from gradgen.simplify.floating import floating
from gradgen.simplify.floating_bases import floating_bases
from gradgen.simplify.fold import aliases, fold
from gradgen.simplify.fused import fused
from gradgen.simplify.fused_arms import fused_arms
from gradgen.simplify.gathered import gathered
from gradgen.simplify.gram import gram
from gradgen.simplify.grouped import grouped
from gradgen.simplify.halves import halves
from gradgen.simplify.hits import hits
from gradgen.simplify.hoisted import hoisted
from gradgen.simplify.in_order import is_mixed
from gradgen.simplify.into_parts import into_parts
from gradgen.simplify.into_rows import into_rows
from gradgen.simplify.inverses import inverses
from gradgen.simplify.joins import joins
from gradgen.simplify.last_axes import last_axes
from gradgen.simplify.lengths import lengths
from gradgen.simplify.logistic import logistic
from gradgen.simplify.means import means
from gradgen.simplify.methods import methods
from gradgen.simplify.multiplied import multiplied
from gradgen.simplify.narrowed import narrowed
from gradgen.simplify.nested_tests import nested_tests
from gradgen.simplify.normalised import normalised
from gradgen.simplify.number_lists import number_lists
from gradgen.simplify.ordered import ordered
from gradgen.simplify.outside import outside
from gradgen.simplify.overflows import overflows
from gradgen.simplify.pairs import pairs
from gradgen.simplify.passed_on import passed_on
from gradgen.simplify.picked import picked
from gradgen.simplify.placed import placed
from gradgen.simplify.powers import powers
from gradgen.simplify.products import products
from gradgen.simplify.pushed_sums import pushed_sums
from gradgen.simplify.quotients import quotients
from gradgen.simplify.reciprocals import reciprocals
from gradgen.simplify.recompute import recompute
from gradgen.simplify.results import results
from gradgen.simplify.repeated import repeated
from gradgen.simplify.rewrite import identities
from gradgen.simplify.row_sums import row_sums
from gradgen.simplify.scattered import scattered
from gradgen.simplify.scattered_whole import scattered_whole
from gradgen.simplify.saved import saved
from gradgen.simplify.selected_quotients import selected_quotients
from gradgen.simplify.share import share
from gradgen.simplify.signs import signs
from gradgen.simplify.softplus import softplus
from gradgen.simplify.solved import solved
from gradgen.simplify.solved_again import solved_again
from gradgen.simplify.stayed import stayed
from gradgen.simplify.stored import stored
from gradgen.simplify.stretched import stretched
from gradgen.simplify.summed_once import summed_once
from gradgen.simplify.summed_together import summed_together
from gradgen.simplify.sunk import sunk
from gradgen.simplify.symmetric import symmetric
from gradgen.simplify.taken_apart import taken_apart
from gradgen.simplify.terms import terms
from gradgen.simplify.tiled import tiled
from gradgen.simplify.turned import turned
from gradgen.simplify.twins import twins
from gradgen.simplify.unfilled import unfilled
from gradgen.simplify.unpacked import unpacked
from gradgen.simplify.unpopped import unpopped
from gradgen.simplify.unscaled import unscaled
from gradgen.simplify.untransposed import untransposed
from gradgen.simplify.upright import upright
from gradgen.simplify.whole_products import whole_products
from gradgen.target.numba_nests import nests
from gradgen.target.numba_bounds import bounds
from gradgen.target.numba_filled import filled_with_arrays
from gradgen.target.numba_fillers import fillers
from gradgen.target.numba_lists import filled_arrays
from gradgen.target.numba_starts import starts
from gradgen.target.numba_words import in_words
from gradgen.target.retarget import retarget

# A group that runs until nothing changes has settled after so many rounds, or one for
# each statement: of equal factors, each round adds up two.
ROUNDS = 20


@dataclass(frozen=True)
class Pass:
    """A pass: `run(function, *needs)` returns the function as it is afterwards.

    `needs` are attributes of the context. The pass runs where the context's attribute
    `when` is true. Its docstring shows a text before and after, which a test runs.
    """

    run: Callable[..., Function]
    needs: tuple[str, ...] = ()
    when: str = ""

    @property
    def name(self) -> str:
        """The name of the pass in explanations."""
        return self.run.__name__.replace("_", " ")


@dataclass(frozen=True)
class Until:
    """Passes that run in turn until none of them changes anything."""

    passes: tuple[Pass, ...]


SETTLED = Until(
    (
        Pass(aliases),
        Pass(joins),
        Pass(fold),
        Pass(identities, ("facts",)),
        Pass(hits, ("facts",)),
        Pass(turned, ("facts",)),
        Pass(terms, ("facts",)),
        Pass(dead_adjoints),
    )
)
# The derivative, in its shortest form, its stores still functions.
SHORTER: tuple[Pass | Until, ...] = (
    Pass(whole_products, ("facts",)),
    Pass(flags),
    Pass(logistic),
    Pass(upright),
    Pass(centred, ("facts",)),
    Pass(adjoint_products, ("facts",)),
    Pass(outside, ("facts",)),
    SETTLED,
    Pass(softplus, ("facts",)),
    Pass(normalised, ("facts",)),
    Pass(untransposed, ("facts",)),
    Pass(symmetric, ("facts",)),
    Pass(summed_once, ("facts",)),
    Pass(passed_on, ("facts",)),
    Pass(summed_together, ("facts",)),
    Pass(reciprocals, ("facts",), when="is_unguarded"),
    SETTLED,
    Pass(stayed),
    Pass(placed, ("facts", "supply")),
    Pass(solved_again, ("facts",)),
    Pass(densities, ("facts", "supply")),
    Pass(terms, ("facts",)),
    Pass(inverses, ("facts",), when="is_unguarded"),
    Pass(solved, ("facts", "supply")),
    Pass(pairs, ("facts",)),
    Pass(balanced, ("facts",)),
    Pass(row_sums, ("facts", "supply")),
    Pass(scattered, ("facts", "supply")),
    Pass(pushed_sums, ("facts",)),
    Pass(share, ("facts", "line")),
    SETTLED,
    Pass(picked, ("facts",)),
    Pass(row_sums, ("facts", "supply")),
    Pass(scattered, ("facts", "supply")),
    Pass(repeated),
    Pass(unscaled, ("facts",)),
    Pass(signs),
    Pass(narrowed, ("facts",), when="is_numpy"),
    Pass(sunk, ("facts", "supply")),
    Pass(results, ("facts", "supply")),
    Pass(into_parts, ("facts",), when="is_assumed"),
    Pass(even, ("facts", "supply")),
    Pass(dtypes, ("facts",)),
    Pass(dead, ("facts",)),
    Pass(fused, ("facts",), when="is_joint"),
    Pass(dead, ("facts",)),
    Pass(equalities),
    Pass(absorbed, ("facts",)),
    Pass(tiled, ("facts", "is_numpy")),
    Pass(rounds, ("facts",), when="is_guarded"),
    Pass(saved, ("facts", "supply", "save")),
    Pass(dead, ("facts",)),
    Pass(quotients, ("facts",)),
    Pass(absorbed, ("facts",)),
    Pass(dead, ("facts",)),
    Pass(cleared, ("facts",)),
    Pass(fold),
    Pass(entries, ("facts",)),
    Pass(combined, ("facts",)),
    Pass(tiled, ("facts", "is_numpy")),
    Pass(into_rows, ("facts", "supply")),
    Pass(stored, ("facts",)),
    Pass(products, ("facts", "supply")),
    Pass(dead, ("facts",)),
    Pass(overflows, ("facts",)),
    Pass(costly_parts, ("facts",)),
    Pass(recompute, ("facts", "twice")),
    Pass(dead, ("facts",)),
    Pass(named_parts, ("facts",)),
    Pass(unpacked, ("facts", "supply")),
    Pass(twins, ("facts",)),
    Pass(identities, ("facts",)),
    Pass(gram, ("facts",)),
    Pass(stretched, ("facts",), when="is_alike"),
    Pass(dead, ("facts",)),
    Pass(chained, ("facts",)),
    Pass(unfilled, ("facts",), when="is_interpreted"),
    Pass(joins),
    Pass(dead, ("facts",)),
    Pass(at_once),
    Pass(aliases),
    Pass(gathered),
    Pass(grouped, ("facts",)),
    Pass(ordered),
    Pass(unpopped, ("facts",)),
    Pass(exits, ("facts",)),
    Pass(lengths, ("facts",)),
)
# What makes it right in the text: guards where they are asked for, and dtypes.
SAFER: tuple[Pass | Until, ...] = (
    Pass(guard, ("facts", "supply", "epsilon"), when="is_guarded"),
    # a quotient may have been computed again
    Pass(dead, ("facts",), when="is_guarded"),
    Pass(casts, when="is_numpy"),
    Pass(floating, ("facts",), when="is_numpy"),
    Pass(halves, ("facts",), when="has_halves"),
    Pass(scattered_whole, ("facts",), when="is_numpy"),
    Pass(filled, ("facts",)),
    Pass(means, ("facts",)),
    Pass(flattened, ("facts",)),
    Pass(dots, ("facts",), when="is_alike"),
    Pass(last_axes, ("facts",), when="is_alike"),
    Pass(fused_arms, when="is_joint"),
    Pass(branch_terms, ("facts", "supply")),
    Pass(nested_tests),
    Pass(hoisted),
    Pass(selected_quotients, ("facts",), when="is_numpy"),
    Pass(floating_bases, ("facts",), when="is_numpy"),
    Pass(conditionals, ("facts",), when="is_numpy"),
    Pass(as_arrays, ("facts", "supply"), when="is_numpy"),
)
# What costs less in NumPy, in both halves; values differ by rounding.
FASTER: tuple[Pass | Until, ...] = (
    Pass(powers, ("facts", "supply"), when="fast"),
    Pass(contracted, ("facts", "supply"), when="fast"),
    Pass(multiplied, ("facts",), when="fast"),
    Pass(methods, ("facts",), when="fast"),
)
# The words and the stores of the library that the text is written for.
LIBRARY: tuple[Pass | Until, ...] = (
    Pass(retarget, ("facts", "target")),
    Pass(in_words, ("facts", "supply", "callback"), when="is_compiled"),
    Pass(fillers, ("facts", "supply"), when="is_compiled"),
    Pass(starts, ("facts", "supply"), when="is_compiled"),
    Pass(differences),
    Pass(number_lists, ("facts",), when="is_interpreted"),
    Pass(rescaled, ("facts",), when="is_interpreted"),
    Pass(added_numbers, ("facts",), when="is_interpreted"),
    Pass(reads_first),
    Pass(storage, ("facts", "supply", "callback", "entry_views")),
    Pass(copied),
    Pass(cached, ("supply",)),
    Pass(endings),
    Pass(backwards, ("facts",), when="is_interpreted"),
    Pass(filled_arrays, ("facts", "supply"), when="is_compiled"),
    Pass(filled_with_arrays, ("facts",), when="is_compiled"),
    Pass(bounds, ("facts",), when="is_compiled"),
    Pass(nests, ("facts", "supply"), when="is_compiled"),
    Pass(reused, ("facts", "supply", "callback"), when="fast"),
    Pass(taken_apart, ("facts", "supply"), when="is_interpreted"),
)
PASSES = {"shorter": SHORTER, "safer": SAFER, "faster": FASTER, "library": LIBRARY}


def applied(
    group: tuple[Pass | Until, ...],
    function: Function,
    context: Context,
    watch: Watch = UNWATCHED,
) -> Function:
    """The function after the passes of a group; `watch` is told of each.

    What a pass has made it is not given again, before another one has changed it.
    """
    left: dict[Pass, Function] = {}
    for item in group:
        if isinstance(item, Until):
            function = _settled(item, function, context, watch)
        elif left.get(item) is function:
            watch.step(item.run, function, context.facts)
        else:
            left[item] = function = _after(item, function, context, watch)
    return function


def every_pass() -> Iterator[Pass]:
    """The passes of all groups, in their order, as often as they run."""
    for group in PASSES.values():
        for item in group:
            yield from item.passes if isinstance(item, Until) else (item,)


def _settled(
    until: Until, function: Function, context: Context, watch: Watch
) -> Function:
    left: dict[Pass, Function] = {}  # what a pass has left as it was
    for _ in range(max(ROUNDS, len(function.body))):
        before = function
        for one in until.passes:
            if left.get(one) is function:
                continue
            after = _after(one, function, context, watch)
            if after == function:
                left[one] = function
            else:
                function = after
        if function is before:
            return function
    raise InternalError("simplification does not settle")


def _variables(function: Function) -> set[Var]:
    """The variables that a function defines or reads, found once: a pass reads no others."""
    known: set[Var] | None = function.__dict__.get("_variables")
    if known is None:
        known = {param.var for param in function.params}
        known.update(all_defined(function.body), *map(reads_of, function.body))
        function.__dict__["_variables"] = known
    return known


def _is_mixed(function: Function) -> bool:
    """Whether statements of the primal stand between those of the gradient, found once."""
    known: bool | None = function.__dict__.get("_mixed")
    if known is None:
        known = function.__dict__["_mixed"] = is_mixed(function)
    return known


def _after(one: Pass, function: Function, context: Context, watch: Watch) -> Function:
    if one.when and not getattr(context, one.when):
        return function
    given: list[Any] = [getattr(context, name) for name in one.needs]
    if "facts" in one.needs:
        homes = context.facts.homes.keys()
        context.facts.gone = frozenset(homes - _variables(function))
        context.facts.unordered = _is_mixed(function)
    function = one.run(function, *given)
    watch.step(one.run, function, context.facts)
    return function
