"""gradgen on random programs: right, or refused, and rarely that."""

import logging
import os
import time
from functools import lru_cache

import pytest

import gradgen
from tests.fuzz.campaign import Tally, campaign, explained, verdicts
from tests.fuzz.profiles import profiles

# How many programs of each kind belong to the test command.
PROGRAMS = {"A": 40, "B": 80, "C": 10} | {
    name: profile.PROGRAMS for name, profile in profiles().items()
}
REFUSED_AT_MOST = 0.02  # of the cases, at every level of facts
MANY = {"A": 2000, "B": 2000, "C": 500}


def most(kind):
    """The share of the cases of a kind that may be refused."""
    return getattr(profiles().get(kind), "REFUSED_AT_MOST", REFUSED_AT_MOST)


# Programs with odd characters warn about themselves, in these characters.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def silent():
    """What programs log has odd characters too, which pytest would hand on."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def readable(report):
    """A report as every process can write it: half characters are escaped."""
    return report.encode("utf-8", "backslashreplace").decode("utf-8")


@lru_cache(maxsize=None)
def examined(kind, seed):
    """The verdicts on one program, shared by the two tests that need them."""
    return tuple(verdicts(seed, gradgen, kind))


@pytest.mark.parametrize(
    "kind, seed", [(kind, seed) for kind, n in PROGRAMS.items() for seed in range(n)]
)
def test_program(kind, seed):
    for case, verdict in examined(kind, seed):
        if verdict.faults:
            pytest.fail(readable(explained(case, verdict, gradgen)), pytrace=False)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_few_programs_are_refused_or_cannot_be_measured(kind):
    tally = Tally()
    for seed in range(PROGRAMS[kind]):
        for case, verdict in examined(kind, seed):
            tally.add(case, verdict)
    report = readable(f"{tally.line}\n{tally.refusals}")
    print(report)
    assert len(tally.refused) <= most(kind) * tally.examined, report
    assert tally.unmeasured <= 0.02 * tally.examined, report


@pytest.mark.long
@pytest.mark.parametrize("kind", PROGRAMS)
def test_many_fresh_programs(kind):
    count = int(os.environ.get("GRADGEN_FUZZ", MANY.get(kind, 2000)))
    start = int(os.environ.get("GRADGEN_FUZZ_SEED", time.time_ns() // 1000 % 10**9))
    tally = campaign(range(start, start + count), gradgen, kind)
    print(f"\n{kind}: {count} programs from seed {start}; {tally.line}")
    print(f"{tally.table}\n{tally.codes}\n{tally.refusals}")
    failures = [explained(*found, gradgen) for found in tally.faulty[:5]]
    assert not failures, f"{tally.line}\n" + "\n".join(failures)
    assert len(tally.refused) <= most(kind) * tally.examined, tally.refusals
