"""Axes of length 1 in an example: the text holds for other lengths, or it raises."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(49)


def scaled(x, y):
    return np.sum((x * y - np.mean(y)) ** 2)


def centred(x, y):
    return np.sum((x - np.mean(x)) ** 3) + np.sum(y)


def squares(x, y):
    return np.sum(x**2) + np.sum(np.exp(y))


def predicted(x, y):
    return np.sum((x @ y.T - 1) ** 2)


def weighed(x, y):
    return np.sum(np.sum(x, axis=0, keepdims=True) * y)


def of_three(x, y):
    return np.sum((x * np.array([1.0, -2.0, 0.5])) ** 2) + np.sum(y)


def turned(x, y):
    return np.sum(np.linalg.eigvalsh(x @ x.T + np.eye(len(x)))) * np.sum(y)


FUNCTIONS = (scaled, centred, squares, predicted, weighed, of_three, turned)
SHAPES = [(1, 3), (1, 1), (4, 3), (4, 1)]


def made(function, *example):
    text = gradgen.emit(function, ("x", "y"), example=example)
    names: dict = {}
    exec(text, names)
    return names[f"grad_{function.__name__}"]


def runs(function, args):
    try:
        return np.isfinite(function(*args))
    except ValueError:
        return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_other_lengths_are_right_or_raise(function):
    drawn = [RNG.normal(size=shape) for shape in SHAPES]
    pairs = [p for p in itertools.product(drawn, repeat=2) if runs(function, p)]
    for example in pairs:
        gradient, right = made(function, *example), 0
        for args in pairs:
            lengths = zip(*map(np.shape, (*example, *args)))
            if any(1 != n == m != 1 and one != other for n, m, one, other in lengths):
                continue  # of one letter: that is not looked at
            try:
                found = gradient(*args)
            except ValueError as error:
                assert "expected " in str(error)
                continue
            for at, one in enumerate(found):
                want = numeric_gradient(function, args, at, 1.0).value
                assert np.shape(one) == np.shape(want), (example, args)
                np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
            right += 1
        assert right >= 1  # the example


@pytest.mark.parametrize(
    "function, shapes, line",
    [
        (scaled, [(1, 3), (4, 3)], "    if len(x) != 1:\n"),
        (scaled, [(4, 1), (4, 3)], "    if x.shape[1] != 1:\n"),
        (of_three, [(1, 3), (1, 1)], "    if x.shape[1] != 3:\n"),
        (of_three, [(2, 3), (2, 2)], "    if x.shape[1] != 3:\n"),
    ],
)
def test_what_the_text_counts_on_is_looked_at(function, shapes, line):
    text = gradgen.emit(function, example=[np.ones(shape) for shape in shapes])
    assert line in text
    assert "--compare " in text


@pytest.mark.parametrize("function", [squares, predicted, centred])
@pytest.mark.parametrize("shapes", [[(1, 3), (4, 3)], [(1, 3), (1, 3)], [(4, 3)] * 2])
def test_a_text_that_holds_for_every_length_has_letters(function, shapes):
    text = gradgen.emit(function, example=[np.ones(shape) for shape in shapes])
    assert "raise" not in text
    assert "(1, " not in text


DRIVER = """\
import numpy as np
import calls

calls.scaled(np.ones((1, 3)), np.ones((4, 3)))
calls.walked(np.ones(3), np.ones((3, 3)))
calls.squares(np.ones(1))
"""
CALLED = """\
import numpy as np


def scaled(x, y):
    return np.sum((x * y - np.mean(y)) ** 2)


def walked(a, moves):
    for k in range(3):
        a = np.sum(a[:, None] * moves, axis=0)
    return np.sum(a)


def squares(x):
    return np.sum(x**2)
"""


def test_an_entry_of_observed_calls_says_what_is_compared(tmp_path):
    (tmp_path / "calls.py").write_text(CALLED)
    (tmp_path / "driver.py").write_text(DRIVER)
    observe = [sys.executable, "-m", "gradgen", "observe", "--module", "calls"]
    ran = subprocess.run(
        [*observe, "--", "python", "driver.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    scaled, squares, walked = ran.stdout.strip().split("\n\n")
    assert 'compare = ["1"]\nshape = {x = "1 n", y = "m n"}' in scaled
    assert "compare" not in squares and 'shape = {x = "n"}' in squares
    assert 'compare = ["n"]\nshape = {a = "n", moves = "n n"}' in walked
