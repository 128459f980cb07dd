"""What a reduction over nans passes over has a gradient of exactly 0."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written


@pytest.mark.parametrize("x", [np.array([0.5, 1.25, 2.0, 0.75]), np.full(4, 1.5)])
@pytest.mark.parametrize(
    "form",
    [
        "np.nanmedian(w * x)",
        "np.nanmedian(np.sin(w) * x**2)",
        "np.nanmedian((w * x).reshape(2, 2), axis=1) * 3.0",
        "np.nanmean(w * x)",
        "np.nanmax(w * x)",
    ],
)
def test_of_an_entry_that_is_nan(form, x, tmp_path):
    lines = f"def f(x):\n    w = np.array([np.nan, 1.0, 2.0, 2.5])\n    return {form}\n"
    compare(written(lines, tmp_path), (x,), text="reshape" not in form)


def test_ties_share(tmp_path):
    function = written("def f(x):\n    return np.nanmedian(x)\n", tmp_path)
    compare(function, (np.array([0.5, 1.25, 2.0, 0.75, 3.0]),))
