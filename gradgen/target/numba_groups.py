"""Which statements go into one loop nest: those whose rounds may run one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Var
from gradgen.ir.operators import IN_PLACE, LISTS
from gradgen.ir.sharing import changes
from gradgen.ir.walk import reads
from gradgen.target.numba_tokens import ADD, NEW, SUM, Item

Root = Callable[[Var], Var]
Place = tuple[Expr, ...]


@dataclass
class Group:
    """Items of one nest, and the statements that stand before and behind it.

    `whole` are the places i, j of the nest; `root` says which variables may share
    memory. A value that one round makes is read in the same round alone, and what a
    round changes is read and changed at that place alone.
    """

    whole: Place
    root: Root
    is_number: Callable[[Var], bool] = lambda var: False
    items: list[Item] = field(default_factory=list)
    before: list[Let] = field(default_factory=list)
    behind: list[Let] = field(default_factory=list)
    # arrays and sums that the nest makes, by the variable that stands for them
    made: set[Var] = field(default_factory=set)
    sums: set[Var] = field(default_factory=set)
    chains: dict[Var, Var] = field(default_factory=dict)
    written: dict[Var, list[tuple[Var, Place, str]]] = field(default_factory=dict)
    seen: dict[Var, list[tuple[Var, Place]]] = field(default_factory=dict)

    def takes(self, item: Item) -> bool:
        """Whether an item may run in the same rounds."""
        if not self.items:
            return True
        if item.dims != self.items[0].dims or self._reads_late(item.value):
            return False
        if item.note.role is not self.items[0].note.role:
            return False
        for var, place in item.read:
            if var in self.made:
                if place != self.whole:
                    return False
                continue
            for chain, stored, _ in self.written.get(self.root(var), ()):
                if _apart(stored, place):
                    continue
                if (chain, stored) != (self._chain(var), place):
                    return False
                if not self._once(stored):
                    return False
        if item.base is None:
            return True
        if item.base in self.made | self.sums | {let.var for let in self.behind}:
            return False
        root, chain = self.root(item.base), self._chain(item.base)
        for other, place in self.seen.get(root, ()):
            if _apart(place, item.place):
                continue
            if (other, place) != (chain, item.place) or not self._once(place):
                return False
        for other, place, kind in self.written.get(root, ()):
            if other != chain:
                return False
            if place != item.place and not kind == item.kind == ADD:
                if not _apart(place, item.place):
                    return False
        return all(self.root(var) != root for let in self.behind for var in _read(let))

    def add(self, item: Item) -> None:
        """One more item, which `takes` has allowed."""
        self.items.append(item)
        for var, place in item.read:
            if var not in self.made:
                one = self._chain(var), place
                self.seen.setdefault(self.root(var), []).append(one)
        if item.kind == NEW:
            self.made.add(item.of)
        elif item.kind == SUM:
            self.sums.add(item.of)
        else:
            assert item.base is not None
            chain = self._chain(item.base)
            self.chains[item.of] = chain
            self.chains.setdefault(item.base, chain)
            stored = chain, item.place, item.kind
            self.written.setdefault(self.root(item.base), []).append(stored)

    def moves(self, let: Let) -> bool:
        """Puts a statement before the nest or behind it; False where it cannot go."""
        if not self.items or let.note.role is not self.items[0].note.role:
            return False
        own = set(_read(let))
        late = own & self._defined() or any(
            self.root(var) in self.written for var in own
        )
        if not late and not _changes(let):
            self.before.append(let)
            return True
        if self.is_number(let.var) and all(map(self.is_number, own)):
            self.behind.append(let)  # d_a += x_sum
            return True
        is_list = isinstance(let.value, Apply) and let.value.op in LISTS
        if is_list or not _changes(let) and not _takes_part(let.value):
            self.behind.append(let)
            return True
        return False

    def _defined(self) -> set[Var]:
        return (
            self.made
            | self.sums
            | {let.var for let in self.behind}
            | {item.of for item in self.items}
        )

    def _reads_late(self, value: Expr) -> bool:
        late = self.sums | {let.var for let in self.behind}
        return any(var in late for var in reads(value))

    def _chain(self, var: Var) -> Var:
        return self.chains.get(var, var)

    def _once(self, place: Place) -> bool:
        """Whether each round has a place of its own; an index that is read may repeat."""
        plain = [one for one in place if not _takes_part(one)]
        named = {var for one in plain for var in reads(one)}
        return all(isinstance(one, Ref) and one.var in named for one in self.depth())

    def runs(self) -> list[list[Item]]:
        """The items as the innermost loops that they are written as.

        before:  for i in range(n):            after:   for i in range(n):
                     y[i] += x[i]                           y[i] += x[i]
                     y[i + 1] += x[i]                   for i in range(n):
                                                            y[i + 1] += x[i]

        What one loop adds to two places of an array waits for the sum before it.
        """
        runs: list[list[Item]] = []
        added: dict[Var, Place] = {}
        for item in self.items:
            plain = item.kind == ADD and not any(map(_takes_part, item.place))
            chain = self._chain(item.of)
            if not runs or plain and added.get(chain, item.place) != item.place:
                runs.append([])
                added = {}
            runs[-1].append(item)
            if plain:
                added[chain] = item.place
        return runs

    def crossing(self) -> set[Var]:
        """The arrays that one of the innermost loops makes and another one reads."""
        made: set[Var] = set()
        found: set[Var] = set()
        for items in self.runs():
            found |= {var for item in items for var, _ in item.read if var in made}
            made |= {item.of for item in items if item.kind == NEW}
        return found

    def depth(self) -> Place:
        """The indices of the nest."""
        return self.whole


def _apart(one: Place, other: Place) -> bool:
    """Whether two places are in two rows: y[0, i] and y[1, i]."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    rows = [(a, b) for a, b in pairs if isinstance(a, Const) and isinstance(b, Const)]
    return any(
        type(a.value) is type(b.value) is int and min(a.value, b.value) >= 0 and a != b
        for a, b in rows
    )


def _read(let: Let) -> tuple[Var, ...]:
    return reads(let.value)


def _changes(let: Let) -> bool:
    return changes(let) or isinstance(let.value, Apply) and let.value.op in IN_PLACE


def _takes_part(value: Expr) -> bool:
    """Whether an expression reads an entry or a part of an array."""
    if not isinstance(value, Apply):
        return False
    return value.op not in (
        "tuple",
        "numpy.add",
        "numpy.multiply",
        "numpy.subtract",
    ) or any(map(_takes_part, value.args))
