"""What arguments of no known rank meet: the shapes of what they are computed with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from gradgen.facts.numbers import MOMENTS, is_parameter
from gradgen.ir.nodes import Apply, Branch, Function, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS
from gradgen.ir.walk import lets, reads, statements
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.rule import Rule
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, Within, join

# what is computed of several such arguments
SEVERAL = "*"


def met(
    primal: Function, facts: Facts, names: Collection[str]
) -> Iterator[tuple[str, Shape]]:
    """The arguments of elementwise operations with the shape of what else they take.

    Of a sum that is all its terms: x[:, None] + b + y[None, :] is (n, m), and b meets it.
    """
    of = {param.var: param.label for param in primal.params if param.label in names}
    several: dict[Var, set[str]] = {}  # dt and tau of dt / tau
    partial: dict[Var, tuple[str, Shape]] = {}  # sums with terms to come
    once = Counter(var for let in lets(primal.body) for var in reads(let.value))
    sums = {
        var
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op in ADDITIVE
        for var in reads(let.value)
        if once[var] == 1
    }
    for let in statements(primal.body):
        if isinstance(let, Branch):
            yield from _merged(let, facts, of)
        if not isinstance(let, Let):
            continue
        value = let.value
        rule = operations().get(value.op) if isinstance(value, Apply) else None
        if rule is None or facts.several(value):
            continue
        assert isinstance(value, Apply)
        if (whole := same_as(rule, value)) is not None and whole.var in of:
            of[let.var] = of[whole.var]  # x.astype(float)
            several |= {let.var: several[whole.var]} if whole.var in several else {}
            continue
        if rule.shape is not None and value.op not in COMPARISONS:
            continue
        given = [arg for arg in value.args if isinstance(arg, Ref)]
        known = {of.get(arg.var, "") for arg in given if _counts(arg, facts, of)}
        has_more = any(arg.var in partial for arg in given)
        if len(known) == 1 and not has_more:  # np.exp(log_scale) has the shape of that
            (of[let.var],) = known
            alike = (several[arg.var] for arg in given if arg.var in several)
            several |= {let.var: one for one in alike}
            continue
        if known and "" not in known:
            of[let.var] = SEVERAL
            parts = (several.get(arg.var, {of.get(arg.var, "")}) for arg in given)
            several[let.var] = set().union(*parts) - {""}
        for arg in given:
            before = SCALAR
            name = of.get(arg.var)
            others = [other for other in given if of.get(other.var) != name]
            if name is None and arg.var in partial:
                name, before = partial[arg.var]
                others = [other for other in given if other != arg]
            try:
                shape = join(*(_largest(facts.of(other)) for other in others), before)
            except ShapeConflict:
                continue
            if name is not None and shape != SCALAR:
                if value.op in ADDITIVE and let.var in sums and name in names:
                    partial[let.var] = name, shape
                    continue
                every = several.get(arg.var, {name})
                yield from ((one, shape) for one in every if one in names)


def _merged(
    branch: Branch, facts: Facts, of: dict[Var, str]
) -> Iterator[tuple[str, Shape]]:
    """The arguments that a branch gives another value, with the shape of that.

    before:  if weights is None: weights = np.ones(n)       after:  weights, (n)
    """
    for merge in branch.merges:
        ways = [way for way in (merge.then, merge.orelse) if isinstance(way, Ref)]
        known = [way for way in ways if of.get(way.var, "") not in ("", SEVERAL)]
        others = [way for way in ways if way not in known]
        if len(known) == 1:
            name = of[merge.var] = of[known[0].var]
            for other in others:
                if facts.rank(other):
                    yield name, facts.of(other)


def same_as(rule: Rule, value: Apply) -> Ref | None:
    """The argument that an operation gives the shape of, whatever else it takes."""
    word = rule.shape
    if not isinstance(word, Apply) or word.op != "same":
        return None
    of = word.args[0]
    found = bind(rule, value)
    known = [
        arg
        for param, arg in found.items()
        if isinstance(of, Ref) and param.name == of.var.name
    ]
    return known[0] if known and isinstance(known[0], Ref) else None


def read_by_entries(primal: Function, names: Collection[str]) -> set[str]:
    """The arguments of which an entry or the length is read, if only behind a branch.

    before:  if w is None: w = np.ones(n)
             loss += w[i] * r**2                                    after:  w
    """
    of = {param.var: param.label for param in primal.params if param.label in names}
    found = set()
    for stmt in statements(primal.body):
        for merge in stmt.merges if isinstance(stmt, Branch) else ():
            for way in (merge.then, merge.orelse):
                if isinstance(way, Ref) and way.var in of:
                    of[merge.var] = of[way.var]
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(value, Apply) and value.op in ("getitem", "len") and value.args:
            whole = value.args[0]
            if isinstance(whole, Ref) and whole.var in of:
                found.add(of[whole.var])
    return found


def _largest(shape: Shape) -> Shape:
    """A shape with the largest one for what broadcasts to that."""
    if not any(isinstance(atom, Within) for atom in shape.atoms):
        return shape
    return join(
        *(
            atom.base if isinstance(atom, Within) else Shape(frozenset([atom]))
            for atom in shape.atoms
        )
    )


def _counts(arg: Ref, facts: Facts, of: Mapping[Var, str]) -> bool:
    """Whether a value is of such an argument, or has axes: a number changes no shape."""
    return arg.var in of or facts.rank(arg) != 0


def met_alone(
    primal: Function, facts: Facts, found: Mapping[str, str], asked: Collection[str]
) -> set[str]:
    """The arguments that a gradient is asked of, and that meet another such one at once.

    before:  np.sum((anchor - positive) ** 2, axis=1)      # anchor is a matrix
    after:   positive, which has the same shape

    So has log_sigma beside mu, a matrix; a mean of x may be a row. And so has T of `T - model`, with a capital,
    the shape of a model that has two axes or more.
    """
    of = {param.var: param.label for param in primal.params if param.label in asked}
    sized = {name for name, fact in found.items() if " " in fact and name in asked}
    pairs, observed = set(), set()
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op in ADDITIVE:
            given = [arg.var for arg in value.args if isinstance(arg, Ref)]
            both = [of[var] for var in given if var in of]
            alike = len({name[:1].isupper() for name in both}) == 1  # not X + t
            if len(both) == 2 and alike and facts.rank(Ref(let.var)):
                pairs.add(frozenset(both))
            first = of.get(given[0], "") if len(given) == 2 else ""
            if value.op == "numpy.subtract" and first[:1].isupper():
                observed |= {first} & sized
    moments = {facts.rank(Ref(var)) for var, name in of.items() if name in MOMENTS}
    own = {name for name in sized & MOMENTS if len(found[name].split()) in moments}
    return (own | observed) | {
        name
        for pair in pairs
        for name in pair & sized
        if not is_parameter(name) and pair - sized
        if name not in MOMENTS or pair <= MOMENTS
    }
