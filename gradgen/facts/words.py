"""What is assumed of arguments, in words."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.facts.assumed import Assumed


def told_of(found: Iterable[Assumed]) -> str:
    """What is assumed, as the docstring says it: ridge is a number, X is a matrix

    What broadcasts to one shape is said once: K and sigma broadcast to the shape of S.
    """
    said: dict[str, list[str]] = {}
    for one in found:
        if not one.asked:
            name = one.name if one.fits else ""
            words = one.words.removeprefix(f"{name} ")
            said.setdefault(words, []).append(name)
    return ", ".join(_said_of(names, words) for words, names in said.items())


def _said_of(names: list[str], words: str) -> str:
    """K and sigma broadcast to the shape of S"""
    *others, last = names
    if not last:
        return words
    verb, rest = words.split(" ", 1)
    plural = {"broadcasts": "broadcast", "has": "have", "is": "are"}
    if not others:
        return f"{last} {words}"
    return f"{', '.join(others)} and {last} {plural.get(verb, verb)} {rest}"
