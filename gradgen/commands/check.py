"""`gradgen check`: committed gradients against their source and measured numbers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from gradgen.commands.alone import alone, is_apart
from gradgen.commands.emitted import emitted_files, made_again, text_in
from gradgen.commands.formats import output_option, reported
from gradgen.commands.processes import Ended, each, processors
from gradgen.commands.terminal import colour_option, progress
from gradgen.commands.verdicts import tell
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass

if TYPE_CHECKING:  # emitting loads nothing of gradgen.verify
    from gradgen.commands.reads import Reads
    from gradgen.verify.verdict import Verdict

FAILED = 1


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--seed", default=0, show_default=True, help="Chooses the arguments to try."
)
@click.option(
    "--fresh", is_flag=True, help="Measure again what has not changed since, too."
)
@click.option("--write", is_flag=True, help="Rewrite the files that have drifted.")
@click.option(
    "--against",
    metavar="HAND",
    help="A backward pass written by hand, instead; PATHS may be a function then.",
)
@click.option("--wrt", metavar="X,Y", help="With --against: the arguments.")
@click.option(
    "--shape", multiple=True, metavar='X="n d"', help="With --against: a shape."
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many files at once; as many as there are processors without.",
)
@output_option
@colour_option
@click.option("--quiet", "-q", is_flag=True, help="Say only what is wrong.")
def check(
    paths: tuple[str, ...],
    seed: int,
    fresh: bool,
    write: bool,
    against: str | None,
    wrt: str | None,
    shape: tuple[str, ...],
    jobs: int | None,
    output: str,
    color: str,
    quiet: bool,
) -> None:
    """Check emitted files.

    Without PATHS these are the files of [tool.gradgen] in pyproject.toml, or those in
    generated/ where it names none. Each is made again by the command in its header
    and compared, formatting aside. Then it is run on random arguments of its shapes,
    in float64 and float32, and compared with differences of its source. What is right
    is not measured again until the file, its source or gradgen changes; --fresh
    measures all. Exits with 1 when a file has drifted or a gradient is wrong.
    """
    if against is not None:
        from gradgen.commands.against import check_against

        with reported(output):
            check_against(paths, against, wrt, shape, seed, output, color, quiet)
        return
    if wrt is not None or shape:
        raise click.UsageError("--wrt and --shape go with --against")
    with reported(output), contextlib.ExitStack() as stack:
        missing = []
        if not paths:
            folder, paths = _of_project()
            stack.enter_context(contextlib.chdir(folder))
            missing = [path for path in paths if not os.path.exists(path)]
            paths = tuple(path for path in paths if path not in missing)
        if not missing:
            paths = paths or ("generated",)
        files = list(emitted_files(paths)) if paths else []
        with progress("checking", len(files), quiet) as advance:
            asked = _Asked(seed, write, fresh, jobs or processors())
            verdicts = _verdicts(files, asked, advance)
    verdicts += _missing(missing)
    tell(verdicts, output, color, quiet)
    if any(verdict.faults for verdict in verdicts):
        raise click.exceptions.Exit(FAILED)


def _of_project() -> tuple[Path, tuple[str, ...]]:
    """The folder of the nearest pyproject.toml, and the files that it asks for."""
    from gradgen.commands.entries import entries
    from gradgen.request.settings import here, nearest

    project = nearest(here())
    if project is None or not project.table.get("emit"):
        return here(), ()
    return project.folder, tuple(entry.out for entry in entries(project))


def _missing(paths: list[str]) -> list[Verdict]:
    from gradgen.verify.verdict import MISSING, Fault, Verdict

    told = "there is no such file; gradgen build writes it"
    return [Verdict(path, [Fault(MISSING, told, file=path)]) for path in paths]


@dataclass(frozen=True)
class _Asked:
    """How to check: the options of the command."""

    seed: int
    write: bool
    fresh: bool
    jobs: int


def _verdicts(
    files: list[str], asked: _Asked, advance: Callable[[], None]
) -> list[Verdict]:
    """The verdict on each file: a known one, or one found in a process of its own."""
    from gradgen.commands.remembered import Remembered

    known = Remembered(Path.cwd(), asked.seed)
    asks_anew = asked.fresh or asked.write
    found = {file: None if asks_anew else known.verdict(file) for file in files}
    todo = [file for file, verdict in found.items() if verdict is None]
    for verdict, reads in _measured(todo, asked, advance):
        found[verdict.path] = verdict
        if reads is not None:
            known.note(verdict, reads)
    if todo and not asked.write:
        known.save()
    return [cast("Verdict", found[file]) for file in files]


def _measured(
    files: list[str], asked: _Asked, advance: Callable[[], None]
) -> Iterator[tuple[Verdict, Reads | None]]:
    """Each verdict with what it was made of, where that was noted."""
    from gradgen.verify.verdict import BROKEN, Fault, Verdict

    seed, write = asked.seed, asked.write
    if len(files) == 1:
        noted = is_apart()
        yield alone(lambda: _checked((files[0], seed, write, noted)))
        return
    tasks = [(file, seed, write, True) for file in files]
    preload = ["gradgen.commands.ready", "gradgen.verify.judge"]
    for position, answer in each(_checked, tasks, asked.jobs, preload):
        if isinstance(answer, Ended):
            told = f"its process {answer} while it was checked"
            fault = Fault(BROKEN, told, file=files[position])
            answer = Verdict(files[position], [fault]), None
        elif isinstance(answer, Exception):
            raise answer
        yield cast("tuple[Verdict, Reads | None]", answer)
        advance()


def _checked(task: tuple[str, int, bool, bool]) -> tuple[Verdict, Reads | None]:
    """The verdict on a file, and what was read for it, in a process of its own."""
    path, seed, write, noted = task
    if not noted:
        return checked(path, seed, write), None
    from gradgen.commands.noting import watch
    from gradgen.printer.header import read_header

    ended = watch()
    verdict = checked(path, seed, write)
    text = text_in(path)
    header = read_header(text)
    return verdict, ended([header["command"] if header else ""], text)


def checked(path: str, seed: int, write: bool) -> Verdict:
    """The verdict on one file, which is written anew where that is asked for."""
    from gradgen.commands.writing import difference, edited_by_hand, write_emitted
    from gradgen.verify.drift import drift
    from gradgen.verify.judge import judge
    from gradgen.verify.verdict import EDITED, OUT_OF_DATE, REFUSED, Verdict, fault_of

    verdict = Verdict(path)
    text = text_in(path)
    try:
        made = made_again(path, text)
    except click.UsageError as error:
        verdict.blame(REFUSED, f"it cannot be made again\n{error.format_message()}")
        return verdict
    except GradgenError as error:
        verdict.faults.append(fault_of(error, before="it cannot be made again\n"))
        return verdict
    except ValueError as error:
        verdict.blame(REFUSED, f"it cannot be made again\n{error}")
        return verdict
    fresh = made.emitted.text
    drifted = drift(text, fresh)
    if write and text != fresh and not edited_by_hand(text):
        # Also where only the layout is another. A gradient has to be right first.
        judge(verdict, fresh, made, seed)
        if not verdict.faults:
            write_emitted(path, fresh)
            verdict.said = f"written anew, {verdict.said}"
        return verdict
    if drifted is not None:
        lines = difference(text, fresh, path, "what gradgen writes now")
        advice = "--write rewrites it"
        if edited_by_hand(text):
            advice = "gradgen emit with -o and --force overwrites it"
        kind = EDITED if edited_by_hand(text) else OUT_OF_DATE
        verdict.blame(kind, f"drift: {drifted.reason}; {advice}\n{lines}")
        if drifted.moved:
            return verdict  # what it is the gradient of is no longer there to measure
    judge(verdict, text, made, seed)
    return verdict
