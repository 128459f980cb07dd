"""What the arguments of an inlined call are called, and that the numbers stay right."""

import gradgen
import numpy as np
import pytest
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

RATES = """
def rates(x, y):
    return x * y - x, np.sin(x) * y

def energy(u, v):
    return np.sum(u * u * v)
"""
FORMS = {
    "targets that are called like the parameters": (
        """
        x1, y1 = rates(x + 1, y + 2)
        x2, y2 = rates(x + 0.5 * x1, y + 0.5 * y1)
        return np.sum(x2 * y2)
        """,
        {"x1_in", "y1_in", "x2_in", "y2_in"},
    ),
    "targets that are not": (
        """
        p, q = rates(x + 1, y + 2)
        return np.sum(p * q)
        """,
        {"x_in", "y_in"},
    ),
    "two arguments and one target": (
        """
        loss = energy(x + 1, y + 2)
        return loss * loss
        """,
        {"u_in"},
    ),
    "keywords": (
        """
        return 2 * energy(v=x - 1, u=y * x + 2)
        """,
        {"u_in"},
    ),
}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.replace(" ", "_"))
def test_arguments_are_called_after_the_parameters_or_the_targets(form, tmp_path):
    body, expected = FORMS[form]
    function = written(
        RATES + "\ndef f(x, y):" + body.replace("\n    ", "\n"), tmp_path
    )
    text = gradgen.emit(function, wrt=("x", "y"), shapes={"x": "n", "y": "n"})
    targets = [line.split(" = ")[0] for line in text.splitlines() if " = " in line]
    names = {name.strip() for target in targets for name in target.split(",")}
    assert expected <= names, text
    assert not any(name.startswith("inner") for name in names), text
    args = [np.array([0.3, -1.2, 0.7]), np.array([1.1, 0.4, -0.6])]
    found = gradgen.grad(function, wrt=("x", "y"))(*args)
    for i, gradient in enumerate(found):
        wanted = numeric_gradient(function, args, i).value
        np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)


WORDS = {
    "x_first": "gaps = x[first] / (1 + x[first] ** 2)\n    return np.sum(gaps)",
    "near_diff": "near = np.sum((x - y) ** 2 * np.cos(x - y))\n    return near * near",
    "diff": "return np.sum((x - y) ** 2 * np.cos(x - y))",
}


@pytest.mark.parametrize("word", WORDS)
def test_differences_and_entries_are_called_what_they_are(word, tmp_path):
    source = f"def f(x, y, first):\n    {WORDS[word]}"
    function = written(source, tmp_path)
    shapes = {"x": "n", "y": "n", "first": "m"}
    text = gradgen.emit(function, wrt="x", shapes=shapes)
    assert f"    {word} = " in text
    x, y = np.array([0.3, -1.2, 0.7]), np.array([1.1, 0.4, -0.6])
    first = np.array([2, 0, 0, 1])
    found = gradgen.grad(function, wrt="x")(x, y, first)
    wanted = numeric_gradient(function, [x, y, first], 0).value
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
