"""The shapes that an emitted function's own docstring tells of its arguments."""

from __future__ import annotations

import re

import gast

# how the docstrings of emitted functions begin
WRITTEN = re.compile(
    r"(Gradients? of|Value of|Hessian of|Jacobians? of|Diagonal of the Jacobian of) \w"
)
ARGUMENT = re.compile(r"(\w+) \(([^()]*)\)(?: (int|bool))?(?:, |$)")
AXIS = re.compile(r"#?\w+$")


def shapes_documented(node: gast.FunctionDef) -> dict[str, str]:
    """The facts of a text that gradgen has written, by the names of its arguments.

    before:  Shapes: X (n, d), n int, m (n) bool, y (*s), d_out () -> d_X (n, d)
    after:   {"X": "n d", "m": "n:bool", "d_out": ""}
    """
    text = gast.get_docstring(node) or ""
    head, colon, rest = text.partition("Shapes: ")
    if not colon or not WRITTEN.match(head):
        return {}
    given = re.sub(r"\s*\n\s*", " ", rest.partition("->")[0]).strip()
    found = {}
    for part in re.split(r"(?<=\)), |(?<= int), |(?<= bool), ", given):
        match = ARGUMENT.match(part)
        if match is None:
            continue
        name, inside, sort = match.groups()
        axes = [axis.strip() for axis in inside.split(",") if axis.strip()]
        if all(map(AXIS.match, axes)):
            found[name] = " ".join(axes) + (f":{sort}" if sort else "")
    return found
