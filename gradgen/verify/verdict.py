"""What was found of one emitted file."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass

# what a fault may be; "out of date" is no fault of the gradient
OUT_OF_DATE, EDITED, WRONG = "out of date", "edited", "wrong gradient"
MISSING, REFUSED, BROKEN = "missing", "refused", "broken"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a file, and where: `text` is the whole of it."""

    kind: str
    text: str
    code: str | None = None
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        return self.text

    def data(self) -> dict[str, Any]:
        """What --output json says of it."""
        return {
            "kind": self.kind,
            "code": self.code,
            "message": self.text,
            "file": self.file,
            "line": self.line,
        }


def fault_of(error: GradgenError, kind: str = REFUSED, before: str = "") -> Fault:
    """An error as a fault."""
    return Fault(kind, f"{before}{error}", error.code, error.file, error.line)


@dataclass
class Verdict:
    """What is wrong with one file; `said` is a line when nothing is.

    `judged` is False where the numbers could not be held against anything.
    """

    path: str
    faults: list[Fault] = field(default_factory=list)
    said: str = ""
    judged: bool = True

    def blame(self, kind: str, text: str) -> None:
        """Adds a fault of the file itself."""
        self.faults.append(Fault(kind, text, file=self.path))
