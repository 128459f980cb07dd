"""What a mask discards is 0 also where its entries stand at other places on the way back."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

X = np.array([0.5, 1.25, 2.0, 0.75])


@pytest.mark.parametrize(
    "form",
    [
        "np.where(np.isnan(w.reshape(2, 2)), 0, (w * x).reshape(2, 2))",
        "np.nanmean((w * x).reshape(2, 2), axis=1)",
        "np.nanmax(np.swapaxes((w * x).reshape(2, 2), 0, 1), axis=1)",
        "np.nansum((w * x).reshape(2, 2).T, axis=1)",
        "np.nansum(np.concatenate([w * x, x]))",
        "np.nansum(np.stack([w * x, x]), axis=0)",
        "np.nanmedian((w * x)[:, None], axis=0)",
        "np.nanstd((w * x).reshape(2, 2), axis=1)",
        "np.nanmedian(np.ravel(w * x)) * x[1]",
    ],
)
def test_of_entries_that_are_moved(form, tmp_path):
    lines = f"def f(x):\n    w = np.array([np.nan, 1.0, 2.0, 2.5])\n    return {form}\n"
    compare(written(lines, tmp_path), (X,))


@pytest.mark.parametrize(
    "form",
    [
        "np.sum(np.where((x > 1).reshape(2, 2), np.log(x - 1).reshape(2, 2), 0))",
        "np.sum(np.where((x > 1).reshape(2, 2).T, np.sqrt(x - 1).reshape(2, 2).T, 0))",
    ],
)
def test_of_a_slope_that_is_not_defined(form, tmp_path):
    with np.errstate(invalid="ignore"):
        compare(written(f"def f(x):\n    return {form}\n", tmp_path), (X,))


@pytest.mark.parametrize(
    "lines",
    [
        "y = np.maximum(y, 0.5)|return np.nansum(y)",
        "return np.nanmax(np.maximum(y, 0.5)) * x[0]",
        "return np.nan_to_num(np.clip(y, 0.2, 2.0))",
        "return np.nansum(np.clip(np.log(y), 0.2, 2.0))",
        "y = np.minimum(y, 1.5)|return np.nanmean(y * y)",
    ],
)
def test_of_a_maximum_whose_ties_share(lines, tmp_path):
    body = "".join(f"    {line}\n" for line in ["y = x * w", *lines.split("|")])
    head = "def f(x):\n    w = np.array([1.0, 2.0, np.nan, 3.0])\n"
    compare(written(head + body, tmp_path), (X,))
