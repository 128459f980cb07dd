"""The page of all options, made from their table: docs/options.md."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.request.options import (
    ASIDE,
    OPTIONS,
    OfGradients,
    OfMatrices,
    OfProducts,
    OfTangents,
    OfTexts,
    Option,
    Told,
)

# the functions that take the options of each dictionary
MAKERS = {
    OfTexts: ("emit",),
    OfGradients: ("grad", "value_and_grad", "vjp"),
    OfTangents: ("jvp",),
    OfProducts: ("hvp",),
    OfMatrices: ("jacobian",),
    Told: ("hessian",),
}
TOP = """# Options

Written by `gradgen explain --options`. An entry `[[tool.gradgen.emit]]` of pyproject.toml
has the flags of `gradgen emit` as keys, without the dashes.
"""


def options_page() -> str:
    """The options as Markdown, in the order of their table."""
    return TOP + "".join(f"\n{part}" for one in (*OPTIONS, *ASIDE) for part in _of(one))


def _of(one: Option) -> Iterator[str]:
    yield f"## `{one.flag}{' ' + one.metavar if one.metavar else ''}`\n"
    yield one.told + "\n"
    if one.choices:
        said = ", ".join(f"`{choice}`" for choice in one.choices)
        yield f"One of {said}{f'; by default `{one.default}`' if one.default else ''}.\n"
    takes = [
        maker
        for kind, makers in MAKERS.items()
        for maker in makers
        if one.keyword in kind.__annotations__
    ]
    if one.name == "wrt":
        yield "In Python: `wrt=`, the second argument of every function.\n"
    elif takes:
        said = ", ".join(f"`{maker}`" for maker in takes)
        yield f"In Python: `{one.keyword}=` of {said}.\n"
    if one.setting:
        yield f"For a project: `{one.name}` under `[tool.gradgen]`.\n"
