"""How a command line is read: what `--guard` takes, and what every --help ends with."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

EXIT_CODES = """\b
Exit codes:
  0  all is well
  1  a file has drifted, or a gradient is wrong
  2  a usage mistake, or code that is not supported
  3  a fault of gradgen itself
  130  interrupted
"""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$", re.IGNORECASE)


class Command(click.Command):
    """A command whose `--guard` is a flag, and `--guard=EPS` gives a number."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(context, with_guard_as_flag(args))


def with_guard_as_flag(arguments: Sequence[str]) -> list[str]:
    """The arguments where what follows `--guard` is its value only if it is a number.

    before:  ["--guard", "losses.loss", "--guard", "1e-8"]
    after:   ["--guard=yes", "losses.loss", "--guard=1e-8"]
    """
    found: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*found, word, *rest]
        if word == "--guard":
            takes = bool(rest and _NUMBER.match(rest[0]))
            word = f"--guard={rest.pop(0) if takes else 'yes'}"
        found.append(word)
    return found
