"""Convention C of rates: what a state is taken apart for, to be put together again.

The right-hand side of a differential equation, and a step, return an array of as many
entries as they read of the state. These are numbers, and so is all they are made of.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.numbers import Numbers
from gradgen.facts.through import of_entries
from gradgen.facts.keys import is_place
from gradgen.facts.two_axes import COORDINATES
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads

# what such functions take beside their state
TIMES = frozenset("t time dt h".split())

# what may be an entry of an array that is written out
_ENTRY = Ref | Const


def rates(numbers: Numbers) -> Iterator[Step]:
    """The state is a vector, and the parameters of its rates are numbers.

    before:  S, I, R = y
             return np.array([-beta * S * I, beta * S * I - gamma * I, gamma * I])
    after:   y is a vector, beta and gamma are numbers

    A point x, y = p may be an array of points, if the function has no time. Rates that
    are returned beside one another are some where it has one.
    """
    taken = _taken_apart(numbers.primal)
    has_time = not TIMES.isdisjoint(param.label for param in numbers.primal.params)
    for entries in _lists_of(numbers.primal, has_time):
        bases = {base for entry in entries for base in _bases(entry, numbers)}
        for base in sorted(bases, key=lambda var: var.id):
            places, names = taken[base]
            every = set(range(len(entries)))
            if len(places) < 2 or not (
                places <= every if has_time else places == every
            ):
                continue  # what the rates do not depend on is not read
            if COORDINATES.issuperset(names) and not has_time:
                continue
            if 1 in numbers.ranks.of(Ref(base)):
                yield [(base, 1)]
                for entry in entries:
                    yield from numbers.backwards(entry, True)


def _lists_of(primal: Function, has_time: bool) -> Iterator[tuple[Expr, ...]]:
    """The entries of what may be rates: of an array, or of what is returned with a time.

    before:  return np.array([dS, dI])          return dS, dI, of t and y
    """
    for let in lets(primal.body):
        value = let.value
        listed = value.args[0] if isinstance(value, Apply) and value.args else None
        if getattr(value, "op", "") == "numpy.array" and isinstance(listed, Apply):
            if listed.op == "list" and all(isinstance(e, _ENTRY) for e in listed.args):
                yield listed.args
    if has_time and len(primal.values) > 1:
        yield primal.values


def written_out(primal: Function) -> Iterator[Step]:
    """The entries of a table that is written out in rows are numbers, and its factor.

    before:  E / (1 - nu) * np.array([[1 - nu, nu], [nu, 1 - nu]])
    after:   E and nu are numbers
    """
    tables: set[Expr] = set()
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op == "numpy.multiply" and not tables.isdisjoint(value.args):
            others = (one for one in value.args if one not in tables)
            yield from ([(one.var, 0)] for one in others if isinstance(one, Ref))
        if value.op != "numpy.array":
            continue
        rows = value.args[0]
        if getattr(rows, "op", "") == "list" and all(
            getattr(row, "op", "") == "list" for row in getattr(rows, "args")
        ):
            yield from ([(var, 0)] for var in reads(rows))
            tables.add(Ref(let.var))


def turned_points(primal: Function) -> set[Var]:
    """The arrays that are taken apart into coordinates, of which others are made.

    before:  x, y = p
             return np.array([c * x - s * y, s * x + c * y])
    after:   p, which may have the coordinates of many points
    """
    if not TIMES.isdisjoint(param.label for param in primal.params):
        return set()
    made = {
        len(value.args[0].args)
        for let in lets(primal.body)
        if isinstance(value := let.value, Apply) and value.op == "numpy.array"
        if isinstance(value.args[0], Apply) and value.args[0].op == "list"
    }
    return {
        var
        for var, (places, names) in _taken_apart(primal).items()
        if COORDINATES.issuperset(names) and len(places) in made - {1}
    }


def _taken_apart(primal: Function) -> dict[Var, tuple[set[int], set[str]]]:
    """The places that are read of each array, and what the entries are called."""
    found: dict[Var, tuple[set[int], set[str]]] = {}
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op == "getitem":
            whole, key = value.args
            if isinstance(whole, Ref) and isinstance(key, Const) and is_place(key):
                places, names = found.setdefault(whole.var, (set(), set()))
                places.add(key.value)
                names.add(let.var.name or "x")
    return found


def _bases(entry: Expr, numbers: Numbers) -> Iterator[Var]:
    """The arrays of which places are read for a value that is made of them by entries."""
    known = numbers.facts.definitions
    for end in upstream(entry, known, of_entries):
        made = known.get(end.var) if isinstance(end, Ref) else None
        if isinstance(made, Apply) and made.op == "getitem":
            whole, key = made.args
            if isinstance(whole, Ref) and is_place(key):
                yield whole.var
