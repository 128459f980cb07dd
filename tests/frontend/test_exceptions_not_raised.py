"""An exception that is made by a statement alone, where a raise was forgotten."""

import numpy as np
import pytest

from tests.frontend.measured import at_three_points, is_right


def warned(x):
    if len(x) < 2:
        RuntimeWarning("too few: %i" % len(x))
    return np.sum(x**2)


def always(x):
    ValueError("nothing happens")
    return np.sum(np.sin(x))


def in_a_loop(x):
    total = 0.0
    for v in x:
        if v < 0:
            Warning(f"negative {v}")
        total = total + v**3
    return total


@at_three_points
@pytest.mark.parametrize("function", [warned, always, in_a_loop])
def test_nothing_is_raised(function, x):
    is_right(function, x)
