"""What varies and goes into integers: numpy rounds it, by a store or by a dtype."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Loop, Origin
from gradgen.ir.nodes import Ref, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import viewed
from gradgen.ir.walk import joins, reads, statements
from gradgen.rules.load import operations
from gradgen.rules.refusals import sort_of_dtype
from gradgen.rules.traits import makes_counts, makes_floats
from gradgen.rules.binding import bind
from gradgen.shapes.complexes import ONE_FOR_EACH
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind

WHOLE = (Kind.BOOLEAN, *INTEGRAL)
# operations that make an array of the dtype of their first argument
ALIKE = {
    f"numpy.{name}"
    for name in (
        "copy zeros_like ones_like empty_like full_like tile repeat pad insert delete"
    ).split()
} | {"stacked"}


def refuse_rounding(
    body: Iterable[Stmt],
    active: Container[Var],
    facts: Facts,
    assumed: Iterable[Var] = (),
) -> None:
    """Raises GradgenError where an active value goes into an array of integers.

    z = np.zeros(n, dtype=int)
    z[0] = x[0]      # numpy cuts the fraction off: the derivative is zero
    np.full(n, x[0], dtype=int)
    np.full_like(np.arange(n), x[0])

    A cast that says so, x.astype(int), has the derivative 0. The variables `assumed`
    are taken for integers as well.
    """
    body = tuple(body)
    whole = _integers(body, facts, assumed)
    for stmt in statements(body):
        if not isinstance(stmt, Let) or not isinstance(stmt.value, Apply):
            continue
        if stmt.value.op == "put" and facts.rank(stmt.value.args[2]) == 0:
            continue  # a list holds numbers of every kind
        if stmt.value.op not in STORES or stmt.value.op == "put":
            _refuse_whole(stmt, stmt.value, whole, active, facts)
            continue
        base, _, stored = stmt.value.args
        varies = any(var in active for var in reads(stored))
        if varies and isinstance(base, Ref) and _is_whole(base, whole, facts):
            raise GradgenError(
                "GG309",
                f"{stmt.var.name} is an array of integers, which rounds what is "
                "stored into it",
                advice="an array of floats: dtype=float, or 1.0 among its numbers",
            ).at(stmt.note.place)


def _refuse_whole(
    let: Let, value: Apply, whole: set[Var], active: Container[Var], facts: Facts
) -> None:
    """Refuses an operation that makes integers of an active value."""
    if value.op == "numpy.astype" and not _arrays_of(_dtype(value), facts):
        return
    if value.op == "getitem" and _own_argument(value, facts) != value.args[0]:
        return  # one of several, which has been made
    if value.op == "getitem" and _is_counted(value, facts):
        return  # steps, whose derivative is 0
    rule = operations().get(value.op)
    if rule is None or rule.kind not in ("linear", "general"):
        return
    bound = bind(rule, value).items()
    read = {v for param, arg in bound if param.name in rule.given for v in reads(arg)}
    varies = any(v in active and not _is_whole(Ref(v), whole, facts) for v in read)
    if varies and _is_whole(value, whole, facts):
        name = value.op.removeprefix("numpy.")
        raise GradgenError(
            "GG309",
            f"{name} makes integers here, and so rounds what is given to it",
            advice="a floating dtype; x.astype(int) where the derivative 0 is meant",
        ).at(let.note.place)


def _arrays_of(dtype: Expr | None, facts: Facts) -> tuple[Expr, ...]:
    """The values whose dtype is named: k of k.dtype, type(k), np.result_type(k).

    Of np.result_type(k.dtype, x.dtype) these are k and x.
    """
    if isinstance(dtype, Ref):
        dtype = facts.definitions.get(dtype.var)
    if isinstance(dtype, Apply) and dtype.op in ("dtype", "numpy.result_type", "type"):
        parts = (_arrays_of(arg, facts) or (arg,) for arg in dtype.args)
        return tuple(one for part in parts for one in part)
    return ()


def _integers(body: tuple[Stmt, ...], facts: Facts, assumed: Iterable[Var]) -> set[Var]:
    """The variables that are arrays of integers or of booleans, on some way."""
    sources: dict[Var, list[Expr]] = defaultdict(list)
    for stmt in statements(body):
        if isinstance(stmt, Let):
            sources[stmt.var].append(stmt.value)
        elif isinstance(stmt, (Branch, Loop)):
            for var, way in joins(stmt):
                sources[var].append(way)
    found: set[Var] = set(assumed)
    size = -1
    while size != len(found):
        size = len(found)
        for var, values in sources.items():
            if any(_is_whole(value, found, facts) for value in values):
                found.add(var)
            elif any(getattr(value, "op", "") == "stacked" for value in values):
                if all(_is_of_whole(value, sources, found, facts) for value in values):
                    found.add(var)
    return found


def _is_of_whole(
    value: Expr, sources: Mapping[Var, list[Expr]], known: set[Var], facts: Facts
) -> bool:
    """Whether an array is made of a list into which whole numbers alone are put.

    ys = []
    for v in k:
        ys.append(v)
    y = np.array(ys)
    """
    if not isinstance(value, Apply) or value.op != "stacked":
        return False
    items: list[Expr] = []
    todo, seen = [value.args[0]], set()
    while todo:
        one = todo.pop()
        if isinstance(one, Ref):
            if one.var in seen:
                continue
            seen.add(one.var)
            if one.var not in sources:
                return False
            todo += sources[one.var]
        elif isinstance(one, Apply) and one.op in ("append", "put"):
            todo.append(one.args[0])
            items.append(one.args[-1])
        elif isinstance(one, Apply) and one.op == "list":
            items += one.args
        else:
            return False
    return bool(items) and all(_is_whole(item, known, facts) for item in items)


def _is_whole(value: Expr, known: set[Var], facts: Facts) -> bool:
    if isinstance(value, Const):
        if isinstance(value.value, (type, str)):  # a dtype, in np.result_type
            return _is_whole_sort(value)
        return _is_whole_constant(value.value)
    if isinstance(value, Ref):
        return value.var in known or facts.kinds.get(value.var) in WHOLE
    assert isinstance(value, Apply)
    if value.op in STORES:
        base = value.args[0]
        # [0] * n of Python's holds what is put into it
        also = [value.args[2]] if facts.is_list(base) and len(value.args) > 2 else []
        return all(_is_whole(one, known, facts) for one in (base, *also))
    dtype = _dtype(value)
    if dtype is not None and dtype != Const(None):
        named = _arrays_of(dtype, facts)
        if isinstance(dtype, Ref) and dtype.var.origin is Origin.PARAM:
            return True  # an argument that is a dtype: it may be one of integers
        if not named:
            return _is_whole_sort(dtype)
        return all(_is_whole(one, known, facts) for one in named)
    if makes_counts(value):
        return True
    if value.op == "getitem":
        several, place = value.args[0], getattr(value.args[1], "value", None)
        made = (
            facts.definitions.get(several.var) if isinstance(several, Ref) else several
        )
        if isinstance(made, Apply) and makes_counts(made, place):
            return True
        return _is_whole(_own_argument(value, facts), known, facts)
    if viewed(value):
        return all(_is_whole(arg, known, facts) for arg in viewed(value))
    if value.op in ALIKE:
        return _is_whole(value.args[0], known, facts)
    if value.op == "numpy.full":
        return len(value.args) > 1 and _is_whole(value.args[1], known, facts)
    if value.op in ("list", "tuple"):
        return bool(value.args) and all(
            _is_whole(arg, known, facts) for arg in value.args
        )
    rule = operations().get(value.op)
    module = value.op.partition(".")[0]
    if module not in ("numpy", "scipy") or makes_floats(value) or rule is None:
        return False
    if rule.kind in ("boolean", "integer"):
        return True
    more = [arg for name, arg in value.kwargs if name in ("append", "prepend", "r")]
    arrays = [arg for arg in (*value.args, *more) if _is_data(arg, facts)]
    return bool(arrays) and all(_is_whole(arg, known, facts) for arg in arrays)


def _is_counted(entry: Apply, facts: Facts) -> bool:
    """Whether an entry is one of several results that counts: np.histogram(x)[0]."""
    several, place = entry.args[0], getattr(entry.args[1], "value", None)
    made = facts.definitions.get(several.var) if isinstance(several, Ref) else several
    return isinstance(made, Apply) and makes_counts(made, place)


def _own_argument(entry: Apply, facts: Facts) -> Expr:
    """What one of several results is of: its own argument, where each has one.

    before:  mask, y = np.atleast_1d(x > 0, x)      after:  x > 0 of mask, x of y
    """
    several, place = entry.args[:2]
    made = facts.definitions.get(several.var) if isinstance(several, Ref) else several
    if not isinstance(made, Apply) or made.op not in ONE_FOR_EACH:
        return several
    if isinstance(place, Const) and type(place.value) is int:
        if place.value < len(made.args):
            return made.args[place.value]
    return several


def _is_whole_constant(value: object) -> bool:
    """Whether a number is whole, or all of a tuple of the module's."""
    if isinstance(value, (tuple, list, range)):
        return bool(value) and all(map(_is_whole_constant, value))
    return type(value) in (int, bool)


def _is_data(arg: Expr, facts: Facts) -> bool:
    several = isinstance(arg, Apply) and arg.op in ("list", "tuple")
    several = several or isinstance(arg, Const) and isinstance(arg.value, tuple)
    return several or facts.kind(arg) is not Kind.OTHER


def _is_whole_sort(dtype: Expr) -> bool:
    try:
        return sort_of_dtype(dtype) in ("i", "u", "b")
    except GradgenError:  # an argument that is a dtype
        return False


def _dtype(value: Apply) -> Expr | None:
    """The dtype that a call names."""
    rule = operations().get(value.op)
    if rule is None:
        return None
    for param, given in bind(rule, value).items():
        if param.name.rstrip("_") == "dtype":
            return given
    return dict(value.kwargs).get("dtype")
