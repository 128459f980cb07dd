"""Facts of example arguments: ranks, axes of length 1 and sorts, never lengths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import takewhile
from typing import Any, TypeVar

from gradgen.errors import GradgenError
from gradgen.shapes.dims import Dim
from gradgen.signature.abstract import abstract
from gradgen.signature.letters import Letters

Emitted = TypeVar("Emitted")
# of more axes of length 1 it is not asked one by one whether a letter does
SINGLY = 4


def generalised(
    examples: Mapping[str, Any],
    emit: Callable[[dict[str, str], tuple[str, ...]], Emitted],
    taken: Collection[str],
    named: Mapping[tuple[str, int], str],
    places: Collection[str] = (),
    alike: Callable[[Emitted], Iterable[tuple[Dim, Dim]]] = lambda _: (),
    length: Callable[[Emitted], tuple[int, ...]] = lambda _: (0, 0),
) -> Emitted | None:
    """What is emitted for arguments like these of all lengths; None where that is refused.

    `emit` emits for the facts of the arguments. Axes have a letter each. Whole numbers are
    told of `places` alone, by which entries are read: others may be floats elsewhere. Where a line
    that every run reaches takes two of them for equal, they are: that is learned of
    its refusal. What an arm or a loop takes for equal, and is here, is compared by the
    text; of what is not nothing is known elsewhere. So are sizes that would have to be
    `alike` for a text of less `length`. An axis of length 1 has a letter where that makes
    the text no longer, and else is compared as well.
    """
    abstracts = {name: abstract(value) for name, value in examples.items()}
    letters = Letters(abstracts, examples, taken, named)

    def emitted(*compared: str) -> Emitted:
        return emit(letters.facts(integers=places), (*letters.compared, *compared))

    best = _unified(letters, emitted, alike, length)
    if best is None or not letters.ones:
        return best
    ones = sorted(letters.ones)
    for tried in [ones, *([one] for one in ones[:SINGLY] if len(ones) > 1)]:
        letters.longer.update(tried)
        try:
            other = emitted()
            if length(other) <= length(best):
                best = other
                continue
        except GradgenError:
            pass
        letters.longer.difference_update(tried)
    return best if letters.longer.issuperset(ones) else emitted("1")


def _unified(
    letters: Letters,
    emitted: Callable[[], Emitted],
    alike: Callable[[Emitted], Iterable[tuple[Dim, Dim]]],
    length: Callable[[Emitted], tuple[int, ...]],
) -> Emitted | None:
    """What is emitted when the letters are unified that have to be."""
    best: Emitted | None = None
    while True:
        try:
            found = emitted()
            if best is None or length(found) < length(best):
                best = found
            if not letters.compare(alike(found)):
                return best
        except GradgenError as error:
            if error.unequal is None:
                return best
            if best is not None:  # one is emitted already, with less that is equal
                if not letters.compare([error.unequal, *error.twins]):
                    return best
            elif error.surely:
                surely = takewhile(lambda one: one[1], error.further)
                if not letters.learn_all(error.unequal, True, surely):
                    return None
            elif not letters.compare([error.unequal, *error.twins]):
                if not letters.leave_open(error.unequal):
                    return None
