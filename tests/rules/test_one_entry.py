"""A deviation of one entry is 0 wherever that entry is: its derivative is 0."""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

MASK = "np.array([[1, 0, 0], [1, 1, 0]]) > 0"
HOLES = "np.where(np.array([[1, 0, 0], [1, 1, 0]]) > 0, x, np.nan)"


@pytest.mark.parametrize(
    "text",
    [
        f"np.std(x, axis=1, where={MASK})",
        f"np.std(x, axis=1, keepdims=True, where={MASK})",
        f"x.std(axis=1, where={MASK})",
        f"np.var(x, axis=1, where={MASK})",
        f"np.nanstd({HOLES}, axis=1)",
        f"np.nanvar({HOLES}, axis=1)",
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_one_entry_that_is_left(text, told):
    source = f"import numpy as np\n\n\ndef f(x):\n    return np.sum({text})\n"
    function, x = imported(source, "f"), np.arange(6.0).reshape(2, 3) ** 2
    want = numeric_gradient(function, [x], 0, 1.0).value
    gradient = gradgen.grad(function, shapes={"x": "2 3"} if told else {})
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(gradient(x), want, atol=1e-7)
        value, change = gradgen.jvp(function)(x, np.ones_like(x))
    assert value == function(x)
    np.testing.assert_allclose(change, np.sum(want), atol=1e-6)
