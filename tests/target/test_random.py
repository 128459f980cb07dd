"""Random programs for cupy, in the stand-in: NumPy's numbers, or a refusal.

python -m pytest -m long tests/target/test_random.py
python -m tests.target.test_random 300 0
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.fuzz.campaign import LEVELS
from tests.fuzz.case import Case, case_of
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import TooLong, patience
from tests.target.device_array import fetched
from tests.target.place import cupy_here, given, within
from tests.target.texts import Asked, defined, difference, quietly

KINDS = {"A": imperative, "B": generate}


def fault(case: Case, counts: Counter) -> str:
    """What is wrong with the text for cupy, "" where nothing is."""
    names = [param.name for param in case.program.params]
    options = {"save": case.save, "keep_calls": case.keep_calls}
    facts = {name: case.shapes[name] for name in names if name in case.shapes}
    asked = Asked(case.program.function, case.names, facts, options, tuple(names))
    try:
        plain = asked.text()
    except GradgenError:
        counts["refused by numpy"] += 1
        return ""
    try:
        text = asked.text("cupy")
    except GradgenError as error:
        counts[error.code] += 1
        return "" if error.code.startswith("GG7") else str(error)
    # a number that the text does not take for one counts as an array
    args = [
        value
        if f"{param.name} ()" in text
        else np.float64(value)
        if param.kind == "float"
        else value
        for param, value in zip(case.program.params, case.program.arguments(0))
    ]
    seed = np.ones(np.shape(case.program.function(*case.program.arguments(0))))
    seed = seed if seed.ndim else 1.0
    try:
        want = defined(plain)(*case.program.arguments(0), seed)
    except ValueError as error:
        if not re.search(" is taken for |^expected ", str(error)):
            raise
        counts["other shapes than the text assumes"] += 1
        return ""
    try:
        got = defined(text)(*map(given, args), given(seed))
    except Exception as error:
        if re.search(" is taken for |^expected ", str(error)):
            counts["other shapes than the text assumes"] += 1
            return ""  # what is assumed for a library may be more
        return f"{type(error).__name__}: {error}\n{text}"
    found = difference(fetched(got), want, within(1e-12))
    counts["equal"] += not found
    return f"{found}\n{text}" if found else ""


def faults(kind: str, seeds: Iterable[int], counts: Counter) -> Iterator[str]:
    for seed in seeds:
        program = KINDS[kind](seed)
        level = LEVELS[seed % len(LEVELS)]
        try:
            with patience():
                found = fault(case_of(program, level), counts)
        except TooLong:
            counts["too long"] += 1
            continue
        if found:
            yield f"{kind} {seed} {level}:\n{program.source}\n{found}"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind):
    counts: Counter = Counter()
    with cupy_here(), quietly():
        wrong = list(faults(kind, range(150), counts))
    assert not wrong, "\n\n".join(wrong[:3])
    assert counts["equal"] > 50, counts


if __name__ == "__main__":
    n, first = (int(word) for word in sys.argv[1:3])
    for kind in KINDS:
        counts: Counter = Counter()
        with cupy_here(), quietly():
            for found in faults(kind, range(first, first + n), counts):
                print(found, flush=True)
                counts["wrong"] += 1
        print(kind, n, "programs:", dict(counts))
