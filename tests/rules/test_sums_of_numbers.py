"""Sums, products and orders of entries take a number as well, which makes one of it.

The text that nothing was told for has to take it like the one of an array: value, shape
and both directions against differences.
"""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

CALLS = [
    f"np.{name}(y{axis})"
    for name in ("cumsum", "cumprod", "nancumsum", "nancumprod")
    for axis in ("", ", axis=0", ", axis=-1")
] + [
    f"np.cumulative_{name}(y{options})"
    for name in ("sum", "prod")
    for options in ("", ", axis=0", ", axis=-1")
]
CALLS += ["np.cumulative_sum(y, include_initial=True)"]
# their places are those of an array of one as well, if x is not taken for a vector
ORDERS = [
    "(1.0 + np.argsort(y)) * y",
    "y * (2 - np.argsort(y, axis=-1))",
    "(1.0 + np.argpartition(y, 0)) * y",
    "(1.0 + np.argsort(np.dot(y, y))) * np.dot(y, y)",
    "(1.0 + np.argpartition(np.dot(y, y), 0)) * np.dot(y, y)",
]
RESULTS = ["np.sum(v)", "np.sum(v * v)", "v[0] * v[-1]"]
ARGUMENTS = [1.5, np.float64(1.5), np.array(1.5), np.array([1.5]), np.array([1.5, 0.7])]


def source(call: str, result: str) -> str:
    return (
        "import numpy as np\n\n\n"
        f"def f(x):\n    y = 2.0 * x\n    v = {call}\n    return {result}\n"
    )


def imported(path):
    spec = spec_from_file_location("summed", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("call", CALLS + ORDERS)
def test_a_number_as_an_array_of_one(call, result, tmp_path):
    path = tmp_path / "summed.py"
    path.write_text(source(call, result))
    f = imported(path).f
    text: dict = {}
    exec(gradgen.emit(f, general=call in ORDERS), text)
    for x in ARGUMENTS:
        slopes = numeric_gradient(f, [x], 0).value
        for got in (gradgen.grad(f)(x), text["grad_f"](x)):
            assert np.shape(got) == np.shape(x)
            np.testing.assert_allclose(got, slopes, rtol=1e-6)
        _, slope = gradgen.jvp(f)(x, np.ones_like(x))
        np.testing.assert_allclose(slope, np.sum(slopes), rtol=1e-6)
