"""Stores of what varies into arrays of integers: numpy rounds them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Loop, Ref, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import viewed
from gradgen.ir.walk import joins, reads, statements
from gradgen.rules.refusals import sort_of_dtype
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

WHOLE = (Kind.INTEGER, Kind.BOOLEAN)
# operations of integers that make integers, and those that keep a dtype
ARITHMETIC = {f"numpy.{name}" for name in "add subtract multiply negative".split()}
ALIKE = {
    f"numpy.{name}"
    for name in "copy zeros_like ones_like empty_like full_like tile repeat".split()
}
MADE_OF = {f"numpy.{name}" for name in "array asarray arange full".split()}


def refuse_rounding(body: Iterable[Stmt], active: Container[Var], facts: Facts) -> None:
    """Raises GradgenError where an active value goes into an array of integers.

    z = np.zeros(n, dtype=int)
    z[0] = x[0]      # numpy cuts the fraction off: the derivative is zero
    """
    body = tuple(body)
    whole = _integers(body, facts)
    for stmt in statements(body):
        if not isinstance(stmt, Let) or not isinstance(stmt.value, Apply):
            continue
        if stmt.value.op not in STORES or stmt.value.op == "put":
            continue
        base, _, stored = stmt.value.args
        varies = any(var in active for var in reads(stored))
        if varies and isinstance(base, Ref) and base.var in whole:
            raise GradgenError(
                "GG309",
                f"{stmt.var.name} is an array of integers, which rounds what is "
                "stored into it",
                advice="an array of floats: dtype=float, or 1.0 among its numbers",
            ).at(stmt.note.place)


def _integers(body: tuple[Stmt, ...], facts: Facts) -> set[Var]:
    """The variables that are arrays of integers or of booleans, on some way."""
    sources: dict[Var, list[Expr]] = defaultdict(list)
    for stmt in statements(body):
        if isinstance(stmt, Let):
            sources[stmt.var].append(stmt.value)
        elif isinstance(stmt, (Branch, Loop)):
            for var, way in joins(stmt):
                sources[var].append(way)
    found: set[Var] = set()
    size = -1
    while size != len(found):
        size = len(found)
        for var, values in sources.items():
            if any(_is_whole(value, found, facts) for value in values):
                found.add(var)
    return found


def _is_whole(value: Expr, known: set[Var], facts: Facts) -> bool:
    if isinstance(value, Const):
        return type(value.value) in (int, bool)
    if isinstance(value, Ref):
        return value.var in known or facts.kinds.get(value.var) in WHOLE
    assert isinstance(value, Apply)
    if value.op in STORES or viewed(value):
        return _is_whole(value.args[0], known, facts)
    dtype = _dtype(value)
    if dtype is not None:
        return _is_whole_sort(dtype)
    if value.op in ("list", "tuple"):
        return bool(value.args) and all(
            _is_whole(arg, known, facts) for arg in value.args
        )
    if value.op == "numpy.full":
        return len(value.args) > 1 and _is_whole(value.args[1], known, facts)
    if value.op in MADE_OF | ARITHMETIC:
        return all(_is_whole(arg, known, facts) for arg in value.args)
    return value.op in ALIKE and _is_whole(value.args[0], known, facts)


def _is_whole_sort(dtype: Expr) -> bool:
    try:
        return sort_of_dtype(dtype) in ("i", "u", "b")
    except GradgenError:  # an argument that is a dtype
        return False


def _dtype(value: Apply) -> Expr | None:
    """The dtype that a call names."""
    named = dict(value.kwargs).get("dtype")
    if named is not None:
        return named
    places = {"numpy.zeros": 1, "numpy.ones": 1, "numpy.empty": 1, "numpy.astype": 1}
    places |= {"numpy.array": 1, "numpy.ndarray": 1, "numpy.full": 2}
    at = places.get(value.op, len(value.args))
    return value.args[at] if at < len(value.args) else None
