"""python -m tests.wild: the shares of right gradients, by package, into docs/wild.md."""

from __future__ import annotations

import sys
import time

from tests.wild.judge import DOORS, Outcome, measure, outcomes
from tests.wild.page import PAGE, page
from tests.wild.survey import Apart, Case, cases
from tests.wild.surveys import SURVEYS


def main(words: list[str]) -> int:
    """Run all, some packages, or show one function (`--show NAME`)."""
    wanted = [word for word in words if not word.startswith("-")]
    show = "--show" in words
    found: list[tuple[Case, dict[str, Outcome]]] = []
    apart: list[Apart] = []
    for survey in SURVEYS:
        if wanted and not show and survey.package not in wanted:
            continue
        for case in cases(survey):
            if show and not any(word in case.name for word in wanted):
                continue
            if isinstance(case, Apart):
                apart.append(case)
                continue
            began = time.perf_counter()
            truth = measure(case)
            if isinstance(truth, Outcome):
                apart.append(Apart(case.package, case.name, truth.said))
                continue
            results = outcomes(case, truth)
            found.append((case, results))
            say(case, results, time.perf_counter() - began)
    text = page(found, apart)
    if not wanted:
        PAGE.write_text(text)
    print(text)
    return int(
        any(r.verdict in ("wrong", "crash") for _, rs in found for r in rs.values())
    )


def say(case: Case, results: dict[str, Outcome], seconds: float) -> None:
    """One line for a case, and what was said where it is not right."""
    verdicts = " ".join(f"{results[door].verdict:8}" for door in DOORS)
    print(f"{verdicts} {seconds:5.1f} s  {case.name}", flush=True)
    for said in dict.fromkeys(f"{r.code} {r.said}" for r in results.values() if r.said):
        print(f"      {said[:300]}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
