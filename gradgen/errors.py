"""The one error class: what is wrong, where, why, and what to write instead."""

from __future__ import annotations

import re
from typing import Any

from gradgen.quoting import visible, visible_lines


# the code of what is too deep, or too large, to be read or printed
TOO_LARGE = "GG199"


def words_of(error: BaseException) -> str:
    """The class of an exception and what it says: "ValueError: too large".

    One of a user's may raise where it is asked for that.
    """
    kind = type(error).__name__
    try:
        return f"{kind}: {error}"
    except Exception:
        return f"{kind}, which does not say why"


class GradgenError(Exception):
    """A refusal, or a mistake in a request: a code, a place, a reason, a rewrite.

    `code` is "GG" and three digits; `file`, `line` and `column` (from 1) name
    the place in the primal's source, and are None for a mistake that has no
    place there; `source` is that line's text; `advice` is what to write
    instead. `problems` holds every problem of the function when there are
    several; the message then shows them all. `unequal` are two sizes that a line
    takes for equal and that are not known to be, `surely` whether each run reaches it,
    `contracted` whether neither is stretched along the other, unless it has one entry
    and the line `stretches` that; `further` are the same
    of later lines, where these sizes are equal; `twins` are sizes that would have to
    be one for variables to keep their shape in loops and arms.
    """

    unequal: Any = None
    surely = False
    twins: tuple[Any, ...] = ()
    contracted = False
    stretches = False
    # whether another reading, which asks for no parts of arguments, may tell otherwise
    asked = True
    # whether no other way to read the function is worth a try
    is_final = False
    # the argument, or the part of one, that is read by a key: its path, and the key
    read_of: tuple[tuple[Any, ...], Any] = ((), None)
    # how Python writes what is read where that key is missing: p.get(key, 1.0)
    otherwise: str | None = None
    # the same of one that a field is read of, and its name
    field_of: tuple[tuple[Any, ...], str] = ((), "")

    def __init__(
        self,
        code: str,
        message: str,
        *,
        advice: str = "",
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
        problems: tuple[GradgenError, ...] = (),
    ) -> None:
        self.code = code
        self.message = message
        self.advice = advice
        self.file = file
        self.line = line
        self.column = column
        self.source = source
        self.problems = problems or (self,)
        self.further: list[tuple[Any, bool, bool]] = []
        super().__init__(str(self))

    def __str__(self) -> str:
        if len(self.problems) > 1:
            return "\n".join(str(problem) for problem in self.problems)
        place = ""
        if self.file is not None:
            parts = [
                visible(self.file),
                *(str(n) for n in (self.line, self.column) if n),
            ]
            place = ":".join(parts) + ": "
        lines = [f"{place}{self.code} {self.message}"]
        if self.source is not None:
            lines.append(f"    {self.source}")
            if self.column:
                before = visible(self.source[: self.column - 1])
                lines.append("    " + re.sub(r"[^\t]", " ", before) + "^")
        if self.advice:
            # A question is no text to write.
            is_hint = self.advice.startswith("did you mean ")
            lines.append(f"  {'' if is_hint else 'write instead: '}{self.advice}")
        return visible_lines("\n".join(lines))

    def at(self, place: Any) -> GradgenError:
        """The same error at a place (file, row, column, text), if it has none."""
        if self.line is None and place is not None:
            self.file, self.line = place.file, place.row
            self.column, self.source = place.column, place.text
            self.args = (str(self),)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.__dict__.copy()
        if self.problems == (self,):
            state["problems"] = ()  # itself, which has no end when pickled
        return (_rebuild, (self.code, self.message, state))


def _rebuild(code: str, message: str, state: dict[Any, Any]) -> GradgenError:
    error = GradgenError(code, message)
    error.__dict__.update(state)
    error.problems = error.problems or (error,)
    error.args = (str(error),)
    return error


class InternalError(Exception):
    """A fault of gradgen itself: nothing is emitted, and a report is asked for."""


def gather(problems: list[GradgenError]) -> GradgenError:
    """One error that shows all the problems of a function, in source order."""
    found = [p for problem in problems for p in problem.problems]
    found.sort(key=lambda p: (p.line or 0, p.column or 0))
    # of one cause in one line, the first place is told
    last = {(p.code, p.message, p.file, p.line): p for p in found[::-1]}
    flat = list(last.values())[::-1]
    flat.sort(key=lambda p: (p.line or 0, p.column or 0))
    if len(flat) == 1:
        return flat[0]
    first = flat[0]
    return GradgenError(
        first.code,
        first.message,
        advice=first.advice,
        file=first.file,
        line=first.line,
        column=first.column,
        source=first.source,
        problems=tuple(flat),
    )
