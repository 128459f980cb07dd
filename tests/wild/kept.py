"""What became of a package, in a file, with the state of gradgen that it is true of."""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.wild.judge import Outcome
from tests.wild.survey import Apart

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Tried:
    """A function that was tried, and what each door gave."""

    package: str
    name: str
    method: bool
    results: dict[str, Outcome]


@dataclass(frozen=True)
class State:
    """All of a package, and the digest of gradgen's own text at that time."""

    package: str
    digest: str
    tried: tuple[Tried, ...]
    apart: tuple[Apart, ...]


@functools.cache
def state() -> str:
    """The digest of gradgen's text, its rules and the surveys."""
    total = hashlib.sha256()
    for folder in ("gradgen", "templates", "tests/wild"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            total.update(file.read_bytes())
    return total.hexdigest()[:12]


def keep(found: State, place: Path) -> None:
    """Writes what became of a package."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(asdict(found), indent=1), encoding="utf-8")


def kept(place: Path) -> State | None:
    """What a file has of a package; None where there is none."""
    if not place.exists():
        return None
    found = json.loads(place.read_text(encoding="utf-8"))
    return State(
        found["package"],
        found["digest"],
        tuple(
            Tried(
                one["package"],
                one["name"],
                one["method"],
                {door: Outcome(**result) for door, result in one["results"].items()},
            )
            for one in found["tried"]
        ),
        tuple(Apart(**one) for one in found["apart"]),
    )
