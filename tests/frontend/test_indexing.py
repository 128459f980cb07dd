"""Reads by index: repeated places add up; places that cannot repeat need no add.at."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

LABELS = np.array([2, 0, 2, 1])
# expression, whether np.add.at is needed
READS = {
    "x[labels]": True,
    "x[[0, 0, 2]]": True,
    "x[labels, labels]": True,
    "x[:, [0, 0, 1]]": True,
    "x[np.arange(len(x)), labels]": False,
    "x[labels, np.arange(len(labels))]": False,
    "x[np.argsort(labels)]": False,
    "x[x > 0]": False,
    "x[1:3]": False,
    "x[..., 0]": False,
    "x[np.arange(1, 3)]": True,
    "x[np.arange(1), labels]": True,
    "x[np.arange(2)[:, None], [0, 0]]": True,
}


@pytest.mark.parametrize("read", READS)
def test_reads(read, tmp_path):
    source = f"def f(x, labels):\n    y = {read}\n    return np.sum(y * y * y)\n"
    function = written(source, tmp_path)
    made = gradgen.grad(function, shapes={"x": "n d", "labels": "n"})
    assert ("np.add.at" in made.source) == READS[read]
    x = np.random.default_rng(0).normal(size=(4, 4))
    want = numeric_gradient(function, (x, LABELS), 0, 1.0).value
    assert np.allclose(made(x, LABELS), want, rtol=1e-8, atol=1e-8)


def test_two_reads_of_the_same_places_add_up(tmp_path):
    source = "def f(x):\n    return np.sum(x[1:] * x[:-1]) + x[0] * x[0] + x[-1]\n"
    function = written(source, tmp_path)
    x = np.array([1.5, -2.0, 0.5, 3.0])
    want = numeric_gradient(function, (x,), 0, 1.0).value
    for facts in ({"x": "n"}, None):
        assert np.allclose(gradgen.grad(function, shapes=facts)(x), want)
