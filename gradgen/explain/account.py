"""What is told of one gradient: its stages as text, and the reasons for its guards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from gradgen.explain.belonging import belonging
from gradgen.explain.originals import Originals, originals
from gradgen.explain.origins import origins
from gradgen.explain.reading import read_text
from gradgen.explain.record import Record, Recorded
from gradgen.explain.states import changes, states
from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.guard.selects import Finding
from gradgen.ir.nodes import Apply, Expr, Line
from gradgen.ir.walk import lets, reads, subexpressions
from gradgen.lines import lines_of
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request
from gradgen.rules.load import helpers

INDENT = "    "
NOTHING = "nothing to guard: no denominator of the gradient may be 0"


@dataclass(frozen=True)
class Account:
    """An emitted gradient with what was recorded while it was made."""

    source: Source
    request: Request
    emitted: Emitted
    record: Record

    @property
    def functions(self) -> list[Recorded]:
        """The functions of the text, in the order in which they were made."""
        return self.record.functions

    @cached_property
    def originals(self) -> Originals:
        """The function, and each that it calls and whose lines are in the text."""
        read = [self.record.read[0]] if self.record.read is not None else []
        return originals(
            self.source, [*read, *(one.steps[0].function for one in self.functions)]
        )

    @cached_property
    def origins(self) -> dict[int, tuple[str, ...]]:
        """Line of the text -> keys of the lines of the originals it belongs to."""
        rendered = [one.rendered for one in self.functions]
        text, there = self.emitted.text, self.originals
        heads = {one.rendered.name: there.head(one.name) for one in self.functions}
        helped = {
            name: there.keys(n for _, line, _ in _uses(self, name) if (n := line))
            for name in self.emitted.helpers
        }
        return belonging(text, origins(text, rendered, there), heads, helped, there)

    @property
    def reasons(self) -> list[str]:
        """Why each helper and each guard is there, a paragraph for each."""
        return [
            *_of_helpers(self),
            *(_of_hazard(self, h) for h in self.emitted.hazards),
        ]


def account_text(account: Account) -> str:
    """All stages: what was read, the derivative, the passes, and the reasons."""
    source = account.source
    parts = [f"read from {source.file}:{source.first}", *_indented(_read(account))]
    for one in account.functions:
        first, *rest = states(one)
        parts += ["", f"{one.rendered.name}, as derived ({first.name}: {first.says})"]
        parts += _indented(first.lines)
        for before, state in zip([first, *rest], rest):
            parts += ["", f"{state.name}: {state.says}"]
            marked = changes(before.lines, state.lines)
            parts += [
                INDENT + mark + " " + line for mark, line in marked if mark != " "
            ]
            if state.idle:
                parts.append(
                    f"{INDENT}(before it, unchanged by: {', '.join(state.idle)})"
                )
    parts += ["", "the text", *_indented(lines_of(account.emitted.text)), ""]
    parts += ["why it is there", *account.reasons]
    parts += [] if account.emitted.hazards else [NOTHING]
    return "\n".join(line.rstrip() for line in parts)


def _indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines]


def _read(account: Account) -> list[str]:
    assert account.record.read is not None
    return lines_of(read_text(*account.record.read))


def _file(account: Account, line: Line, own: str) -> str:
    """The file that a line stands in; the function's own without another."""
    home = account.originals.places.get((line.number, line.text))
    return own if home is None or home.file == account.source.file else home.file


# helpers


def _of_helpers(account: Account) -> Iterator[str]:
    for name in account.emitted.helpers:
        what = (helpers()[name].partition('"""')[2].partition('"""')[0]).strip()
        what = what.split("\n")[0].rstrip(".")
        uses = list(_uses(account, name))
        lines = dict.fromkeys(line for _, line, _ in uses if line is not None)
        unknown = dict.fromkeys(word for *_, words in uses for word in words)
        paragraph = [f"{name} is copied into the text ({what})"]
        for line in lines:
            file = _file(account, line, account.source.file)
            paragraph.append(f"{INDENT}{file}:{line.number}: {line.text}")
        if unknown:
            told = f"the shape of {', '.join(unknown)} is not known while emitting"
            options = [f'--shape {one}="..."' for one in account.emitted.unknown]
            told += f"; to tell: {' '.join(options)}" if options else ""
        else:
            told = "it is an algorithm: no fact about shapes would replace it"
        yield "\n".join([*paragraph, INDENT + told])


def _uses(
    account: Account, helper: str
) -> Iterator[tuple[Expr, Line | None, list[str]]]:
    """Each call of a helper: the line it is the gradient of, and the arguments whose
    shapes are not known."""
    for one in account.functions:
        function = one.rendered.function
        if function is None:
            continue
        places = [(let.value, let.note.lines) for let in lets(function.body)]
        places += [(result.value, result.lines) for result in function.results]
        for value, lines in places:
            for part in subexpressions(value):
                if isinstance(part, Apply) and part.op == f"helper.{helper}":
                    line = next((n for n in lines if n.text), None)
                    yield part, line, list(_unknown(one, part))


def _unknown(one: Recorded, call: Expr) -> Iterator[str]:
    for var in dict.fromkeys(reads(call)):
        shape = one.facts.shapes.get(var)
        if shape is None or shape.rank is None:
            yield one.rendered.names.get(var, var.name)


# guards


def _of_hazard(account: Account, hazard: Finding) -> str:
    state = "guarded" if account.request.guard is not False else "not guarded"
    place = ""
    if hazard.line is not None:
        file = _file(account, hazard.line, account.emitted.file)
        place = f"{file}:{hazard.line.number}: "
    lines = [f"{place}{hazard.hazard}: {state}, {hazard.what}"]
    if hazard.line is not None:
        lines.append(f"{INDENT}{hazard.line.text}")
    lines.append(f"{INDENT}{hazard.reason}")
    if state == "not guarded":
        lines.append(f"{INDENT}remedy: --guard, in Python guard=True: {hazard.what}")
    return "\n".join(lines)
