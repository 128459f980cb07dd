"""Seeds of whole numbers and masks, of which views are stored into: the copy is of floats,
whatever way the view has come."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.4, 1.2, 0.7])
BODIES = {
    "reversed": """
    y = x * 1.0
    y[0], y[1] = y[1] * 0.5, y[0]
    y[[0, 1]] = y[[1, 0]]
    y[:] = y[::-1]
    return y
""",
    "turned": """
    y = np.outer(x, x)
    y[0, 1:] = y[1, 1:] * 0.25
    y[2] *= y[0, 0]
    return y.T
""",
    "in an arm": """
    y = x.copy()
    if x[0] > 0:
        y[1:] = y[:-1] * 0.3
    return y[::-1]
""",
    "in a loop": """
    y = x.copy()
    for i in range(2):
        y[i + 1] = y[i + 1] + 0.5 * y[i]
    return y.reshape(3, 1)
""",
}
WAYS = ({}, {"example": (X,)}, {"shapes": {"x": "n"}}, {"style": "callback"})


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("kind", [int, np.int8, bool])
def test_nothing_is_cut_off(tmp_path, name, kind):
    f = written(f"def f(x):{BODIES[name]}", tmp_path)
    shape = f(X).shape
    steps = 1e-6 * np.eye(3)
    slopes = [(f(X + h) - f(X - h)) / 2e-6 for h in steps]
    for options in WAYS:
        found: dict = {}
        exec(gradgen.emit(f, **options), found)
        for seed in (
            np.ones(shape, kind),
            np.arange(np.prod(shape)).reshape(shape) % 2,
        ):
            seed = seed.astype(kind)
            given = seed.copy()
            if "style" in options:
                got = found["vjp_f"](X)[1](seed)
            else:
                got = found["grad_f"](X, seed)
            want = [np.sum(slope * seed) for slope in slopes]
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
            np.testing.assert_array_equal(seed, given)
