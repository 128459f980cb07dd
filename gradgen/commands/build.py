"""`gradgen build`: every text that [tool.gradgen] of pyproject.toml asks for."""

from __future__ import annotations

import contextlib
from dataclasses import field
from typing import TYPE_CHECKING, Any

import click

from gradgen.commands.formats import (
    GITHUB,
    JSON,
    annotation,
    github_lines,
    output_option,
    print_json,
    problems,
    reported,
)
from gradgen.commands.processes import processors
from gradgen.commands.terminal import (
    colour_option,
    print_code,
    progress,
    put,
    say,
    say_error,
)
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.lines import lines_of

if TYPE_CHECKING:
    from gradgen.commands.building import Built
    from gradgen.request.settings import Project

DRIFTED, REFUSED, FAULT = 1, 2, 3


@dataclass
class Result:
    """What a build came to: entries, and files that no entry writes."""

    built: list[Any]
    orphans: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[GradgenError] = field(default_factory=list)
    writing: bool = True
    pruning: bool = False

    def code(self, check: bool) -> int:
        """The exit code: the worst of what happened."""
        states = {one.state for one in self.built}
        if "fault" in states:
            return FAULT
        if "refused" in states or self.kept:
            return REFUSED
        stale = "changed" in states or (self.pruning and self.orphans)
        return DRIFTED if check and stale else 0


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 on drift.")
@click.option(
    "--prune", is_flag=True, help="Remove emitted files that no entry writes any more."
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many functions at once; as many as there are processors without.",
)
@click.option(
    "--force", is_flag=True, help="Make all again, and overwrite whatever files hold."
)
@click.option("--diff", is_flag=True, help="Show what would change, and write nothing.")
@output_option
@colour_option
@click.option("--quiet", "-q", is_flag=True, help="No messages but errors.")
def build(
    check: bool,
    prune: bool,
    jobs: int | None,
    force: bool,
    diff: bool,
    output: str,
    color: str,
    quiet: bool,
) -> None:
    """Write all gradients that the nearest pyproject.toml asks for.

    Each [[tool.gradgen.emit]] there has a function, the file (out) and the options of
    gradgen emit: wrt, mode, style, value, shape = {X = "n d"}, guard and the others.
    Only files that change are written, and functions that did not change are not
    made again. What is refused is told at the end; the rest is written all the same.
    """
    from gradgen.request.settings import here, nearest

    if force and (check or diff):
        raise click.UsageError("--force overwrites; --check and --diff write nothing")
    writing = not (check or diff)
    with reported(output):
        project = nearest(here())
        if project is None:
            raise GradgenError(
                "GG030",
                "there is no pyproject.toml in this folder or above it",
                advice="[[tool.gradgen.emit]] with function and out in pyproject.toml",
            )
        with contextlib.chdir(project.folder):
            done = _done(project, writing, prune, force, jobs or processors(), quiet)
    if output == JSON:
        print_json(_data(done))
    elif output == GITHUB:
        for line in _annotations(done):
            put(f"{line}\n")
    if diff and output != JSON:
        print_code(_difference(done), color, "diff")
    if output != JSON:
        _tell(done, quiet, output == GITHUB)
    code = done.code(check)
    if code:
        raise click.exceptions.Exit(code)


def _done(
    project: Project, writing: bool, pruning: bool, force: bool, jobs: int, quiet: bool
) -> Result:
    from gradgen.commands.building import Plan, Stopped, build_all, orphans, prune
    from gradgen.commands.entries import entries

    found = entries(project)
    plan = Plan(project.folder, writing, force, jobs)
    with progress("building", len(found), quiet) as advance:
        try:
            result = Result(build_all(found, plan, advance))
        except Stopped as stopped:
            say(_stopped(stopped.written))
            raise
    result.writing, result.pruning = writing, pruning
    for file in orphans(result.built):
        if not (pruning and writing):
            result.orphans.append(file)
            continue
        try:
            prune(file, force)
            result.removed.append(file)
        except GradgenError as error:
            result.kept.append(error)
    return result


def _tell(done: Result, quiet: bool, annotated: bool) -> None:
    """The lines on stderr: what changed, what is wrong, and the count."""
    changed = "written" if done.writing else "would change"
    for one in done.built:
        if one.state == "changed" and (not quiet or not done.writing):
            say(f"{one.entry.out}: {_reason(one) or changed}")
            for note in () if quiet or not done.writing else one.making.notes:
                say(note)
    if not quiet:
        for file in done.removed:
            say(f"{file}: removed")
        for file in done.orphans:
            told = "would be removed" if done.pruning else "--prune removes it"
            say(f"{file}: no entry writes it; {told}")
    for error, files in () if annotated else _refusals(done):
        say_error(f"{files}: not written\n{error}")
    for kept in () if annotated else done.kept:
        say_error(str(kept))
    for one in done.built:
        if one.state == "fault":
            last = "\n".join(lines_of(one.making.fault.rstrip())[-8:])
            say(
                f"{one.entry.out}: internal error: this is a fault of gradgen. Please\n"
                f"report it with the function, its entry, the output of\n"
                f"`gradgen --version` and these lines:\n\n{last}"
            )
    if not quiet:
        say(_count(done, changed))


def _refusals(done: Result) -> list[tuple[str, str]]:
    """Each error once, with the files that are not written because of it."""
    files: dict[str, list[str]] = {}
    for one in done.built:
        if one.state == "refused":
            files.setdefault(str(one.error), []).append(one.entry.out)
    return [(error, ", ".join(outs)) for error, outs in files.items()]


def _stopped(written: list[str]) -> str:
    """What an interrupt leaves."""
    if not written:
        return "interrupted: nothing was written"
    files = "file was" if len(written) == 1 else "files were"
    return f"interrupted: {len(written)} {files} written: {', '.join(written)}"


def _reason(one: Built) -> str:
    """Why a file that was only compared would change; "" where it was written."""
    from gradgen.verify.drift import drift

    if one.error is not None:
        return f"drift: {one.error.message}"
    if one.change is None:
        return ""
    if one.change.old is None:
        return "drift: there is no such file yet"
    found = drift(one.change.old, one.change.new)
    return f"drift: {found.reason}" if found else "drift: its header is not up to date"


def _count(done: Result, changed: str) -> str:
    """`4 entries: 1 written, 2 unchanged (1 not made again), 1 refused`."""
    states = [one.state for one in done.built]
    fresh = sum(not one.again for one in done.built)
    parts = []
    for state, word in (
        ("changed", changed),
        ("unchanged", "unchanged"),
        ("refused", "refused"),
        ("fault", "failed"),
    ):
        if states.count(state):
            more = (
                f" ({fresh} not made again)" if fresh and state == "unchanged" else ""
            )
            parts.append(f"{states.count(state)} {word}{more}")
    noun = "entry" if len(states) == 1 else "entries"
    return f"{len(states)} {noun}: {', '.join(parts)}"


def _difference(done: Result) -> str:
    from gradgen.commands.writing import shown_change

    return "".join(shown_change(one.change) for one in done.built)


def _data(done: Result) -> dict[Any, Any]:
    """What --output json says."""
    from gradgen.commands.writing import shown_change

    changed = "written" if done.writing else "drift"
    files = []
    for one in done.built:
        entry = {
            "file": one.entry.out,
            "function": one.entry.function,
            "state": changed if one.state == "changed" else one.state,
            "made": one.again,
            "notes": list(one.making.notes),
            "errors": problems(one.error) if one.error is not None else [],
        }
        if one.state == "changed" and not done.writing:
            entry["reason"] = _reason(one).removeprefix("drift: ")
            entry["diff"] = shown_change(one.change)
        if one.making.fault:
            entry["fault"] = one.making.fault
        files.append(entry)
    return {
        "files": files,
        "removed": done.removed,
        "orphans": done.orphans,
        "errors": [problem for error in done.kept for problem in problems(error)],
    }


def _annotations(done: Result) -> list[str]:
    """What --output github says: one line for each fault or drift."""
    lines = []
    for one in done.built:
        out = one.entry.out
        if one.state == "refused":
            lines += github_lines(one.error, "pyproject.toml")
        elif one.state == "fault":
            lines.append(annotation("error", "a fault of gradgen", file=out))
        elif one.state == "changed" and not done.writing:
            reason = _reason(one).removeprefix("drift: ")
            lines.append(annotation("error", reason, file=out, title="drift"))
    if done.pruning and not done.writing:
        told = "no entry of pyproject.toml writes this file"
        lines += [
            annotation("error", told, file=f, title="drift") for f in done.orphans
        ]
    for error in done.kept:
        lines += github_lines(error)
    return lines
