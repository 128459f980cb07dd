"""`gradgen check`: committed gradients against their source and measured numbers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import click

from gradgen.errors import GradgenError
from gradgen.verify.verdict import Verdict

FAILED = 1


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--seed", default=0, show_default=True, help="Chooses the arguments to try."
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
@click.option("--quiet", "-q", is_flag=True, help="Say only what is wrong.")
def check(
    paths: tuple[str, ...],
    seed: int,
    write: bool,
    against: str | None,
    wrt: str | None,
    shape: tuple[str, ...],
    quiet: bool,
) -> None:
    """Check emitted files (default: those in generated/).

    Each is made again by the command in its header and compared, formatting
    aside. Then it is run on random arguments of its shapes, in float64 and
    float32, and compared with differences of its source. Exits with 1 when a
    file has drifted or a gradient is wrong.
    """
    if against is not None:
        from gradgen.commands.against import check_against

        return check_against(paths, against, wrt, shape, seed, quiet)
    if wrt is not None or shape:
        raise click.UsageError("--wrt and --shape go with --against")
    files = list(emitted_files(paths or ("generated",)))
    wrong = 0
    for path in files:
        verdict = checked(path, seed, write)
        wrong += bool(verdict.faults)
        for fault in verdict.faults:
            click.echo(f"{verdict.path}: {fault}", err=True)
        if verdict.said and not (quiet and verdict.judged):
            click.echo(f"{verdict.path}: {verdict.said}", err=True)
    if not quiet:
        click.echo(f"{len(files)} checked, {wrong} wrong", err=True)
    if wrong:
        raise click.exceptions.Exit(FAILED)


def emitted_files(paths: tuple[str, ...]) -> Iterator[str]:
    """The files with a gradgen header. Raises GradgenError when there are none."""
    from gradgen.printer.header import read_header

    found = False
    for path in paths:
        folder = os.path.isdir(path)
        if not os.path.exists(path):
            raise GradgenError("GG019", f"there is no {path}")
        for file in sorted(Path(path).rglob("*.py")) if folder else [Path(path)]:
            if read_header(_text(file)) is not None:
                found = True
                yield str(file)
            elif not folder:
                raise GradgenError("GG016", f"{path} was not written by gradgen")
    if not found:
        places = ", ".join(paths)
        raise GradgenError("GG019", f"there are no emitted files in {places}")


def _text(path: str | Path) -> str:
    """The text of a file, with "\\n" for whatever the checkout has."""
    return Path(path).read_text(encoding="utf-8")


def checked(path: str, seed: int, write: bool) -> Verdict:
    """The verdict on one file, which is written anew where that is asked for."""
    from gradgen.commands.writing import difference, edited_by_hand, write_emitted
    from gradgen.verify.drift import drift
    from gradgen.verify.judge import judge

    verdict = Verdict(path)
    text = _text(path)
    try:
        made = made_again(path, text)
    except click.UsageError as error:
        verdict.faults.append(f"it cannot be made again\n{error.format_message()}")
        return verdict
    except (GradgenError, ValueError) as error:
        verdict.faults.append(f"it cannot be made again\n{error}")
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
        verdict.faults.append(f"drift: {drifted.reason}; {advice}\n{lines}")
    judge(verdict, text, made, seed)
    return verdict


def made_again(path: str, text: str):
    """What the command in the file's header makes now."""
    from gradgen.commands.emit import emit
    from gradgen.commands.order import make, order_of
    from gradgen.printer.header import read_header
    from gradgen.request import words

    command = read_header(text)["command"]
    if not command.startswith("gradgen emit "):
        raise ValueError(f"its header's command is not gradgen emit: {command}")
    options = emit.make_context("gradgen emit", words(command)).params
    if options["target"] == "-":
        raise ValueError("its source text came from standard input")
    # A text without --guard was made without, whatever the settings are now.
    options["guard"] = options["guard"] or "no"
    with contextlib.chdir(_root(path, options["target"])):
        return make(order_of(options))


def _root(path: str, target: str) -> Path:
    """The folder from which the command finds its target.

    That is the working directory or, when check is run elsewhere, the nearest
    folder above the file.
    """
    module, colon, _ = target.rpartition(":")
    module = module if colon else target.rpartition(".")[0]
    names = [module] if module.endswith(".py") else []
    if not names:
        top = module.partition(".")[0]
        names = [f"{top}.py", top]
    for folder in (Path.cwd(), *Path(path).resolve().parents):
        if any((folder / name).exists() for name in names):
            return folder
    return Path.cwd()
