"""What each Python offers, with the NumPy and the SciPy that count as its own.

tools/names_by_python.py writes names.json from real installations.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from gradgen.frozen import dataclass

FILE = Path(__file__).parent / "names.json"


@dataclass(frozen=True)
class Offered:
    """The names of modules, and the keywords that came later than their functions.

    `names` and `later` are by module ("numpy.linalg") and by function ("numpy.std").
    """

    python: str
    numpy: str
    scipy: str
    names: dict[str, frozenset[str]]
    later: dict[str, frozenset[str]]
    aliases: dict[str, str]

    @property
    def numbers(self) -> tuple[int, int]:
        """The version of Python as numbers: (3, 9)."""
        return numbers(self.python)

    def version_of(self, module: str) -> str:
        """What a message calls the version that a module stands in."""
        if module.startswith("numpy"):
            return f"NumPy {self.numpy}"
        if module.startswith("scipy"):
            return f"SciPy {self.scipy}"
        return f"Python {self.python}"


@cache
def offered(python: str) -> Offered:
    """What a version of Python offers; a NumPy counts from its Python upwards."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    asked = numbers(python)
    known = [one for one in table["versions"] if numbers(one) <= asked]
    names: dict[str, frozenset[str]] = {}
    later: dict[str, frozenset[str]] = {}
    for version in table["versions"]:
        for module, found in table["names"][version].items():
            kept = found if version in known else ()
            names[module] = names.get(module, frozenset()).union(kept)
        for function, words in table["keywords"][version].items():
            if version not in known:
                later[function] = later.get(function, frozenset()).union(words)
    own = table["versions"][known[-1]]
    return Offered(
        python, own["numpy"], own["scipy"], names, later, dict(table["aliases"])
    )


def numbers(python: str) -> tuple[int, int]:
    """A version as numbers: "3.9" is (3, 9)."""
    major, minor = python.split(".")
    return int(major), int(minor)
