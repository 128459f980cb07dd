"""The imports of a text, under names that are free."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count


def free(wished: tuple[str, ...], taken: set[str]) -> str:
    """The first wished name that is free, or the last one with a number."""
    numbered = (f"{wished[-1]}{n}" for n in count(2))
    return next(name for name in chain(wished, numbered) if name not in taken)


def scipy_name(module: str, taken: set[str]) -> str:
    """What scipy.special is called: special, or a name that the user left free."""
    if module not in taken:
        return module
    return f"scipy.{module}" if "scipy" not in taken else f"_scipy_{module}"


def scipy_import(scipy: str, module: str, spelled: str) -> str:
    if spelled == f"scipy.{module}":
        return f"import {spelled}"
    alias = "" if spelled == module else f" as {spelled}"
    return f"from {scipy} import {module}{alias}"


def joined(lines: Iterable[str]) -> list[str]:
    """The lines, with one import for all names of a module."""
    found: dict[str, list[str]] = {}
    for line in lines:
        head, word, name = line.partition(" import ")
        if not line.startswith("from "):  # a constant that holds the word, say
            head, word, name = line, "", ""
        found.setdefault(head + word, []).append(name)
    return [head + ", ".join(sorted(names)) for head, names in found.items()]
