"""What a called function gives is named by it, and its gradient stands under the call."""

import re

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

ANGLE = """
def length_of(v):
    return np.sqrt(np.sum(v * v))

def f(u, v):
    cosine = np.sum(u * v) / (length_of(u) * length_of(v))
    return np.arccos(cosine)
"""
POOLED = """
def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)

def f(q, K, V):
    weights = softmax(K @ q)
    return np.sum((weights @ V) ** 2)
"""
STAGES = """
def rates(x, y, a):
    xy = x * y
    return a * x - xy, xy - y

def f(x, y, a):
    x1, y1 = rates(x, y, a)
    x2, y2 = rates(x + 0.5 * x1, y + 0.5 * y1, a)
    return np.sum(x2 * x2 + y2 * y2)
"""
DEEP = """
def softplus(x):
    return np.log1p(np.exp(x))

def bce(logits, labels):
    return np.mean(softplus(logits) - labels * logits)

def f(a, b, labels):
    logits = np.sum(a * b, axis=1)
    return bce(logits, labels)
"""
SAID = """
def damped(x):
    # how much is left
    return np.exp(-x) * x

def f(x):
    left = damped(np.sin(x))
    return np.sum(left * left)
"""
GAPS = """
def length_of(xyz):
    return np.sqrt(np.sum(xyz * xyz))

def f(u, v):
    return np.arctan2(length_of(u - v), length_of(u + v))
"""


def headings(text: str) -> list[str]:
    return re.findall(r"# (Grad of: .*)", text)


def test_two_results_of_one_line_are_named_by_their_arguments(tmp_path):
    text = gradgen.emit(written(ANGLE, tmp_path), wrt=("u", "v"))
    assert "u_length = np.sqrt(np.sum(u * u))" in text
    assert "v_length = np.sqrt(np.sum(v * v))" in text
    line = "Grad of: cosine = np.sum(u * v) / (length_of(u) * length_of(v))"
    assert headings(text) == ["Grad of: return np.arccos(cosine)", line]


@pytest.mark.parametrize(
    "source, wrt, line",
    [
        (POOLED, ("q", "K"), "Grad of: weights = softmax(K @ q)"),
        (DEEP, ("a", "labels"), "Grad of: return bce(logits, labels)"),
        (STAGES, "x", "Grad of: x1, y1 = rates(x, y, a)"),
    ],
    ids=["after a line of its own", "two deep", "several results"],
)
def test_what_is_returned_stands_under_the_line_of_the_call(
    source, wrt, line, tmp_path
):
    found = headings(gradgen.emit(written(source, tmp_path), wrt=wrt))
    assert line in found
    inner = re.findall(r"    return (.*)", source)[:-1]
    assert not [one for one in found for text in inner if one.endswith(text)]


def test_a_comment_stays_with_what_is_returned(tmp_path):
    text = gradgen.emit(written(SAID, tmp_path), shapes={"x": "n"}, value=True)
    assert text.count("# how much is left") == 1
    assert "Grad of: left = damped(np.sin(x))" in headings(text)


def test_the_difference_that_a_call_is_given_names_its_result(tmp_path):
    text = gradgen.emit(written(GAPS, tmp_path), wrt=("u", "v"), shapes={"u": "3"})
    assert "diff_length = " in text
    assert "_2" not in text


def test_squares_cubes_and_norms_have_a_word(tmp_path):
    source = """
    def f(x, y):
        r = x / np.sqrt(np.sum(x**2))
        s = y / np.sqrt(y @ y)
        t = np.sin(x**3) / x**3
        return np.sum(np.log(1 + y**2) * s) + np.sum(r * t)
    """
    told = {"x": "n", "y": "n"}
    text = gradgen.emit(written(source, tmp_path), wrt=("x", "y"), shapes=told)
    for line in ("x_norm = ", "y_norm = ", "x_cubed = x**3"):
        assert line in text
    assert "_sqrt" not in text and "squared_" not in text


def test_neighbours_that_the_same_lines_use_have_one_heading(tmp_path):
    source = """
    def f(a, b, x):
        p = a * x + b
        q = a - b * x
        return np.sum(p * p * q)
    """
    told = {"a": "", "b": "", "x": "n"}
    text = gradgen.emit(written(source, tmp_path), wrt=("a", "b"), shapes=told)
    assert headings(text)[-1] == "Grad of: a and b, used in q and p"


@pytest.mark.parametrize(
    "source", [ANGLE, STAGES, GAPS], ids=["angle", "stages", "gaps"]
)
def test_their_gradients_are_right(source, tmp_path):
    function = written(source, tmp_path)
    rng = np.random.default_rng(3)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    args = [rng.uniform(0.3, 0.9, 3) for _ in names]
    text = gradgen.emit(function, wrt=names)
    made: dict = {}
    exec(compile(text, "<text>", "exec"), made)
    got = made["grad_f"](*args)
    h = 1e-6
    for i, found in enumerate(got):
        for k in range(3):
            up, down = ([a.copy() for a in args] for _ in range(2))
            up[i][k] += h
            down[i][k] -= h
            want = (function(*up) - function(*down)) / (2 * h)
            assert abs(found[k] - want) < 1e-7 * max(1, abs(want))
