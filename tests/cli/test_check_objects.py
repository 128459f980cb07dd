"""`gradgen check` of functions of objects, of numbers by default, of methods, of closures."""

import pytest

from tests.cli.command import gradgen, gradgens

SOURCE = """import numpy as np


class Utility:
    def __init__(self, gamma=3.0):
        self.gamma = gamma
        self.k = 2.0

    def of(self, c):
        return (self.k * c) ** self.gamma

    def back(self, c):
        return self.gamma * self.k * (self.k * c) ** (self.gamma - 1)

    def halved(self, c):
        return 0.5 * self.back(c)


def held(c, v):
    return np.sum(c**2) * v.k


def scaled(x, a=1.0):
    return np.sum(a * x**2)


def mixed(y, h, p):
    s, i, r = y
    z = np.array([s * p["a"], i * p["b"], r])
    return np.sum((y + h * z) ** 2)


def rated(x, p):
    return np.sum(np.tanh(x * p["rate"]) ** 2) + p["rate"] ** 2


def paired(x, p):
    w, b = p["w"], p["b"]
    return np.sum(np.tanh(x @ w + b) ** 2)


def outer(k):
    def inner(x):
        return np.sum(k * x**2)

    return inner


closed = outer(np.arange(3.0))
"""
TEXTS = {
    "object": "simple:held --shape c=n --instance v=Utility(2.0)",
    "default": "simple:scaled --wrt x,a",
    "dictionary": "simple:mixed",
    "rate": "simple:rated --wrt p",
    "weights": "simple:paired --wrt p",
    "power": "simple:Utility.of --wrt self.gamma --instance Utility(1.5)",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "simple.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


@pytest.mark.parametrize("name", TEXTS)
def test_right_texts_are_measured(folder, name):
    emit = ["emit", *TEXTS[name].split(), "-o", "text.py"]
    made, done = gradgens([emit, ["check", "text.py"]], folder)
    assert made.code == 0, made.err
    assert done.code == 0, done.out + done.err
    assert "agrees with differences" in done.out + done.err


@pytest.mark.parametrize("name", TEXTS)
def test_wrong_texts_are_wrong(folder, name):
    emit = ["emit", *TEXTS[name].split(), "-o", "text.py"]
    assert gradgen(*emit, cwd=folder).code == 0
    path = folder / "text.py"
    text = path.read_text()
    last = text.rindex("    return ")
    found = text[last:].removeprefix("    return ").strip()
    path.write_text(f"{text[:last]}    return 3 * {found.split(', ')[0]}\n")
    if ", " in found:
        rest = ", ".join(found.split(", ")[1:])
        path.write_text(f"{text[:last]}    return 3 * {found.split(', ')[0]}, {rest}\n")
    done = gradgen("check", "text.py", cwd=folder)
    assert done.code == 1 and "wrong gradient" in done.out + done.err


def test_methods_by_hand(folder):
    against = "check simple:Utility.of --shape c=n --wrt c"
    done = gradgen(*against.split(), "--against", "simple:Utility.back", cwd=folder)
    assert done.code == 0, done.out + done.err
    done = gradgen(*against.split(), "--against", "simple:Utility.halved", cwd=folder)
    assert done.code == 1, done.out + done.err


def test_of_closures_it_says_that_it_measures_nothing(folder):
    commands = [["emit", "simple.closed", "-o", "text.py"], ["check", "text.py"]]
    made, done = gradgens(commands, folder)
    assert made.code == 0 and done.code == 0
    assert (
        "not measured: inner: it takes arrays of an enclosing function"
        in done.out + done.err
    )
