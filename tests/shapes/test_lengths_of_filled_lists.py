"""Arrays made of lists that loops fill in many ways: right for every length, or raised.

A list that is shorter or longer than what it meets may be stretched, or stretch that.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

EACH = "for v in x:\n        "
FILLED = {
    "append": EACH + "out.append(v * s)",
    "two": EACH + "out.append(v * s)\n        out.append(s)",
    "from the second": "for i in range(1, len(x)):\n        out.append(x[i] * s)",
    "every second": "for i in range(0, len(x), 2):\n        out.append(x[i] * s)",
    "backwards": "for i in range(len(x) - 1, -1, -1):\n        out.append(x[i] * s)",
    "pop": EACH + "out += [v * s, v]\n        out.pop()",
    "pop but one": EACH
    + "out.append(v * s)\n        if len(out) > 1:\n            out.pop()",
    "insert": EACH + "out.insert(0, v * s)",
    "extend": EACH + "out.extend([v * s])",
    "plus": EACH + "out = out + [v * s]",
    "anew": EACH + "out = [v * s]",
    "clear": EACH + "out.clear()\n        out.append(v * s)",
    "first": EACH + "out.append(v * s)\n    out = out[:1]",
    "del": EACH + "out.append(v * s)\n    del out[1:]",
    "emptied": EACH + "out.append(v * s)\n    out[1:] = []",
    "alias": "same = out\n    " + EACH + "same.append(v * s)",
    "called": "def put(items, v):\n        items.append(v * s)\n        items.append(s)\n"
    "    " + EACH + "put(out, v)\n        out.pop()",
    "continue": EACH + "if v < 0:\n            continue\n        out.append(v * s)",
    "break": EACH + "out.append(v * s)\n        if v < 0:\n            break",
    "break before": EACH
    + "if v < 0:\n            break\n        out.append(v * s)\n    out.append(s)",
    "nested": EACH
    + "for k in range(2):\n            out.append(v * s)\n        out = out[:-1]",
    "while": "i = 0\n    while i < len(x):\n        out.append(x[i] * s)\n        i += 2",
    "swapped": "other = [s]\n    "
    + EACH
    + "out, other = other, out\n        out.append(v * s)",
    "chosen": "out = [v * s for v in x if v > 0]",
    "copied": EACH
    + "out.append(v * s)\n    more = list(out)\n    more.append(s)\n    out = more[1:]",
}
USED = {
    "held against x": "np.sum((np.array(out) - x) ** 2)",
    "stacked": "np.sum(np.stack(out) * np.cos(x))",
    "held against y": "np.sum((np.array(out) - y) ** 2)",
    "counted": "np.sum(np.array(out) * np.ones(len(x))) / len(out)",
}
WAYS = list(itertools.product(FILLED, USED))
RNG = np.random.default_rng(8)


TOLD = {"nothing": {"s": ""}, "n": {"s": "", "x": "n", "y": "n"}}


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
@pytest.mark.parametrize("fill, use", WAYS, ids=map("-".join, WAYS))
def test_right_for_every_length_or_raised(fill, use, told, tmp_path):
    lines = f"out = []\n    {FILLED[fill]}\n    return {USED[use]}"
    f = written(f"def f(s, x, y):\n    {lines}\n", tmp_path)
    space: dict = {}
    try:
        exec(gradgen.emit(f, ("s", "x", "y"), shapes=told), space)
    except gradgen.GradgenError as error:  # 2n beside n, which NumPy takes for n = 1
        assert error.code == "GG401" and len(told) > 1
        return
    right = 0
    for size, turned in itertools.product((1, 2, 3, 5), (None, 0, 1, -1)):
        x, y = np.abs(RNG.normal(size=(2, size))) + 0.2
        if turned is not None:  # a loop ends there, or leaves it out
            x[turned % size] *= -1
        try:
            f(0.7, x, y)
        except (ValueError, ZeroDivisionError):
            continue  # NumPy does not take it either
        try:
            found = space["grad_f"](0.7, x, y)
        except (ValueError, ZeroDivisionError):
            continue
        for at, one in enumerate(found):
            want = numeric_gradient(f, (0.7, x, y), at, 1.0).value
            assert np.shape(one) == np.shape(want), (size, turned, at)
            np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
        right += 1
    assert right


REDUCED = {
    "summed": ("for v in x:", "    out.append(v * y)", "p = np.array(out).sum(axis=0)"),
    "averaged": ("for v in x:", "    out.append(v + y)", "p = np.mean(out, axis=0)"),
    "chosen": (
        "for v in x:",
        "    if v > 0:",
        "        out.append(v * y)",
        "p = np.sum(np.array(out), 0)",
    ),
    "of rounds": (
        "for i in range(len(x) - 1):",
        "    out.append(x[i] * y)",
        "p = np.prod(np.array(out), axis=0)",
    ),
}
AFTER = {
    "beside a number": "np.sum(p * 0.5 + np.sum(y) ** 2)",
    "minus its sum": "np.sum((p - np.sum(p, keepdims=True)) ** 2 * y)",
    "times itself": "np.sum(np.tanh(p * y) * p)",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("form", REDUCED)
def test_no_rows_along_an_axis_are_right_or_raised(form, after, tmp_path):
    lines = ["out = []", *REDUCED[form], f"return {AFTER[after]}"]
    text = "def f(x, y):\n" + "".join(f"    {line}\n" for line in lines)
    f = written(text, tmp_path)
    names: dict = {}
    exec(gradgen.emit(f, ("x", "y"), shapes={"x": "n", "y": "m"}), names)
    raised = 0
    for x in (np.array([0.5, -0.3, 0.8]), np.array([-0.5]), np.zeros(0)):
        y = np.array([0.4, 1.2, -0.7])
        try:
            found = names["grad_f"](x, y)
        except ValueError as error:
            assert "n is 0" in str(error) or "rows of an array" in str(error)
            raised += 1
            continue
        for at, one in enumerate(found):
            want = numeric_gradient(f, [x, y], at, 1.0).value
            assert np.shape(one) == np.shape(want)
            np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-7)
    assert 1 <= raised <= 2


def test_rows_that_are_surely_there_are_not_looked_for(tmp_path):
    f = written(
        "def f(x, y):\n"
        "    out = [y]\n"
        "    for v in x:\n"
        "        out.append(v * y)\n"
        "    return np.sum(np.sum(np.array(out), axis=0) ** 2)\n",
        tmp_path,
    )
    assert "raise" not in gradgen.emit(f, ("x", "y"), shapes={"x": "n", "y": "m"})
