"""The loop nest that a group of items is written as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Carried,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.walk import reads, rewrite, substitute
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.target.numba_groups import Group
from gradgen.target.numba_tokens import ADD, NEW, SET, SUM, Item
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_scalars import entry, length

RANGE = "range"
# a product of matrices that is stored where it is computed
OUT = "out"


class Writer:
    """Writes groups as loops; `made` says whether there was one."""

    def __init__(
        self, function: Function, facts: Facts, supply: Supply, lengths: Lengths
    ):
        self.function, self.facts, self.supply = function, facts, supply
        self.lengths, self.made = lengths, False
        # the argument that a gradient is of
        self.of = {
            r.value.var: r.of for r in function.results if isinstance(r.value, Ref)
        }
        arrays = [r.of for r in function.results if facts.rank(Ref(r.of))]
        like = [v for v in arrays if facts.kinds.get(v) is Kind.LIKE]
        self.like = like[0] if like else None

    def written(self, group: Group, kept: set[Var]) -> Iterator[Stmt]:
        """The statements of a group; `kept` are arrays that are read elsewhere."""
        self.made, kept = True, kept | group.crossing()
        for let in group.before:
            yield let
        first = group.items[0]
        chains: dict[Var, Var] = {}  # chain -> its variable before the nest
        ends: dict[Var, Var] = {}
        for item in group.items:
            note = replace(item.note, lines=())
            if item.kind == NEW and item.of in kept:
                made = self._version(item.of)
                yield Let(made, self._empty(item, first), note)
                chains[item.of], ends[item.of] = made, item.of
            elif item.kind == SUM:
                made = self._version(item.of)
                yield Let(made, Const(0.0, "0.0"), note)
                chains[item.of], ends[item.of] = made, item.of
            elif item.kind in (SET, ADD):
                assert item.base is not None
                chain = group.chains[item.base]
                chains.setdefault(chain, item.base)
                ends[chain] = item.of
        # an axis of length 1 has one place
        axes = [k for k, dim in enumerate(first.dims) if dim != ONE] or [0]
        lengths = [self.lengths.of(first.dims[k], first) for k in axes]
        depth, names = len(axes), iter(group.whole)
        index = tuple(
            self.supply.var(next(names).var.name, Origin.LOCAL) if k in axes else None
            for k in range(len(first.dims))
        )
        loops = [one for one in index if one is not None]
        inner = [{c: self._version(v) for c, v in chains.items()} for _ in loops[1:]]
        shared = len({item.note for item in group.items}) == 1
        note = first.note if shared else replace(first.note, lines=())
        current = inner[-1] if inner else chains
        body: tuple[Stmt, ...] = ()
        runs, innermost = group.runs(), lengths[-1]
        assert innermost is not None
        many = innermost
        for at, items in enumerate(runs):
            last = ends if depth == 1 and at + 1 == len(runs) else self._fresh(chains)
            one = self.supply.var(loops[-1].name, Origin.LOCAL)
            rounds, where = self._fresh(chains), (*index[: axes[-1]], one)
            where = (*where, *index[axes[-1] + 1 :])
            after = dict(rounds)
            sums = _Sums(self, group, items, where) if depth > 1 else None
            done = tuple(self._round(group, items, kept, after, where, shared, sums))
            carried = tuple(
                Carried(rounds[c], Ref(current[c]), Ref(after[c]), last[c])
                for c in chains
            )
            whole = replace(note, lines=()) if depth > 1 or at else note
            if sums is not None:
                carried = (*carried, *sums.carried())
                body = (*body, *sums.before(whole))
            body = (*body, self._loop(one, many, carried, done, whole))
            if sums is not None:
                body = (*body, *sums.behind(last, whole))
            now = {var: Ref(last[c]) for c, var in chains.items()}
            many, current = substitute(innermost, now), last
        for level in reversed(range(depth - 1)):
            last = ends if level == 0 else self._fresh(chains)
            outer = chains if level == 0 else inner[level - 1]
            carried = tuple(
                Carried(inner[level][c], Ref(outer[c]), Ref(current[c]), last[c])
                for c in chains
            )
            whole = note if level == 0 else replace(note, lines=())
            body = (self._loop(loops[level], lengths[level], carried, body, whole),)
            current = last
        yield from body
        yield from group.behind

    def _fresh(self, chains: dict[Var, Var]) -> dict[Var, Var]:
        """The next variable of each array that a nest changes."""
        return {chain: self._version(var) for chain, var in chains.items()}

    def _loop(
        self,
        index: Var,
        many: Expr | None,
        carried: tuple[Carried, ...],
        body: tuple[Stmt, ...],
        note: Note,
    ) -> Loop:
        """for i in range(n)."""
        assert many is not None
        over = Apply(RANGE, (Const(0), many, Const(1)))
        count = self.supply.var("count", Origin.COUNT)
        return Loop(index, over, None, None, carried, body, count, note)

    def _round(
        self,
        group: Group,
        items: list[Item],
        kept: set[Var],
        current: dict[Var, Var],
        index: tuple[Var | None, ...],
        shared: bool,
        sums: _Sums | None,
    ) -> Iterator[Stmt]:
        """What a round does; `current` are the variables of what it changes."""
        spots = _spots(group, index)
        numbers: dict[Var, Var] = {}
        read = {var for item in items for var, _ in item.read}

        def change(node: Expr) -> Expr:
            if isinstance(node, Apply) and node.op == "getitem":
                base = node.args[0]
                if isinstance(base, Ref) and base.var in numbers:
                    return Ref(numbers[base.var])
                if isinstance(base, Ref) and base.var in group.chains:
                    now = Ref(current[group.chains[base.var]])
                    return replace(node, args=(now, *node.args[1:]))
                if isinstance(base, Ref) and base.var in current:
                    now = Ref(current[base.var])
                    return replace(node, args=(now, *node.args[1:]))
            return node

        for item in items:
            note: Note = replace(item.note, lines=()) if shared else item.note
            value = substitute(rewrite(item.value, change), spots)
            place = tuple(substitute(one, spots) for one in item.place)
            if item.kind == NEW:
                if item.of not in kept or item.of in read:
                    wish = item.of.name + "_i" * (item.of in kept)
                    own = replace(item.of, name=wish)
                    number = self.supply.var(wish, own.origin, own.of, own.order)
                    numbers[item.of] = number
                    yield Let(number, value, note)
                    value = Ref(number)
                    note = replace(note, lines=())
                if item.of not in kept:
                    continue
            if sums is not None and sums.has(item):
                yield sums.added(item, value, note)
                continue
            chain = item.of if item.kind in (NEW, SUM) else group.chains[item.of]
            if item.rest and self._is_of_one_dtype(item):
                made = self._version(current[chain])
                product = replace(value, spelling=OUT)
                into = self._stored(item, Ref(current[chain]), place, product)
                yield Let(made, into, note)
                current[chain] = made
                continue
            if item.rest:
                stored = self._by_entries(item, current[chain], place, value, note)
                yield from stored
                current[chain] = stored[-1].carried[0].exit
                continue
            after = self._version(current[chain])
            yield Let(
                after, self._stored(item, Ref(current[chain]), place, value), note
            )
            current[chain] = after

    def _is_of_one_dtype(self, item: Item) -> bool:
        """Whether a product of matrices has surely the dtype of the array it goes into.

        Then np.dot(A[i], B[i], y[i]) stores it there, without an array of its own.
        """
        if not isinstance(item.value, Apply) or item.value.op != "numpy.matmul":
            return False
        asked = {result.of for result in self.function.results}
        return all(var in asked | self.lengths.made for var, _ in item.read)

    def _by_entries(
        self, item: Item, base: Var, place: tuple[Expr, ...], value: Expr, note: Note
    ) -> tuple[Let, Loop]:
        """An array that is stored entry by entry: numba compiles other stores slowly.

        before:  y[i] = A[i] @ B[i]
        after:   product = A[i] @ B[i]
                 for j in range(product.shape[0]):
                     for k in range(product.shape[1]):
                         y[i, j, k] = product[j, k]
        """
        product = self.supply.var(item.of.name + "_i", Origin.TEMP)
        rest = [self.supply.var(var.name, Origin.LOCAL) for var in item.rest]
        inside = tuple(map(Ref, rest))
        plain, last = replace(note, lines=()), self._version(base)
        inner = [self._version(base) for _ in rest]
        found = entry(Ref(product), inside)
        key = Apply("tuple", (*place, *inside), spelling="operator")
        body: tuple[Stmt, ...] = (
            Let(last, Apply("setitem", (Ref(inner[-1]), key, found)), plain),
        )
        for level in reversed(range(len(rest))):
            many, exits = length(Ref(product), level), self._version(base)
            before = inner[level - 1] if level else base
            carried = Carried(inner[level], Ref(before), Ref(last), exits)
            loop = self._loop(rest[level], many, (carried,), body, plain)
            body, last = (loop,), exits
        return Let(product, value, note), loop

    def _stored(
        self, item: Item, base: Expr, place: tuple[Expr, ...], value: Expr
    ) -> Apply:
        if item.kind == SUM:
            return Apply("accumulate", (base, value))
        key = place[0]
        if len(place) > 1:
            key = Apply("tuple", place, spelling="operator")
        op = "additem" if item.kind == ADD else "setitem"
        return Apply(op, (base, key, value))

    def _version(self, var: Var) -> Var:
        return self.supply.var(var.name, var.origin, var.of, var.order)

    def _empty(self, item: Item, first: Item) -> Apply:
        """np.empty_like(x) for the gradient of x, np.empty(n, x.dtype) for others."""
        of = self.of.get(item.of)
        if of is not None and self.facts.of(Ref(of)).dims == item.dims:
            if self.facts.kinds.get(of) is Kind.LIKE:
                return Apply("numpy.empty_like", (Ref(of),))
        sizes = tuple(self._size(dim, first) for dim in item.dims)
        return self._made("numpy.empty", item, sizes)

    def _made(self, op: str, item: Item, sizes: tuple[Expr, ...]) -> Apply:
        shape = sizes[0] if len(sizes) == 1 else Apply("tuple", sizes)
        kind = self.facts.kinds.get(item.of, Kind.LIKE)
        if kind is Kind.BOOLEAN:
            return Apply(op, (shape, Const(None, "np.bool_")))
        if kind is not Kind.WIDE and self.like is not None:
            dtype = Apply("dtype", (Ref(self.like),), spelling="attribute:dtype")
            return Apply(op, (shape, dtype))
        return Apply(op, (shape,))

    def _size(self, dim: Dim, item: Item) -> Expr:
        found = self.lengths.of(dim, item)
        assert found is not None
        if isinstance(found, Apply) and found.op == "numpy.subtract":
            return Apply("numpy.maximum", (found, Const(0)), spelling="name:max")
        return found

    def zeros(self, let: Let, item: Item) -> Let | None:
        """np.zeros for what items add to; None where its lengths are not known."""
        sizes, item = [], replace(item, base=None)
        for dim in self.facts.of(Ref(let.var)).dims or ():
            size = self.lengths.of(dim, item)
            if size is None:
                return None
            sizes.append(size)
        return replace(let, value=self._made("numpy.zeros", item, tuple(sizes)))


class _Sums:
    """What the innermost loop adds to one place, as numbers: s += x[i, j]; y[i] += s.

    before:  for j in range(m):          after:   s = 0.0
                 y[i] += x[i, j]                  for j in range(m):
                                                      s += x[i, j]
                                                  y[i] += s

    An entry would be read and written in each round.
    """

    def __init__(
        self,
        writer: Writer,
        group: Group,
        items: list[Item],
        index: tuple[Var | None, ...],
    ):
        self.writer, self.spots = writer, _spots(group, index)
        inner = [var for var in index if var is not None][-1]
        place = {v for v, spot in self.spots.items() if spot == Ref(inner)}
        self.items = [one for one in items if one.kind == ADD and not one.rest]
        self.chain = {id(one): group.chains[one.of] for one in self.items}
        touched = [group.chains.get(var, var) for one in items for var, _ in one.read]
        touched += [group.chains[one.of] for one in items if one.kind in (SET, ADD)]
        self.items = [
            one
            for one in self.items
            if touched.count(self.chain[id(one)]) == 1
            and not place & {var for at in one.place for var in reads(at)}
        ]
        names = {id(one): one.of.name + "_i" for one in self.items}
        supply = writer.supply
        self.first = {k: supply.var(name, Origin.TEMP) for k, name in names.items()}
        self.inner = {k: supply.var(name, Origin.TEMP) for k, name in names.items()}
        self.next = dict(self.inner)
        self.exit = {k: supply.var(name, Origin.TEMP) for k, name in names.items()}

    def has(self, item: Item) -> bool:
        """Whether an item is added to a number."""
        return id(item) in self.first

    def added(self, item: Item, value: Expr, note: Note) -> Let:
        """s += x[i, j]."""
        now = self.next[id(item)]
        after = self.next[id(item)] = self.writer.supply.var(now.name, Origin.TEMP)
        return Let(after, Apply("accumulate", (Ref(now), value)), note)

    def carried(self) -> Iterator[Carried]:
        """What the loop goes on with."""
        for k, first in self.first.items():
            yield Carried(self.inner[k], Ref(first), Ref(self.next[k]), self.exit[k])

    def before(self, note: Note) -> Iterator[Let]:
        """s = 0.0."""
        for first in self.first.values():
            yield Let(first, Const(0.0, "0.0"), replace(note, lines=()))

    def behind(self, last: dict[Var, Var], note: Note) -> Iterator[Let]:
        """y[i] += s; `last` are the variables of the arrays, which it goes on with."""
        for item in self.items:
            chain = self.chain[id(item)]
            place = tuple(substitute(one, self.spots) for one in item.place)
            key = place[0]
            if len(place) > 1:
                key = Apply("tuple", place, spelling="operator")
            after = self.writer.supply.var(last[chain].name, last[chain].origin)
            after = replace(after, of=last[chain].of, order=last[chain].order)
            stored = Ref(last[chain]), key, Ref(self.exit[id(item)])
            yield Let(after, Apply("additem", stored), replace(note, lines=()))
            last[chain] = after


def _spots(group: Group, index: tuple[Var | None, ...]) -> dict[Var, Expr]:
    """The places of a nest as the variables of its loops."""
    return {
        one.var: Ref(var) if var is not None else Const(0)
        for one, var in zip(group.whole, index, strict=True)
        if isinstance(one, Ref)
    }
