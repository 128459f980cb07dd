"""How long an axis is where parts of arrays lie beyond their ends.

x[1:-1] has n - 2 entries, but none where n is 1, and x[:1] none where n is 0. What is
joined of such parts has more, or fewer, than the sum of their lengths says. So has what an
arm or a round makes of them, and the convolution of a short array with a long one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import getitem
from gradgen.ir.walk import is_static, reads, static, substitute
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_ALL
from gradgen.rules.words_parts import split_axis
from gradgen.rules.words_shaping import entries
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import is_basic, key_items
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, ranked
from gradgen.shapes.spans import side

Sizes = Mapping[str, int]
# so many letters are tried with each length up to the greatest one
LETTERS, GREATEST = 3, 6
# the shape words of operations that turn to the longer of two operands
TURNING = ("convolved", "filtered")


@dataclass(frozen=True)
class Length:
    """What an axis has where each letter has a length, and what it is said to have."""

    said: Dim
    of: Callable[[Sizes], int]
    names: frozenset[str]
    # whether some letters give another length than it is said to have
    wrong: bool = False
    # whether it may have the length all the same, by another arm or in another round
    open: bool = False

    def holds(self, sizes: Sizes) -> bool:
        return self.of(sizes) == _at(self.said, sizes)


@dataclass(frozen=True)
class Part:
    """One of the arrays that are joined along an axis."""

    length: Length
    is_first: bool  # whether it is x[:1], which is taken to have an entry


class Actual:
    """The lengths of the axes of values, each found once."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._found: dict[tuple[Expr, int], Length | None] = {}

    def length(self, value: Expr, axis: int) -> Length | None:
        """The length of an axis, counted from the last; None where nothing is known."""
        dims = self.dims(value)
        if len(dims) < -axis or any(name[0] == "#" for name in dims[axis].names):
            return None
        if (value, axis) not in self._found:
            self._found[value, axis] = _said(dims[axis])  # while it is looked for
            self._found[value, axis] = self._traced(value, axis, dims)
        return self._found[value, axis]

    def is_wrong(self, value: Expr, axis: int) -> bool:
        """Whether an axis may have another length than it is said to have."""
        found = self.length(value, axis)
        return found is not None and found.wrong

    def agree(self, value: Expr, other: Expr) -> bool:
        """Whether two values that are said to have one shape have it at all lengths."""
        if value == other:
            return True
        for axis in range(-len(self.dims(value)), 0):
            one, two = self.length(value, axis), self.length(other, axis)
            if one is None or two is None or not (one.wrong or two.wrong):
                continue
            tried = _tried(sorted(one.names | two.names))
            if any(one.of(sizes) != two.of(sizes) for sizes in tried):
                return False
        return True

    def dims(self, value: Expr) -> tuple[Dim, ...]:
        """The axes of a value; none where they are not known."""
        try:
            return self.facts.of(value).dims or ()
        except ShapeConflict:
            return ()

    def _traced(self, value: Expr, axis: int, dims: tuple[Dim, ...]) -> Length:
        said = dims[axis]
        made = value
        if isinstance(value, Ref):
            if value.var in self.facts.ways:
                return self._one_of(value, axis, said)
            made = self.facts.definitions.get(value.var, value)
        if not isinstance(made, Apply):
            return _said(said)
        if (section := self._section(made)) is not None:
            return self._sliced(section, axis, said)
        if self._source(made) is not made or _shape_word(made) in TURNING:
            return self._by_rule(made, axis, said)
        if made.op == "getitem":
            return self._sliced(made, axis, said)
        arrays = list(_arrays(made))
        if said == ONE and len(arrays) > 1 and not _is_elementwise(made):
            return _said(said)
        for part in arrays:
            own = self.dims(part)
            for place in (axis,) if said == ONE else range(-len(own), 0):
                fewer = len(own) >= -place and (own[place] - said).number
                if type(fewer) is int and fewer >= 0:
                    found = self.length(part, place)
                    if found is not None and found.wrong:
                        return _fewer(said, found, fewer)
        parts = self.joined(made, axis, said)
        if parts:
            return _sum(said, [part.length for part in parts])
        if _is_elementwise(made) or not any(map(self._may_be_wrong, arrays)):
            return _said(said)
        return self._by_rule(made, axis, said)

    def _may_be_wrong(self, value: Expr) -> bool:
        return any(self.is_wrong(value, x) for x in range(-len(self.dims(value)), 0))

    def _one_of(self, value: Ref, axis: int, said: Dim) -> Length:
        """The length of one of several values: where one is wrong, that of this one.

        What a round hands on is what the round before it did: it is looked for once more.
        """
        before = set(self._found)
        found = self._found[value, axis] = _said(said)
        wrong = []
        for way in self.facts.ways[value.var]:
            one = self.length(way, axis)
            wrong.append(one is not None and one.wrong and one.said == said)
            if one is not None and wrong[-1]:
                found = self._found[value, axis] = _either(found, one)
        if not all(wrong):
            found = self._found[value, axis] = replace(found, open=found.wrong)
        if found.wrong:  # what was found meanwhile, was found of less
            for key in self._found.keys() - before - {(value, axis)}:
                del self._found[key]
        return found

    def _source(self, made: Apply) -> Apply:
        """What has several results, for one of them: np.split(x, [1])[0]."""
        if made.op != "getitem" or not isinstance(made.args[1], Const):
            return made
        source = made.args[0]
        if isinstance(source, Ref):
            source = self.facts.definitions.get(source.var, source)
        if isinstance(source, Apply) and self.facts.several(source):
            return getitem(source, made.args[1].value)
        return made

    def _section(self, made: Apply) -> Apply | None:
        """One part of a split at places, as a slice: np.split(x, [1, 3])[1] as x[1:3]."""
        source = self._source(made)
        split = source.args[0] if source is not made else None
        rule = operations().get(split.op) if isinstance(split, Apply) else None
        if rule is None or getattr(rule.shape, "op", "") != "parts":
            return None
        assert isinstance(split, Apply) and isinstance(rule.shape, Apply)
        array, sections, axis = substitute(rule.shape, bind(rule, split)).args[:3]
        places, dims = entries(sections), self.dims(array)
        along = split_axis(axis, len(dims)) if dims else None
        if places is None or not isinstance(along, int):
            return None
        ends = [Const(None), *places, Const(None)]
        i = static(source.args[1]) % (len(places) + 1)
        whole = (Apply("slice", (Const(None),) * 3),) * (along % len(dims))
        part = Apply("slice", (*ends[i : i + 2], Const(None)))
        return getitem(array, Apply("tuple", (*whole, part)))

    def _by_rule(self, made: Apply, axis: int, said: Dim) -> Length:
        """The length that the operation's rule tells of operands with numbers for axes."""
        made = self._source(made)
        read = {var: self._lengths(Ref(var)) for var in reads(made)}
        names = said.names.union(*(one.names for own in read.values() for one in own))
        if any(name[0] == "?" for name in names):
            return _said(said)

        def of(sizes: Sizes) -> int:
            facts = self.facts.copy()
            for var, own in read.items():
                if own:
                    facts.shapes[var] = ranked(*(one.of(sizes) for one in own))
            try:
                dims = facts.of(made).dims or ()
            except (GradgenError, ShapeConflict):
                return _at(said, sizes)  # NumPy does not take it
            return _at(dims[axis] if len(dims) >= -axis else said, sizes)

        return _checked(said, names, of)

    def _lengths(self, value: Expr) -> list[Length]:
        """The lengths of all axes of a value; none where one is not known."""
        found = [self.length(value, x) for x in range(-len(self.dims(value)), 0)]
        return [] if None in found else [one for one in found if one is not None]

    def joined(self, made: Apply, axis: int, said: Dim) -> list[Part]:
        """The parts of what is joined along an axis, if one may lie beyond its array."""
        parts, odd = list[Part](), False
        known = set[str]()
        for value in _arrays(made):
            found = self.length(value, axis)
            if found is None:
                continue
            own = found.said
            more = (said - own).number
            if own.names and (more is not None and more <= 0 or said.divided_by(own)):
                return []  # all of it, fewer, or some times as many
            odd = odd or found.wrong or side(own) <= 0
            known |= own.names
            parts.append(Part(found, own == ONE and not is_later(self.facts, value)))
        return parts if odd and said != ONE and said.names <= known else []

    def _sliced(self, made: Apply, axis: int, said: Dim) -> Length:
        base, key = made.args
        if isinstance(key, Apply) and key.op == "chain":
            base, key = getitem(base, key.args[0]), key.args[1]
        if not is_basic(self.facts, key):
            return _said(said)
        dims = self.dims(base)
        places = list(_places(key_items(key), len(dims)))
        at = places[axis] if len(places) >= -axis else None
        if at is None:
            return _said(said)
        item, place = at
        inner = self.length(base, place - len(dims))
        if inner is None:
            return _said(said)
        if item is None:
            return inner
        if not is_static(item):
            return _said(said)
        part: slice = static(item)
        names = inner.names | said.names
        return _checked(
            said, names, lambda sizes: len(range(*part.indices(inner.of(sizes))))
        )


def is_later(facts: Facts, value: Expr) -> bool:
    """Whether a value is a slice that does not start with the first entry: x[4:5]."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    if not isinstance(made, Apply) or made.op != "getitem":
        return False
    items = [x for x in key_items(made.args[1]) if isinstance(x, Apply)]
    slices = (x for x in items if x.op == "slice")
    return any(one.args[0] not in (Const(None), Const(0)) for one in slices)


def least(
    names: Iterable[str], fails: Callable[[Sizes], bool]
) -> dict[str, int] | None:
    """The shortest lengths of letters from which on nothing fails; none are needed: {}.

    None where no such lengths are found.
    """
    letters = sorted(names)
    tried = list(_tried(letters))
    failing = [sizes for sizes in tried if fails(sizes)]
    if not failing:
        return {}
    for bound in sorted(_tried(letters), key=lambda one: sum(one.values())):
        if any(size == GREATEST for size in bound.values()):
            continue
        if all(any(sizes[x] < bound[x] for x in letters) for sizes in failing):
            return {x: size for x, size in bound.items() if size}
    return None


def _tried(letters: list[str]) -> Iterator[dict[str, int]]:
    if len(letters) <= LETTERS:
        for sizes in product(range(GREATEST + 1), repeat=len(letters)):
            yield dict(zip(letters, sizes))


def _said(said: Dim) -> Length:
    return Length(said, lambda sizes: _at(said, sizes), said.names)


def _at(said: Dim, sizes: Sizes) -> int:
    return max(said.at(sizes).number or 0, 0)


def _checked(said: Dim, names: frozenset[str], of: Callable[[Sizes], int]) -> Length:
    tried = _tried(sorted(names))
    wrong = any(of(sizes) != _at(said, sizes) for sizes in tried)
    return Length(said, of, names, True) if wrong else _said(said)


def _fewer(said: Dim, longer: Length, by: int) -> Length:
    found = _checked(said, longer.names, lambda sizes: max(longer.of(sizes) - by, 0))
    return replace(found, open=longer.open)


def _sum(said: Dim, parts: list[Length]) -> Length:
    """The length of what is joined: as it is said, but for parts that lie beyond."""
    names = said.names.union(*(part.names for part in parts))

    def of(sizes: Sizes) -> int:
        more = sum(p.of(sizes) - (p.said.at(sizes).number or 0) for p in parts)
        return max((said.at(sizes).number or 0) + more, 0)

    return _checked(said, names, of)


def _either(one: Length, other: Length) -> Length:
    """The length of one of two values: where one is wrong, what that has."""

    def of(sizes: Sizes) -> int:
        return (other if one.holds(sizes) else one).of(sizes)

    found = _checked(one.said, one.names | other.names, of)
    return replace(found, open=one.open or other.open)


def is_turning(made: Expr) -> bool:
    """Whether an operation takes the longer operand for the first."""
    return isinstance(made, Apply) and _shape_word(made) in TURNING


def _shape_word(made: Apply) -> str:
    rule = operations().get(made.op)
    return "" if rule is None else getattr(rule.shape, "op", OF_ALL[0])


def _is_elementwise(made: Apply) -> bool:
    return _shape_word(made) in OF_ALL


def _arrays(made: Apply) -> Iterator[Expr]:
    """The arguments of an operation, those in lists that are written out one by one."""
    for arg in (*made.args, *(value for _, value in made.kwargs)):
        if isinstance(arg, Apply) and arg.op in ("list", "tuple"):
            yield from _arrays(arg)
        elif not isinstance(arg, Const):
            yield arg


def _places(items: list[Expr], rank: int) -> Iterator[tuple[Expr | None, int] | None]:
    """For each axis of x[key] the slice, and the axis of x; None of one put in."""
    taken = sum(item not in (Const(None), Const(...)) for item in items)
    if Const(...) not in items:
        items = [*items, Const(...)]
    place = 0
    for item in items:
        if item == Const(...):
            for _ in range(rank - taken):
                yield None, place
                place += 1
        elif item == Const(None):
            yield None
        else:
            if isinstance(item, Apply) and item.op == "slice":
                yield item, place
            place += 1
