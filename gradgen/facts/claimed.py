"""Lengths of which too much is said: the text raises where they do not hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from gradgen.facts.checked import length_of
from gradgen.facts.lengths import size_of
from gradgen.facts.stretching import met, summed
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Function, Let, Note
from gradgen.ir.nodes import Ref, Role, Stmt, Var
from gradgen.ir.walk import lets, subexpressions, substitute, with_blocks
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.shapes.actual import Actual, Length, Part, Sizes
from gradgen.shapes.actual import is_turning, least
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.slices import is_behind, lag_of
from gradgen.shapes.spans import is_no_less, side

Told = Mapping[str, tuple[Expr, int]]


def claimed(primal: Function, facts: Facts, told: Told) -> Function:
    """The function, which raises where parts lie beyond the ends of arrays.

    `told` has an argument, and one of its axes, for each letter.

        before:  p = np.pad(x[1:-1], 1)        # x (n): p has 2 entries where n is 1
        after:   if len(x) < 2:
                     raise ValueError("n is less than 2")
                 p = np.pad(x[1:-1], 1)
    """
    actual = Actual(facts)
    sure = set(_sure(primal, actual))
    lags = _lags(primal, facts)

    def block(body: Iterable[Stmt], known: Mapping[str, int]) -> Iterator[Stmt]:
        known = dict(known)
        for stmt in body:
            late: list[Let] = []
            for var in _lags_in(stmt, facts) & lags:
                lags.discard(var)
                test = Apply("numpy.equal", (Ref(var), Const(0)), (), "operator")
                yield _branch(test, f"{var.name} is 0")
            if isinstance(stmt, Let):
                filled = _reduced_list(stmt, facts)
                count = None if filled is None else facts.count_of(filled)
                letter = "" if count is None else count.symbol or ""
                if letter in told:
                    if not known.get(letter, 0):
                        known[letter] = 1
                        yield _raising({letter: 1}, told)
                elif filled is not None:
                    yield _of_no_entries(filled)
                for bounds in _bounds(stmt, facts, actual, sure):
                    new = {x: n for x, n in bounds.items() if known.get(x, 0) < n}
                    if not new.keys() <= told.keys():
                        late.append(stmt)
                    elif new:
                        known |= new
                        yield _raising(new, told)
            yield with_blocks(stmt, lambda inner: block(inner, known))
            for let in late:
                yield from _differing(let, actual, told)

    body = tuple(block(primal.body, {}))
    return primal if body == primal.body else replace(primal, body=body)


def _lags(primal: Function, facts: Facts) -> set[Var]:
    """The k of x[k:] and x[:-k], which count as equally long, where k may be 0."""
    ways: dict[Var, set[bool]] = {}
    for let in lets(primal.body):
        for item in _slices(let):
            var = lag_of(facts, item)
            if var is not None and not is_no_less(facts, facts.dim(Ref(var)) - ONE):
                ways.setdefault(var, set()).add(is_behind(item))
    return {var for var, found in ways.items() if len(found) == 2}


def _lags_in(stmt: Stmt, facts: Facts) -> set[Var]:
    found = (lag_of(facts, item) for one in lets([stmt]) for item in _slices(one))
    return {var for var in found if var is not None}


def _slices(let: Let) -> Iterator[Apply]:
    for node in subexpressions(let.value):
        if isinstance(node, Apply) and node.op == "slice":
            yield node


def _reduced_list(let: Let, facts: Facts) -> Expr | None:
    """The list of arrays, which may have none, that is reduced along one of its axes.

    Of no rows NumPy makes a vector, and of its sum along an axis a number.
    """
    value = let.value
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    if rule is None or getattr(rule.shape, "op", "") != "reduced":
        return None
    assert isinstance(value, Apply) and isinstance(rule.shape, Apply)
    array, axis = substitute(rule.shape, bind(rule, value)).args[:2]
    if axis == Const(None):
        return None
    made = facts.definitions.get(array.var, array) if isinstance(array, Ref) else array
    for one in (array, *(made.args if isinstance(made, Apply) else ())):
        if isinstance(one, Ref) and facts.is_list(one):
            entries, count = facts.entries_of(one), facts.count_of(one)
            sure = count is not None and side(count - ONE) > 0
            return None if sure or entries is None or entries.rank == 0 else one
    return None


def _of_no_entries(filled: Expr) -> Stmt:
    length = Apply("len", (filled,), (), "name:len")
    test = Apply("numpy.equal", (length, Const(0)), (), "operator")
    return _branch(test, "rows of an array are wanted")


def _sure(primal: Function, actual: Actual) -> Iterator[Dim]:
    """The lengths of values that have them: what is joined may be taken for as long."""
    for var in (*(x.var for x in primal.params), *(x.var for x in lets(primal.body))):
        dims = actual.dims(Ref(var))
        for axis, dim in enumerate(dims, -len(dims)):
            if not actual.is_wrong(Ref(var), axis):
                yield dim


def _bounds(
    let: Let, facts: Facts, actual: Actual, sure: Collection[Dim]
) -> Iterator[Mapping[str, int]]:
    """The least lengths of letters for which a statement has the lengths it is said to."""
    value = let.value
    if not isinstance(value, Apply):
        return
    dims = actual.dims(Ref(let.var))
    for axis in range(-len(dims), 0):
        found = actual.length(Ref(let.var), axis)
        parts = actual.joined(value, axis, dims[axis])
        turns = is_turning(value) and found is not None and found.wrong
        if (parts or turns) and found is not None:
            names = found.names.union(*(part.length.names for part in parts))
            held = dims[axis] in sure and dims[axis].number is None

            def amiss(sizes: Sizes) -> bool:
                return (
                    _starts_elsewhere(parts, sizes) or held and not found.holds(sizes)
                )

            yield least(names, amiss) or {}
    for one in chain(met(let, facts, _is_one), summed(let, facts, _is_one)):
        other = actual.length(one.other, one.axis)
        own = actual.length(one.value, one.axis)
        if (
            other is not None
            and own is not None
            and other.wrong
            and one.value != one.other
        ):
            yield (
                least(own.names | other.names, lambda sizes: _meets(own, other, sizes))
                or {}
            )


def _is_one(size: Dim) -> bool:
    return size == ONE


def _starts_elsewhere(parts: list[Part], sizes: Sizes) -> bool:
    """Whether a part starts elsewhere, as x[:1] is taken to have an entry before it."""
    said, at = 0, 0
    for part in parts:
        length = part.length.of(sizes)
        if length and said != at:
            return True
        at += length
        said += 1 if part.is_first else length
    return False


def _meets(own: Length, other: Length, sizes: Sizes) -> bool:
    """Whether one entry meets none, by some arm."""
    one = own.of(sizes) == 1 or own.open and own.said == ONE
    return one and other.of(sizes) == 0


def _differing(let: Let, actual: Actual, told: Told) -> Iterator[Stmt]:
    """A test of what a statement has made, of parts whose lengths no letter tells."""
    dims = actual.dims(Ref(let.var))
    ones = met(let, actual.facts, _is_one)
    stretched = {one.axis for one in ones if actual.is_wrong(one.other, one.axis)}
    for axis, size in enumerate(dims):
        place = axis - len(dims)
        wrong = place in stretched or actual.is_wrong(Ref(let.var), place)
        if wrong and size.names and size.names <= told.keys():
            length = size_of(size, lambda letter: length_of(*told[letter]))
            both = length_of(Ref(let.var), axis), length
            why = f"{size} entries are more, or fewer, than there are"
            yield _branch(Apply("numpy.not_equal", both, (), "operator"), why)


def _raising(bounds: Mapping[str, int], told: Told) -> Stmt:
    tests, words = [], []
    for letter, bound in sorted(bounds.items()):
        word = "numpy.equal" if bound == 1 else "numpy.less"
        number = Const(bound if bound > 1 else 0)
        tests.append(Apply(word, (length_of(*told[letter]), number), (), "operator"))
        words.append(
            f"{letter} is less than {bound}" if bound > 1 else f"{letter} is 0"
        )
    test = tests[0] if len(tests) == 1 else Apply("or", tuple(tests), (), "operator")
    return _branch(test, " or ".join(words))


def _branch(test: Expr, why: str) -> Stmt:
    args = Const(ValueError, "ValueError"), Const(why)
    note = Note(Role.FORWARD)
    return Branch(test, (Effect(Apply("raise", args), note),), (), (), note)
