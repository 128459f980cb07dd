"""[[tool.gradgen.emit]] of a pyproject.toml -> arguments of `gradgen emit`, checked.

The options of an entry are those of the command: nothing is listed a second time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import click

from gradgen.commands.files import is_inside
from gradgen.errors import GradgenError, gather
from gradgen.frontend.source.named import did_you_mean
from gradgen.frozen import dataclass
from gradgen.lines import lines_of
from gradgen.request.settings import Project

# options of the command about where its results go, and a function without a file
NOT_HERE = {"out", "output", "force", "quiet", "diff", "color", "name", "help", "calls"}
_ENTRY = re.compile(r"\s*\[\[\s*tool\s*\.\s*gradgen\s*\.\s*emit\s*\]\]")


@dataclass(frozen=True)
class Entry:
    """One text to write: the arguments of `gradgen emit`, and the file.

    `out` is relative to the folder of the pyproject.toml; `line` is that of the entry
    in it, None where it is not known.
    """

    function: str
    out: str
    arguments: tuple[str, ...]
    line: int | None


def entries(project: Project) -> list[Entry]:
    """The entries of a project. Raises GradgenError with all that is wrong."""
    given = project.table.get("emit", [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        advice = "[[tool.gradgen.emit]], with two brackets"
        project.refuse("GG030", "tool.gradgen.emit is no list of tables", advice)
    if not given:
        project.refuse(
            "GG030",
            "there is nothing to build: [tool.gradgen] has no entry",
            '[[tool.gradgen.emit]], function = "losses.loss", out = "generated/loss.py"',
        )
    places = list(_places(project.text))
    if len(places) != len(given):
        places = [{}] * len(given)
    found, wrong = [], []
    for table, lines in zip(given, places):
        reader = _Reader(project, table, lines)
        found.append(reader.entry())
        wrong += reader.wrong
    wrong = wrong or list(_twice(project, found))
    if wrong:
        raise gather(wrong)
    return found


def _places(text: str) -> Iterator[dict[str, int]]:
    """The lines of each entry's keys, and under "" the line it starts in."""
    lines: dict[str, int] | None = None
    for number, line in enumerate(lines_of(text), 1):
        if _ENTRY.match(line):
            if lines is not None:
                yield lines
            lines = {"": number}
        elif line.lstrip().startswith("[") and lines is not None:
            yield lines
            lines = None
        elif lines is not None:
            key = re.match(r"""\s*["']?([\w-]+)["']?\s*[=.]""", line)
            if key:
                lines.setdefault(key[1], number)
    if lines is not None:
        yield lines


def _twice(project: Project, found: list[Entry]) -> Iterator[GradgenError]:
    """The entries that write a file that an earlier one writes."""
    first: dict[str, Entry] = {}
    for entry in found:
        # Links, and on some systems capitals, make one file of two names.
        file = os.path.normcase(os.path.realpath(project.folder / entry.out))
        other = first.setdefault(file, entry)
        if other is not entry:
            where = f" of line {other.line}" if other.line else ""
            yield project.error(
                "GG031",
                f"{entry.function} writes {entry.out}, and so does the entry{where} "
                f"for {other.function}",
                "an out for each",
                entry.line,
            )


class _Reader:
    """Reads one table; what is wrong with it is collected."""

    def __init__(
        self, project: Project, table: dict[Any, Any], lines: dict[str, int]
    ) -> None:
        self.project, self.table, self.lines = project, table, lines
        self.wrong: list[GradgenError] = []

    def entry(self) -> Entry:
        options = _options()
        arguments = []
        for key, value in self.table.items():
            name = key.replace("-", "_")
            if name in options:
                arguments += self._argument(key, value, options[name])
            elif key not in ("function", "out"):
                known = ["function", "out", *options]
                near = did_you_mean(name, known)
                self._complain(key, f"an entry has no option {key}", near)
        function = self._text("function", '"losses.loss", or "path/losses.py:loss"')
        out = self._out(self._text("out", '"generated/loss.py"'))
        return Entry(function, out, (function, *arguments), self.lines.get(""))

    def _complain(self, key: str, message: str, advice: str = "") -> None:
        line = self.lines.get(key, self.lines.get(""))
        self.wrong.append(self.project.error("GG032", message, advice, line))

    def _text(self, key: str, example: str) -> str:
        value = self.table.get(key)
        if not isinstance(value, str) or not value.strip():
            said = f"an entry has no {key}" if value is None else f"{key} is no text"
            self._complain(key, said, f"{key} = {example}")
            return ""
        if key == "function" and value == "-":
            self._complain(key, "standard input is no function of a project", example)
        return value

    def _out(self, out: str) -> str:
        """The file, from the project's folder, in which it has to be."""
        path = os.path.normpath(out.replace("\\", "/")).replace(os.sep, "/")
        root = str(self.project.folder)
        outside = PurePosixPath(path).is_absolute() or os.path.isabs(path)
        if out and (outside or path.split("/")[0] == ".."):
            advice = "a path below the folder of pyproject.toml"
            self._complain("out", f"{out} is outside the project", advice)
        elif "\0" in out or not is_inside(str(self.project.folder / path), root):
            advice = "a path without links that lead away"
            self._complain("out", f"{out!r} leads out of the project", advice)
        elif out and not path.endswith(".py"):
            self._complain("out", f"{out} is no Python file", f'out = "{out}.py"')
        return path

    def _argument(self, key: str, value: object, option: click.Option) -> list[str]:
        """The arguments on the command line for one key."""
        flag = _flag(option)
        if option.is_flag:
            if isinstance(value, bool):
                return [flag] if value else []
            self._complain(key, f"{key} is {_shown(value)}", f"{key} = true, or false")
        elif option.name == "guard":
            if isinstance(value, bool):
                return [f"{flag}={'yes' if value else 'no'}"]
            if isinstance(value, (int, float)):
                return [f"{flag}={value!r}"]
            self._complain(key, f"{key} is {_shown(value)}", "true, false, or 1e-8")
        elif option.name == "shape":
            return self._shapes(key, value)
        elif isinstance(option.type, click.Choice):
            if value in option.type.choices:
                return [f"{flag}={value}"]
            advice = did_you_mean(str(value), list(option.type.choices))
            advice = advice or "one of " + ", ".join(option.type.choices)
            self._complain(key, f"{key} is {_shown(value)}", advice)
        elif "," in (option.metavar or ""):  # which says that it takes several
            several = value if isinstance(value, list) else [value]
            if several and all(_is_name(one) for one in several):
                return [f"{flag}={','.join(map(str, several))}"]
            advice = f'{key} = "x", or ["x", "y"]'
            self._complain(key, f"{key} is {_shown(value)}", advice)
        elif isinstance(value, str):
            return [f"{flag}={value}"]
        else:
            self._complain(key, f"{key} is {_shown(value)}", "a text")
        return []

    def _shapes(self, key: str, value: object) -> list[str]:
        from gradgen.request.request import canonical

        arguments = []
        if not isinstance(value, dict):
            advice = 'shape = {X = "n d", Y = "n"}'
            self._complain(key, f"{key} is {_shown(value)}", advice)
            return []
        for name, shape in value.items():
            try:
                if not isinstance(shape, (str, dict, list)):
                    raise TypeError
                arguments.append(f"--shape={name}={canonical(shape)}")
            except (GradgenError, TypeError, ValueError):
                message = f"the shape of {name} is {_shown(shape)}"
                self._complain(key, message, f'{name} = "n d", or "" for a number')
        return arguments


def _options() -> dict[str, click.Option]:
    """The options of `gradgen emit` that an entry may have, by name."""
    from gradgen.commands.emit import emit

    found = (one for one in emit.params if isinstance(one, click.Option))
    named = {_flag(one).lstrip("-").replace("-", "_"): one for one in found}
    return {name: one for name, one in named.items() if name not in NOT_HERE}


def _flag(option: click.Option) -> str:
    """The long name of an option: --target."""
    return max(option.opts, key=len)


def _is_name(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _shown(value: object) -> str:
    """A value as TOML has it, where that is short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    sorts: dict[type, str] = {dict: "a table", list: "a list"}
    return sorts.get(type(value), str(value))
