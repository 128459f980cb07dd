"""Told lengths of 0, 1 and 2, where parts of arrays lie beyond their ends.

x[1:-1] has n - 2 entries, and none where n is 1; x[:1] has none where n is 0. The gradient
is right, or the text raises.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

PARTS = {
    "an inner part": "x[1:-1]",
    "second differences": "x[2:] - 2 * x[1:-1] + x[:-2]",
    "the first": "x[:1]",
    "the last": "x[-1:]",
    "padded": "np.pad(x[1:-1], 1)",
    "between zeros": "np.concatenate([[0.0], x[1:-1], [0.0]])",
    "behind a zero": "np.hstack([0.0, np.diff(x)])",
    "its ends around it": "np.concatenate([x[:1], x, x[-1:]])[1:-1]",
    "begun by another": "np.concatenate([y[:1], x[1:]])",
    "the first of a split": "np.split(x, [1])[0]",
    "the first of a split of every other": "np.split(np.diff(x[::2]), [1])[0]",
    "differences with the first": "np.concatenate([x[:1], np.diff(x)])",
}
USES = {
    "times x": "np.sum(p * x)",
    "minus y": "np.sum((p - y) ** 2)",
    "beside a logarithm": "np.sum(np.log(y[0] ** 2) + p**2)",
    "a table": "np.sum((p[:, None] - y) ** 2 + y[-1])",
    "joined": "np.sum(np.diff(np.concatenate([p, y])) ** 2)",
    "its mean": "np.mean(p) + np.sum(y)",
}
WAYS = list(itertools.product(PARTS, USES))
SIZES = list(itertools.product((0, 1, 2, 4), (0, 1, 2)))
RNG = np.random.default_rng(49)


def texts(f):
    for letter in "nm":
        try:
            text = gradgen.emit(f, ("x", "y"), shapes={"x": "n", "y": letter})
        except gradgen.GradgenError as error:  # n - 2 beside n
            assert error.code == "GG401"
            continue
        space: dict = {}
        exec(text, space)
        yield letter, space["grad_f"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part, use", WAYS, ids=map("-".join, WAYS))
def test_a_part_that_is_not_there_is_right_or_raised(part, use, tmp_path):
    f = written(
        f"def f(x, y):\n    p = {PARTS[part]}\n    return {USES[use]}\n", tmp_path
    )
    for letter, gradient in texts(f):
        right = 0
        for n, m in SIZES:
            args = RNG.normal(size=n), RNG.normal(size=n if letter == "n" else m)
            try:
                if not np.isfinite(f(*args)):
                    continue
                found = gradient(*args)
            except (ValueError, IndexError):
                continue  # NumPy does not take it, or it is looked at
            for at, one in enumerate(found):
                want = numeric_gradient(f, args, at, 1.0).value
                assert np.shape(one) == np.shape(want), (letter, n, m, at)
                assert one.dtype == np.float64
                np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
            right += 1
        assert right >= 1  # the longer ones


def emitted(line, tmp_path, **shapes):
    f = written(f"def f(x, y):\n    {line}\n", tmp_path)
    return gradgen.emit(f, ("x", "y"), shapes=shapes or {"x": "n", "y": "m"})


@pytest.mark.parametrize(
    "line",
    [
        "return np.sum((x[:1] - x) ** 2) + np.sum(y)",
        "return np.sum(np.concatenate([x[:1], np.diff(x)]) * x) + np.sum(y)",
        "return np.sum((np.pad(x, 1)[2:] - x) ** 2) + np.sum(y)",
        "return np.sum(np.diff(x, prepend=0.0) * x) + np.sum(y)",
        "return np.sum(np.repeat(x[1:], 2) ** 2) + np.sum(y)",
    ],
)
def test_what_holds_for_every_length_is_not_looked_at(line, tmp_path):
    assert "raise" not in emitted(line, tmp_path)


@pytest.mark.parametrize(
    "line, test",
    [
        ("return np.sum(np.pad(x[1:-1], 1) * x) + np.sum(y)", "len(x) < 2"),
        ("return np.sum((x[:1] - y) ** 2)", "len(x) == 0"),
        ("return np.sum(np.append(y[:1], x[1:]) * x)", "len(y) == 0 or len(x) == 0"),
    ],
)
def test_the_least_lengths_are_asked_for_once(line, test, tmp_path):
    text = emitted(line, tmp_path)
    assert text.count("raise ") == 1
    assert f"    if {test}:\n" in text


def test_what_is_counted_is_asked_of_the_part(tmp_path):
    text = emitted(
        "r = np.diff(x, n=2)\n    return np.sum(np.log(y[0]) + r * r)", tmp_path
    )
    assert "len(r)" in text and "len(x)" not in text


def program(*lines):
    return "def f(x, y, k):\n" + "".join(f"    {line}\n" for line in lines)


HANDED_ON = {
    "an arm": ("p = x[:1]", "if k > 1:", "    p = x[-1:] * 2"),
    "either arm": ("if k > 1:", "    p = x[:1]", "else:", "    p = y[:1] + 1"),
    "an arm of a joined part": (
        "q = np.diff(x)",
        "if k > 1:",
        "    q = np.sin(q)",
        "p = np.concatenate([x[:1], q])",
    ),
    "rounds": ("p = x[:1]", "for i in range(k):", "    p = p * 0.5"),
    "rounds with another": ("p = x[:1]", "for i in range(k):", "    p = p * y[:1]"),
    "rounds of an inner part": (
        "q = x[1:-1]",
        "for i in range(k):",
        "    q = np.tanh(q)",
        "p = np.pad(q, 1)",
    ),
    "rounds that pad": (
        "p = x",
        "for i in range(k):",
        "    p = np.pad(p[1:-1], 1) * 0.5",
    ),
    "a split": ("p = np.split(x, [1])[0]",),
    "a split, joined": ("a, b = np.split(x, [1])", "p = np.concatenate([b, a])"),
    "a split to the side": ("p = np.hsplit(x, [1])[0]",),
    "an arm between numbers": (
        "q = np.diff(x)[:1]",
        "if k > 1:",
        "    q = x[-1:]",
        "p = np.concatenate([[0.5], q, [1.5]])",
    ),
    "the first of a mask": ("p = x[x > 0.2][:1]",),
    "a repetition": ("p = np.repeat(x[:1], len(y))",),
    "a short array under a filter": (
        "p = np.convolve(np.pad(x, 1), np.array([1.0, -2.0, 1.0]), 'valid')",
    ),
    "a short array under a longer filter": (
        "p = np.convolve(np.pad(x, (2, 1)), np.array([1.0, -2.0, 1.0, 0.5]), 'valid')",
    ),
}
USED = {
    "beside a number": "np.sum(p * 0.5 + np.sum(y) ** 2)",
    "minus y": "np.sum((p - y) ** 2)",
    "times x": "np.sum(p * x)",
    "joined": "np.sum(np.diff(np.concatenate([p, y])) ** 2)",
    "joined with one": "np.sum(np.diff(np.concatenate([p[:1], y[:1]])) ** 2)",
    "its mean": "np.mean(p) * np.sum(y)",
    "minus its sum": "np.sum((p - np.sum(p, keepdims=True)) ** 2 * y)",
}
WAYS_ON = list(itertools.product(HANDED_ON, USED))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part, use", WAYS_ON, ids=map("-".join, WAYS_ON))
def test_what_is_handed_on_is_right_or_raised(part, use, tmp_path):
    f = written(program(*HANDED_ON[part], f"return {USED[use]}"), tmp_path)
    for letter, gradient in texts(f):
        right = 0
        for (n, m), k in itertools.product(SIZES, (0, 2)):
            args = RNG.normal(size=n), RNG.normal(size=n if letter == "n" else m), k
            try:
                if not np.isfinite(f(*args)):
                    continue
                found = gradient(*args)
            except (ValueError, IndexError, ZeroDivisionError):
                continue  # NumPy does not take it, or it is looked at
            for at, one in enumerate(found):
                want = numeric_gradient(f, args, at, 1.0).value
                assert np.shape(one) == np.shape(want), (letter, n, m, k, at)
                np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
            right += 1
        assert right >= 1  # the longer ones


@pytest.mark.parametrize("part", ["a split", "an arm", "rounds", "a repetition"])
def test_what_is_handed_on_is_asked_for_its_length(part, tmp_path):
    lines = *HANDED_ON[part], f"return {USED['beside a number']}"
    f = written(program(*lines), tmp_path)
    text = gradgen.emit(f, ("x", "y"), shapes={"x": "n", "y": "m"})
    assert "raise" not in text and "len(p" in text
