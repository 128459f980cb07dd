"""The verdicts of `gradgen check`: lines, a table on a terminal, json, annotations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gradgen.commands.formats import GITHUB, JSON, annotation, print_json
from gradgen.commands.terminal import console, is_terminal, put, say
from gradgen.lines import lines_of
from gradgen.quoting import visible

if TYPE_CHECKING:
    from gradgen.verify.verdict import Verdict


def tell(verdicts: Sequence[Verdict], output: str, color: str, quiet: bool) -> None:
    """Says what was found: data and annotations on stdout, all else on stderr."""
    states = [_state(verdict) for verdict in verdicts]
    wrong, old = states.count("wrong"), states.count("out of date")
    if output == JSON:
        files = [
            {
                "file": verdict.path,
                "state": _state(verdict),
                "faults": [fault.data() for fault in verdict.faults],
                "said": verdict.said,
            }
            for verdict in verdicts
        ]
        print_json({"files": files, "checked": len(files), "wrong": wrong, "old": old})
        return
    if output == GITHUB:
        for verdict in verdicts:
            for fault in verdict.faults:
                title = "gradgen check"
                line = annotation("error", str(fault), file=verdict.path, title=title)
                put(f"{line}\n")
    else:
        for verdict in verdicts:
            for fault in verdict.faults:
                say(f"{verdict.path}: {fault}")
    said = [v for v in verdicts if v.said and not (quiet and v.judged)]
    if is_terminal(sys.stderr) and not quiet:
        _print_table(verdicts, color)
    else:
        for verdict in said:
            say(f"{verdict.path}: {verdict.said}")
    if not quiet:
        say(
            f"{len(verdicts)} checked, {wrong} wrong"
            + f", {old} out of date" * bool(old)
        )


def _state(verdict: Verdict) -> str:
    if verdict.faults:
        only = all(fault.kind == "out of date" for fault in verdict.faults)
        return "out of date" if only else "wrong"
    return "right" if verdict.judged else "not measured"


def _print_table(verdicts: Sequence[Verdict], color: str) -> None:
    """A line for each file; what is wrong stands above it in full."""
    from rich.table import Table
    from rich.text import Text

    styles = {"right": "green", "wrong": "bold red"}
    styles |= {"not measured": "yellow", "out of date": "yellow"}
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("file", overflow="fold")
    shown.add_column("", no_wrap=True)
    shown.add_column("")
    for verdict in verdicts:
        state = _state(verdict)
        first = lines_of(str(verdict.faults[0]))[0] if verdict.faults else verdict.said
        shown.add_row(visible(verdict.path), Text(state, styles[state]), visible(first))
    console(color, sys.stderr).print(shown)
