"""The error codes: what each means, why, and what to do, from one table."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.frozen import dataclass
from gradgen.lines import lines_of
from gradgen.quoting import markdown

# the hundreds of the codes
SECTIONS = {
    "0": "Requests and files",
    "1": "The function, and what a function may be made of",
    "2": "Expressions, calls, arrays and containers",
    "3": "Derivatives",
    "4": "Shapes and facts",
    "5": "Arguments and results, while a gradient runs",
    "6": "Hand-written gradients",
    "7": "Texts for other libraries",
    "8": "Older versions of Python and NumPy",
    "9": "Rules",
}


@dataclass(frozen=True)
class Code:
    """One code: a sentence, the reason, what to do; and an example, perhaps."""

    name: str
    what: str
    why: str
    instead: str
    refused: str = ""
    taken: str = ""


@functools.cache
def codes() -> dict[str, Code]:
    """All codes in order."""
    text = files("gradgen.explain").joinpath("codes.toml").read_text("utf-8")
    return {name: Code(name, **entry) for name, entry in tomllib.loads(text).items()}


def code_text(name: str) -> str:
    """What is told of a code. Raises GradgenError for one that does not exist."""
    if name not in codes():
        raise GradgenError(
            "GG026",
            f"there is no code {name}",
            advice=did_you_mean(name, list(codes())),
        )
    code = codes()[name]
    parts = [f"{name} {code.what}", "", f"  {code.why}", f"  instead: {code.instead}"]
    for title, example in (("refused", code.refused), ("taken", code.taken)):
        if example:
            parts += ["", f"  {title}:"]
            parts += [f"    {line}".rstrip() for line in lines_of(example.strip())]
    return "\n".join(parts)


def codes_page() -> str:
    """The page of all codes, as docs/errors.md has it."""
    parts = [
        "# Error codes",
        "",
        "<!-- Written by `gradgen explain --codes`. Do not edit. -->",
        "",
        "Every refusal has a code, the place in your file, the reason and what to write",
        "instead. `gradgen explain GG113` prints one entry of this page.",
    ]
    for hundred, title in SECTIONS.items():
        parts += ["", f"## {title}"]
        for code in codes().values():
            if code.name[2] == hundred:
                title = markdown(code.what.removesuffix("."))
                anchor = code.name.lower()
                parts += ["", f"### {code.name}: {title} {{ #{anchor} }}"]
                parts += ["", markdown(code.why)]
                parts += ["", f"**Instead:** {markdown(code.instead)}"]
                parts += _examples(code)
    return "\n".join(parts) + "\n"


def _examples(code: Code) -> list[str]:
    if not code.refused:
        return []
    parts = []
    for title, example in (("Refused", code.refused), ("Taken", code.taken)):
        parts += ["", f"{title}:", "", "```python", *lines_of(example.strip()), "```"]
    return parts
