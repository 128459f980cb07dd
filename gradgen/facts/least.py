"""Convention C of what is left: an array has as few axes as the body allows.

Nobody reads entries of a vector by three indices, or adds an axis to a matrix where a
vector does. That holds where the fewest axes of one array ask for no more of another:
else nothing tells which of both has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gradgen.facts.layers import BIASES
from gradgen.facts.matrices import STACKED, Step
from gradgen.facts.rates import turned_points
from gradgen.facts.spoken import VECTORS, are_points
from gradgen.facts.keys import is_flattened, is_place, is_turned
from gradgen.facts.through import is_elementwise, of_entries
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Loop, Origin, Param
from gradgen.ir.nodes import Ref, Var
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS, STORES, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import NoRanks, Ranks

# operations that read an entry, a part, or a length: of no number
READS = frozenset(["getitem", "item", "len"])
# what may have so many ranks may have any
ANY_RANK = 4


def least(
    primal: Function, facts: Facts, ranks: Ranks, free: Collection[Param]
) -> Iterator[Step]:
    """The arrays of which entries or lengths are read, with the fewest axes they may have.

    before:  (h @ W) @ a, of which the entries get a new axis      q[:, None] * f[None]
    after:   a is a vector, so that h is a matrix                  q and f are vectors

    Capitals, and what points are called, are read by rows. An entry that a loop adds to
    an array has its axes, and of one that it multiplies an array with nothing is known.
    """
    if any(
        one == Const(...)
        for let in lets(primal.body)
        for one in subexpressions(let.value)
    ):
        return  # it is written for any number of axes
    others = [param.var for param in free]
    for let in ranks.statements:
        yield from _vectors(let, ranks)
    met, keys = list(_met(ranks)), _read(primal, facts)
    points = turned_points(primal)
    grown = set(_grown(primal, facts, ranks))
    operands = set(_operands(ranks))
    for _ in range(2):  # of what is a vector by the first round more follows
        for entry, key, added, other in met:
            axes = ranks.of(other)
            if added and _is_bias(entry, facts) and _is_total(other, facts):
                if {0} < ranks.of(entry):  # np.sum(x * w[k], axis=1) + b[k]
                    yield [(entry.var, 0)]
            if added and not is_place(key) and len(axes) == 1 and min(axes):
                if 0 in ranks.of(entry) and len(ranks.of(entry)) > 1:
                    yield [(entry.var, min(axes))]
        for var in keys:
            known = ranks.of(Ref(var))
            if len(known) == 1 or not min(known) or var in points:
                continue
            least = _no_factor(var, ranks)
            tried = _alone(var, least, ranks, others) if least else None
            if tried is None:
                continue
            if min(known) > 1 and keys[var] and all(map(is_place, keys[var])):
                continue  # x, y = z: both may be arrays as well, and numbers
            beside = _beside(var, ranks)
            plain = var not in operands and _is_in_formulas(var, facts, ranks)
            if not (keys[var] or beside) and plain:
                continue  # any array has a length
            beside = beside or _has_names(var, keys[var])
            if not any(
                tried.of(entry) == {0} != ranks.of(entry)
                and (_is_array(other, tried) or entry in grown)
                and (not beside or _is_column(other, facts))
                for entry, key, _, other in met
            ):
                yield [(var, least)]
        yield from _numbered([param.var for param in primal.params], ranks, others)


def _is_bias(entry: Expr, facts: Facts) -> bool:
    """Whether a value is an entry of what a bias is called."""
    made = facts.definitions.get(entry.var) if isinstance(entry, Ref) else None
    whole = made.args[0] if isinstance(made, Apply) else None
    return isinstance(whole, Ref) and whole.var.name in BIASES


def _is_total(value: Expr, facts: Facts) -> bool:
    """Whether a value is a sum or a mean, of all or along axes."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else None
    return getattr(made, "op", "") in TOTALS


def _is_array(value: Expr, ranks: Ranks) -> bool:
    """Whether the rows of another array may be added to a value: not to one of any rank."""
    known = ranks.of(value)
    return known != {0} and (0 in known or len(known) < ANY_RANK)


def _has_names(var: Var, keys: list[Expr]) -> bool:
    """Whether entries are read by places, of parameters or two of them at least."""
    places = {key for key in keys if is_place(key)}
    return len(places) > (0 if var.name in VECTORS else 1)


def _grown(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Expr]:
    """What loops add to numbers that are arrays behind them: total of np.sum(total)."""
    waiting = [
        slot.next
        for stmt in statements(primal.body)
        for slot in (stmt.carried if isinstance(stmt, Loop) else ())
        if min(ranks.of(Ref(slot.exit))) and facts.rank(slot.entry) == 0
    ]
    seen: set[Expr] = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        yield one
        made = facts.definitions.get(one.var) if isinstance(one, Ref) else None
        if isinstance(made, Apply) and is_elementwise(made):
            waiting += made.args


def _beside(var: Var, ranks: Ranks) -> bool:
    """Whether an array meets another one that has surely as few axes as it may have."""
    least = min(ranks.of(Ref(var)))
    own: set[Expr] = {Ref(var)}
    for let in ranks.statements:
        value = let.value
        if not isinstance(value, Apply) or not is_elementwise(value):
            continue
        others = [arg for arg in value.args if arg not in own]
        if len(others) < len(value.args):
            if any(ranks.of(one) == {least} for one in others):
                return True
            if all(isinstance(one, Const) for one in others):
                own.add(Ref(let.var))
    return False


def _numbered(
    params: Collection[Var], ranks: Ranks, free: Collection[Var]
) -> Iterator[Step]:
    """Arguments with one name and other numbers have as many axes: z1 and z2.

    Not of x0, which a loop begins with, and of a bias.
    """
    for one in free:
        stem = one.name.rstrip("123456789")
        known = ranks.of(Ref(one))
        if stem == one.name or stem in BIASES or len(known) == 1:
            continue
        for other in params:
            if other.name.rstrip("123456789") == stem != other.name:
                rank = min(ranks.of(Ref(other)))
                if len(ranks.of(Ref(other))) == 1 and rank in known:
                    yield [(one, rank)]


def _met(ranks: Ranks) -> Iterator[tuple[Ref, Expr, bool, Expr]]:
    """Entries x[i] that meet another value: with i, whether it is added, and that value."""
    made = {let.var: let.value for let in ranks.statements}
    for let in ranks.statements:
        value = let.value
        if not isinstance(value, Apply) or not is_elementwise(value):
            continue
        pairs: Sequence[Sequence[Expr]] = (value.args, value.args[::-1])
        if value.op == "numpy.where" and len(value.args) == 3:
            test, *ways = value.args  # np.where(done[t], 0, value)
            pairs = [(test, way) for way in ways]
        elif len(value.args) != 2:
            continue
        for one, other in pairs:
            entry = made.get(one.var) if isinstance(one, Ref) else None
            if isinstance(one, Ref) and isinstance(entry, Apply):
                if entry.op in READS and len(entry.args) > 1:
                    yield one, entry.args[1], value.op in ADDITIVE, other


def _is_column(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed entry by entry of x[:, None]."""
    ends = upstream(value, facts.definitions, of_entries)
    return any(
        is_turned(facts.definitions.get(end.var))
        for end in ends
        if isinstance(end, Ref)
    )


def _read(primal: Function, facts: Facts) -> dict[Var, list[Expr]]:
    """The variables of which an entry, a part or the length is read, and by what.

    Not those of which parts are places in other arrays, or that are read by masks, or
    that are put into lists of which the entries are operands of products; nor those of
    which rows are made, x.reshape(len(x), -1), whatever axes they have behind the first.
    """
    found: dict[Var, list[Expr]] = {var: [] for var in _counted(primal)}
    parts: dict[Var, Var] = {}
    places: set[Var] = set(_multiplied(primal))
    given = set(_flattened(primal, facts))
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in (*READS, *STORES):
            continue
        whole, *keys = value.args[:2]
        places.update(var for key in keys for var in reads(key))
        if value.op in READS and isinstance(whole, Ref):
            parts[let.var] = whole.var
            if all(_is_plain(key, facts) for key in keys):
                found.setdefault(whole.var, []).extend(keys)
            else:
                places.add(let.var)
    given |= {parts[var] for var in places if var in parts}
    return {var: keys for var, keys in found.items() if var not in given}


def _flattened(primal: Function, facts: Facts) -> Iterator[Var]:
    """The arrays of any number of axes that are made rows of: x.reshape(len(x), -1).

    And those of which the axes were moved.
    """
    for let in lets(primal.body):
        if getattr(let.value, "op", "") in STACKED:
            yield let.var
        if is_flattened(let.value, facts):
            yield from reads(getattr(let.value, "args")[0])


def _counted(primal: Function) -> Iterator[Var]:
    """The variables whose length is read as x.shape[0]."""
    shapes: dict[Expr, Expr] = {}
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op == "numpy.shape":
            shapes[Ref(let.var)] = value.args[0]
        elif getattr(value, "op", "") == "getitem":
            shape, key = getattr(value, "args")
            whole = shapes.get(shape) if key == Const(0) else None
            if isinstance(whole, Ref):
                yield whole.var


def _operands(ranks: Ranks) -> Iterator[Var]:
    """What other operations read than those entry by entry, sums and means."""
    for let in ranks.statements:
        value = let.value
        if not isinstance(value, Apply) or is_elementwise(value):
            continue
        if value.op == "getitem":
            yield from reads(value.args[1])
        elif value.op not in TOTALS | {"len", "numpy.shape"}:
            yield from (arg.var for arg in value.args if isinstance(arg, Ref))


def _is_in_formulas(var: Var, facts: Facts, ranks: Ranks) -> bool:
    """Whether an array meets arguments and numbers alone, entry by entry."""
    for let in ranks.statements:
        ends = list(upstream(let.value, facts.definitions, of_entries))
        if Ref(var) in ends and not all(
            isinstance(one, Const)
            or ranks.of(one) == {0}
            or isinstance(one, Ref)
            and one.var.origin is Origin.PARAM
            for one in ends
        ):
            return False
    return True


def _multiplied(primal: Function) -> Iterator[Var]:
    """What is put into lists where products take entries of lists: found.append(x[i])."""
    every = list(lets(primal.body))
    items = {Ref(let.var) for let in every if getattr(let.value, "op", "") == "item"}
    for let in every:
        if getattr(let.value, "op", "") in MATRIX_PRODUCTS:
            if not items.isdisjoint(getattr(let.value, "args", ())):
                break
    else:
        return
    for let in every:
        if getattr(let.value, "op", "") in ("append", "list"):
            yield from reads(let.value)


def _is_plain(key: Expr, facts: Facts) -> bool:
    """Whether an index has no mask and no ellipsis, which arrays of any rank take."""
    if isinstance(key, Apply) and key.op == "tuple":
        return all(_is_plain(one, facts) for one in key.args)
    if isinstance(key, Const):
        return key.value is not ...
    return getattr(key, "op", "") == "slice" or not facts.is_boolean(key)


def _vectors(let: Let, ranks: Ranks) -> Iterator[Step]:
    """The operands of a product that is no number: a matrix times a vector."""
    value, out = let.value, ranks.of(Ref(let.var))
    if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
        return
    left, right = value.args[:2]
    if out != {1} or not isinstance(right, Ref) or not isinstance(left, Ref):
        return
    both = ranks.of(left), ranks.of(right)
    if all({1, 2} <= one and 0 not in one for one in both):
        if right.var.name.islower():
            yield [(right.var, 1), (left.var, 2)]


def _rows(ranks: Ranks) -> Iterator[Expr]:
    """What is multiplied with a matrix on the right, and what is transposed."""
    for let in ranks.statements:
        value = let.value
        if isinstance(value, Apply) and value.spelling == "attribute:T":
            yield value.args[0]
        if isinstance(value, Apply) and value.op in MATRIX_PRODUCTS:
            if ranks.of(value.args[1]) == {2}:
                yield value.args[0]


def _stretches(ranks: Ranks, tried: Ranks) -> bool:
    """Whether a vector meets an array of more axes, by a trial alone."""
    for let in ranks.statements:
        value = let.value
        if not isinstance(value, Apply) or not is_elementwise(value):
            continue
        known = [tried.of(arg) for arg in value.args]
        axes = {min(one) for one in known if len(one) == 1} - {0}
        if (
            1 in axes
            and len(axes) > 1
            and any(len(ranks.of(arg)) > 1 for arg in value.args)
        ):
            return True
    return False


def _no_factor(var: Var, ranks: Ranks) -> int:
    """The fewest axes of an array with which no operand of a product is a number.

    before:  y = views[i].dot(x)        after:   views is no vector
    """
    operands = {
        one
        for let in ranks.statements
        if getattr(let.value, "op", "") in MATRIX_PRODUCTS
        for one in getattr(let.value, "args")[:2]
        if len(ranks.of(one)) > 1
    }
    for rank in sorted(ranks.of(Ref(var))):
        tried = ranks.copy()
        try:
            tried.narrow(var, [rank])
        except NoRanks:
            continue
        if not any(tried.of(one) == {0} for one in operands):
            return rank
    return 0


def _alone(var: Var, rank: int, ranks: Ranks, others: Collection[Var]) -> Ranks | None:
    """The ranks where an array has so few axes, if that asks for no more of others."""
    tried = ranks.copy()
    try:
        tried.narrow(var, [rank])
    except NoRanks:
        return None
    if any(tried.of(one) == {1} and 2 in ranks.of(one) for one in _rows(ranks)):
        return None  # a row for each example
    if _stretches(ranks, tried):
        return None
    for one in (other for other in others if other != var):
        before, after = ranks.of(Ref(one)), tried.of(Ref(one))
        if min(after) > min(before) or after == {0} != before:
            return None
        by_rows = one.name[:1].isupper() or are_points(one.name)
        if by_rows and after == {1} and before != {1}:
            return None
    return tried
