"""Try blocks of which a text has the body alone, as a run of the function meets them."""

from __future__ import annotations

from gradgen.frozen import dataclass


@dataclass(frozen=True)
class Handled:
    """The lines of a try block's body, and what its handlers take and go on behind.

    `inside` are the try blocks in these lines that take exceptions first.
    """

    file: str
    first: int
    last: int
    kinds: tuple[type, ...]
    inside: tuple[Handled, ...] = ()

    def takes(self, kind: type, file: str, line: int) -> bool:
        """Whether an exception of a line goes to these handlers."""
        if file != self.file or not self.first <= line <= self.last:
            return False
        if kind in (StopIteration, GeneratorExit) and kind not in self.kinds:
            return False  # how loops end
        if any(one.takes(kind, file, line) for one in self.inside):
            return False
        return issubclass(kind, self.kinds)
