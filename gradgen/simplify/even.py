"""Lists of adjoints of which each entry is the same number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Loop, Origin, Ref
from gradgen.ir.nodes import Stmt, Supply, Var
from gradgen.ir.walk import all_defined, lets, map_expressions, reads_of, rewrite
from gradgen.ir.walk import uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR

FILLED = "numpy.full_like"


def even(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with the number in place of each entry of a list of equal ones.

        before:  d_losses = list(np.full_like(x, d_out / len(x)))
                 d_x = np.zeros_like(x)
                 for i in reversed(range(len(x))):
                     d_x[i] = 2 * d_losses.pop() * x[i]
        after:   d_loss = d_out / len(x)
                 d_x = np.zeros_like(x)
                 for i in reversed(range(len(x))):
                     d_x[i] = 2 * d_loss * x[i]

    So does one where a loop over all of a list of zeros adds one number to each.
    """
    read = uses(function)
    made = {let.var: let.value for let in lets(function.body)}
    indices_of: dict[object, set[Expr]] = {}

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        known: dict[Var, Expr] = {}
        zeros: set[Var] = set()
        for stmt in body:
            if isinstance(stmt, Let):
                number = _of_entries(stmt, made, facts)
                if number is not None and read[stmt.var] == 1:
                    var = supply.var(_singular(stmt.var.name), Origin.ADJOINT)
                    one = Let(var, number, stmt.note)
                    facts.learn(one)
                    yield one
                    known[stmt.var] = Ref(var)
                if getattr(stmt.value, "op", "") == "zeros_of":
                    zeros.add(stmt.var)
            if isinstance(stmt, Loop):
                indices = indices_of.setdefault(stmt.mark, set())
                indices.add(Ref(stmt.index))
                found = _added_to_each(stmt, indices, zeros, facts)
                if found is not None and read[found[0]] == 1:
                    known[found[0]] = found[1]
                stmt = _with_numbers(stmt, known, read)
            yield with_blocks(stmt, block)

    body = tuple(block(function.body))
    return function if body == function.body else replace(function, body=body)


def _singular(name: str) -> str:
    """What one of several is called: d_loss of d_losses."""
    for ending, single in (("sses", "ss"), ("s", "")):
        if name.endswith(ending) and len(name) > len("d_s") + 1:
            return name.removesuffix(ending) + single
    return name


def _of_entries(let: Let, made: Mapping[Var, Expr], facts: Facts) -> Expr | None:
    """The number that a list is made of: of list(np.full_like(x, c)).

    `made` is what the variables are now: an earlier definition may read what is gone.
    """
    value = let.value
    if not isinstance(value, Apply) or value.op != "entries":
        return None
    array = value.args[0]
    while isinstance(array, Ref):
        array = made.get(array.var, Const(None))
    if not isinstance(array, Apply) or array.op != FILLED or len(array.args) < 2:
        return None
    number = array.args[1]
    alike = facts.entries_of(Ref(let.var)) == SCALAR and facts.rank(number) == 0
    return number if alike else None


def _added_to_each(
    loop: Loop, places: Collection[Expr], zeros: Collection[Var], facts: Facts
) -> tuple[Var, Expr] | None:
    """The list that a loop leaves, and the number that it adds to each of its zeros.

    `places` are what its rounds are counted by: a mirrored one counts as the other did.
    """
    if len(loop.carried) != 1 or len(loop.body) != 1 or loop.test or loop.until:
        return None
    (slot,), (store,) = loop.carried, loop.body
    entry = slot.entry
    if not isinstance(entry, Ref) or entry.var not in zeros or not _is_all(loop, facts):
        return None
    if not isinstance(store, Let) or slot.next != Ref(store.var):
        return None
    value, inner = store.value, Ref(slot.inner)
    if not isinstance(value, Apply) or value.op != "setitem":
        return None
    whole, place, added = value.args
    if whole != inner or place not in places or not isinstance(added, Apply):
        return None
    old, new = added.args if added.op == "numpy.add" else (inner, inner)
    is_old = isinstance(old, Apply) and old.op in ("getitem", "item")
    if not is_old or old.args != (inner, place):
        return None
    own = {*all_defined(loop.body), slot.inner}
    plain = facts.entries_of(entry) == SCALAR and facts.rank(new) == 0
    outside = isinstance(new, (Ref, Const)) and new not in {*places, *map(Ref, own)}
    return (slot.exit, new) if plain and outside else None


def _is_all(loop: Loop, facts: Facts) -> bool:
    """Whether a loop goes over all places of the list that it begins with."""
    over = loop.over
    if isinstance(over, Apply) and over.op == "reversed":
        over = over.args[0]
    if not isinstance(over, Apply) or over.op != "range" or len(over.args) != 3:
        return False
    start, stop, step = over.args
    while isinstance(stop, Ref):
        stop = facts.definitions.get(stop.var, Const(None))
    (slot,) = loop.carried
    zeros = (
        facts.definitions.get(slot.entry.var) if isinstance(slot.entry, Ref) else None
    )
    like = zeros.args[:1] if isinstance(zeros, Apply) else ()
    counted = isinstance(stop, Apply) and stop.op == "len" and stop.args == like
    return counted and start == Const(0) and step == Const(1)


def _with_numbers(loop: Loop, known: Mapping[Var, Expr], read: Counter[Var]) -> Loop:
    """A loop that reads no lists of equal numbers, which it takes entry by entry."""
    for slot in loop.carried:
        number = known.get(slot.entry.var) if isinstance(slot.entry, Ref) else None
        if number is None or read[slot.exit]:
            continue
        versions: set[Expr] = {Ref(slot.inner)}
        for let in lets(loop.body):
            if getattr(let.value, "op", "") == "popped":
                if getattr(let.value, "args")[0] in versions:
                    versions.add(Ref(let.var))
        if len(versions) == 1 or slot.next not in versions:
            continue

        def taken(one: Expr) -> Expr:
            is_entry = isinstance(one, Apply) and one.op in ("getitem", "item")
            is_entry = is_entry and getattr(one, "args")[0] in versions
            return number if is_entry and number is not None else one

        found = map_expressions(loop.body, lambda one: rewrite(one, taken))
        body = tuple(_without(found, versions))
        others = tuple(one for one in loop.carried if one is not slot)
        made = replace(loop, body=body, carried=others)
        if not any(Ref(var) in versions for var in reads_of(made)):
            return _with_numbers(made, known, read)
    return loop


def _without(body: Iterable[Stmt], versions: Collection[Expr]) -> Iterator[Stmt]:
    """A block without what shortens a list."""
    for stmt in body:
        if not isinstance(stmt, Let) or Ref(stmt.var) not in versions:
            yield with_blocks(stmt, lambda block: _without(block, versions))
