"""Colours for what is told: errors, and the account of `gradgen explain`."""

from __future__ import annotations

import re

import click

from gradgen.lines import lines_of

_HEAD = re.compile(r"(?P<place>\S.*:\d+:\d+: |)(?P<code>GG\d{3})(?P<rest> .*)")
_ADVICE = re.compile(r"(  write instead:)(.*)")


def coloured_error(text: str) -> str:
    """The lines of an error: its place bold, its code red, caret and advice green."""
    return "\n".join(map(_line_of_error, lines_of(text)))


def _line_of_error(line: str) -> str:
    if head := _HEAD.fullmatch(line):
        place, code = click.style(head["place"], bold=True), head["code"]
        return place * bool(head["place"]) + _red(code) + head["rest"]
    if line.startswith("internal error"):
        return _red(line)
    if line.startswith(("Error:", "Usage:")):
        word, colon, rest = line.partition(":")
        return (_red if word == "Error" else _bold)(word + colon) + rest
    if line.startswith("    ") and line.strip() == "^":
        return click.style(line, fg="green", bold=True)
    if advice := _ADVICE.fullmatch(line):
        return click.style(advice[1], fg="green") + advice[2]
    return line


def coloured_account(text: str) -> str:
    """The stages of a gradient: headings bold, what a pass adds green, removes red."""
    return "\n".join(map(_line_of_account, lines_of(text))) + "\n"


def _line_of_account(line: str) -> str:
    if line[:1].strip():
        return _bold(line)
    if line.startswith("    + "):
        return click.style(line, fg="green")
    if line.startswith("    - "):
        return click.style(line, fg="red")
    if line.lstrip().startswith("#"):
        return click.style(line, dim=True)
    return line


def _red(text: str) -> str:
    return click.style(text, fg="red", bold=True)


def _bold(text: str) -> str:
    return click.style(text, bold=True)
