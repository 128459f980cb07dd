"""Jacobians of linear functions that count axes, by rows and by columns."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

LINEAR = """
np.rollaxis(x, 1) | np.rollaxis(x, -1) | np.rollaxis(x, 2, 1) | np.rollaxis(x, 0, 3)
np.rollaxis(x, 0, -1) | np.rollaxis(x, axis=1, start=0) | np.rollaxis(x, 2, start=-2)
np.rollaxis(x, 1, 1) | np.moveaxis(x, 0, 2) | np.moveaxis(x, (0, 2), (1, 0))
np.moveaxis(x, -1, destination=0) | np.swapaxes(x, 0, 1) | np.swapaxes(x, -1, 0)
np.rot90(x) | np.rot90(x, 3, (2, 0)) | np.rot90(x, axes=(1, -1)) | np.rot90(x, k=2)
np.trace(x) | np.trace(x, 1, 0, 2) | np.trace(x, axis1=1, axis2=2) | np.trace(x, 0, -1, -2)
np.diagonal(x) | np.diagonal(x, 1, 1, 2) | np.diagonal(x, axis1=0, axis2=-1)
np.flip(x) | np.flip(x, 0) | np.flip(x, (0, -1)) | np.roll(x, 1, 1) | np.roll(x, 1, axis=0)
np.roll(x, (1, 1), (1, 1)) | np.expand_dims(x, 0) | np.expand_dims(x, (1, -1))
np.squeeze(x) | np.squeeze(x[:1]) | np.squeeze(x[:, :1, :1]) | np.squeeze(x[:1, 0], 0)
np.squeeze(x[0, 0]) | np.squeeze(x[0, 0, :1]) | np.squeeze(x[:, :1], axis=1)
np.cumsum(x, 1) | np.cumsum(x, -1) | np.cumsum(x[0, 0]) | np.cumulative_sum(x, axis=1)
np.sum(x, (0, 2)) | np.mean(x, 1, keepdims=True) | np.repeat(x, 2, 1) | np.repeat(x, 2, axis=0)
np.take(x, [1, 0], 1) | np.take(x, 1, axis=0) | np.delete(x, 1, 1) | np.delete(x, [0], axis=-1)
np.diff(x, axis=1) | np.diff(x, 1, 0) | np.trapezoid(x, dx=0.5, axis=1) | np.tile(x, (2, 1))
np.concatenate([x, 2 * x], 1) | np.stack([x, 2 * x], axis=2) | np.stack([x, -x], 0)
np.split(x, [1], axis=1)[1] | np.transpose(x, (2, 0, 1)) | x.swapaxes(1, 2) | x.trace()
x.diagonal(0, 1) | x.squeeze() | x.repeat(2, 1)
"""
LINEAR = [text.strip() for text in LINEAR.replace("\n", "|").split("|") if text.strip()]
# forms that have no columns at once
BY_ROWS = """
np.flip(x) | np.diff(x, axis=1) | np.diff(x, 1, 0) | np.trapezoid(x, dx=0.5, axis=1)
np.tile(x, (2, 1)) | np.concatenate([x, 2 * x], 1) | np.stack([x, -x], 0)
np.split(x, [1], axis=1)[1]
""".replace("\n", " | ").split(" | ")
SHAPES = [(2, 2, 2), (3, 2, 4), (3, 3, 1), (1, 2, 2)]
FORMS = ["{}", "{} ** 2 / 2", "np.stack([{0}, {0} ** 3 / 3])"]


def jacobian(linear, form, x):
    """By the linear function itself, of one entry after another."""
    value = np.asarray(linear(x))
    slope = {FORMS[0]: np.ones_like(value), FORMS[1]: value, FORMS[2]: None}[form]
    if slope is None:
        slope = np.stack([np.ones_like(value), value**2])
    columns = []
    for place in np.ndindex(x.shape):
        unit = np.zeros(x.shape)
        unit[place] = 1
        columns.append(slope * linear(unit))
    return np.stack(columns, -1).reshape(slope.shape + x.shape)


@pytest.mark.parametrize("text", LINEAR)
def test_both_ways(text, tmp_path):
    rng = np.random.default_rng(len(text))
    for k, form in enumerate(FORMS):
        source = f"def linear(x):\n    return {text}\n\n\n"
        source += f"def f(x):\n    return {form.format(text)}\n"
        f = written(source, tmp_path, f"of_{k}")
        linear = f.__globals__["linear"]
        for shape in SHAPES:
            x = rng.normal(size=shape)
            try:
                want = jacobian(linear, form, x)
            except (ValueError, IndexError):
                continue  # no function of arrays of this shape
            for direction in ("forward", "reverse", ""):
                try:
                    found = gradgen.jacobian(f, direction=direction)(x)
                except GradgenError as error:
                    assert error.code == "GG263" and text in BY_ROWS and direction
                    continue
                assert np.shape(found) == want.shape
                np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)
