"""Whether a store of another round, or of later in a round, may meet a key's places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Loop, Ref, Var
from gradgen.ir.operators import EQUALITIES
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts
from gradgen.shapes.spans import ends, side

_ZERO = Dim(())
Renaming = Mapping[str, Dim]


@dataclass(frozen=True)
class Instance:
    """A place in a nest of loops, as one execution of it.

    `loops` are around it, the outermost first; the array has the state in question
    since `count` statements, in the rounds of the first `since` of these loops. `arms`
    are the branches around it: each with its side and the number of loops around it.
    """

    loops: tuple[Loop, ...]
    arms: tuple[tuple[Branch, int, int], ...]
    count: int
    since: int


@dataclass(frozen=True)
class Bound:
    """A name's least and greatest value; None for what is not known."""

    name: str
    low: Dim | None
    high: Dim | None


@dataclass(frozen=True)
class Places:
    """Places along an axis: from `start` up to `stop`, or to the end."""

    start: Dim
    stop: Dim | None

    def renamed(self, renaming: Renaming) -> Places:
        """The places of another round."""
        stop = None if self.stop is None else _renamed(self.stop, renaming)
        return Places(_renamed(self.start, renaming), stop)


class Stores:
    """Proofs that stores leave the entries of a key alone.

    `lets` are the assignments inside of the loops: what tests are computed by, and
    what may be another number in each round.
    """

    def __init__(self, facts: Facts, lets: Mapping[Var, Let], own: set[Var]) -> None:
        self.facts, self.tests = facts, lets
        self.varying = {facts.size_of(var) for var in own}
        self._bounds: dict[tuple[int, ...], list[Bound]] = {}
        self._known: dict[tuple[Expr, tuple[int, ...]], Places | None] = {}

    def leave(self, key: Expr, at: Instance, store: Expr, of: Instance) -> bool:
        """Whether no later execution of a store meets the places of a key.

        Both keys read indices of loops, and what is from around them. Later is: in
        the same round of all loops that both stand in, further down; or in a later
        round of one of these, and the same round of those around it.
        """
        if self._always_apart(key, at, store, of):
            return True
        common = _common(at.loops[: at.since], of.loops)
        for level in range(common):
            if not self._apart(key, at, store, of, level):
                return False
        if of.count <= at.count or _excluded(at, of, common):
            return True
        return self._apart(key, at, store, of, common)

    def _always_apart(self, key: Expr, at: Instance, store: Expr, of: Instance) -> bool:
        """Whether the places differ in all rounds: numbers that are not the same."""
        for one, two in zip(key_items(key), key_items(store)):
            mine, its = self._places(one, at), self._places(two, of)
            if mine is None or its is None:
                return False
            if _end(mine) <= _number(its.start) or _end(its) <= _number(mine.start):
                return True
        return False

    def _apart(
        self, key: Expr, at: Instance, store: Expr, of: Instance, level: int
    ) -> bool:
        """Whether the places differ where the rounds first differ at a level.

        The loops around that level are in the same round; the store's is a later one
        at the level, and any one of the others.
        """
        renaming: dict[str, Dim] = {}
        bounds: list[list[Bound]] = []
        for depth, loop in enumerate(at.loops):
            bounds.append(list(self._bound(loop, {})))
        for depth, loop in enumerate(of.loops):
            if depth < level and loop is at.loops[depth]:
                continue
            name = self.facts.size_of(loop.index)
            if depth == level and depth < _common(at.loops[: at.since], of.loops):
                step = _step(loop)
                if step == 0:
                    return False
                later = Dim.of(f"+{depth}") * Dim.of(step) + Dim.of(step)
                renaming[name] = Dim.of(name) + later
                continue
            other = f"?{depth}'"
            found = list(self._bound(loop, renaming, other))
            renaming[name] = Dim.of(other)
            while len(bounds) <= depth:
                bounds.append([])
            bounds[depth] += found
        inner_first = [bound for row in reversed(bounds) for bound in row]
        unequal = list(self._unequal(at))
        for one, two in zip(key_items(key), key_items(store)):
            mine, its = self._places(one, at), self._places(two, of)
            if mine is None or its is None:
                return False  # it may stand for any number of axes
            its = its.renamed(renaming)
            if _disjoint(mine, its, inner_first, unequal):
                return True
        return False

    def _bound(
        self, loop: Loop, renaming: Renaming, name: str | None = None
    ) -> Iterator[Bound]:
        own = self.facts.size_of(loop.index)
        span = ends(self.facts, loop.over)
        if span is None:
            yield Bound(name or own, None if loop.over else _ZERO, None)
        else:
            ways = [_renamed(end, renaming) for end in span]
            low, high = (None if end.names & self.varying else end for end in ways)
            yield Bound(name or own, low, high)

    def _places(self, item: Expr, at: Instance) -> Places | None:
        """The places of a part of a key; None where it may count from the end."""
        around = tuple(map(id, at.loops))
        if (item, around) not in self._known:
            self._known[item, around] = self._found(item, at)
        return self._known[item, around]

    def _found(self, item: Expr, at: Instance) -> Places | None:
        facts = self.facts
        if isinstance(item, Apply) and item.op == "slice":
            start, stop, step = item.args
            if step not in (Const(None), Const(1)):
                return None
            none = Const(None)
            first = _ZERO if start == none else facts.dim(start)
            found = Places(first, None if stop == none else facts.dim(stop))
        elif isinstance(item, Const) and type(item.value) is not int:
            return None
        elif isinstance(item, Const) or facts.is_index(item):
            place = facts.dim(item)
            found = Places(place, place + ONE)
        else:
            return None
        around = tuple(map(id, at.loops))
        if around not in self._bounds:
            inner_first = reversed(at.loops)
            self._bounds[around] = [b for l in inner_first for b in self._bound(l, {})]
        bounds = self._bounds[around]
        ends_of = (found.start, found.stop or _ZERO)
        return found if all(_at_least(end, bounds) for end in ends_of) else None

    def _unequal(self, at: Instance) -> Iterator[Dim]:
        """Differences that are not 0, by the tests of the branches around a place."""
        for branch, which, _ in at.arms:
            test = branch.test
            if isinstance(test, Ref) and test.var in self.tests:
                test = self.tests[test.var].value
            if not isinstance(test, Apply) or len(test.args) != 2:
                continue
            other = EQUALITIES.get(test.op)
            if which == other and all(map(self.facts.is_index, test.args)):
                one, two = map(self.facts.dim, test.args)
                yield one - two


def _common(one: tuple[Loop, ...], other: tuple[Loop, ...]) -> int:
    """How many loops two places are both in."""
    count = 0
    for a, b in zip(one, other):
        if a is not b:
            break
        count += 1
    return count


def _excluded(at: Instance, of: Instance, common: int) -> bool:
    """Whether two places stand in different arms of a branch of the same round."""
    sides = {id(branch): which for branch, which, around in at.arms if around <= common}
    return any(
        id(branch) in sides and sides[id(branch)] != which
        for branch, which, around in of.arms
    )


def _number(dim: Dim) -> float:
    """The number that a place is; less than any where it has names."""
    return -inf if dim.number is None else dim.number


def _end(places: Places) -> float:
    """The number that places stop before; more than any where it is not one."""
    number = None if places.stop is None else places.stop.number
    return inf if number is None else number


def _step(loop: Loop) -> int:
    """What the index grows by in a round; 0 where that is not known."""
    over = loop.over
    if over is None:
        return 1
    turned = isinstance(over, Apply) and over.op == "reversed"
    if turned:
        assert isinstance(over, Apply)
        over = over.args[0]
    if not isinstance(over, Apply) or over.op != "range":
        return 0
    step = over.args[2]
    if not isinstance(step, Const) or type(step.value) is not int:
        return 0
    return -step.value if turned else step.value


def _renamed(dim: Dim, renaming: Renaming) -> Dim:
    total = _ZERO
    for names, factor in dim.terms:
        term = Dim.of(factor)
        for name in names:
            term = term * renaming.get(name, Dim.of(name))
        total = total + term
    return total


def _disjoint(a: Places, b: Places, bounds: list[Bound], unequal: list[Dim]) -> bool:
    """Whether two parts of an axis share no place."""
    apart = a.start - b.start
    if a.stop == a.start + ONE and b.stop == b.start + ONE:
        if any(apart in (other, _ZERO - other) for other in unequal):
            return True
    before = a.stop is not None and _at_least(b.start - a.stop, bounds)
    return before or (b.stop is not None and _at_least(a.start - b.stop, bounds))


def _at_least(dim: Dim, bounds: list[Bound]) -> bool:
    """Whether a size is surely 0 or more; the bounds of an inner loop come first."""
    for bound in bounds:
        factor = sum(k for names, k in dim.terms if names == (bound.name,))
        if any(bound.name in names for names, _ in dim.terms if len(names) > 1):
            return False
        if factor:
            end = bound.low if factor > 0 else bound.high
            if end is None:
                return False
            dim = dim + Dim.of(factor) * (end - Dim.of(bound.name))
    return side(dim) > 0
