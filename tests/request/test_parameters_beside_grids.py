"""A gradient in a parameter beside a grid: with nothing told the parameter may be a number."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

GRID = np.array([0.3, 1.1, 2.4])
DOC = '''"""Law.

    Parameters
    ----------
    k : float or ndarray
        One.
    x : ndarray or float
        Another.
    """
'''
LAWS = {
    "cast": (
        "def f(tau, lam):\n    tau = np.asarray(tau, dtype=float)\n"
        "    return (1 - np.exp(-lam * tau)) / tau\n",
        "lam",
    ),
    "chosen": (
        "def f(tau, lam):\n"
        "    x = lam * np.where(tau == 0, 1e-8, np.asarray(tau))\n"
        "    return (1 - np.exp(-x)) / x\n",
        "lam",
    ),
    "several": (
        "def f(alphas, C):\n    return 2.0 * np.sin(C * np.arctan(alphas))\n",
        "C",
    ),
    "described": (
        f"def f(k, x):\n    {DOC}    return np.exp(-k * x) + k**2 * x\n",
        "k",
    ),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("given", [0.7, np.array([0.7, 0.2, 1.3]), np.array([0.7])])
def test_a_number_or_an_array(name, given, tmp_path):
    source, asked = LAWS[name]
    function = written(source, tmp_path)
    args = {asked: given}
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    args = [args.get(one, GRID) for one in names]
    compare(function, args, names.index(asked))


def test_grids_that_are_asked_for_are_held_against_as_before(tmp_path):
    text = gradgen.emit(written(LAWS["cast"][0], tmp_path), wrt="tau")
    assert "lam broadcasts to the shape of tau" in text and "_unbroadcast" not in text
