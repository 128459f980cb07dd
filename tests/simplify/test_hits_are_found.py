"""What is compared with its maximum is computed as the maximum's argument was.

x * c / s and c / s * x differ by rounding: no entry of one equals the maximum of the
other, and the gradient would be 0.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

FORMS = {
    "scaled": "x * c / (c + 1)",
    "shared": "x * c * 0.3 / 7.0",
    "quotients": "x / c / (1 + c * c)",
    "halves": "0.1 * x + 0.2 * c * x",
    "third": "(x - c) / 3.0 * 1.7",
    "power": "(x * c) ** 3 / c",
    "squares": "(x - c) ** 2 / (2 * c ** 2)",
    "norm": "x / np.linalg.norm(x) * c",
    "sums": "x * c - x * np.sum(x) / c",
    "mean": "(x - np.mean(x)) / np.std(x) * c",
    "exp": "np.exp(x * c) / c * 3.3",
    "minus": "-(x * c) - (c - x) * 0.7",
    "product": "(x @ M) * c / 1.3",
    "inverse": "x * (1 / (c + 2.0)) * 1.1",
    "logistic": "1 / (1 + np.exp(-x * c)) * c / 1.9",
}
TAKEN = {
    "max": "np.max({})",
    "min": "np.min({})",
    "axis": "np.sum(np.max({}, axis=0))",
    "kept": "np.sum({0} / np.max({0}, axis=1, keepdims=True))",
    "shift": "np.max({0}) * np.sum(np.sin({0}))",
    "inf": "np.linalg.norm({}, np.inf)",
    "ptp": "np.ptp({})",
    "median": "np.median({})",
    "nan": "np.nanmax({})",
    "absmax": "np.max(np.abs({}))",
    "reduced": "np.maximum.reduce(({}).ravel())",
}
SOURCE = """
import numpy as np

M = np.array([[0.3, -0.7, 0.4], [0.9, 0.2, -0.5], [0.1, 0.8, 0.6]])


def f(x, c):
    return {}
"""
ASKED = [{}, {"x": "n 3", "c": ""}, {"x": "4 3", "c": ""}]
PAIRS = [
    (form, taken)
    for i, form in enumerate(FORMS)
    for j, taken in enumerate(TAKEN)
    if (i + j) % 3 == 0
]


@pytest.mark.parametrize(("form", "taken"), PAIRS)
def test_each_form(form, taken, tmp_path, monkeypatch):
    examine(form, taken, False, tmp_path, monkeypatch, ASKED[1:2])


@pytest.mark.parametrize(("form", "taken"), PAIRS[::4])
def test_fast_texts_and_those_of_any_rank(form, taken, tmp_path, monkeypatch):
    examine(form, taken, True, tmp_path, monkeypatch, ASKED[:2])


@pytest.mark.long
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("form", FORMS)
def test_every_pair(form, taken, fast, tmp_path, monkeypatch):
    asked = ASKED[1:] if fast else ASKED
    examine(form, taken, fast, tmp_path, monkeypatch, asked)


def examine(form, taken, fast, tmp_path, monkeypatch, asked):
    """The texts of a form and what is taken of it, at five drawn arguments."""
    name = f"hits_{form}_{taken}_{fast}"
    (tmp_path / f"{name}.py").write_text(
        SOURCE.format(TAKEN[taken].format(FORMS[form]))
    )
    monkeypatch.syspath_prepend(tmp_path)
    function = __import__(name).f
    rng = np.random.default_rng(7)
    drawn = [(rng.normal(0.4, 1, (4, 3)), rng.uniform(0.5, 1.5)) for _ in range(5)]
    for shapes in asked:
        names: dict = {}
        asked_of = dict(wrt=("x", "c"), fast=fast, general=not shapes)
        text = gradgen.emit(function, shapes=shapes, **asked_of)
        exec(text, names)
        for x, c in drawn:
            found = names["grad_f"](x, c)
            for at in (0, 1):
                want = numeric_gradient(function, [x, c], at)
                if np.max(want.error) > 1e-6:
                    continue  # two entries are close to each other
                close = dict(rtol=1e-5, atol=1e-7, err_msg=text)
                np.testing.assert_allclose(found[at], want.value, **close)
