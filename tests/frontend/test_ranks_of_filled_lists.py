"""np.array of a list that a loop has filled has one axis more than the list's entries:
of a vector an entry is a number, and x += y leaves the vector alone."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.5, 1.2, 0.7, -0.9])
HEAD = "import numpy as np\n\n\ndef f(x, order=3):\n"
SUMMED = """
total = r[1]
for j in range(2, order):
    total += 2.0 * r[j]
return total * r[1] + r[0]
"""
FILLED = [
    "r = np.array([x[k] ** 2 for k in range(order)])",
    "n = len(x)\nr = np.array([np.dot(x[: n - k], x[k:]) for k in range(order + 1)])",
    "r = np.asarray([np.sum(x[k:] ** 2) for k in range(order)])",
    "r = []\nfor k in range(len(x)):\n    r.append(x[k] ** 2)\nr = np.array(r)",
    "r = np.array([v * v for v in x])",
    "r = np.array([[x[k], x[k] ** 2] for k in range(order)])[:, 1]",
    "r = np.array([x * x[k] for k in range(order)]).sum(axis=1)",
    "r = np.array([x * x[k] for k in range(order)])[0]",
]
PLACES = """
r = np.array([x[k] ** 2 for k in range(order)])
part = r[:2]
part += x[:2]
return np.sum(r * x[:order])
"""


def held(f, shapes):
    want = numeric_gradient(f, (X,), 0).value
    space = {}
    exec(gradgen.emit(f, shapes=shapes), space)
    for got in (space["grad_f"](X), gradgen.grad(f, shapes=shapes)(X)):
        assert got.shape == X.shape and got.dtype == X.dtype
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shapes", [{}, {"x": "n"}])
@pytest.mark.parametrize("filled", FILLED)
def test_an_entry_is_a_number(filled, shapes):
    lines = (filled + SUMMED).split("\n")
    held(imported(HEAD + "".join(f"    {one}\n" for one in lines), "f"), shapes)


@pytest.mark.parametrize("shapes", [{}, {"x": "n"}])
def test_a_part_is_a_view(shapes):
    lines = PLACES.split("\n")
    held(imported(HEAD + "".join(f"    {one}\n" for one in lines), "f"), shapes)


def test_an_entry_of_a_matrix_changes_with_what_is_added():
    def f(x):
        rows = np.array([x * x[k] for k in range(3)])
        first = rows[0]
        for j in range(1, 3):
            first += rows[j]
        return np.sum(rows[0] ** 2) + np.sum(rows[1] * x)

    held(f, {"x": "n"})
