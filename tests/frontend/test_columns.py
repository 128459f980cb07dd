"""Lists of tuples that loops fill, and other shapes of one array that are stored into."""

import ast

import gast
import numpy as np
import pytest

import gradgen
from gradgen.frontend.source.columns import in_columns
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X, Y = np.array([0.7, 1.3, -0.6]), np.array([0.4, -1.1, 0.9])


def right(body, tmp_path, facts):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    function = written(f"def f(x, y):\n{lines}", tmp_path)
    want = numeric_gradient(lambda x: function(x, Y.copy()), [X.copy()], 0, 1.0)
    found = gradgen.grad(function, shapes=facts)(X.copy(), Y.copy())
    np.testing.assert_allclose(found, want.value, atol=1e-7)


FACTS = pytest.mark.parametrize("facts", [{}, {"x": "n", "y": "n"}], ids=["none", "n"])
FILLED = """hist = []
h = x
for t in range(3):
    c = np.sum(h)
    h = np.tanh(h * y)
    hist.append((h, c))
"""


@FACTS
@pytest.mark.parametrize(
    "read",
    [
        "return sum(np.sum(p) * q for p, q in hist)",
        "total = 0.0\nfor p, q in hist:\n    total += np.sum(p) * q\nreturn total",
        "return sum(k * np.sum(p) * q for k, (p, q) in enumerate(hist))",
        "g = 1.0\nfor p, q in reversed(hist):\n    g = g * q + np.sum(p)\nreturn g",
        "p, q = hist[-1]\nreturn np.sum(p) * q + hist[0][1] * len(hist)",
        "g = 1.0\nwhile len(hist) > 0:\n    p, q = hist.pop()\n    g = g * q\nreturn g",
        "return sum(np.sum(one[0]) * one[1] for one in hist)",
        "return np.sum([q * np.sum(p) for p, q in hist[1:]])",
        "hist += [(y, h[0])]\nreturn sum(np.sum(p) * q for p, q in hist)",
        "return hist[len(hist) - 1][1] * np.sum(hist[1][0])",
    ],
)
def test_a_list_of_tuples(read, facts, tmp_path):
    right(FILLED + read, tmp_path, facts)


@FACTS
@pytest.mark.parametrize(
    "body",
    [
        "h = [(x, y)]\nfor t in range(3):\n    a, b = h[-1]\n    h.append((a * b, b + a))\n"
        "return np.sum(h[-1][0])",
        "h = []\nfor t in range(3):\n    h.append((x * t, t, (y * x, t)))\n"
        "return sum(np.sum(p) * q * np.sum(r[0]) for p, q, r in h)",
        "h = []\nfor v in x:\n    if v > 0:\n        h.append((v, v * y[0]))\n"
        "return sum(p * q for p, q in h)",
    ],
)
def test_more_of_them(body, facts, tmp_path):
    right(body, tmp_path, facts)


@pytest.mark.parametrize(
    "use",
    [
        "return hist",
        "other = hist",
        "hist.append((h, len(hist)))",
        "hist.append(h)",
        "hist.sort()",
        "read = lambda: hist[0]",
        "hist[0] = (h, c)",
    ],
)
def test_other_uses_leave_it_as_it_is(use):
    text = "def f(h, c):\n    hist = []\n    hist.append((h, c))\n    " + use
    node = gast.parse(text).body[0]
    before = ast.unparse(gast.gast_to_ast(node))
    assert ast.unparse(gast.gast_to_ast(in_columns(node, ()))) == before


@FACTS
@pytest.mark.parametrize(
    "body",
    [
        "v = x * y\nu = v.reshape(-1)\nu[0] = y[1] * x[2]\nreturn np.sum(v * v)",
        "v = x * y\nv.reshape(1, -1)[0] = y\nreturn np.sum(v * x)",
        "A = np.outer(x, y)\nv = A.ravel()\nv[1] = x[0]\nreturn np.sum(A ** 2)",
        "A = np.zeros((2, len(x)))\nA.reshape(-1)[1 : 1 + len(x)] = x\n"
        "return np.sum(A[0] * A[1] + A)",
        "v = np.exp(x)\nu = np.asarray(v)\nu *= y\nreturn np.sum(v * x)",
        "A = np.outer(x, y) * 2\nB = A.reshape(9)\nA[0] = x\nreturn np.sum(B * B)",
    ],
)
def test_another_shape_of_one_array(body, facts, tmp_path):
    right(body, tmp_path, facts)


@pytest.mark.parametrize(
    "body",
    [
        "v = x[::2]\nu = v.ravel()\nu[0] = y[1]\nreturn np.sum(v * x[0])",
        "A = np.outer(x, y).T\nv = A.reshape(-1)\nv[1] = x[0]\nreturn np.sum(A ** 2)",
        "A = np.outer(x, y).copy('F')\nv = A.reshape(-1)\nv[1] = x[0]\n"
        "return np.sum(A ** 2)",
    ],
)
def test_a_copy_that_might_be_a_view_is_refused(body, tmp_path):
    with pytest.raises(gradgen.GradgenError, match="GG220|GG209"):
        right(body, tmp_path, {"x": "n", "y": "n"})


@FACTS
@pytest.mark.parametrize(
    "read",
    [
        "for i in range(3):\n    for j in range(i + 1):\n        a, b = hists[i][j]\n"
        "        s += np.sum(a) * b",
        "for i in reversed(range(3)):\n    for j in range(i + 1):\n"
        "        s += hists[i][j][1] * np.sum(hists[i][j][0])",
        "s = np.sum(hists[2][1][0]) * hists[1][-1][1]",
    ],
)
def test_a_list_of_lists_of_tuples(read, facts, tmp_path):
    fill = (
        "hists = []\ns = 0.0\nfor i in range(3):\n    hist = []\n"
        "    for j in range(i + 1):\n        a = np.sin(x * y[j])\n"
        "        b = a[i] * x[j]\n        hist.append((a, b))\n"
        "    hists.append(hist)\n"
    )
    right(fill + read + "\nreturn s", tmp_path, facts)
