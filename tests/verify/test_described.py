"""`gradgen check` tries a text at the shapes that it is for, whoever told them."""

import pytest

from tests.cli.command import gradgens

MODELS = '''
import numpy as np


def ridge(w, X, y, lam=0.1):
    """A loss.

    Parameters
    ----------
    w : (d,) ndarray
    X : (n, d) ndarray
    y : (n,) ndarray
    """
    r = X @ w - y
    return np.mean(r * r) + lam * np.sum(w * w)


def half(w, X, y):
    """A loss.

    Args:
        X (ndarray of shape (n, d)): the data
    """
    return np.mean((X @ w - y) ** 2)


def assumed(w, X, y, ridge):
    r = X @ w - y
    return np.mean(r * r) + ridge * np.sum(w * w)


def layers(W1, W2, x):
    return np.sum(np.tanh(x @ W1) @ W2)


def rows(A, b):
    total = 0.0
    for i in range(len(A)):
        total = total + b[i] * np.sum(A[i, :] ** 2)
    return total
'''
NAMES = ["ridge", "half", "assumed", "layers", "rows"]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("described")
    (folder / "models.py").write_text(MODELS)
    files = [f"generated/{name}.py" for name in NAMES]
    (folder / "generated").mkdir()
    made = [["emit", "-q", f"models.{n}", "-o", f] for n, f in zip(NAMES, files)]
    done = gradgens([*made, *(["check", "-j", "1", file] for file in files)], folder)
    wrong = folder / "generated/ridge.py"
    text = wrong.read_text().replace("2 * d_out * lam", "3 * d_out * lam")
    wrong.write_text(text)
    spoiled = gradgens([["check", "-j", "1", "generated/ridge.py"]], folder)
    return dict(zip(NAMES, done[len(NAMES) :])), spoiled[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_with_nothing_told_is_measured(verdicts, name):
    found = verdicts[0][name]
    assert found.code == 0 and "agrees with differences" in found.err, found


def test_a_wrong_one_is_found(verdicts):
    assert verdicts[1].code == 1 and "wrong gradient: d_w[" in verdicts[1].err
