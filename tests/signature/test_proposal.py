"""The one line on stderr: a command with all facts, and what it saves."""

import re
import shlex

import numpy as np
import pytest

from gradgen.pipeline.attempts import statements_in
from gradgen.verify.finite import numeric_gradient
from tests.cli.command import gradgen, gradgens

MODELS = """
import numpy as np


def ridge_loss(w, X, y, ridge):
    r = X @ w - y
    return np.mean(r * r) + ridge * np.sum(w * w)


def mlp(W1, W2, x, y):
    h = np.tanh(x @ W1)
    return np.sum((h @ W2 - y) ** 2)


def quadratic(A, x):
    return x @ A @ x


def differences(x, y):
    return np.sum((x[1:] - x[:-1] - y) ** 2)


def series(x, a, n):
    s = 0.0
    for i in range(n):
        s = s + a * x[i] ** 2
    return s


def rows(X, w):
    n, d = X.shape
    return np.sum(X * w) / n


def norms(X, s):
    return np.sum(np.max(X, axis=1) * s)


def entries(x, n):
    total = 0.0
    for i in range(n):
        total = total + x[i, 0] * x[i, 1]
    return total


def neuron(w, x, b):
    return np.tanh(w @ x + b)
"""
SHAPES = {
    "ridge_loss": {"w": "d", "X": "n d", "y": "n", "ridge": ""},
    "mlp": {"W1": "n d", "W2": "d k", "x": "p n", "y": "p k"},
    "quadratic": {"A": "n n", "x": "n"},
    "differences": {"x": "n", "y": "n-1"},
    "series": {"x": "d", "a": ""},
    "rows": {"X": "n d", "w": "n d"},
    "norms": {"X": "n d", "s": "n"},
    "neuron": {"w": "n", "x": "n", "b": ""},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("proposal")
    (place / "models.py").write_text(MODELS)
    return place


@pytest.fixture(scope="module")
def emitted(folder):
    """What is printed for each function with nothing told, and for its proposal."""
    names = re.findall(r"def (\w+)", MODELS)

    first = gradgens([["emit", f"models.{name}"] for name in names], folder)
    lines = [proposed(one.err) for one in first]
    told = [shlex.split(line, comments=True)[1:] for line in lines if line]
    second = iter(gradgens(told, folder))
    return {
        name: (one, line, next(second) if line else None)
        for name, one, line in zip(names, first, lines)
    }


def proposed(err):
    lines = [line for line in err.split("\n") if line.startswith("gradgen emit ")]
    assert len(lines) <= 1, err
    return lines[0] if lines else ""


@pytest.mark.parametrize("name", SHAPES)
def test_the_proposal_is_complete_and_its_text_shorter(emitted, name):
    before, line, after = emitted[name]
    words = shlex.split(line, comments=True)
    shapes = [words[i + 1] for i, word in enumerate(words) if word == "--shape"]
    assert dict(one.split("=") for one in shapes) == SHAPES[name]
    saves = re.search(r"# (\d+) statements instead of (\d+), no helper$", line)
    assert int(saves[1]) == statements_in(after.out) < int(saves[2])
    assert int(saves[2]) == statements_in(before.out)
    assert any(word in before.out for word in ("def _", "taken for", "expected "))
    assert "def _" not in after.out and "taken for" not in after.out
    assert not proposed(after.err)


def test_a_text_of_a_proposal_is_right(emitted):
    rng = np.random.default_rng(0)
    args = [rng.normal(size=s) for s in ((3,), (5, 3), (5,))] + [0.3]
    names, primal = {}, {}
    exec(emitted["ridge_loss"][2].out, names)
    exec(MODELS, primal)
    want = numeric_gradient(primal["ridge_loss"], args, 0).value
    np.testing.assert_allclose(names["grad_ridge_loss"](*args), want, rtol=1e-7)


def test_what_is_assumed_is_said(emitted):
    err = emitted["ridge_loss"][0].err
    told = "w is a vector, X is a matrix, y is a vector, ridge is a number"
    assert f"assumed: {told}; --general assumes nothing" in err
    told = "x is a vector, a is a number"
    assert f"assumed: {told}; --general assumes nothing" in emitted["series"][0].err


def test_options_are_kept_and_quiet_is_quiet(folder):
    asked = ["emit", "models.ridge_loss", "--wrt", "w,X", "--value"]
    line = proposed(gradgen(*asked, cwd=folder).err)
    assert line.startswith("gradgen emit models.ridge_loss --wrt w,X --value --shape")
    assert not gradgen(*asked, "--quiet", cwd=folder).err
    general = gradgen(*asked, "--general", cwd=folder)
    assert "assumed" not in general.err and "--general" not in proposed(general.err)
    assert "--wrt w,X --value --general\n" in general.out


REFUSED = """
import numpy as np


def slopes(X, places):
    return np.sum(np.gradient(X, places, axis=0) ** 2)


def diagonals(x):
    return np.sum(np.einsum("i...i->i...", x) ** 2)


def bends(x, places):
    slopes = np.gradient(np.sin(x), places, axis=0)
    return np.sum(slopes ** 2)


def counted(x):
    global calls
    calls = calls + 1
    return np.sum(x) * calls


def contradicted(w, X):
    \"\"\"A loss.

    Args:
        w (ndarray of shape (d,)): the weights
        X (ndarray of shape (n, d)): the data
    \"\"\"
    return np.sum(X * w)
"""


def test_a_refusal_for_want_of_facts_names_those_that_work(tmp_path):
    (tmp_path / "models.py").write_text(REFUSED)
    names = ["slopes", "diagonals", "bends", "counted"]
    asked = [["emit", f"models.{name}"] for name in names]
    asked[1].append("--general")
    asked.append(["emit", "models.contradicted", "--shape", "w=n d"])
    *refused, overruled = gradgens(asked, tmp_path)
    assert [one.code for one in refused] == [2, 2, 2, 2]
    assert not proposed(refused[3].err)
    lines = [shlex.split(proposed(one.err), comments=True)[1:] for one in refused[:3]]
    done = gradgens(lines, tmp_path)
    assert all(one.code == 0 and "def grad_" in one.out for one in done)
    told = '--shape says w is "n d", and the docstring "d"; --shape holds'
    assert told in overruled.err and "Shapes: w (n, d)" in overruled.out
