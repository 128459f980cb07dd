"""Texts of functions with defaults that are complex, however these are written: the
gradient of a real argument beside them is real, and that of what is complex."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.4, 1.3])
HEADS = """
class Lens:
    phase = 0.5 + 1j
    def __init__(self, w):
        self.w = w

ARRAY = np.array([0.5j, 1.0])
C = 1 + 2j
"""
CASES = {
    "x, c=1 + 2j": "np.sum((c * x).real)",
    "x, *, c=-(1 + 2j)": "np.sum((c * x).imag)",
    "x, c=complex(0.5, 3)": "np.sum(np.abs(c * x + 1))",
    "x, c=C": "np.linalg.norm(c * x)",
    "x, w=np.array([0.5j, 1.0])": "np.sum(np.imag(x * w))",
    "x, w=ARRAY": "np.sum(np.exp(w * x).real)",
    "x, ab=(1 + 2j, 0.5)": "np.sum((ab[0] * x).real)",
    "x, cs=[1 + 2j, 2j]": "sum(np.sum(np.abs(c * x)) for c in cs)",
    "x, o={'c': 1 + 2j, 's': 0.5}": "np.sum((o['c'] * x).real) * o['s']",
    "x, o={'w': [ARRAY, 2.0]}": "np.sum(np.abs(o['w'][0] * x)) * o['w'][1]",
}
WAYS = (
    {},
    {"example": (X,)},
    {"fast": True},
    {"general": True},
    {"style": "callback"},
    {"mode": "forward"},
)


def of_text(f, options, *args):
    found: dict = {}
    exec(gradgen.emit(f, **options), found)
    if options.get("mode") == "forward":
        return np.array([found["jvp_f"](*args, d_x=row)[1] for row in np.eye(2)])
    if options.get("style") == "callback":
        return found["vjp_f"](*args)[1](1.0)
    return found["grad_f"](*args)


def of_differences(f, *args):
    steps = 1e-6 * np.eye(2)
    return np.array([(f(X + h, *args) - f(X - h, *args)) / 2e-6 for h in steps])


@pytest.mark.parametrize("case", CASES)
def test_the_slope_beside_a_complex_default_is_real(tmp_path, case):
    f = written(f"{HEADS}\ndef f({case}):\n    return {CASES[case]}\n", tmp_path)
    want = of_differences(f)
    for options in WAYS:
        got = of_text(f, options, X)
        assert got.dtype == float, options
        np.testing.assert_allclose(got, want, rtol=1e-6, err_msg=str(options))


def test_a_complex_number_of_an_object_that_is_a_default(tmp_path):
    source = (
        "def f(x, lens=Lens(ARRAY)):\n    return np.sum((lens.phase * lens.w * x).real)"
    )
    f = written(f"{HEADS}\n{source}\n", tmp_path)
    lens = f.__defaults__[0]
    got = of_text(f, {}, X, lens)
    assert got.dtype == float
    np.testing.assert_allclose(got, of_differences(f, lens), rtol=1e-6)


def test_the_gradient_of_what_is_complex_by_default_is_complex(tmp_path):
    f = written("def f(x, c=1 + 2j):\n    return np.sum((c * x).real ** 2)\n", tmp_path)
    got = of_text(f, {"wrt": "c"}, X)
    assert np.isclose(got, 2 * np.sum(X * X)) and np.iscomplexobj(got)
    # a call tells of itself
    assert np.isclose(gradgen.grad(f, "c")(X, 3.0), 6 * np.sum(X * X))
    assert not np.iscomplexobj(gradgen.grad(f, "c")(X, 3.0))
