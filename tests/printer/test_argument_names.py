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
    names = {
        line.split(" = ")[0].strip() for line in text.splitlines() if " = " in line
    }
    assert expected <= names, text
    assert not any(name.startswith("inner") for name in names), text
    args = [np.array([0.3, -1.2, 0.7]), np.array([1.1, 0.4, -0.6])]
    found = gradgen.grad(function, wrt=("x", "y"))(*args)
    for i, gradient in enumerate(found):
        wanted = numeric_gradient(function, args, i).value
        np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)
