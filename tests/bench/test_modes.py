"""What the benchmark of modes compares is right, and its table is made."""

import numpy as np
import pytest

from bench import modes
from gradgen.verify.finite import directional, numeric_gradient


@pytest.mark.parametrize("case", modes.CASES, ids=lambda case: case.name)
def test_every_candidate_is_right(case):
    args = case.inputs("small")
    k = case.place
    if case.mode == "hvp":
        *args, v = args

        def derived(x):
            moved = [*args[:k], x, *args[k + 1 :]]
            return numeric_gradient(case.primal, moved, k).value

        want, given = directional(derived, (args[k],), (v,)).value, (*args, v)
    else:
        ways = [[None] * len(args) for _ in range(args[k].size)]
        for way, unit in zip(ways, np.eye(args[k].size)):
            way[k] = unit
        found = [directional(case.primal, args, way).value for way in ways]
        want, given = np.transpose(found), args
    scale = np.max(np.abs(want))
    for name, function in modes.candidates(case).items():
        got = np.asarray(function(*given))
        assert got.shape == want.shape and got.dtype == np.float64, name
        assert np.max(np.abs(got - want)) <= 1e-5 * scale, name


def test_the_table():
    table = modes.lines(rounds=1, seconds=1e-4)
    assert len(table) == 1 + 2 * len(modes.CASES)
    assert all(float(line[3]) > 0 for line in table[1:])
