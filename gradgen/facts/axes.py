"""Letters for the axes of arguments whose ranks alone are known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count

from gradgen.errors import GradgenError
from gradgen.facts.fitting import ITS
from gradgen.frontend.source.axis_names import axis_names
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Param
from gradgen.request.options import Request
from gradgen.shapes.dims import Dim
from gradgen.shapes.spec import FITS, OR_ROW

# what axes are called where the function has no names for them
LETTERS = "n d m k p q r s t u v w".split()
# the axes of an array, each a letter or a number
PLAIN = re.compile(r"[A-Za-z_0-9]\w*( [A-Za-z_0-9]\w*)*")
# ... or made of letters: n+h 4*h
SIZES = re.compile(r"[A-Za-z_0-9][\w*+-]*( [A-Za-z_0-9][\w*+-]*)*")


class Axes:
    """The axes of arguments of these ranks, each with a letter of its own.

    Two that a product contracts are one; two that an operation would stretch against
    each other may each be 1, and nothing is known of their lengths.
    """

    def __init__(
        self,
        ranks: Mapping[str, int],
        params: Iterable[Param],
        source: Source,
        request: Request,
        whole: Collection[str] = (),
        sized: Mapping[str, str] = {},
    ) -> None:
        params, told = tuple(params), [*dict(request.shapes).values()]
        told += [param.fact or "" for param in params]
        told += [param.annotation or "" for param in params]
        taken = set(re.findall(r"\w+", " ".join(told)))
        # what is told of arrays that are given: an axis of others may be as long as theirs
        given = {param.label for param in params if param.default != "None"}
        self.given = {
            name: fact
            for name, fact in dict(request.shapes).items()
            if name in given and isinstance(fact, str) and PLAIN.fullmatch(fact)
        }
        known = " ".join(self.given.values()).split()
        self.told = {letter for letter in known if letter.isidentifier()}
        # what classes call the axes of their arrays
        facts = (param.fact or "" for param in params if param.bundle)
        sizes = filter(SIZES.fullmatch, facts)
        self.of_classes = set(re.findall(r"[A-Za-z_]\w*", " ".join(sizes)))
        # whole numbers that are lengths, and their letters
        self.sized = sized
        self.told.update(sized.values())
        taken |= {param.label for param in params}
        named = {
            axis: name
            for axis, name in axis_names(source.node).items()
            if axis[0] in ranks and name not in taken
        }
        self.named = set(named.values())
        fresh = _fresh(taken | self.named)
        # matrices first: X is (n, d)
        order = sorted(ranks, key=lambda name: -ranks[name])
        found = {
            name: [named.get((name, i)) or next(fresh) for i in range(ranks[name])]
            for name in order
        }
        self.axes = {name: found[name] for name in ranks}
        every = [letter for name in order for letter in found[name]]
        # the first to go where two are one: those without a name, and the last
        self.kept = {letter: i for i, letter in enumerate(reversed(every))}
        self.kept |= {letter: len(every) for letter in self.named}
        self.same: dict[str, str] = {}
        self.open: set[str] = set()
        self.alike: set[str] = set()
        self.whole = frozenset(whole)  # arrays of integers
        self.largest: dict[str, str] = {}  # what arguments of no rank broadcast to
        self.may_fit = True
        self.main = ""
        self.states: set[str] = set()  # and what has its shape, as a loop's states do
        self.twins: dict[str, str] = {}  # what has the shape of another argument

    def facts(self) -> dict[str, str]:
        """The facts as text: {"ridge": "", "X": "n d", "b": "<n d", "i": "m:int"}."""
        return {
            name: " ".join(map(self._letter, letters))
            + (":int" if name in self.whole else "")
            for name, letters in self.axes.items()
        } | self._largest()

    def _largest(self) -> dict[str, str]:
        """What is told of arguments of no rank, and of the one they are held against."""
        found = {name: self._words(one) for name, one in self.twins.items()}
        found |= {
            name: words if OR_ROW in words else f"{FITS}{words}"
            for name, one in self.largest.items()
            if "?" not in (words := self._words(one))
        }
        if self.states or ITS in self.largest.values():
            found |= dict.fromkeys((self.main, *self.states), ITS)
        return found

    def _words(self, fact: str) -> str:
        return fact if fact == ITS else " ".join(map(self._letter, fact.split()))

    def fit(self, found: Mapping[str, str]) -> bool:
        """Whether there are more arguments that are taken for what stretches nothing."""
        known = self.largest.keys() | self.twins.keys()
        fresh = {name: fact for name, fact in found.items() if name not in known}
        if self.may_fit:
            self.largest |= fresh
        return bool(fresh) and self.may_fit

    def pair(self, found: Mapping[str, str]) -> bool:
        """Whether there are more arguments that have the shape of another one."""
        fresh = {name: fact for name, fact in found.items() if name not in self.twins}
        self.twins |= fresh
        self.alike |= {size for fact in fresh.values() for size in fact.split()}
        return bool(fresh)

    def unfit(self) -> bool:
        """Whether such arguments were assumed; nothing is, where that leads to a refusal."""
        known = bool(self.largest or self.states or self.twins)
        self.largest, self.states, self.may_fit = {}, set(), False
        self.twins = {}
        return known

    @property
    def letters(self) -> set[str]:
        """The letters of the axes that arguments have."""
        found = {self._letter(x) for letters in self.axes.values() for x in letters}
        return {letter for letter in found if letter.isidentifier()}

    @property
    def shapes(self) -> list[list[str]]:
        """The axes of each array that has some, what is told with the rest."""
        own = [list(map(self._letter, letters)) for letters in self.axes.values()]
        return [*own, *(fact.split() for fact in self.given.values())]

    @property
    def vectors(self) -> set[str]:
        """The letters of vectors that have a capital: A (m), of actions."""
        capital = {x: axes for x, axes in self.axes.items() if x[:1].isupper()}
        return {self._letter(axes[0]) for axes in capital.values() if len(axes) == 1}

    def _letter(self, letter: str) -> str:
        own = letter
        while letter in self.same:
            letter = self.same[letter]
        if letter in self.open:
            return f"?{own}"  # either may be 1, so that they are not one any more
        if letter.isidentifier() or letter.isdecimal():
            return letter
        found = re.sub(r"[A-Za-z_]\w*", lambda m: self._letter(m[0]), letter)
        # n - 1 of an n that may be 1 is a length of its own
        return (
            f"?{own}" if "?" in found and own.isidentifier() else found.replace(" ", "")
        )

    def _behind(self, size: Dim) -> set[str]:
        """The letters that a size is written with, and those that stand for them."""
        return set(size.names) | set(
            re.findall(r"[A-Za-z_]\w*", self._letter(str(size)))
        )

    def learn_all(self, error: GradgenError, bold: bool = False) -> bool:
        """Whether something was learned of a refusal, and of what it tells besides.

        If that is `bold`, axes are taken for equal where one might be stretched along
        the other, and where what would raise may not run.
        """
        equal = error.contracted and error.surely and not error.stretches
        if (bold and not equal or error.stretches) and error.unequal:
            if self.learn_alike([error.unequal]) or self._count_one(*error.unequal):
                return True
            # NumPy looks itself at what a product contracts
            also = self.of_classes if error.contracted and not error.stretches else ()
            if self.learn_alike([error.unequal], False, also):
                return True
            # a product in a round, of M (3, m) with np.append(p, 1): m is n + 1
            # and target of u - target, where u has n - 1 entries
            both = (error.unequal, error.unequal[::-1])
            if self.learn_wholes(both):
                return True
        before = set(self.open)
        if not self.learn(error.unequal, equal):
            return False
        for sizes, surely, contracted in error.further:
            letters = [self._letter(str(size.symbol)) for size in sizes]
            plain = all(letter.isidentifier() for letter in letters)
            plain = plain and all(size.symbol for size in sizes)
            alike = equal and surely and contracted
            if self.open != before or not alike or not plain:
                break  # what was found was found where these are equal
            x, y = map(Dim.of, letters)
            if x != y and not self.learn((x, y), True):
                break
        return True

    def count(self, lengths: Iterable[tuple[Dim, int]]) -> bool:
        """Whether something was learned of lengths that the function asks for."""
        own = {letter for letters in self.axes.values() for letter in letters}
        before = len(self.same)
        for size, number in lengths:
            letter = self._letter(str(size.symbol)) if size.symbol else ""
            if letter in own - self.same.keys() - self.open:
                self.same[letter] = str(number)
        return len(self.same) > before

    def stand(self, columns: Iterable[str]) -> None:
        """Takes arguments of two axes for columns, (n, 1)."""
        for name in columns:
            if len(self.axes.get(name, ())) == 2:
                self.same.setdefault(self.axes[name][1], "1")

    def _count_one(self, one: Dim, other: Dim) -> bool:
        """Whether an axis is as long as what it meets: m of 3 and m, of 3 and m - 1."""
        for size, number in ((one, other.number or 0), (other, one.number or 0)):
            (name, *others) = sorted(size.names) or [""]
            more = (size - Dim.of(name)).number if name and not others else None
            if number > 1 and more is not None:
                return self.count([(Dim.of(name), number - more)])
        return False

    def _solve(self, one: Dim, other: Dim, own: Collection[str]) -> bool:
        """Whether an axis of a sum of several is what is left: k of d + k and n is n - d."""
        zero = one - other
        if not zero.names <= {*own, *self.told, *self.of_classes}:
            return False
        letters = [x for axes in self.axes.values() for x in axes if x in zero.names]
        for letter in reversed(letters):
            factors = [k for names, k in zero.terms if letter in names]
            if letter in self.same or letter in self.open or letter not in own:
                continue
            rest = zero - Dim.of(letter) * Dim.of(factors[0])
            size = rest * Dim.of(-factors[0])
            positive = any(k > 0 for _, k in size.terms)  # 2 * n is no n that is 0
            alone = abs(factors[0]) == 1 and letter not in self._behind(rest)
            if alone and positive:
                self.same[letter] = str(size)
                return True
        return False

    def learn_alike(
        self,
        twins: Iterable[tuple[Dim, Dim]],
        looked_at: bool = True,
        also: Collection[str] = (),
    ) -> bool:
        """Whether something was learned of axes that are equal if what reads them runs.

        They are `looked_at` unless NumPy does so itself: where a matrix is inverted.
        Letters of classes may be `also` among them.

        before:  for y in Y: x = F @ x          # F (n, d), x (k)
        after:                                  # F (n, n), x (n)
        """
        learned = False
        for one, other in twins:
            own = {self._letter(x) for letters in self.axes.values() for x in letters}
            letters = _equal(one, other)
            x, y = map(self._letter, letters) if letters else ("", "")
            known = (own | self.told).union(also) - self.open
            if x != y and {x, y} <= known and {x, y} & own:
                if self.learn((Dim.of(x), Dim.of(y)), True):
                    self.alike |= {x, y} if looked_at else set()
                    learned = True
        return learned

    def learn_wholes(self, wholes: Iterable[tuple[Dim, Dim]]) -> bool:
        """Whether something was learned of what is split: its length is 2 * k."""
        for one, other in wholes:
            if self.learn_alike([(one, other)]):
                return True
            own = {self._letter(x) for letters in self.axes.values() for x in letters}
            known = other.names <= own - self.open and not _equal(one, other)
            if (
                known
                and one.symbol in own - self.open
                and self.learn((one, other), True)
            ):
                self.alike |= {str(one.symbol), *other.names}
                return True
        return False

    def may_be_one(self, letters: Collection[str]) -> bool:
        """Whether there are more axes that may be 1, along which another is stretched."""
        own = {x for axes in self.axes.values() for x in axes if x not in self.open}
        fresh = {letter for letter in own if self._letter(letter) in letters}
        self.open |= fresh
        return bool(fresh)

    @property
    def shared(self) -> set[str]:
        """The letters of axes that are taken for equal, and are looked at."""
        return set(map(self._letter, self.alike))

    def learn(self, unequal: tuple[Dim, Dim] | None, equal: bool) -> bool:
        """Whether something was learned of two sizes that do not fit.

        They are taken for `equal`, or one may be stretched along the other.
        """
        if unequal is None:
            return False
        own = {letter for letters in self.axes.values() for letter in letters}
        if equal:
            if self._letter(str(unequal[0])) == self._letter(str(unequal[1])):
                return False
            pairs = [unequal, unequal[::-1]]
            pairs.sort(key=lambda pair: self.kept.get(str(pair[0].symbol), 0))
            for size, other in pairs:
                letter = size.symbol
                known = letter is None or letter in self.same or letter not in own
                if known or letter in self.open or letter in self._behind(other):
                    continue
                self.same[str(letter)] = str(other)
                return True
            if self._count_one(*unequal) or self._solve(*unequal, own):
                return True
        names = [name for size in unequal for name in size.names if name in own]
        fresh = [name for name in names if name not in self.open]
        self.open |= set(fresh)
        return bool(fresh)


def _equal(one: Dim, other: Dim) -> tuple[str, str] | None:
    """The letters that are one where two sizes are: n and m of n-2 and m-2."""
    ahead, behind = one.names - other.names, other.names - one.names
    if len(ahead) != 1 or len(behind) != 1:
        return None
    x, y = next(iter(ahead)), next(iter(behind))
    return (x, y) if one.renamed({x: Dim.of(y)}) == other else None


def _fresh(taken: set[str]) -> Iterator[str]:
    """Letters that are not taken: n, d, ..., n1, d1, ..."""
    for i in count():
        for letter in LETTERS if i == 0 else [f"{one}{i}" for one in LETTERS]:
            if letter not in taken:
                yield letter
