"""What is assumed of arguments that nothing tells of: three conventions, and what a body asks.

A. Where a term of the result is surely a number (all of an array is reduced to it),
   the result is one, and elementwise a number's operands are numbers.
B. In `A @ B` there are no batch axes: an A of unknown rank is a matrix.
C. An array that has to have two axes has no more, and one that is squared is a vector.

What is assumed is looked at when the text runs: it raises where it does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from gradgen.facts.beside import beside
from gradgen.facts.computed import computed
from gradgen.facts.fits import of_one_kind, parameters
from gradgen.facts.kernels import kernels
from gradgen.facts.fitting import ITS
from gradgen.facts.forced import cast, forced, formulas
from gradgen.facts.gates import gates
from gradgen.facts.gathers import gathers, is_count, places
from gradgen.facts.layers import BIASES, Layers
from gradgen.facts.geometry import geometry
from gradgen.facts.least import least
from gradgen.facts.left_out import made_instead
from gradgen.facts.matrices import Products, Step
from gradgen.facts.merged import merged
from gradgen.facts.models import examples, models
from gradgen.facts.numbers import Numbers, is_reduced
from gradgen.facts.one_place import one_place, single_places
from gradgen.facts.pairs import pairs
from gradgen.facts.places import Places, labels
from gradgen.facts.progressions import progressions
from gradgen.facts.rates import rates, written_out
from gradgen.facts.own_products import own_products
from gradgen.facts.quadratic import quadratic
from gradgen.facts.scales import scales
from gradgen.facts.sides import sides
from gradgen.facts.slopes import slopes
from gradgen.facts.spoken import beside_coefficients, named, spoken
from gradgen.facts.told_rows import meets_a_row
from gradgen.facts.whole_lengths import lengths_untold
from gradgen.frozen import dataclass
from gradgen.facts.through import of_entries, is_lower_argument
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Param, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, statements
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Within, show_dims
from gradgen.shapes.spec import OR_ROW, read_shape
from gradgen.shapes.asked import asked_axes, asked_ranks
from gradgen.shapes.ranks import ANY, NoRanks, Ranks, Tables

NAMES = {0: "a number", 1: "a vector", 2: "a matrix"}
# no rank is assumed of what may be no array at all
OTHER = ("None", "True", "False")
# the fact of what is no number
NO_NUMBER = ":str"


@dataclass(frozen=True)
class Assumed:
    """The rank of an argument: assumed by a convention, or asked for by the body.

    With `array` it is no list either, so that the body may be told that. What is `told`
    is assumed of a container, and no rank; `fact` is the fact that would tell it.
    """

    name: str
    rank: int
    asked: bool
    array: bool = False
    length: str = ""  # of its axes, as a fact; a number is that of a vector
    told: str = ""
    fact: str = ""
    fits: str = ""  # the axes of what it broadcasts to, where no rank is assumed; d|1 d
    main: str = ""  # the argument whose shape that is, where that has no rank either
    alike: bool = False  # whether it has that shape
    whole: bool = False  # whether it is an array of integers

    @property
    def words(self) -> str:
        """ridge is a number, b broadcasts to (n, d)"""
        if self.fits and not self.is_row:
            verb = "has" if self.alike else "broadcasts to"
            return f"{self.name} {verb} {self._largest}"
        return f"{self.name} is {self.called}"

    @property
    def called(self) -> str:
        if self.is_row:
            size = self.fits.partition(OR_ROW)[0]
            return f"({size}) or (1, {size})"
        if self.fits:
            return f"what {'has' if self.alike else 'broadcasts to'} {self._largest}"
        if self.is_counted:
            return f"a vector of {self.length}"
        if self.is_place:
            return "a whole number"
        called = NAMES.get(self.rank, f"an array of {self.rank} axes")
        return self.told or called + (" of integers" if self.whole else "")

    @property
    def is_place(self) -> bool:
        """Whether it is one whole number."""
        return self.whole and not self.rank

    @property
    def is_row(self) -> bool:
        """Whether it is a vector, or one row of a matrix: d|1 d."""
        return OR_ROW in self.fits

    @property
    def _largest(self) -> str:
        if self.fits == ITS:
            return f"the shape of {self.main}"
        return show_dims(read_shape(self.fits).dims or ())

    @property
    def is_counted(self) -> bool:
        """Whether it is a vector of so many entries."""
        return self.rank == 1 and self.length.isdecimal()


def assumed(
    primal: Function,
    facts: Facts,
    wrt: Collection[str],
    arrays: Collection[str],
    guessed: int = 0,
    two_axes: bool = False,
    tables: Tables | None = None,
) -> tuple[Assumed, ...]:
    """The ranks of arguments that nothing tells of, in the order of the arguments.

    `facts` are what is told, and follows; `wrt` are the arguments of the gradient,
    `arrays` those that are described as arrays. `guessed` is the rank that operands of
    functions get which are not elementwise, where nothing else tells one; with
    `two_axes` convention C counts as well. `tables` keeps what is found of operations.

    before:  return np.mean(r * r) + ridge * np.sum(w * w)    # r = X @ w - y
    after:   ridge is a number, X is a matrix
    """
    free = [p for p in primal.params if is_free(p, facts)]
    left_out = [p for p in primal.params if two_axes and is_optional(p, facts)]
    if not free and not left_out:
        return ()
    primal = merged(primal)
    ranks = Ranks(primal, facts, False, tables=tables)
    guess = Ranks(primal, facts, True, two_axes, ranks.tables)
    try:
        ranks.settle()
        for var, rank in asked_ranks(primal.body):
            ranks.narrow(var, [rank])
            guess.narrow(var, [rank])
        for var, axes in asked_axes(primal.body):
            for one in (ranks, guess):
                one.narrow(var, [rank for rank in ANY if rank >= axes])
        guess.settle()
        two = Layers(primal, facts, guess.copy()) if two_axes else None
        _reduced_are_arrays(primal, facts, guess)
        for param in free:
            if param.listed:
                _narrow([(param.var, param.listed)], ranks, guess)
    except NoRanks:
        return ()
    asked = {p.var for p in free if len(ranks.of(Ref(p.var))) == 1}
    numbers = Numbers(primal, facts, guess, wrt, arrays, two_axes)
    lengths = lengths_untold(primal)
    for steps in (
        made_instead(primal, facts, guess) if two else (),
        ([(var, 0)] for var in lengths) if two else (),
        cast(numbers),
        slopes(primal, facts) if two else (),
        two.vectors() if two else (),
        quadratic(primal, facts) if two else (),
        own_products(primal, facts) if two else (),
        two.unpacked() if two else (),
        one_place(primal, facts, guess) if two else (),
        Products(primal, facts).diagonals() if two else (),
        Products(primal, facts).steps(),
        beside(primal, facts, guess) if two else (),
        two.dots() if two else (),
        two.matrices() if two else (),
        models(primal, facts, guess) if two else (),
        two.written_out() if two else (),
        beside(primal, facts, guess) if two else (),
        computed(primal, facts, guess) if two else (),
        two.rows(guess) if two else (),
        two.biases(guess) if two else (),
        meets_a_row(primal, facts, guess) if two else (),
        two.normalised(guess) if two else (),
        pairs(primal, facts, guess) if two else (),
        two.asked() if two else (),
        models(primal, facts, guess) if two else (),
        two.columns() if two else (),
        two.no_stacks(guess) if two else (),
        spoken(primal, facts, guess) if two else (),
        named(primal, facts, guess, arrays) if two else (),
        forced(numbers),
        kernels(numbers) if two else (),
        progressions(numbers) if two else (),
        rates(numbers) if two_axes else (),
        written_out(primal) if two else (),
        formulas(numbers) if two else (),
        numbers.steps(),
        numbers.parameters(),
        parameters(numbers) if two else (),
        two.crossed(guess) if two else (),
        geometry(primal, facts, guess) if two else (),
        two.offsets(guess) if two else (),
        two.main(guess, wrt) if two else (),
        models(primal, facts, guess) if two else (),
        two.paired(guess) if two else (),
        two.moved(guess) if two else (),
        two.capitals(guess) if two else (),
        two.fitted(guess) if two else (),
        scales(primal, facts, guess) if two else (),
        beside_coefficients(primal, guess, wrt) if two else (),
        two.attended(guess) if two else (),
        two.batches(guess, wrt) if two else (),
        gates(facts, guess) if two else (),
        examples(primal, facts, guess) if two else (),
        Places(primal, facts).steps(guess) if two else (),
        gathers(primal, facts, guess) if two else (),
        least(primal, facts, guess, free) if two else (),
        two.main(guess, wrt) if two else (),
        sides(primal, facts, guess) if two else (),
        computed(primal, facts, guess) if two else (),
        models(primal, facts, guess) if two else (),
        beside(primal, facts, guess) if two else (),
        two.main(guess, wrt) if two else (),
        two.vectors() if two else (),
        numbers.steps() if two else (),
        made_instead(primal, facts, guess) if two else (),
        of_one_kind(numbers) if two else (),
        two.vectors() if two else (),
        _operands(primal, facts, guessed),
    ):
        for step in steps:
            _narrow(step, ranks, guess, others=free)
    # what loops and arms allow one rank of, if they run (an arm may make an array of a number)
    if two is not None:
        arms = any(isinstance(stmt, Branch) for stmt in statements(primal.body))
        for param in free:
            sure = guess.of(Ref(param.var))
            if len(sure) == 1 and not (arms and 0 in sure):
                _narrow([(param.var, min(sure))], ranks)
    found = [(p, ranks.of(Ref(p.var))) for p in free]
    # lam=None beside the sum of an array: a number, where it is given
    made = {step[0][0] for step in made_instead(primal, facts, guess)}
    for param in left_out:
        known = ranks.of(Ref(param.var))
        if known == {0} or param.var in made and len(known) == 1:
            found.append((param, known))
    keys = places(primal, facts) | set(labels(primal, facts)) if two else set()
    keys |= single_places(primal, facts) | lengths if two else set()
    return tuple(
        Assumed(param.label, min(one), param.var in asked, whole=param.var in keys)
        for param, one in found
        if len(one) == 1 and min(one) < max(ANY)
    )


def _narrow(step: Step, *ranks: Ranks, others: Iterable[Param] = ()) -> None:
    """Takes the ranks of a step for all, where they fit.

    None asks for three axes of another argument, or for two of a bias: w1 of
    (X @ w1 + b1) @ w2 + b2 is no vector where that has rows. What is said of an item
    is said of the whole.
    """
    before = [dict(one.known) for one in ranks]
    rank = dict(step)
    wholes = {
        var
        for let in ranks[-1].statements
        if let.var in rank and getattr(let.value, "op", "") in ("item", "getitem")
        for var in reads(let.value)
    }
    most = {
        Ref(param.var): _most(param)
        for param in others
        if param.var not in rank and param.var not in wholes
    }
    if any(is_count(one) and rank.get(one.var, 0) != 0 for one in others):
        return  # an array, and not what it is by default: 10
    small = [one for one in most if min(ranks[-1].of(one)) <= most[one]]
    try:
        for one in ranks:
            for var, axes in step:
                one.narrow(var, [axes])
        if any(min(ranks[-1].of(one)) > most[one] for one in small):
            raise NoRanks
    except NoRanks:
        for one, known in zip(ranks, before):
            one.known = known


def _most(param: Param) -> int:
    """The most axes that are asked for of an argument by what is assumed of another."""
    if is_count(param):
        return 0
    return 1 if param.var.name.rstrip("0123456789") in BIASES else 2


def _operands(
    primal: Function, facts: Facts, rank: int
) -> Iterator[list[tuple[Var, int]]]:
    """The operands of unknown rank of functions that are not elementwise, in order."""
    for let in lets(primal.body) if rank else ():
        rule = operations().get(let.value.op) if isinstance(let.value, Apply) else None
        if rule is not None and rule.kind in ("linear", "general", "integer"):
            for var in reads(let.value):
                if facts.shapes[var].rank is None:
                    yield [(var, rank)]


def is_optional(param: Param, facts: Facts) -> bool:
    """Whether nothing is known of the rank of an argument that may be left out: None."""
    return param.default == "None" and is_free(replace(param, default=None), facts)


def is_free(param: Param, facts: Facts) -> bool:
    """Whether nothing is known of the rank of an argument that may be an array.

    An instance is none, and no container, nor what is told to be a word.
    """
    if facts.is_list(Ref(param.var)) or param.fact == NO_NUMBER:
        return False
    if param.default in OTHER or facts.shapes[param.var].rank is not None:
        return False
    told = facts.shapes[param.var].atoms
    written = (param.default or "")[:1] in ("'", '"', "(", "[", "{")
    named = any(getattr(atom, "name", "").startswith("*") for atom in told)
    named = named or any(isinstance(atom, Within) for atom in told)
    return not written and not named


def _reduced_are_arrays(primal: Function, facts: Facts, guess: Ranks) -> None:
    """Nobody sums a number: what is reduced to one, or along an axis, is an array."""
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if not is_reduced(let, guess) and not _has_axis(value):
            continue
        first = value.args[0] if value.args else None
        if isinstance(first, Ref) and 0 in guess.of(first) != frozenset([0]):
            if not _is_of_products(first, facts):
                guess.narrow(first.var, ANY - {0})


def _has_axis(value: Apply) -> bool:
    """Whether an operation goes along an axis that it names: np.mean(x, axis=-1)."""
    axis = dict(value.kwargs).get("axis", Const(None))
    rule = operations().get(value.op)
    along = rule is not None and rule.kind in ("linear", "general")
    return along and axis != Const(None)


def _is_of_products(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed of products alone, entry by entry: np.sum(y @ h)."""
    ends = [
        facts.definitions.get(end.var) if isinstance(end, Ref) else end
        for end in upstream(value, facts.definitions, of_entries)
    ]
    made = [end for end in ends if not isinstance(end, Const)]
    products = [
        end for end in made if isinstance(end, Apply) and end.op in MATRIX_PRODUCTS
    ]
    return len(products) == len(made) and all(
        _is_lower(product.args[0], facts) for product in products
    )


def _is_lower(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed of arguments without a capital, entry by entry."""
    return all(
        isinstance(end, Const) or is_lower_argument(end)
        for end in upstream(value, facts.definitions, of_entries)
    )
