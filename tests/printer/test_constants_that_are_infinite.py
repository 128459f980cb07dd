"""Constants and defaults that overflow, 1e400, and that are no numbers: their text is what
makes them again, and no literal is looked for."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

HEAD = """
BIG = 1e400

class Box:
    def __init__(self, hi=1e400, rate=0.5):
        self.hi, self.rate = hi, rate

BOX = Box()
"""
CASES = {
    "x, hi=1e400": "np.minimum(x, hi) * x",
    "x, *, lo=-1e400, hi=BIG": "np.clip(x, lo, hi) * x",
    "x, bounds=(-1e400, 1e400)": "np.clip(x, bounds[0], bounds[1]) * x",
    "x, o={'hi': 1e400}": "np.minimum(x, o['hi']) * x",
    "x, c=1e400j, d=complex(-1e400, 0)": "np.where(x > 9, (x * c).real, x) * x",
    "x, cs=(complex(1e400, 2), 2)": "x * x",
    "x, none=1e400 - 1e400": "np.where(np.isnan(none), x, 0.0) * x",
    "x, box=BOX": "np.minimum(x, box.hi) * x * 2 * box.rate",
    "x, box=BOX, /": "np.where(x > 9, (x * 1e400j).real, x) * x",
}
X = np.array([0.4, 1.2])


@pytest.mark.parametrize("case", CASES)
def test_what_is_infinite_has_a_text(tmp_path, case):
    f = written(f"{HEAD}\ndef f({case}):\n    return {CASES[case]}\n", tmp_path)
    with np.errstate(invalid="ignore"):
        for options in ({}, {"example": (X,)}, {"fast": True}):
            found: dict = {}
            exec(gradgen.emit(f, **options), found)
            np.testing.assert_allclose(found["grad_f"](X, d_out=np.ones(2)), 2 * X)
        found = {}
        exec(gradgen.emit(f, mode="forward"), found)
        np.testing.assert_allclose(found["jvp_f"](X, d_x=np.ones(2))[1], 2 * X)
        np.testing.assert_allclose(gradgen.grad(f)(X, seed=np.ones(2)), 2 * X)


def test_what_a_dictionary_lacks_may_be_infinite(tmp_path):
    source = "def f(x, o):\n    return np.minimum(x, o.get('hi', 1e400)) * x * o['s']\n"
    f = written(source, tmp_path)
    found: dict = {}
    exec(gradgen.emit(f), found)
    for given, want in (({"s": 0.5}, X), ({"s": 0.5, "hi": 1.0}, [0.4, 0.5])):
        got = found["grad_f"](X, given, d_out=np.ones(2))
        np.testing.assert_allclose(got, want)
        np.testing.assert_allclose(gradgen.grad(f)(X, given, seed=np.ones(2)), want)
