"""The shapes that an emitted function's own docstring tells of its arguments."""

from __future__ import annotations

import re

import gast

# how the docstrings of emitted functions begin
WRITTEN = re.compile(
    r"(Gradients? of|Value of|Hessian of|Jacobians? of|Diagonal of the Jacobian of) \w"
)
ARGUMENT = re.compile(r"(\w+) \(([^()]*)\)(?: (int|bool))?(?:, |$)")
# a name, a number, #n, or what is made of them: n - 1, 4*h
AXIS = re.compile(r"#?\w+$|\w+(?:[-+*]\w+)+$")


def shapes_documented(node: gast.FunctionDef) -> dict[str, str]:
    """The facts of a text that gradgen has written, by the names of its arguments.

    before:  Shapes: X (n, d), n int, m (n - 1) bool, y (*s), d_out () -> d_X (n, d)
    after:   {"X": "n d", "m": "n-1:bool", "d_out": ""}
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
        axes = [axis for axis in inside.replace(" ", "").split(",") if axis]
        if all(map(AXIS.match, axes)):
            found[name] = " ".join(axes) + (f":{sort}" if sort else "")
    return found
