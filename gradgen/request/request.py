"""What is asked for: a request made of options as they are given, in one form of each."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gradgen.errors import GradgenError
from gradgen.quoting import is_name
from gradgen.request.options import OPTIONS, Option, Request
from gradgen.request.parts import path_of, spelled
from gradgen.request.settings import here, rule_folders
from gradgen.shapes.statics import is_static
from gradgen.shapes.tree import fact_of, is_tree, read_tree, tree_text

__all__ = ["Request", "as_names", "as_read", "canonical", "request"]


def request(target: str, *, parameters: Sequence[str] = (), **given: Any) -> Request:
    """The request for these options; positions in wrt become names.

    Raises GradgenError for an option that does not exist.
    """
    for one in OPTIONS:
        if one.choices and given.get(one.name, one.default) != one.default:
            _refuse_others(one, given[one.name])
    order = {name: i for i, name in enumerate(parameters)}
    told = [(as_read(k), text) for k, text in (given.get("shapes") or {}).items()]
    facts = sorted(told, key=lambda f: _place(f[0], order))
    numbers = set(as_names(given.get("complex", ())))
    read = {
        "wrt": _wrt(given.get("wrt"), parameters),
        "shapes": tuple((name, canonical(text)) for name, text in facts),
        "complex": tuple(sorted(numbers, key=lambda n: (order.get(n, len(order)), n))),
        "stop": as_names(given.get("stop", ())),
        "of": as_names(given.get("of", ())),
    }
    rules = tuple(map(str, rule_folders(here())))
    asked = Request(target, **({"rules": rules} | given | read))
    _refuse_together(asked)
    return asked


def _refuse_others(one: Option, value: Any) -> None:
    """Raises GradgenError for what is none of an option's choices."""
    if value not in one.choices:
        message = one.refusal or f"there is no {one.keyword} {{!r}}"
        few = " or ".join(one.choices) if len(one.choices) == 2 else ""
        advice = few or "one of " + ", ".join(one.choices)
        raise GradgenError(one.code, message.format(value), advice=advice)


def _refuse_together(asked: Request) -> None:
    """Raises GradgenError for options that do not go together."""
    mode, guard = asked.mode, asked.guard
    if not isinstance(guard, bool) and not 0 < guard <= sys.float_info.max:
        raise GradgenError(
            "GG023",
            f"guard={guard!r} is no size of a denominator",
            advice="True, or a small positive number such as 1e-8",
        )
    if mode != "reverse" and (asked.value or asked.style != "joint"):
        raise GradgenError(
            "GG009",
            f"mode {mode} has one style, and decides itself what is returned",
            advice=f"--mode {mode} without --value and --style",
        )
    if mode != "reverse" and asked.keep_calls:
        raise GradgenError(
            "GG009",
            f"mode {mode} writes the functions that are called out",
            advice=f"--mode {mode} without --keep-calls",
        )
    if asked.module and not all(map(is_name, asked.module.split("."))):
        raise GradgenError(
            "GG027", f"{asked.module!r} is no module's name", advice="cupynumeric"
        )
    if (asked.direction or asked.diagonal) and mode != "jacobian":
        raise GradgenError(
            "GG009",
            f"mode {mode} has no direction and no diagonal",
            advice="--mode jacobian",
        )
    if asked.stable and asked.keep_calls:
        raise GradgenError(
            "GG009",
            "the functions that are called keep their form with keep_calls",
            advice="--stable without --keep-calls",
        )
    if asked.fast and (asked.module or asked.library != "numpy"):
        raise GradgenError(
            "GG009",
            "the fast form is written with NumPy's own functions",
            advice="--fast without --target and --module",
        )
    if asked.style == "callback" and asked.value:
        raise GradgenError(
            "GG004",
            "a callback returns the value anyway",
            advice="--style callback without --value",
        )


def _place(name: str, order: Mapping[str, int]) -> int:
    """The place of a fact: that of its argument; self.W is one of self, the first."""
    base = name.partition(".")[0].partition("[")[0]
    return order.get(base, -1 if base == "self" else len(order))


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several as a tuple, each as Python reads it."""
    given = (names,) if isinstance(names, str) else tuple(names)
    return tuple(map(as_read, given))


def as_read(name: str) -> str:
    """A name, or the path to a part, as Python reads it: two spellings may be one."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def canonical(shape: object) -> str:
    """A shape fact without brackets and commas: "(n, d)" is "n d".

    The fact of a container, in Python or as text, is a text of one form.
    """
    if not isinstance(shape, str):
        return tree_text(fact_of(shape))
    if is_static(shape):
        return shape
    if is_tree(shape):
        return tree_text(read_tree(shape))
    return " ".join(shape.strip().strip("()").replace(",", " ").split())


def _wrt(
    wrt: str | int | Sequence[str | int] | None, parameters: Sequence[str]
) -> tuple[str, ...] | None:
    if wrt is None:
        return None
    chosen = (wrt,) if isinstance(wrt, (str, int)) else tuple(wrt)
    if not chosen:
        raise GradgenError("GG005", "wrt names no argument", advice="wrt=('x',)")
    names = []
    for one in chosen:
        if isinstance(one, int):
            if not -len(parameters) <= one < len(parameters):
                raise GradgenError(
                    "GG006",
                    f"wrt position {one} is outside the {len(parameters)} arguments",
                    advice="one of " + ", ".join(parameters),
                )
            one = parameters[one]
        one = as_read(one)
        names.append(one if one in parameters else _part(one, parameters))
    paths = [path_of(name) for name in names]
    for i, (name, keys) in enumerate(paths):
        for other, more in paths[:i]:
            short = min(len(keys), len(more))
            if name == other and keys[:short] == more[:short]:
                raise GradgenError(
                    "GG007", "wrt names an argument twice", advice="each once"
                )
    return tuple(names)


def _part(text: str, parameters: Sequence[str]) -> str:
    """The one spelling of a part of an argument; a name stays what it is."""
    if text.isidentifier() or not parameters:
        return text
    several = [word.strip() for word in text.split(",")]
    if len(several) > 1 and set(several) <= set(parameters):
        raise GradgenError(
            "GG002",
            f"{text!r} is one string, and names {len(several)} arguments",
            advice=f"wrt=({', '.join(map(repr, several))})",
        )
    return spelled(text)
