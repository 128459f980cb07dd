"""Arguments that change the list or the dictionary whose method, or whose items, they are for.

Python evaluates them before the method is called: s.append(s.pop()) appends to what
s.pop() has left.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

SOURCE = """
from collections import deque


def f(x):
    s = [x[0], x[1], x[2], x[3]]
    q = deque(s, maxlen=4)
    d = {{"a": x[0], "b": x[1], "c": x[2]}}
    t = [x[1]]

    def put(v):
        s.append(v)
        return v * 2

    def clear():
        s.clear()
        return x[0]

    for _ in range({rounds}):
        {line}
    r = sum((i + 1) * v for i, v in enumerate(s)) + sum(t) + 3 * q[0] - 2 * q[-1] * len(q)
    return r + sum(len(k) * (j + 2) * v for j, (k, v) in enumerate(d.items()))
"""
CHANGING = ["s.pop()", "s.pop(0)", "put(x[1])", "clear()", "np.sin(s.pop())"]
LINES = [
    "s.append({})",
    "s.insert(0, {})",
    "s.extend([{}, x[3]])",
    "s += [{}]",
    "t.append(sum(s) * {})",
    "t.append(s[-1] * {} + len(s))",
    "t = [{}, *s]",
    "t = s + [{}]",
]
OTHERS = [
    "q.append(q.popleft())",
    "q.appendleft(q.pop() * 2)",
    "q.extend([q.popleft(), q[0]])",
    "d.update(z=d.pop('b'))",
    "d.setdefault('zz', d.pop('a'))",
    "d.update({'a': d.pop('c')})",
    "s.append(s.pop() * s.pop())",
    "t = [*s, x[0] * 2]",
    "t = [a * b for a, b in zip(s, [x[2], x[3]])]",
]
# what is read late sees the change, or is refused
MAY_BE_REFUSED = [
    "t = [*s, s.pop()]",
    "t = [*s, put(x[1])]",
    "t = [*s, s.pop() * s.pop(), s[-1]]",
    "t = [a * b for a, b in zip(s, [s.pop(0)])]",
    "t = [a + b for a, b in zip(s, [put(x[0])])]",
    "t = [a + b for a, b in zip([s.pop()], s)]",
]
X = np.array([0.5, 1.21, 0.7, -0.4])


def taken(line: str, rounds: int, tmp_path) -> None:
    f = written(SOURCE.format(line=line, rounds=rounds), tmp_path)
    value, gradient = gradgen.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-12)
    np.testing.assert_allclose(gradient, numeric_gradient(f, [X], 0).value, 1e-6, 1e-7)


@pytest.mark.parametrize("line, changing", list(itertools.product(LINES, CHANGING)))
def test_the_method_sees_what_its_arguments_leave(line, changing, tmp_path):
    taken(line.format(changing), 1, tmp_path)


@pytest.mark.parametrize("line", OTHERS)
def test_deques_and_dictionaries(line, tmp_path):
    taken(line, 1, tmp_path)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("line", MAY_BE_REFUSED)
def test_what_is_gone_over_late(line, rounds, tmp_path):
    try:
        taken(line, rounds, tmp_path)
    except GradgenError as refusal:
        assert refusal.code == "GG268"
