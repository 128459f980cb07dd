"""gradgen on random programs: right, or refused, and rarely that."""

import json
import logging
import os
import time
import zlib
from functools import lru_cache

import numpy as np
import pytest

import gradgen
from tests.fuzz.campaign import Tally, campaign, explained, first_line, verdicts
from tests.fuzz.profiles import profiles
from tests.rules.checker import WHOLE

# How many programs of each kind are examined again by name.
PROGRAMS = {"A": 36, "B": 24, "C": 8} | {
    name: profile.PROGRAMS for name, profile in profiles().items()
}
# Of a kind with more programs than these about every eighth one is for the test
# command, at no regular distance: what a program is made of goes by its seed. Where the
# share that is refused comes near to what it may be, half of them do not tell it.
FEW, NEAR = 6, ("fallbacks", "protocols")
REFUSED_AT_MOST = 0.02  # of the cases, at every level of facts
MANY = {"A": 2000, "B": 2000, "C": 500}


def is_for_each_run(kind, seed):
    """Whether a program belongs to the test command; the others are long tests."""
    if PROGRAMS[kind] <= FEW or kind in NEAR:
        return True
    return zlib.crc32(f"{kind} {seed}".encode()) % 8 == 0


def cases():
    """Every program, those that do not belong to the test command as long tests."""
    for kind, count in PROGRAMS.items():
        for seed in range(count):
            marks = () if is_for_each_run(kind, seed) else pytest.mark.long
            yield pytest.param(kind, seed, marks=marks)


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


@pytest.fixture(scope="session")
def counts(tmp_path_factory):
    """counts(kind, seed): cases, refusals and unmeasured cases of one program.

    They are noted in a folder that the workers of a run share, so that a program
    that another worker has examined is not examined again.
    """
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    folder = folder / "verdicts"
    folder.mkdir(exist_ok=True)

    def noted(kind, seed):
        note = folder / f"{kind}-{seed}.json"
        if note.exists():
            return json.loads(note.read_text("utf-8"))
        tally = Tally()
        for case, verdict in examined(kind, seed):
            tally.add(case, verdict)
        refused = [first_line(verdict.refusal) for _, verdict in tally.refused]
        found = [tally.examined, refused, tally.unmeasured]
        whole = note.with_suffix(f".{os.getpid()}")
        whole.write_text(json.dumps(found), "utf-8")
        whole.replace(note)
        return found

    return noted


@pytest.mark.parametrize("kind, seed", list(cases()))
def test_program(kind, seed, counts):
    counts(kind, seed)
    for case, verdict in examined(kind, seed):
        if verdict.faults:
            pytest.fail(readable(explained(case, verdict, gradgen)), pytrace=False)


@WHOLE
@pytest.mark.parametrize("kind", PROGRAMS)
def test_few_programs_are_refused_or_cannot_be_measured(kind, counts, whole):
    seeds = [n for n in range(PROGRAMS[kind]) if whole or is_for_each_run(kind, n)]
    found = [counts(kind, seed) for seed in seeds]
    cases, unmeasured = sum(one[0] for one in found), sum(one[2] for one in found)
    refused = [refusal for one in found for refusal in one[1]]
    report = readable(f"{cases} cases, {unmeasured} not measurable\n{refused}")
    print(report)
    allowed = np.array([most(kind), 0.02]) * cases
    if not whole:  # an eighth of them may hold more than its share: two deviations
        allowed = np.maximum(allowed + 2 * np.sqrt(allowed), 1)  # one tells nothing
    assert len(refused) <= allowed[0], report
    assert unmeasured <= allowed[1], report


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
