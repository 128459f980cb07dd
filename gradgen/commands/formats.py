"""What went wrong, for a person, for a program (json), or for GitHub's annotations."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import click

from gradgen.commands.terminal import Lost, put
from gradgen.errors import GradgenError

TEXT, JSON, GITHUB = "text", "json", "github"
REFUSED = 2

output_option = click.option(
    "--output",
    type=click.Choice([TEXT, JSON, GITHUB]),
    default=TEXT,
    show_default=True,
    help="How results are told: json, or annotations for GitHub, go to stdout.",
)


@contextlib.contextmanager
def reported(output: str) -> Iterator[None]:
    """Errors inside are told as --output says, and end the command with code 2.

    Text is left to whoever runs the command.
    """
    try:
        yield
    except GradgenError as error:
        if output == TEXT or isinstance(error, Lost):
            raise
        if output == JSON:
            print_json({"errors": problems(error)})
        else:
            for line in github_lines(error):
                put(f"{line}\n")
        raise click.exceptions.Exit(REFUSED) from None


def print_json(data: dict[Any, Any]) -> None:
    """The data on stdout, two spaces deep."""
    put(json.dumps(data, indent=2) + "\n")


def problems(error: GradgenError) -> list[dict[Any, Any]]:
    """Each problem of an error as data; line and column count from 1, or are null."""
    return [
        {
            "code": one.code,
            "message": one.message,
            "advice": one.advice,
            "file": one.file,
            "line": one.line,
            "column": one.column,
        }
        for one in error.problems
    ]


def github_lines(error: GradgenError, file: str | None = None) -> list[str]:
    """GitHub's workflow commands for an error's problems, one line each.

    `file` stands for a problem that has no place of its own.
    """
    return [
        annotation(
            "error",
            "\n".join([one.message, *_advised(one)]),
            file=one.file or file,
            line=one.line,
            column=one.column,
            title=one.code,
        )
        for one in error.problems
    ]


def _advised(error: GradgenError) -> list[str]:
    """The line of what to write instead; a question stands as it is."""
    if not error.advice or error.advice.startswith("did you mean "):
        return [error.advice] if error.advice else []
    return [f"write instead: {error.advice}"]


def annotation(
    level: str,
    message: str,
    *,
    file: str | None = None,
    line: int | None = None,
    column: int | None = None,
    title: str | None = None,
) -> str:
    """One workflow command: `::error file=a.py,line=3,col=5,title=GG113::message`."""
    named = {"file": file, "line": line, "col": column, "title": title}
    given = ",".join(f"{k}={_property(v)}" for k, v in named.items() if v is not None)
    return f"::{level}{' ' + given if given else ''}::{_data(message)}"


def _data(value: object) -> str:
    """A message with what ends a workflow command written as GitHub wants it."""
    text = str(value).replace("%", "%25")
    return text.replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
