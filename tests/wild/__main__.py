"""python -m tests.wild: the shares of right gradients, by package, into docs/wild.md.

`-j 4` uses so many processes. `--first` tries the first door alone, and writes no page.
`--keep FOLDER` keeps what becomes of each package in a file there, and does not try again
what a file has of the same text of gradgen: so a run that was stopped goes on, and the
page says which rows are of another state.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.wild.judge import DOORS, Outcome, measure, outcomes
from tests.wild.kept import State, Tried, keep, kept, state
from tests.wild.page import PAGE, page
from tests.wild.survey import Apart, cases
from tests.wild.surveys import SURVEYS

VALUED = ("-j", "--keep")


def main(words: list[str]) -> int:
    """Run all, some packages, or show one function (`--show NAME`)."""
    given = {word: words[words.index(word) + 1] for word in VALUED if word in words}
    rest = [w for i, w in enumerate(words) if i == 0 or words[i - 1] not in VALUED]
    wanted = [w for w in rest if not w.startswith("-")]
    show = "--show" in rest
    packages = list(dict.fromkeys(survey.package for survey in SURVEYS))
    chosen = [one for one in packages if not wanted or show or one in wanted]
    run = partial(
        of_package,
        only=wanted if show else [],
        doors=DOORS[:1] if "--first" in rest else DOORS,
        folder=given.get("--keep", ""),
    )
    with ProcessPoolExecutor(int(given.get("-j", 1))) as pool:
        states = list(pool.map(run, chosen))
    text = page(states)
    if not wanted and "--first" not in rest:
        PAGE.write_text(text, encoding="utf-8")
    print(text)
    faults = ("wrong", "crash")
    every = (one for found in states for one in found.tried)
    return int(any(r.verdict in faults for one in every for r in one.results.values()))


def of_package(
    package: str, only: list[str], doors: tuple[str, ...], folder: str
) -> State:
    """What becomes of the functions of one package, or what is kept of it."""
    place = Path(folder) / f"{package}.json" if folder else None
    known = kept(place) if place else None
    if known is not None and known.digest == state():
        return known
    found: list[Tried | Apart] = []
    for i, survey in enumerate(SURVEYS):
        if survey.package == package:
            found += tried(i, only, doors)
    made = State(
        package,
        state(),
        tuple(one for one in found if isinstance(one, Tried)),
        tuple(one for one in found if isinstance(one, Apart)),
    )
    if place:
        keep(made, place)
    return made


def tried(
    place: int, only: list[str], doors: tuple[str, ...] = DOORS
) -> list[Tried | Apart]:
    """What becomes of the functions of one survey."""
    found: list[Tried | Apart] = []
    for case in cases(SURVEYS[place]):
        if only and not any(word in case.name for word in only):
            continue
        if isinstance(case, Apart):
            found.append(case)
            continue
        truth = measure(case, doors)
        if isinstance(truth, Outcome):
            found.append(Apart(case.package, case.name, truth.said))
            continue
        began = time.perf_counter()
        one = Tried(case.package, case.name, case.method, outcomes(case, truth, doors))
        found.append(one)
        say(one, time.perf_counter() - began)
    return found


def say(one: Tried, seconds: float) -> None:
    """One line for a case, and what was said where it is not right."""
    verdicts = " ".join(f"{one.results[door].verdict:8}" for door in one.results)
    every = (f"{r.code} {r.said}" for r in one.results.values() if r.said)
    said = "".join(f"\n      {line[:300]}" for line in dict.fromkeys(every))
    print(f"{verdicts} {seconds:5.1f} s  {one.name}{said}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
