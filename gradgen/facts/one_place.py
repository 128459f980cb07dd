"""Convention C of single places: theta[j] is read by one whole number."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.numbers import summed
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS, STORES
from gradgen.ir.walk import lets, reads, statements, own_expressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# what people call one of many
SINGULAR = frozenset(
    "action center class_ cls col column context day frame index item label level node "
    "pos position row slot start state step target token user which word".split()
)

# the key x[:]
WHOLE = Apply("slice", (Const(None), Const(None), Const(None)))


def one_place(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The arguments that are one place each, and what is read there.

        before:  np.log(np.sum(np.exp(logits))) - logits[label]      E[word] @ E[context]
        after:   label is a number, logits a vector                  E is a matrix

    They are read by nothing else, and are called i, s2 or state: of labels nothing is
    known. What has a capital is read by rows. Not where the entries of a vector are
    summed, which gathers are, and of x[i] - x[j], which may be all pairs.
    """
    found = single_places(primal, facts)
    free = [var for var in found if len(ranks.of(Ref(var))) > 1]
    if free:
        yield [(var, 0) for var in free]
    rows = set(_multiplied(primal, facts)) | summed(primal, facts)
    for var, base, keys, spoken in (*_read(primal), *_rows(primal)):
        if keys and found.issuperset(keys) and isinstance(base, Ref):
            if base.var.origin is Origin.PARAM:
                least = 2 if var in rows and _is_table(base) else 1
                for axes in (max(spoken, least), spoken + 1):
                    if len(ranks.of(base)) > 1:
                        yield [(base.var, axes)]


def single_places(primal: Function, facts: Facts) -> set[Var]:
    """The arguments that are one place each; none where one of them may be several."""
    found = set(_alone(primal))
    if not found or any(map(_is_along, lets(primal.body))):
        return set()
    inside, factors = summed(primal, facts), set(_multiplied(primal, facts))
    stored = {let.var for let in lets(primal.body) if _op(let.value) in STORES}
    if any(_takes_several(let, facts) for let in lets(primal.body)):
        return set()
    by_letters: dict[Expr, set[Var]] = {}
    for var, base, keys, _ in _read(primal):
        if not found.intersection(keys):
            continue
        if var in inside and var not in factors and var not in stored:
            if len(keys) > 1 or not _is_table(base):
                return set()  # nobody sums a number
        if len(keys) == 1 and len(keys[0].name) == 1 and var not in factors:
            by_letters.setdefault(base, set()).add(keys[0])
    several = any(len(one) > 1 for one in by_letters.values())
    return set() if several else found


def _is_along(let: Let) -> bool:
    """Whether something goes along a second axis, or the last: of rows of a table."""
    words = dict(let.value.kwargs) if isinstance(let.value, Apply) else {}
    return words.get("axis", Const(None)) not in (Const(None), Const(0))


def _takes_several(let: Let, facts: Facts) -> bool:
    """Whether what is stored at places may be an array: h[i, j] = u."""
    value = let.value
    if not isinstance(value, Apply) or value.op not in STORES:
        return False
    keys, given = _items(value), value.args[2]
    made = facts.definitions.get(given.var) if isinstance(given, Ref) else given
    entry = _op(made) == "getitem" if made is not None else False
    return any(isinstance(one, Ref) for one in keys) and not (
        entry or isinstance(given, Const) or facts.rank(given) == 0
    )


def _op(value: Expr) -> str:
    return value.op if isinstance(value, Apply) else ""


def _is_table(base: Expr) -> bool:
    """Whether what is read by places has a capital, and so rows."""
    return isinstance(base, Ref) and base.var.name[:1].isupper()


def _multiplied(primal: Function, facts: Facts) -> Iterator[Var]:
    """What is multiplied as a vector: both rows of E[word] @ E[context].

    So are those of P[user, :].dot(Q[item, :].T), which turns one that has one axis.
    """
    for let in lets(primal.body):
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS:
            for var in reads(let.value):
                yield var
                made = facts.definitions.get(var)
                if isinstance(made, Apply) and made.spelling == "attribute:T":
                    yield from reads(made)


def is_singular(name: str) -> bool:
    """Whether a name is one of one thing: i, s2, state, next_state."""
    short = name.rstrip("0123456789_")
    last = short.rpartition("_")[2]
    return len(short) == 1 and short.islower() or last in SINGULAR


def _alone(primal: Function) -> Iterator[Var]:
    """The arguments that are indices, or a number away from one, and nothing else."""
    given = {
        param.var
        for param in primal.params
        if is_singular(param.label) and param.default is None
    }
    near: dict[Var, set[Var]] = {}
    others: set[Var] = set()
    keys: set[Var] = set()
    for stmt in statements(primal.body):
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and isinstance(value, Apply):
            if value.op in ("getitem", *STORES):
                keys |= {one.var for one in _items(value) if isinstance(one, Ref)}
                rest = [value.args[0], *value.args[2:]]
                others |= {v for one in rest for v in reads(one)}
                continue
            if value.op in ADDITIVE and _is_near(value):
                near.setdefault(stmt.var, set()).update(reads(value))
                continue
        others |= {v for one in own_expressions(stmt) for v in reads(one)}
    others |= {v for one in primal.values for v in reads(one)}
    for var, sources in near.items():
        if var in others or var not in keys:
            others |= sources
        else:
            keys |= sources
    yield from (var for var in given if var in keys and var not in others)


def _is_near(value: Apply) -> bool:
    """k + 1."""
    return sum(isinstance(one, Const) for one in value.args) == 1


def _items(value: Apply) -> tuple[Expr, ...]:
    key = value.args[1]
    return key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)


def _rows(primal: Function) -> Iterator[tuple[Var, Expr, list[Var], int]]:
    """What is read at a place and along whole axes: P[user, :]."""
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op == "getitem":
            items = _items(value)
            keys = [one.var for one in items if isinstance(one, Ref)]
            whole = [one for one in items if one == WHOLE]
            if keys and whole and len(keys) + len(whole) == len(items):
                yield let.var, value.args[0], keys, len(items)


def _read(primal: Function) -> Iterator[tuple[Var, Expr, list[Var], int]]:
    """What is read or stored into at places alone, these, and how many there are."""
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op in ("getitem", *STORES):
            items = _items(value)
            keys = [one.var for one in items if isinstance(one, Ref)]
            if len(keys) == len(items):
                yield let.var, value.args[0], keys, len(keys)
