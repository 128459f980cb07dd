"""All entries of a project: which are made again, what becomes of their files.

A file is written as soon as its text is made: an interrupt leaves what is done, and
tells it. An entry may differentiate what another one writes; it is made again after
that file has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

from gradgen.commands.emit import refuse_own_source
from gradgen.commands.entries import Entry
from gradgen.commands.files import is_inside, text_held
from gradgen.commands.making import Making, made
from gradgen.commands.processes import Ended, each
from gradgen.commands.reads import Reads, forget
from gradgen.commands.records import Records
from gradgen.commands.writing import Change, change_of, edited_by_hand, write
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass

UNCHANGED, CHANGED, REFUSED, FAULT = "unchanged", "changed", "refused", "fault"
# A function that is not there (yet) may stand in a file that another entry writes.
NOT_FOUND = ("GG102", "GG103", "GG104")


class Stopped(KeyboardInterrupt):
    """A build that was interrupted; `written` are the files that were."""

    def __init__(self, written: Sequence[str]) -> None:
        super().__init__()
        self.written = list(written)


@dataclass
class Built:
    """What came of one entry; `again` is False where it was not made again.

    `files` are those that its text was made of.
    """

    entry: Entry
    state: str = UNCHANGED
    making: Making = Making()
    change: Change | None = None
    error: GradgenError | None = None
    again: bool = True
    files: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plan:
    """How to build: `writing` is False where files only are compared."""

    folder: Path
    writing: bool = True
    force: bool = False
    jobs: int = 1


def build_all(
    entries: Sequence[Entry], plan: Plan, advance: Callable[[], None] = lambda: None
) -> list[Built]:
    """What came of each entry, in their order. The working directory is the project's."""
    forget()  # what an earlier build by this process has found
    records = Records(plan.folder)
    built = {entry: Built(entry, again=False) for entry in entries}
    todo = [entry for entry in entries if plan.force or not records.holds(entry)]
    every: list[str] = []  # the files that were written
    try:
        for _ in entries:
            written = []
            for entry, making in _makings(todo, plan, advance):
                if _settled(built, _judged(entry, making, plan), plan):
                    written.append(built[entry])
                    every.append(entry.out)
                _noted(records, built[entry], plan)
            todo = _depending(built, records, written)
            if not todo:
                break
    except KeyboardInterrupt:
        raise Stopped(list(dict.fromkeys(every))) from None
    finally:
        if plan.writing:
            records.save(entries)
    for entry in todo:
        built[entry].state = REFUSED
        built[entry].error = GradgenError(
            "GG034",
            f"{entry.out} is never done: it changes with a file that it changes itself",
            advice="entries that do not read each other's files",
        )
        records.forget(entry)
    if plan.writing:
        records.save(entries)
    for entry, one in built.items():
        reads = one.making.reads
        known = reads.all_files() if reads else records.files_of(entry)
        one.files = frozenset(known)
    return [built[entry] for entry in entries]


def _settled(built: dict[Entry, Built], one: Built, plan: Plan) -> bool:
    """Writes the file of an entry where it changes; whether it did."""
    before = built[one.entry].state
    built[one.entry] = one
    wrote = _write(one, plan)
    if before == CHANGED and one.state == UNCHANGED:
        one.state = CHANGED  # by this build, if not just now
    return wrote


def _noted(records: Records, one: Built, plan: Plan) -> None:
    forget()
    if one.error is None and not one.making.fault and plan.writing:
        records.note(one.entry, cast(Reads, one.making.reads))
    elif plan.writing or one.state != UNCHANGED:
        records.forget(one.entry)


def _makings(
    todo: Sequence[Entry], plan: Plan, advance: Callable[[], None]
) -> Iterator[tuple[Entry, Making]]:
    """Each entry with what was made of it, as they come in."""
    preload = ["gradgen.commands.ready"]
    for position, making in each(made, todo, plan.jobs, preload):
        if isinstance(making, Ended):
            told = f"its process {making} while the function was read"
            making = Making(refusal=GradgenError("GG035", told))
        elif isinstance(making, Exception):
            making = Making(fault=str(making))
        advance()
        yield todo[position], cast(Making, making)


def _judged(entry: Entry, making: Making, plan: Plan) -> Built:
    """What is to become of the entry's file."""
    if making.fault:
        return Built(entry, FAULT, making)
    if making.refusal is not None:
        return Built(entry, REFUSED, making, error=making.refusal)
    try:
        if not is_inside(entry.out, str(plan.folder)):
            told = f"{entry.out} leads out of the project"
            raise GradgenError("GG032", told, advice="an out without links")
        refuse_own_source(entry.out, making.source)
        change = change_of(entry.out, making.text, plan.force)
    except GradgenError as error:
        # A file that was edited has drifted, for those who only ask.
        drifted = error.code == "GG017" and not plan.writing
        return Built(entry, CHANGED if drifted else REFUSED, making, error=error)
    return Built(entry, UNCHANGED if change is None else CHANGED, making, change)


def _write(one: Built, plan: Plan) -> bool:
    """Writes a file that changes; whether it did."""
    if not plan.writing or one.change is None:
        return False
    try:
        write(one.change)
    except GradgenError as error:
        one.state, one.error = REFUSED, error
        return False
    one.change = None
    return True


def _depending(
    built: dict[Entry, Built], records: Records, written: Sequence[Built]
) -> list[Entry]:
    """The entries to make again, now that files have been written."""
    files = {os.path.abspath(one.entry.out) for one in written}
    if not files:
        return []
    missing = {
        entry
        for entry, one in built.items()
        if one.making.refusal is not None and one.making.refusal.code in NOT_FOUND
    }
    return [
        entry
        for entry in built
        if entry in missing or not files.isdisjoint(records.files_of(entry))
    ]


def orphans(built: Sequence[Built]) -> list[str]:
    """The emitted files beside those of the entries that no entry writes, or reads."""
    from gradgen.printer.header import read_header

    entries = [one.entry for one in built]
    outs = {os.path.realpath(entry.out) for entry in entries}
    read = {os.path.realpath(file) for one in built for file in one.files}
    read |= {os.path.realpath(entry.function.rpartition(":")[0]) for entry in entries}
    folders = sorted({os.path.dirname(entry.out) for entry in entries})
    return [
        file.as_posix()
        for folder in folders
        for file in sorted(Path(folder).glob("*.py"))
        if os.path.realpath(file) not in outs | read
        and read_header(_text(file)) is not None
    ]


def prune(file: str, force: bool) -> None:
    """Removes an orphan. Raises GradgenError where a person has edited it."""
    if not force and edited_by_hand(_text(Path(file))):
        message = f"{file} was edited by hand, and no entry writes it any more"
        raise GradgenError("GG017", message, advice="--force removes it")
    try:
        os.unlink(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradgenError("GG018", f"{file} cannot be removed: {reason}") from None


def _text(file: Path) -> str:
    try:
        return text_held(str(file))
    except OSError:
        return ""
