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


def generalised(
    examples: Mapping[str, Any],
    emit: Callable[[dict[str, str], tuple[str, ...]], Emitted],
    taken: Collection[str],
    named: Mapping[tuple[str, int], str],
    places: Collection[str] = (),
    alike: Callable[[Emitted], Iterable[tuple[Dim, Dim]]] = lambda _: (),
    length: Callable[[Emitted], tuple[int, int]] = lambda _: (0, 0),
) -> Emitted | None:
    """What is emitted for arguments like these of all lengths; None where that is refused.

    `emit` emits for the facts of the arguments. Axes have a letter each. Whole numbers are
    told of `places` alone, by which entries are read: others may be floats elsewhere. Where a line
    that every run reaches takes two of them for equal, they are: that is learned of
    its refusal. What an arm or a loop takes for equal, and is here, is compared by the
    text; of what is not nothing is known elsewhere. So are sizes that would have to be
    `alike` for a text of less `length`.
    """
    abstracts = {name: abstract(value) for name, value in examples.items()}
    letters = Letters(abstracts, examples, taken, named)
    best: Emitted | None = None
    while True:
        try:
            found = emit(letters.facts(integers=places), letters.compared)
            if best is None or length(found) < length(best):
                best = found
            if not letters.compare(alike(found)):
                return best
        except GradgenError as error:
            if error.unequal is None or best is not None:
                return best
            if error.surely:
                surely = takewhile(lambda one: one[1], error.further)
                if not letters.learn_all(error.unequal, True, surely):
                    return None
            elif not letters.compare([error.unequal, *error.twins]):
                if not letters.leave_open(error.unequal):
                    return None
