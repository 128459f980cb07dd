"""gradgen on random straight-line programs: right, or refused, and rarely that."""

import os
import time
from functools import lru_cache

import pytest

import gradgen
from tests.fuzz.campaign import Tally, campaign, explained, verdicts

PROGRAMS = 150
REFUSED_AT_MOST = 0.02


@lru_cache(maxsize=None)
def examined(seed):
    """The verdicts on one program, shared by the two tests that need them."""
    return tuple(verdicts(seed, gradgen))


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_program(seed):
    for case, verdict in examined(seed):
        if verdict.faults:
            pytest.fail(explained(case, verdict, gradgen), pytrace=False)


def test_few_programs_are_refused_or_cannot_be_measured():
    tally = Tally()
    for seed in range(PROGRAMS):
        for case, verdict in examined(seed):
            tally.add(case, verdict)
    report = f"{tally.line}\n{tally.refusals}"
    print(report)
    assert len(tally.refused) <= REFUSED_AT_MOST * tally.examined, report
    assert tally.unmeasured <= 0.02 * tally.examined, report


@pytest.mark.long
def test_many_fresh_programs():
    count = int(os.environ.get("GRADGEN_FUZZ", "2000"))
    start = int(os.environ.get("GRADGEN_FUZZ_SEED", time.time_ns() // 1000 % 10**9))
    tally = campaign(range(start, start + count), gradgen)
    print(f"\n{count} programs from seed {start}; {tally.line}")
    print(tally.refusals)
    failures = [explained(*found, gradgen) for found in tally.faulty[:5]]
    assert not failures, f"{tally.line}\n" + "\n".join(failures)
    assert len(tally.refused) <= REFUSED_AT_MOST * tally.examined, tally.refusals
