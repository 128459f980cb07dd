"""Functions that do not end: not at the arguments drawn, and not next to them."""

import time

import numpy as np
import pytest

from gradgen.frontend.source.source import find
from gradgen.verify import held
from gradgen.verify.held import Measured
from gradgen.verify.limits import within
from tests.frontend.writing import written

# Of numbers that are none of float32 no round is the last.
ENDLESS = """def settled(x):
    k = np.sum(x)
    y = x * 1.0
    while np.any(y != np.float64(np.float32(y))):
        y = y * 1.0
    return k * np.sum(np.sin(y))
"""


def forever():
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize("outer, inner", [(0.2, 5.0), (5.0, 0.2)])
def test_the_shorter_of_two_limits_counts(outer, inner):
    start = time.monotonic()
    with pytest.raises(TimeoutError), within(outer), within(inner):
        forever()
    assert time.monotonic() - start < 2


def test_a_limit_goes_on_behind_one_inside():
    with pytest.raises(TimeoutError), within(0.3):
        with within(0.1), pytest.raises(TimeoutError):
            forever()
        forever()
    with within(5.0):
        pass
    time.sleep(0.01)  # nothing is left of it


@pytest.mark.parametrize("stop", [(), ("k",)])
def test_a_primal_that_is_measured_ends(monkeypatch, stop, tmp_path):
    monkeypatch.setattr(held, "LONGEST", 0.2)
    function = written(ENDLESS, tmp_path, function="settled")
    primal = Measured(function, find(function), ["x"], stop)
    x = np.array([0.5, 1.25])
    assert primal.at([x])(x) == function(x)
    with pytest.raises(TimeoutError):
        primal.at([x])(x / 3)
