"""np.cov and np.corrcoef of one variable, of which NumPy makes a number."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

CALLS = """
np.cov(x) | np.cov(x, ddof=0) | np.cov(x, bias=True) | np.corrcoef(x)
np.cov(x, aweights=[0.5, 2.0, 1.0, 0.7]) | np.cov(x, fweights=[1, 2, 1, 3], ddof=0)
np.cov(x, None, True, False, 1, [1, 2, 1, 1], [0.5, 2.0, 1.0, 0.3])
"""
CALLS = [call.strip() for call in CALLS.replace("\n", "|").split("|") if call.strip()]
BY_COLUMNS = [
    call.replace("None, True", "None, False").replace("(x)", "(x, rowvar=False)")
    if "None, True" in call or "(x)" in call
    else call.replace("(x,", "(x, rowvar=False,")
    for call in CALLS
]
X = np.array([[0.3, 0.5, 0.9, 0.1]])
V = np.array([[0.2, -0.4, 0.3, 0.6]])
MORE = np.array([[0.3, 0.5, 0.9, 0.1], [1.2, 0.4, 0.6, 0.8]])


def text_of(f, name, **told):
    """The function of an emitted text; None where nothing told is refused."""
    space = {}
    try:
        exec(gradgen.emit(f, **told), space)
    except GradgenError as error:
        assert not told and error.code == "GG302"
        return None
    return space[name]


@pytest.mark.parametrize("call", [*CALLS, *BY_COLUMNS])
def test_each_way(call, tmp_path):
    f = written(f"def f(x):\n    return {call}\n", tmp_path, "whole")
    total = written(f"def f(x):\n    return np.sum({call})\n", tmp_path, "summed")
    turned = call in BY_COLUMNS
    letters = {"shapes": {"x": "4 d" if turned else "d 4"}}
    for entries, along in ((X, V), (MORE, np.concatenate([V, V**2]))):
        x, v = (entries.T, along.T) if turned else (entries, along)
        want = numeric_gradient(total, [x], 0, 1.0).value
        made = [text_of(total, "grad_f", **told) for told in ({}, letters)]
        for gradient in (gradgen.grad(total), *made):
            if gradient is not None:
                np.testing.assert_allclose(gradient(x), want, rtol=1e-7, atol=1e-9)
        value = np.shape(f(x))
        push = text_of(f, "jvp_f", mode="forward", **letters)
        for pushed in (gradgen.jvp(f)(x, v)[1], push(x, v)[1]):
            assert np.shape(pushed) == value
            slope = np.sum(pushed) - np.sum(want * v)
            np.testing.assert_allclose(slope, 0, atol=1e-8)
        if value == ():  # a seed that is a number, or an array without axes
            pull = text_of(f, "grad_f", **letters)
            for seed in (1.0, np.float64(1.0), np.array(1.0)):
                np.testing.assert_allclose(pull(x, seed), want, rtol=1e-7, atol=1e-9)
            example = text_of(f, "grad_f", example=(x,))
            np.testing.assert_allclose(example(x, 1.0), want, rtol=1e-7, atol=1e-9)
