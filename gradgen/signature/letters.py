"""Letters for the axes of arguments, and the equations that a run proves of them.

Each axis has a letter of its own, an axis of length 1 is 1. Where the function
combines two axes and neither is 1, NumPy raises unless they are equal: so the
letters are unified by use, and what stays apart is apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

from gradgen.ir.structure import LEAF, Structure
from gradgen.shapes.dims import Dim
from gradgen.shapes.spec import RANK_0
from gradgen.shapes.statics import NONE
from gradgen.shapes.tree import tree_text
from gradgen.signature.abstract import (
    Abstract,
    Array,
    Number,
    Record,
    Static,
    lengths,
)

# what the axes are called where the code has no names for them
POOL = "n m k p q r s t u v w".split()


def letters_told(facts: Iterable[object], function: object) -> frozenset[str]:
    """The letters of facts and of a function's annotations: no others may be these."""
    texts = [str(fact) for fact in facts]
    for annotation in getattr(function, "__annotations__", {}).values():
        fields = getattr(annotation, "__annotations__", {}).values()
        texts += [str(annotation), *map(str, fields)]
    return frozenset(re.findall(r"[^\W\d]\w*", " ".join(texts)))


def is_whatever(fact: object) -> bool:
    """Whether a fact tells no axis of an argument: "*s"."""
    axes = str(fact).partition(":")[0].split()
    return len(axes) == 1 and axes[0][:1] == "*"


def axes_told(
    facts: Iterable[tuple[str, str]], values: Mapping[str, object]
) -> dict[str, int]:
    """The lengths at hand of the letters that facts give to the axes of arrays.

    before:  X: "n d 1", an array of 5 rows and 3 columns
    after:   n: 5, d: 3

    What n + 1 or ?n is tells no letter. A letter that has two lengths is left to the text, which raises.
    """
    found: dict[str, int] = {}
    for name, fact in facts:
        shape = getattr(values.get(name), "shape", ())
        axes = fact.partition(":")[0].split()
        if len(axes) != len(shape):
            continue
        for letter, length in zip(axes, shape, strict=True):
            if letter.isidentifier() and found.setdefault(letter, length) != length:
                return {}
    return found


class Letters:
    """The letters of one signature, with the lengths that they have in one call.

    `values` are the arguments by name, `taken` the names that the function uses,
    `named` what it calls the axes of its arguments, `told` the letters of other ones,
    whose facts are told. `equations` are what was proved,
    or assumed, of the letters so far.
    """

    def __init__(
        self,
        abstracts: Mapping[str, Abstract],
        values: Mapping[str, object],
        taken: Collection[str] = (),
        named: Mapping[tuple[str, int], str] = MappingProxyType({}),
        told: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.abstracts = dict(abstracts)
        self._taken = {*taken, *named.values()}
        self._named = frozenset(named.values())
        fresh = self._pool()
        self.names: dict[str, tuple[str, ...]] = {}
        self.sizes: dict[str, int] = {}
        for name in self.abstracts:
            given = list(lengths(values[name]))
            own = named if isinstance(self.abstracts[name], Array) else {}
            axes = (own.get((name, i)) or next(fresh) for i in range(len(given)))
            self.names[name] = tuple(axes)
            self.sizes |= zip(self.names[name], given)
        # of the arguments that have no letters here: they are never solved for
        self.own, self.told = tuple(self.sizes), frozenset(told)
        self.sizes |= told
        # those that the code has no name for are the first to be solved for
        order = sorted(self.sizes, key=lambda one: one not in named.values())
        self.order = {letter: i for i, letter in enumerate(order)}
        self.solved: dict[str, Dim] = {}
        self.open: set[str] = set()
        self.equations: list[tuple[Dim, Dim]] = []
        self._alike: set[str] = set()
        # those of axes of length 1: `ones` are 1 in the facts, `longer` have a letter
        self.ones: set[str] = set()
        self.longer: set[str] = set()
        # what the letters are called in the facts, each otherwise; none is left out there
        self._shown: dict[str, str] = {}

    def _pool(self) -> Iterator[str]:
        """Names that the function does not use."""
        for i in count():
            for name in POOL if i == 0 else (f"{one}{i}" for one in POOL):
                if name not in self._taken:
                    yield name

    def facts(self, integers: Collection[str] | None = None) -> dict[str, str]:
        """The facts of the arguments as text; those of which nothing is known have none.

        With `integers`, only these arguments are told to be whole numbers.

        before:  {"X": Array((False, True), "float"), "lam": Number("float")}
        after:   {"X": "n 1", "lam": ""}
        """
        found, fresh = {}, self._pool()
        ones = {letter for letter, length in self.sizes.items() if length == 1}
        ones -= self.longer
        self.ones = set()
        self._shown = {
            letter: letter if letter in self._named else next(fresh)
            for letter in self.own
            if letter not in ones
            if letter not in self.solved or letter in self.open
        }
        for name, value in self.abstracts.items():
            whole = integers is None or name in integers
            structure = self._structure(value, iter(self.names[name]), whole)
            if isinstance(value, Static):
                if _is_none(value):
                    found[name] = NONE
                continue
            if isinstance(value, Record):
                found[name] = tree_text(structure)
            elif structure.fact is not None:
                found[name] = structure.fact
        return found

    def sorts(self) -> dict[str, str]:
        """The facts that no text does without: what is None, and what holds no floats.

        before:  {"X": Array((False,), "float"), "k": Array((False,), "int"),
                  "w": Static("NoneType")}
        after:   {"w": "=None", "k": "*n:int"}
        """
        fresh = self._pool()
        empty = {name: NONE for name, v in self.abstracts.items() if _is_none(v)}
        return empty | {
            name: f"*{next(fresh)}:{value.sort}"
            for name, value in self.abstracts.items()
            if isinstance(value, Array) and value.sort in ("int", "bool")
        }

    def numbers(self) -> dict[str, str]:
        """The facts of real numbers, and of arrays of rank 0.

        Along the last axis of an array a gradient has an axis, of a number it has none.
        """
        known = self.facts()
        return {
            name: known[name]
            for name, value in self.abstracts.items()
            if _is_floating_number(value) and name in known
        }

    def _structure(
        self, value: Abstract, letters: Iterator[str], integers: bool
    ) -> Structure:
        if isinstance(value, Array) and not value.ones:
            return Structure(fact=RANK_0)
        if isinstance(value, Array):
            axes = " ".join(self._axis(one, next(letters)) for one in value.ones)
            sort = value.sort if value.sort == "bool" or integers else ""
            return Structure(
                fact=axes + (f":{sort}" if sort in ("int", "bool") else "")
            )
        if isinstance(value, Number):
            plain = value.sort in ("int", "bool") and integers
            sort = "integer" if value.strong and value.sort == "int" else value.sort
            return Structure(fact=f":{sort}" if plain else "")
        if isinstance(value, Static):
            return Structure(fact=":str" if value.sort == "str" else None)
        if not isinstance(value, Record):
            return LEAF
        parts = (self._structure(part, letters, True) for part in value.parts)
        return Structure(value.kind, tuple(parts), value.keys, value.name)

    def _axis(self, is_one: bool, letter: str) -> str:
        if is_one and letter not in self.longer:
            self.ones.add(letter)
            return "1"
        if letter in self.open:
            return f"?{self._shown[letter]}"
        size = self.solved.get(letter, Dim.of(letter))
        return str(_renamed(size, self._shown)).replace(" ", "")

    def learn_all(
        self, unequal: tuple[Dim, Dim], surely: bool, further: Iterable[Any] = ()
    ) -> bool:
        """Whether something was learned of a refusal, and of what it tells besides.

        `further` are equations, each with whether every run reaches it. They were found
        where those before hold, so that the first that is not learned ends it.
        """
        if not self.learn(unequal, surely):
            return False
        before = set(self.open)
        for more, reached, _ in further:
            x, y = (self._read(size) for size in more)
            if self.open != before or x != y and not self.learn(more, reached):
                break
        return True

    def learn(self, unequal: tuple[Dim, Dim], surely: bool) -> bool:
        """Whether something was learned of two sizes that an operation takes for equal.

        They are, or the operation is one that these arguments do not reach: it stands
        in an arm or a loop (not `surely`), and the letters are left open then.
        """
        x, y = (self._read(size) for size in unequal)
        names = x.names | y.names
        if not names <= self.sizes.keys() or names <= self.told:
            return False
        if x.at(self.sizes) != y.at(self.sizes):
            return not surely and self.leave_open(unequal)
        found = self._solution(x - y)
        pairs = self._factors(x - y) if found is None else []
        if pairs:
            return all(self.learn(pair, surely) for pair in pairs)
        if found is None and names & self.told:
            return False
        if found is None:
            self.open |= names
        else:
            self._solve(*found)
        self.equations.append((x, y))
        return True

    def _solve(self, letter: str, size: Dim) -> None:
        """Takes a letter for what it is by the others."""
        if size.number is not None:
            self._alike.add(letter)  # NumPy takes 1 as well
        solved = self.solved.items()
        self.solved = {old: _with(known, letter, size) for old, known in solved}
        self.solved[letter] = size

    def learn_alike(self, pairs: Iterable[tuple[Dim, Dim]]) -> bool:
        """Whether two letters were made one that are as long as each other here.

        With one letter for both a variable keeps its shape in every round of a loop.
        Calls with other lengths do not fulfil the equation, and get another text.
        """
        learned = False
        for pair in pairs:
            x, y = (self._read(size) for size in pair)
            names = {x.symbol, y.symbol}
            known = names <= self.sizes.keys() and not names & self.open
            if known and x != y and x.at(self.sizes) == y.at(self.sizes):
                learned = self.learn(pair, True) or learned
        return learned

    def compare(self, pairs: Iterable[tuple[Dim, Dim]]) -> bool:
        """Whether letters were made one that are as long as each other in this call.

        They need not be in others: they are `compared`. So are n and m of n - 2 and m - 2,
        q and k where q is 4 * k, and k where it is 3.
        """
        learned = False
        for pair in pairs:
            x, y = map(self._read, pair)
            known = x.names | y.names <= self.sizes.keys()
            found = self._solution(x - y) if known else None
            if found is None:
                continue
            letter, size = found
            both = {letter, *size.names}
            if size.number == 1 or not both <= self.sizes.keys() or both & self.open:
                continue
            if Dim.of(letter).at(self.sizes) == size.at(self.sizes):
                self._alike |= both
                self._solve(letter, size)
                self.equations.append((x, y))
                learned = True
        return learned

    @property
    def compared(self) -> tuple[str, ...]:
        """What the letters are called in the facts that are compared."""
        sizes = (self._by_solved(Dim.of(one)) for one in self._alike)
        found = {name for size in sizes for name in size.names or [str(size.number)]}
        return tuple(sorted(self._shown.get(one, one) for one in found))

    def contradict(self, unequal: tuple[Dim, Dim]) -> bool:
        """Whether two sizes that an operation takes for equal differ in this call."""
        x, y = (self._read(size) for size in unequal)
        known = x.names | y.names <= self.sizes.keys()
        return known and x.at(self.sizes) != y.at(self.sizes)

    def _read(self, size: Dim) -> Dim:
        """A size of a refusal in the letters that are not solved for."""
        own = {shown: letter for letter, shown in self._shown.items()}
        return self._by_solved(_renamed(size, own))

    def _by_solved(self, size: Dim) -> Dim:
        for letter, known in self.solved.items():
            size = _with(size, letter, known)
        return size

    def fix(self) -> None:
        """Takes the lengths of this call for those of every call."""
        self.open = set()
        for letter in self.own:
            length = self.sizes[letter]
            self.solved[letter] = Dim.of(length)
            self.equations.append((Dim.of(letter), Dim.of(length)))

    def leave_open(self, unequal: tuple[Dim, Dim]) -> bool:
        """Whether letters were there to be left open: nothing is known of them."""
        names = frozenset[str]().union(*(self._read(size).names for size in unequal))
        if not names <= set(self.own) or names <= self.open:
            return False
        self.open |= names
        return True

    def _factors(self, zero: Dim) -> list[tuple[Dim, Dim]]:
        """The factors of two products that are equal, if they are here one by one.

        m*k - p*q gives (p, m) and (q, k), where these are as long as each other. Calls
        with other factors of one product do not fulfil that, and get another text.
        """
        if sorted(factor for _, factor in zero.terms) != [-1, 1]:
            return []
        (one, _), (other, _) = zero.terms
        if len(one) != len(other) or len(one) < 2:
            return []
        ranked = [sorted(names, key=self.order.__getitem__) for names in (one, other)]
        pairs = [(x, y) for x, y in zip(*ranked, strict=True) if x != y]
        alike = all(self.sizes[x] == self.sizes[y] for x, y in pairs)
        return [(Dim.of(x), Dim.of(y)) for x, y in pairs] if alike else []

    def _solution(self, zero: Dim) -> tuple[str, Dim] | None:
        """The last letter that a sum which is 0 gives by the others, and what it is."""
        best: tuple[str, Dim] | None = None
        for names, factor in zero.terms:
            if len(names) != 1 or abs(factor) != 1:
                continue
            (letter,) = names
            rest = zero - Dim(((names, factor),))
            if letter in rest.names or letter in self.told:
                continue
            size = Dim.of(0) - rest if factor == 1 else rest
            if not any(k > 0 for _, k in size.terms):
                continue
            if best is None or self.order[letter] > self.order[best[0]]:
                best = letter, size
        return best


def _renamed(size: Dim, names: Mapping[str, str]) -> Dim:
    """A size with other names for its letters."""
    return size.renamed({old: Dim.of(new) for old, new in names.items()})


def _with(size: Dim, letter: str, value: Dim) -> Dim:
    """A size with one of its letters replaced."""
    return size.renamed({letter: value})


def _is_none(value: Abstract) -> bool:
    return isinstance(value, Static) and value.sort == "NoneType"


def _is_floating_number(value: Abstract) -> bool:
    """Whether it is a real number, or an array of rank 0 that holds one."""
    rank_0 = isinstance(value, Number) or isinstance(value, Array) and not value.ones
    return rank_0 and getattr(value, "sort", "") == "float"
