"""Where the problems of a function that is called are told: there, and at the call."""

from __future__ import annotations

import os
import sysconfig
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source

CALLED = "called at"
ELSE = "a function that gradgen ops lists, or a rule of your own"


def told_at_call(
    problems: list[GradgenError], name: str, inner: Source, outer: Source, node: Any
) -> list[GradgenError]:
    """The problems of the function `name` of `inner`, called by `outer` at a node.

    Those of an installed library are one problem of the call: nobody edits its lines.

    before:  m.py:5:12: GG205 np.nope has no rule
    after:   m.py:5:12: GG205 np.nope has no rule (in layer, called at m.py:9)
    """
    if not problems:
        return []
    if is_installed(inner.file) and not is_installed(outer.file):
        old = problems[0]
        reason = old.message.partition(f", {CALLED}")[0].partition(" (in ")[0]
        at = f"{os.path.basename(old.file or inner.file)}:{old.line}"
        called = outer.segment(getattr(node, "func", node)) or name
        told = f"{called} is read in its library, where {reason} ({at})"
        return [outer.error(old.code, told, node, ELSE)]
    place = outer.place(node)
    where = f" (in {name}, {CALLED} {place.file}:{place.row})"
    return [
        old if CALLED in old.message else _with_place(old, where) for old in problems
    ]


def _with_place(old: GradgenError, where: str) -> GradgenError:
    told = GradgenError(
        old.code,
        old.message + where,
        advice=old.advice,
        file=old.file,
        line=old.line,
        column=old.column,
        source=old.source,
    )
    told.read_of, told.field_of = old.read_of, old.field_of
    told.otherwise = old.otherwise
    return told


def is_installed(file: str) -> bool:
    """Whether a file is of an installed package, or of Python itself."""
    path = os.path.abspath(file)
    library = sysconfig.get_path("stdlib") + os.sep
    return "site-packages" in path or path.startswith(library)
