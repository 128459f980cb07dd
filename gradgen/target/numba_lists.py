"""Lists that a loop of known length fills, as arrays that are made before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Branch, Carried, Const, Expr, Function, Let, Loop
from gradgen.ir.nodes import Ref, Stmt, Supply, Var
from gradgen.ir.operators import add, call, subtract
from gradgen.ir.sharing import changes
from gradgen.ir.walk import map_expressions, own_expressions, reads, rewrite
from gradgen.ir.walk import statements, subexpressions, substitute_everywhere
from gradgen.ir.walk import with_blocks
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import ranked
from gradgen.shapes.spans import is_no_less, rounds
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_scalars import less
from gradgen.target.numba_tokens import learned

# what makes one array of a list
COPIES = ("helper._rows_in", "helper._rows_of")


@dataclass(frozen=True)
class _List:
    """A list that each round of a loop appends an array to, and nothing else changes."""

    start: Let
    loop: Loop
    slot: Carried
    append: Let

    @property
    def names(self) -> tuple[Var, ...]:
        """The names of the list: before, in, and behind the loop."""
        return self.start.var, self.slot.inner, self.append.var, self.slot.exit


def filled_arrays(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with arrays for the lists that loops of known length fill.

        before:  hs = [h]
                 for t in range(X.shape[0]):
        after:   hs = np.empty((X.shape[0] + 1, W.shape[0]))
                 for i in range(h.shape[0]):
                     hs[0, i] = h[i]
                 for t in range(X.shape[0]):

    So it is where the entries are arrays of one known shape, and what is behind the loop
    reads entries by their places or takes all of them as one array.
    """
    tried: set[Var] = set()
    while True:
        left = (one for one in _lists(function.body) if one.start.var not in tried)
        one = next(left, None)
        if one is None:
            return function
        tried.add(one.start.var)
        known = learned(function, facts)
        made = _array(one, function, known, Lengths(function, known))
        if made is None:
            continue
        names = {
            var: supply.var(var.name, var.origin, var.of, var.order)
            for var in one.names
        }
        entry = one.append.value.args[1]
        whole = rounds(known, one.loop) + Dim.of(len(one.start.value.args))
        for var in names.values():
            facts.shapes[var] = ranked(whole, *(known.of(entry).dims or ()))
            facts.kinds[var] = known.kind(entry)
        body = tuple(_written(function.body, one, made, names, supply))
        body = map_expressions(body, lambda expr: rewrite(expr, _all_of(one)))
        new = {var: Ref(after) for var, after in names.items()}
        function = substitute_everywhere(replace(function, body=body), new)


def _lists(body: Iterable[Stmt]) -> Iterator[_List]:
    """The lists that start in a block, and that one loop of it appends to."""
    starts: dict[Var, Let] = {}
    for loop in body:
        if isinstance(loop, Let) and _op(loop.value) == "list":
            starts[loop.var] = loop
        elif isinstance(loop, Let) and changes(loop):
            # what a list starts with may be another value from here on
            starts = {var: one for var, one in starts.items() if not one.value.args}
        if isinstance(loop, Branch):
            yield from _lists(loop.then)
            yield from _lists(loop.orelse)
        if not isinstance(loop, Loop):
            continue
        yield from _lists(loop.body)
        if loop.test is not None or loop.until is not None or loop.over is None:
            continue
        appends = {
            one.var: one
            for one in loop.body
            if isinstance(one, Let) and _op(one.value) == "append"
        }
        for slot in loop.carried:
            if not isinstance(slot.entry, Ref) or not isinstance(slot.next, Ref):
                continue
            start, append = starts.get(slot.entry.var), appends.get(slot.next.var)
            if start and append and append.value.args[0] == Ref(slot.inner):
                yield _List(start, loop, slot, append)


def _array(
    one: _List, function: Function, facts: Facts, lengths: Lengths
) -> Expr | None:
    """np.empty for a list; None where that is not known, or where it is read as a list."""
    entry, over = one.append.value.args[1], one.loop.over
    if _op(entry) in ("tuple", "list") or facts.is_list(entry) or _count(over) is None:
        return None
    dims, kind = facts.of(entry).dims, facts.kind(entry)
    firsts = one.start.value.args
    if any((facts.of(x).dims, facts.kind(x)) != (dims, kind) for x in firsts):
        return None
    if not dims or facts.is_complex(entry) or kind not in (Kind.LIKE, Kind.WIDE):
        return None
    counted = rounds(facts, one.loop)
    found = [_count(over), *map(lengths.of_params, dims)]
    sizes = [size for size in found if size is not None]
    if len(sizes) < len(found):
        return None
    if not is_no_less(facts, counted):
        sizes[0] = Apply("numpy.maximum", (sizes[0], Const(0)), spelling="name:max")
    if firsts:
        sizes[0] = add(sizes[0], Const(len(firsts)))
    dtypes = _dtypes(function, one, len(dims))
    if dtypes is None or len(dtypes) > 1:
        return None
    early = {p.var for p in function.params} | {
        let.var for let in _before(function, one)
    }
    dtype = tuple(dtypes)
    if any(set(reads(given)) - early for given in dtype):
        return None
    if kind is Kind.LIKE and not dtype:
        like = [
            result.of
            for result in function.results
            if facts.rank(Ref(result.of)) and facts.kinds.get(result.of) is Kind.LIKE
        ]
        if not like:
            return None
        dtype = (Apply("dtype", (Ref(like[0]),), spelling="attribute:dtype"),)
    if kind is Kind.WIDE and dtype and not _is_whole_alone(function, one):
        return None  # its entries have more digits than all of them as an array
    return call("numpy.empty", Apply("tuple", tuple(sizes)), *dtype)


def _count(over: Expr | None) -> Expr | None:
    """How many rounds range(a, b) or range(a, b, -1) has, None for other steps."""
    if not isinstance(over, Apply) or over.op != "range":
        return None
    if over.args[2] not in (Const(1), Const(-1)):
        return None
    start, stop, step = over.args
    first, last = (start, stop) if step == Const(1) else (stop, start)
    return last if first == Const(0) else subtract(last, first)


def _before(function: Function, one: _List) -> list[Let]:
    """The assignments of the function that stand before a loop, outside of others."""
    found: list[Let] = []
    for stmt in function.body:
        if stmt is one.loop:
            break
        if isinstance(stmt, Let):
            found.append(stmt)
    return found


def _dtypes(function: Function, one: _List, rank: int) -> set[Expr] | None:
    """The dtypes of the arrays that are made of a list; None for another use of it."""
    found: set[Expr] = set()
    whole, taken = Ref(one.slot.exit), 0
    counts: Counter[Var] = Counter()
    values = [*function.values, *(result.value for result in function.results)]
    for stmt in statements(function.body):
        values += own_expressions(stmt)
    for value in values:
        for node in subexpressions(value):
            if isinstance(node, Ref):
                counts[node.var] += 1
            if not isinstance(node, Apply) or not node.args or node.args[0] != whole:
                continue
            if node.op == "helper._rows_in":
                shape, *dtype = node.args[1].args
                size = shape.args if _op(shape) == "tuple" else ()
                if len(size) != 1 + rank or size[0] != call("len", whole):
                    return None
                found |= set(dtype)
            taken += node.op in ("getitem", "len", *COPIES)
            if node.op == "getitem" and _op(node.args[1]) == "slice":
                return None
    inner = (one.start.var, one.slot.inner, one.append.var)
    if counts[whole.var] != taken or any(counts[var] != 1 for var in inner):
        return None
    return found


def _is_whole_alone(function: Function, one: _List) -> bool:
    """Whether nothing reads single entries of a list."""
    return not any(
        _op(node) == "getitem" and node.args[0] == Ref(one.slot.exit)
        for stmt in statements(function.body)
        for value in own_expressions(stmt)
        for node in subexpressions(value)
    )


def _written(
    body: Iterable[Stmt],
    one: _List,
    made: Expr,
    names: Mapping[Var, Var],
    supply: Supply,
) -> Iterator[Stmt]:
    """The statements with the array made where the loop begins, and stored into."""
    for stmt in body:
        if stmt is one.start:
            continue
        if stmt is one.loop:
            own, note = names[one.start.var], replace(one.start.note, lines=())
            for at, entry in enumerate(one.start.value.args):
                before = supply.var(own.name, own.origin, own.of, own.order)
                yield Let(before, made, note)
                made = Apply("setitem", (Ref(before), Const(at), entry))
            yield Let(own, made, note)
            yield _filling(one, names)
        elif isinstance(stmt, Loop | Branch):
            yield with_blocks(stmt, lambda b: _written(b, one, made, names, supply))
        else:
            yield stmt


def _filling(one: _List, names: Mapping[Var, Var]) -> Loop:
    """The loop with hs[t] = h for hs.append(h)."""
    loop, slot, append = one.loop, one.slot, one.append
    assert loop.over is not None
    start, _, step = loop.over.args
    firsts, at = len(one.start.value.args), Ref(loop.index)
    if step == Const(1) and isinstance(start, Const):
        place = less(at, firsts - start.value)
    else:
        place = subtract(at, start) if step == Const(1) else subtract(start, at)
        place = less(place, firsts)
    base, entry = append.value.args
    stored = Apply("setitem", (base, place, entry))
    filled = Let(names[append.var], stored, append.note)
    own = replace(slot, inner=names[slot.inner], exit=names[slot.exit])
    return replace(
        loop,
        carried=tuple(own if other is slot else other for other in loop.carried),
        body=tuple(filled if stmt is append else stmt for stmt in loop.body),
    )


def _all_of(one: _List) -> Callable[[Expr], Expr]:
    """The array itself for what copied the list into one: hs for _rows_in(hs, ...)."""

    def change(node: Expr) -> Expr:
        if _op(node) in COPIES and node.args[0] == Ref(one.slot.exit):
            return node.args[0]
        return node

    return change


def _op(expr: Expr | None) -> str:
    return expr.op if isinstance(expr, Apply) else ""
