"""Convention C of gathers: arrays of places that entries or rows of others are read by."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.numbers import summed
from gradgen.facts.keys import is_place
from gradgen.facts.through import is_elementwise
from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Param, Ref, Var
from gradgen.ir.operators import STORES
from gradgen.ir.walk import lets, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

WHOLE = Apply("slice", (Const(None),) * 3)


def gathers(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The vectors that entries of an array are read by, and that array.

        before:  np.sum((u[i] - v[j] - y) ** 2)
        after:   i, j, u and v are vectors

    What is read goes entry by entry into a sum: nobody takes one of a number. Rows are
    read of what has a capital. Of table[ids].mean(axis=1) the places are a matrix.
    Rows are read as well of what columns are taken of: `X = points[i] - cams[j]`, X[:, 2].
    """
    yield from _by_entries(primal, facts, ranks)
    for base, key, axes in _of_rows(primal, facts):
        if len(ranks.of(key)) > 1:
            yield [(key.var, 1)]
        if len(ranks.of(base)) > 1:
            yield [(base.var, axes)]
    for var, base, keys in _gathers(primal, facts):
        axes = _axes_of(var, base, ranks) if len(keys) == 1 else 1
        yield from ([(key.var, axes)] for key in keys if len(ranks.of(key)) > 1)
        if len(ranks.of(base)) > 1:
            yield [(base.var, 2 if base.var.name[:1].isupper() else len(keys))]


def _of_rows(primal: Function, facts: Facts) -> Iterator[tuple[Ref, Ref, int]]:
    """Arguments that rows are read of, by which others, and how many axes those have."""
    counts = {param.var for param in primal.params if is_count(param)}
    asked: dict[Var, int] = {}  # what columns are taken of, at once or later
    for let in reversed(list(lets(primal.body))):
        value = let.value
        if not isinstance(value, Apply):
            continue
        base, keys = _read(value)
        if base is not None and len(keys) == 1 and let.var in asked:
            (key,) = keys
            if key.var.origin is Origin.PARAM and key.var not in counts:
                yield base, key, asked[let.var]
        if is_elementwise(value) and let.var in asked:
            for arg in value.args:
                if isinstance(arg, Ref):
                    asked.setdefault(arg.var, asked[let.var])
        for part in subexpressions(value):
            if isinstance(part, Apply) and part.op == "getitem" and _takes(part):
                asked.setdefault(part.args[0].var, len(part.args[1].args))


def _takes(part: Apply) -> bool:
    """Whether it takes columns of a variable: X[:, :2], X[:, 2]."""
    base, key = part.args
    if not isinstance(base, Ref) or not isinstance(key, Apply) or key.op != "tuple":
        return False
    plain = all(
        isinstance(one, Apply) and one.op == "slice" or is_place(one)
        for one in key.args
    )
    return plain and len(key.args) > 1 and key.args[0] == WHOLE


def _axes_of(var: Var, base: Expr, ranks: Ranks) -> int:
    """How many axes places have, by those of what is read and of what it is read of."""
    known = ranks.of(Ref(var)), ranks.of(base)
    if any(len(one) > 1 for one in known):
        return 1
    return max(1, min(known[0]) - min(known[1]) + 1)


def _by_entries(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Vectors of which an entry is a place in another array, and that array.

    before:  alpha = moves.T @ alpha * B[:, obs[t]]
    after:   obs is a vector, B a matrix
    """
    for base, items, keys in _read_by_entries(primal, facts):
        yield from ([(key.var, 1)] for key in keys if len(ranks.of(key)) > 1)
        if isinstance(base, Ref) and base.var.origin is Origin.PARAM:
            if items > 1 and len(ranks.of(base)) > 1:
                yield [(base.var, items)]


def _read_by_entries(
    primal: Function, facts: Facts
) -> Iterator[tuple[Expr, int, list[Ref]]]:
    """What is read by entries of arguments, with how many indices, and those arguments."""
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in {"getitem", *STORES}:
            continue
        base, key = value.args[:2]
        if value.op in STORES and not isinstance(value.args[2], Const):
            continue  # h[i[0]] = u[0] may store a row into several
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        sources = [_entry_of(one, facts) for one in items]
        given = [one for one in sources if one is not None]
        plain = all(
            source is not None or one == WHOLE or facts.is_index(one)
            for one, source in zip(items, sources)
        )
        if given and plain:
            yield base, len(items), given


def _entry_of(key: Expr, facts: Facts) -> Ref | None:
    """obs of obs[t]: an argument of which one entry is read by an index."""
    made = facts.definitions.get(key.var) if isinstance(key, Ref) else key
    if not isinstance(made, Apply) or made.op != "getitem":
        return None
    base, index = made.args
    if not isinstance(base, Ref) or base.var.origin is not Origin.PARAM:
        return None
    return base if facts.is_index(index) else None


def places(primal: Function, facts: Facts) -> set[Var]:
    """The arguments that are places, or have a column of them: edges of x[edges[:, 0]]."""
    found = {key.var for *_, keys in _gathers(primal, facts) for key in keys}
    found |= {key.var for *_, keys in _read_by_entries(primal, facts) for key in keys}
    for let in lets(primal.body):
        _, keys = _read(let.value)
        for one in keys:
            made = facts.definitions.get(one.var)
            table, columns = _read(made)
            if table is not None and not columns and isinstance(made, Apply):
                key = made.args[1]
                items = key.args if isinstance(key, Apply) else ()
                if len(items) == 2 and items[0] == WHOLE and is_place(items[1]):
                    found.add(table.var)
    return found


def is_count(param: Param) -> bool:
    """Whether an argument is an integer by its default or its annotation."""
    return param.annotation == "int" or (param.default or "").lstrip("-").isdigit()


def _gathers(
    primal: Function, facts: Facts
) -> Iterator[tuple[Var, Ref, tuple[Ref, ...]]]:
    """What is read, of which arguments, and by which others, where it is summed.

    What an annotation or a default tells to be one whole number is one place.
    """
    inside = summed(primal, facts)
    counts = {param.var for param in primal.params if is_count(param)}
    for let in lets(primal.body):
        base, keys = _read(let.value)
        if base is not None and keys and let.var in inside:
            found = {key.var for key in keys}
            if all(var.origin is Origin.PARAM and var not in counts for var in found):
                yield let.var, base, keys


def _read(value: Expr | None) -> tuple[Ref | None, tuple[Ref, ...]]:
    """An argument that is read, and by what: u[i], R[i, j]; by nothing that has no name."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return None, ()
    base, key = value.args
    if not isinstance(base, Ref) or base.var.origin is not Origin.PARAM:
        return None, ()
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    keys = tuple(one for one in items if isinstance(one, Ref))
    return base, keys if len(keys) == len(items) else ()
