"""Arguments that meet arrays, and are numbers, or square matrices, by what they meet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gradgen.facts.fits import DATA
from gradgen.facts.fitting import ITS, is_told
from gradgen.facts.meeting import met
from gradgen.facts.numbers import NUMBERS, is_parameter
from gradgen.ir.nodes import Function, Loop, Ref
from gradgen.ir.operators import ARRAY_PRODUCTS
from gradgen.ir.walk import lets, own_expressions, reads, statements
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, whole
from gradgen.shapes.spec import read_size


def of_shapes_apart(
    primal: Function, facts: Facts, names: Collection[str], letters: Collection[str]
) -> set[str]:
    """The arguments that meet arrays of which neither broadcasts to the other: numbers.

    before:  np.mean(S, axis=1) * np.cos(flip) ... S * np.sin(flip)      # S (n, d)
    after:   flip is a number: a vector of n would not go with S

    So is what meets the entries that a mask has chosen, sill of sill * np.exp(-d[d > 0]),
    and what a parameter is called beside entries of which nobody knows how many there
    are, or beside rows of which nobody knows how long they are (alpha * x[t]).
    """
    shapes_met: dict[str, set[Shape]] = {}
    for name, shape in met(primal, facts, names):
        shapes_met.setdefault(name, set()).add(shape)
    found = set()
    last = {name: name.rpartition(".")[2] for name in shapes_met}  # a of self.a
    beside_rows = set(shapes_met) - _states(primal) - _outside(primal)
    beside_rows = {n for n in beside_rows if last[n] not in DATA and last[n][-1] != "s"}
    if any(getattr(let.value, "op", "") in ARRAY_PRODUCTS for let in lets(primal.body)):
        beside_rows = set()
    for name, shapes in shapes_met.items():
        every = [shape.dims or (ONE,) for shape in shapes]
        # c of an LSTM is a state
        model = len(last[name]) > 1 and (is_parameter(name) or name in NUMBERS)
        sizes = [dim for dims in every for dim in dims]
        open_ones = (shape.rank is None and shape != whole(ITS) for shape in shapes)
        by_rows = model or name in beside_rows
        if any(_is_chosen(dim, model) for dim in sizes) or by_rows and all(open_ones):
            found.add(name)
        elif name.islower() and all(
            ONE not in dims and all(is_told(dim, letters) for dim in dims)
            for dims in every
        ):
            least = [one for one in shapes if all(one <= other for other in shapes)]
            found |= set() if least else {name}
    return found


def _states(primal: Function) -> set[str]:
    """The arguments that loops begin with."""
    labels = {param.var: param.label for param in primal.params}
    entries = (
        slot.entry
        for stmt in statements(primal.body)
        for slot in (stmt.carried if isinstance(stmt, Loop) else ())
    )
    return {labels[e.var] for e in entries if isinstance(e, Ref) and e.var in labels}


def _outside(primal: Function) -> set[str]:
    """The arguments that are read outside of loops."""
    labels = {param.var: param.label for param in primal.params}
    inside = {
        id(one)
        for stmt in statements(primal.body)
        for one in (statements(stmt.body) if isinstance(stmt, Loop) else ())
    }
    outer = (stmt for stmt in statements(primal.body) if id(stmt) not in inside)
    read = {var for stmt in outer for e in own_expressions(stmt) for var in reads(e)}
    return {labels[var] for var in read if var in labels}


def _is_chosen(dim: Dim, unknown: bool) -> bool:
    """Whether it is as many as a mask chooses, or any `unknown` length."""
    return any(name.startswith("?" if unknown else "?[") for name in dim.names)


def of_squares(
    found: Mapping[str, str], asked: Collection[str], shapes: Iterable[Iterable[str]]
) -> set[str]:
    """The `asked` arguments without a capital that broadcast to a square matrix: numbers.

    before:  np.exp(-sq / (2 * ell**2))        # sq (n, n), of each pair of rows
    after:   ell is a number

    So is what a parameter is called beside the pairs of rows of two arrays, sq (n, m) of
    X (n, d) and Z (m, d) among the `shapes`.
    """
    small = {name for name in asked if name.islower() and not _is_plural(name)}
    numbers = {name for name in small if _is_square(found.get(name, ""))}
    rows = {tuple(one) for one in map(tuple, shapes) if len(one) == 2}
    pairs = {(one[0], other[0]) for one in rows for other in rows if one[1] == other[1]}
    for name, fact in found.items():
        sizes = tuple(fact.split())
        if len(set(sizes)) == 2 and sizes in pairs and sizes not in rows:
            if is_parameter(name) or name in NUMBERS:
                numbers.add(name)
    return numbers


def as_squares(found: Mapping[str, str], asked: Collection[str]) -> dict[str, str]:
    """The `asked` arguments of many that broadcast to a square matrix: they are one.

    before:  alpha[:, None] + transitions + scores[None, :]
    after:   transitions (n, n), as alpha is (n)
    """
    many = {name: found[name] for name in asked if _is_plural(name) and name in found}
    return {name: fact for name, fact in many.items() if _is_square(fact)}


def _is_plural(name: str) -> bool:
    # ls and eps are short for one thing
    return (
        len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "as"))
    )


def _is_square(fact: str) -> bool:
    sizes = fact.split()
    return len(sizes) == 2 and sizes[0] == sizes[1]


def of_windows(found: Mapping[str, str], asked: Collection[str]) -> set[str]:
    """The arguments that meet a vector of windows, or of what lies between: numbers.

    before:  np.convolve(x, w, "valid") + b        u[1:-1] += k * (u[2:] - u[:-2])
    after:   b is a number                         k is one, as a parameter or by name

    Nobody counts the n - d + 1 windows of x for a value of each.
    """
    numbers = set()
    for name, fact in found.items():
        size = read_size(fact)
        if size is not None and size.symbol is None and name.islower():
            ends = -sum(k for names, k in size.terms if not names)  # n - 2: two
            scales = name in NUMBERS or name in asked and is_parameter(name)
            if len(size.names) > 1 or ends > 1 and scales:
                numbers.add(name)
    return numbers
