"""Arguments of every kind by functions of every sort: right, or refused by name."""

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest

import gradgen
from tests.arguments.functions import FUNCTIONS
from tests.arguments.judged import MODES, RAISES, REFUSED, RIGHT, Truth, outcome
from tests.arguments.kinds import KINDS
from tests.rules.checker import WHOLE

VALUES = np.array([1.75, 2.625, 0.625])


@lru_cache(maxsize=None)
def made(mode, function, complex):
    options = {} if mode == "hvp" or not complex else {"complex": "x"}
    return getattr(gradgen, mode)(function, **options)


@lru_cache(maxsize=None)
def outcomes(kind, whole=False):
    """What comes of each function and mode for a kind of argument.

    Each kind, function and mode meets every fourth one of the others; the `whole` is
    all of them.
    """
    found = {}
    for place, function in enumerate(FUNCTIONS, list(KINDS).index(kind)):
        argument = KINDS[kind](VALUES)
        truth = Truth(function, (argument,), 0)
        told = kind.startswith("complex")
        for turn, mode in enumerate(MODES, place):
            if turn % 4 and not whole:
                continue

            def make(mode=mode, function=function):
                return made(mode, function, told)

            found[function.__name__, mode] = outcome(truth, (argument,), mode, make)
    return found


@WHOLE
@pytest.mark.parametrize("kind", KINDS)
def test_right_or_refused(kind, whole):
    fine, found = (RIGHT, REFUSED, RAISES), outcomes(kind, whole)
    faults = {call: o for call, o in found.items() if o not in fine}
    lines = [f"{kind} {name} {mode}: {o}" for (name, mode), o in faults.items()]
    assert not faults, f"{len(faults)} of {len(found)}\n" + "\n".join(lines)


@pytest.mark.long
def test_the_counts():
    total = Counter()
    for kind in KINDS:
        counts = Counter(
            o if o in (RIGHT, REFUSED, RAISES) else "wrong"
            for o in outcomes(kind, False).values()
        )
        total += counts
        print(f"{kind:22}", dict(counts))
    print(f"{len(KINDS)} kinds, {len(FUNCTIONS)} functions:", dict(total))
    assert total["wrong"] == 0 and total[RIGHT] > total[REFUSED]
