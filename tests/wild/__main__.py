"""python -m tests.wild: the shares of right gradients, by package, into docs/wild.md.

`-j 4` uses so many processes.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.wild.judge import DOORS, Outcome, measure, outcomes
from tests.wild.page import PAGE, Tried, page
from tests.wild.survey import Apart, cases
from tests.wild.surveys import SURVEYS


def main(words: list[str]) -> int:
    """Run all, some packages, or show one function (`--show NAME`)."""
    jobs = int(words[words.index("-j") + 1]) if "-j" in words else 1
    wanted = [w for w in words if not w.startswith("-") and not w.isdecimal()]
    run = partial(tried, only=wanted if "--show" in words else [])
    chosen = [
        place
        for place, survey in enumerate(SURVEYS)
        if not wanted or "--show" in words or survey.package in wanted
    ]
    with ProcessPoolExecutor(jobs) as pool:
        every = [one for some in pool.map(run, chosen) for one in some]
    found = [one for one in every if isinstance(one, Tried)]
    text = page(found, [one for one in every if isinstance(one, Apart)])
    if not wanted:
        PAGE.write_text(text, encoding="utf-8")
    print(text)
    faults = ("wrong", "crash")
    return int(any(r.verdict in faults for one in found for r in one.results.values()))


def tried(place: int, only: list[str]) -> list[Tried | Apart]:
    """What becomes of the functions of one survey."""
    found: list[Tried | Apart] = []
    for case in cases(SURVEYS[place]):
        if only and not any(word in case.name for word in only):
            continue
        if isinstance(case, Apart):
            found.append(case)
            continue
        began = time.perf_counter()
        truth = measure(case)
        if isinstance(truth, Outcome):
            found.append(Apart(case.package, case.name, truth.said))
            continue
        one = Tried(case.package, case.name, case.method, outcomes(case, truth))
        found.append(one)
        say(one, time.perf_counter() - began)
    return found


def say(one: Tried, seconds: float) -> None:
    """One line for a case, and what was said where it is not right."""
    verdicts = " ".join(f"{one.results[door].verdict:8}" for door in DOORS)
    every = (f"{r.code} {r.said}" for r in one.results.values() if r.said)
    said = "".join(f"\n      {line[:300]}" for line in dict.fromkeys(every))
    print(f"{verdicts} {seconds:5.1f} s  {one.name}{said}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
