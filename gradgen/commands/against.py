"""`gradgen check --against`: a hand-written backward pass, compared and told of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from gradgen.commands.alone import alone
from gradgen.commands.formats import GITHUB, JSON, annotation
from gradgen.commands.terminal import put, say
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass

FAILED = 1
# what the numbers say, and not how the backward pass is called or what it returns
CODES = ("GG601", "GG602", "GG607")


def check_against(
    paths: Sequence[str],
    against: str,
    wrt: str | None,
    shape: Sequence[str],
    seed: int,
    output: str,
    color: str,
    quiet: bool,
) -> None:
    """Compares a backward pass with the gradient in a file, or of a function.

    Exits with 1 where it is wrong. Raises GradgenError where it cannot be called.
    """
    from gradgen.commands.verdicts import tell
    from gradgen.verify.verdict import REFUSED, WRONG, Fault, Verdict

    if len(paths) != 1:
        raise click.UsageError(
            "--against takes one emitted file, or the function that it is of: "
            "gradgen check losses.loss --against losses.grad_loss"
        )
    found = alone(lambda: _compared(paths[0], against, wrt, shape, seed))
    if found.error is not None:
        again = f"gradgen check {paths[0]} --against {against} --seed {seed}"
        again += f" --wrt {wrt}" if wrt else ""
        again += "".join(f' --shape "{one}"' for one in shape)
        place = f"    at {found.place}\n    again: {again}"
        told = f"{found.error}\n{place}"
        if output == JSON:
            kind = WRONG if found.error.code in CODES else REFUSED
            fault = Fault(kind, told, found.error.code, found.file)
            tell([Verdict(against, [fault])], output, color, quiet)
        elif output == GITHUB:
            title = "gradgen check"
            line = annotation("error", told, file=found.file, title=title)
            put(f"{line}\n")
        else:
            say(told)
        raise click.exceptions.Exit(FAILED if found.error.code in CODES else 2)
    if found.checked is None:
        raise GradgenError(
            "GG604",
            f"no arguments were found that {found.function} takes and at which "
            "its derivative can be measured",
            advice='the shape of each: --shape X="n d"',
        )
    if output == JSON:
        tell([Verdict(against, said=found.checked)], output, color, quiet)
    elif not quiet:
        say(f"{against}: {found.checked}")


@dataclass(frozen=True)
class _Compared:
    """What came of a comparison: an error and its place, or what was compared.

    `function` is the primal, `file` that of the backward pass.
    """

    function: str
    file: str | None
    error: GradgenError | None
    place: str
    checked: str | None


def _compared(
    path: str, against: str, wrt: str | None, shape: Sequence[str], seed: int
) -> _Compared:
    from gradgen.frontend.source.named import resolve
    from gradgen.verify.against import hold_against
    from gradgen.verify.disagreement import near

    made, text, where = _generated(path, wrt, shape)
    hand = resolve(against)
    if not callable(hand):
        raise GradgenError("GG101", f"{against} is no function")
    names = tuple(wrt.replace(" ", "").split(",")) if wrt else None
    found = hold_against(hand, made, text, where, names, seed)
    file = getattr(getattr(hand, "__code__", None), "co_filename", None)
    return _Compared(
        made.source.node.name,
        file and near(file),
        found.error,
        str(found.place),
        None if found.checked is None else str(found.checked),
    )


def _generated(path: str, wrt: str | None, shape: Sequence[str]) -> Any:
    """The request, the generated text, and the name of the place of its lines."""
    from gradgen.commands.emitted import emitted_files, made_again, text_in
    from gradgen.commands.order import Order, make

    if os.path.isdir(path):
        raise click.UsageError("--against takes one emitted file, not a folder")
    if not os.path.exists(path):
        if path.endswith(".py") or os.sep in path and ":" not in path:
            raise GradgenError("GG019", f"there is no {path}")
        order = Order(path, wrt=wrt, shape=tuple(shape), guard="no", general=True)
        try:  # what is only assumed is no ground to judge by
            made = make(order)
        except GradgenError:
            made = make(Order(path, wrt=wrt, shape=tuple(shape), guard="no"))
        return made, made.emitted.text, "generated"
    if shape:
        raise click.UsageError("--shape goes with a function; a file has its own")
    (file,) = emitted_files((path,))
    text = text_in(file)
    return made_again(file, text), text, file
