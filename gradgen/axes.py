"""Letters for the axes of arguments whose ranks alone are known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count

from gradgen.frontend.axis_names import axis_names
from gradgen.frontend.source import Source
from gradgen.ir.nodes import Function
from gradgen.request import Request
from gradgen.shapes.dims import Dim

# what axes are called where the function has no names for them
LETTERS = "n d m k p q r s t u v w".split()


class Axes:
    """The axes of arguments of these ranks, each with a letter of its own.

    Two that a product contracts are one; two that an operation would stretch against
    each other may each be 1, and nothing is known of their lengths.
    """

    def __init__(
        self,
        ranks: Mapping[str, int],
        primal: Function,
        source: Source,
        request: Request,
    ) -> None:
        told = [*dict(request.shapes).values()]
        told += [param.fact or "" for param in primal.params]
        told += [param.annotation or "" for param in primal.params]
        taken = set(re.findall(r"\w+", " ".join(told)))
        taken |= {param.label for param in primal.params}
        named = {
            axis: name
            for axis, name in axis_names(source.node).items()
            if axis[0] in ranks and name not in taken
        }
        self.named = set(named.values())
        fresh = _fresh(taken | self.named)
        self.axes: dict[str, list[str]] = {
            name: [named.get((name, i)) or next(fresh) for i in range(rank)]
            for name, rank in ranks.items()
        }
        self.same: dict[str, str] = {}
        self.open: set[str] = set()

    def facts(self) -> dict[str, str]:
        """The facts as text: {"ridge": "", "X": "n d"}."""
        return {
            name: " ".join(map(self._letter, letters))
            for name, letters in self.axes.items()
        }

    def _letter(self, letter: str) -> str:
        while letter in self.same:
            letter = self.same[letter]
        if letter in self.open:
            return f"?{letter}"
        if letter.isidentifier() or letter.isdecimal():
            return letter
        found = re.sub(r"[A-Za-z_]\w*", lambda m: self._letter(m[0]), letter)
        return found.replace(" ", "")

    def learn(self, unequal: tuple[Dim, Dim] | None, equal: bool) -> bool:
        """Whether something was learned of two sizes that do not fit.

        They are taken for `equal`, or one may be stretched along the other.
        """
        if unequal is None:
            return False
        own = {letter for letters in self.axes.values() for letter in letters}
        if equal:
            pairs = [unequal, unequal[::-1]]
            pairs.sort(key=lambda pair: str(pair[0].symbol) in self.named)
            for size, other in pairs:
                letter = size.symbol
                known = letter is None or letter in self.same or letter not in own
                if not known and letter not in other.names and letter not in self.open:
                    self.same[str(letter)] = str(other)
                    return True
        names = [name for size in unequal for name in size.names if name in own]
        fresh = [name for name in names if name not in self.open]
        self.open |= set(fresh)
        return bool(fresh)


def _fresh(taken: set[str]) -> Iterator[str]:
    """Letters that are not taken: n, d, ..., n1, d1, ..."""
    for i in count():
        for letter in LETTERS if i == 0 else [f"{one}{i}" for one in LETTERS]:
            if letter not in taken:
                yield letter
