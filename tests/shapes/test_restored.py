"""Axes that are dropped by a reduction and put back, of arrays of unknown rank."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BACK = [
    "np.sum(np.sqrt(np.sum(a * a, axis=1) + 1))",
    "np.sum(np.sqrt(np.sum(a * a, axis=-1) + 1))",
    "np.sum(np.log(np.sum(np.exp(a - np.mean(a, axis=1)[:, None]), axis=1)))",
    "np.sum(a / np.sum(np.exp(a), axis=-1)[..., None])",
    "np.sum(np.tanh(np.mean(a, axis=-2)) ** 2)",
    "np.sum(a * np.expand_dims(np.mean(a**2, axis=1), 1))",
]
# the axis that is put back is not the one that was dropped
OTHERS = [
    "np.sum(a * np.sum(a**2, axis=0)[:, None])",
    "np.sum(a * np.expand_dims(np.sum(a**2, axis=1), 0))",
    "np.sum(a * np.sum(a**2, axis=1)[..., None, :])",
    "np.sum(a * np.expand_dims(np.sum(a**2, axis=0), -1))",
]


def held_against_differences(function, shape):
    a = np.random.default_rng(0).normal(size=shape)
    truth = numeric_gradient(function, [a], 0, 1.0).value
    found = gradgen.grad(function)(a)
    assert found.shape == a.shape and found.flags.writeable
    np.testing.assert_allclose(found, truth, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("text", BACK)
def test_the_axis_comes_back(text, tmp_path):
    function = written(f"def f(a):\n    return {text}", tmp_path)
    held_against_differences(function, (3, 4))
    held_against_differences(function, (1, 1))


@pytest.mark.parametrize("text", BACK[:2])
def test_nothing_has_to_be_made_full(text, tmp_path):
    emitted = gradgen.emit(written(f"def f(a):\n    return {text}", tmp_path))
    assert "_unbroadcast" not in emitted and "np.full_like(a," not in emitted


@pytest.mark.parametrize("text", BACK[:2] + BACK[3:])
def test_of_more_axes(text, tmp_path):
    function = written(f"def f(a):\n    return {text}", tmp_path)
    held_against_differences(function, (3, 2, 4))


@pytest.mark.parametrize("text", OTHERS)
def test_another_axis(text, tmp_path):
    function = written(f"def f(a):\n    return {text}", tmp_path)
    held_against_differences(function, (3, 3))
    held_against_differences(function, (1, 1))
