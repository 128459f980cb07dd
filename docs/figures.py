"""The three claims of the front page, with their figures from the table of peers.

docs/performance.md has the table, which `python -m bench peers --write` measures.
`python docs/figures.py README.md` writes the claims between the marks of a page; the
front page gets them from front.py. Nowhere else does a figure of them stand.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
_TABLE = re.compile(r"<!-- peers: begin -->\n(.*?)<!-- peers: end -->", re.S)
MEAN = "geometric mean"


@dataclass(frozen=True)
class Claim:
    """What is claimed, what was measured, and the figure of each library."""

    title: str
    measured: str
    figures: dict[str, str]

    @property
    def numbers(self) -> dict[str, float]:
        """The figures as numbers."""
        return {name: float(text) for name, text in self.figures.items()}


@dataclass(frozen=True)
class Peers:
    """The table: the cells of each row by workload and size, and how it was taken."""

    libraries: tuple[str, ...]
    rows: dict[tuple[str, str], tuple[str, ...]]
    taken: str

    @property
    def workloads(self) -> list[str]:
        """The workloads, each once."""
        return list(dict.fromkeys(name for name, _ in self.rows if name != MEAN))

    def mean(self, size: str) -> dict[str, str]:
        """The geometric mean of each library over what it can do."""
        cells = self.rows[MEAN, size]
        return {n: cell.split()[0] for n, cell in zip(self.libraries, cells)}

    def taken_by(self, library: str) -> int:
        """How many workloads a library can do, at both sizes."""
        at = self.libraries.index(library)
        return sum(
            all(_is_number(self.rows[name, size][at]) for size in ("small", "large"))
            for name in self.workloads
        )


def peers() -> Peers:
    """The table as it stands in the page."""
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, f"{PAGE} has no table of peers"
    lines = found[1].strip().split("\n")
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    head, _, *rows = cells
    taken = [line for line in lines if line and not line.startswith("|")][-1]
    table = {(name, size): tuple(rest) for name, size, *rest in rows}
    return Peers(tuple(head[2:]), table, taken)


def claims() -> tuple[Claim, ...]:
    """The three claims."""
    table = peers()
    count = len(table.workloads)
    time = "time of value and gradient, the gradient written by hand = 1"
    return (
        Claim(
            "As fast as by hand on small arrays",
            f"{time}; geometric mean over those of {count} functions that it can do",
            table.mean("small"),
        ),
        Claim(
            "On large arrays too, uncompiled",
            "the same at large sizes; JAX compiles each function for the machine",
            table.mean("large"),
        ),
        Claim(
            "NumPy as people write it",
            f"how many of the {count} functions it differentiates as they stand",
            {name: str(table.taken_by(name)) for name in table.libraries},
        ),
    )


def markdown() -> str:
    """The claims as a table, and below it how they were measured."""
    told = claims()
    libraries = list(told[0].figures)
    rows = [["", *libraries], ["---", *["---:"] * len(libraries)]]
    for claim in told:
        figures = [claim.figures[name] for name in libraries]
        rows.append([f"**{claim.title}**: {claim.measured}", *figures])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines, "", peers().taken, ""])


def write(page: Path) -> None:
    """Put the claims between the marks of a page. Raises ValueError without them."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(before + BEGIN + markdown() + END + after, encoding="utf-8")


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"\d+\.\d+", cell) is not None


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
