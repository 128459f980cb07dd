"""Deques with a maxlen that loops fill, and copies of deques and of defaultdicts."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

SOURCE = """
import copy
from collections import Counter, defaultdict, deque


def weighted(s):
    return sum((i + 1) * v for i, v in enumerate(s)) * (1 + len(s))


def f(x):
    q = deque(maxlen=3)
    t = 0.0
    {body}
    return weighted(q) + t
"""
LOOPS = {
    "append": "q.append(v * v)\nt += weighted(q)",
    "appendleft": "q.appendleft(v * v)\nt += weighted(q)",
    "extend": "q.extend([v, v * v])\nt += weighted(q)",
    "extend by a generator": "q.extend(w * v for w in x[:2])\nt += weighted(q)",
    "taken from": "q.append(v)\nif len(q) == 3:\n    t += q.popleft() * q[-1]",
    "turned": "q.append(v)\nq.append(q.popleft() * 2)",
    "means": "q.append(v)\nt += (sum(q) / len(q)) ** 2",
    "by one way": "if v > 1:\n    q.append(v)\nelse:\n    q.appendleft(v * v)",
}
AFTER = {
    "copy": "r = q.copy()\nr.append(x[0] * 2)\nt += weighted(r)",
    "copy.copy": "r = copy.copy(q)\nr.append(x[0] * 2)\nt += weighted(r)",
    "of another": "r = deque(q)\nr.append(x[0] * 2)\nt += weighted(r)",
    "a list of it": "r = list(q)\nr.append(x[0] * 2)\nt += weighted(r)",
}
KNOWN = {
    "copy.copy": "p = deque([x[0], x[1]], maxlen=2)\nr = copy.copy(p)\nr.append(x[0] * 2)\n"
    "t = weighted(p) + 2 * weighted(r)",
    "copy.deepcopy": "p = deque([x[0], x[1]], maxlen=2)\nr = copy.deepcopy([p, x[1]])[0]\n"
    "r.append(x[0] * 2)\nt = weighted(p) + 2 * weighted(r)",
    "a defaultdict": "p = defaultdict(float)\np['a'] += x[0]\nr = copy.copy(p)\n"
    "r['b'] += x[1]\nt = r['a'] * r['b'] + p['a']",
    "a defaultdict of lists": "p = defaultdict(list)\np['a'].append(x[0])\n"
    "r = copy.deepcopy(p)\nr['b'].append(x[1])\nr['a'].append(x[0])\n"
    "t = weighted(r['a']) * weighted(r['b']) + weighted(p['a'])",
    "a Counter": "p = Counter('ab')\nr = copy.copy(p)\nr['c'] += 2\n"
    "t = r['a'] * r['c'] * x[0] + p['c'] * x[1]",
}
X = [np.array([0.5, 1.21, 0.7, -0.4, 2.0]), np.array([0.3, 1.1])]


def taken(body: str, tmp_path) -> None:
    f = written(SOURCE.format(body=body.replace("\n", "\n    ")), tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    for x in X:
        value, gradient = gradgen.value_and_grad(f)(x)
        wanted = numeric_gradient(f, [x], 0).value
        np.testing.assert_allclose(value, f(x), 1e-12)
        np.testing.assert_allclose(gradient, wanted, 1e-6, 1e-7)
        np.testing.assert_allclose(names["grad_f"](x), wanted, 1e-6, 1e-7)


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_fills_it(name, tmp_path):
    taken("for v in x:\n    " + LOOPS[name].replace("\n", "\n    "), tmp_path)


@pytest.mark.parametrize("name", AFTER)
def test_what_is_made_of_it(name, tmp_path):
    taken("for v in x:\n    q.append(v * v)\n" + AFTER[name], tmp_path)


@pytest.mark.parametrize("name", KNOWN)
def test_copies_are_of_one_kind(name, tmp_path):
    taken(KNOWN[name], tmp_path)


SWAPPED = [
    "p = []\nfor v in x:\n    q.append(v)\n    p.append(v)\n    q, p = p, q",
    "p = deque(maxlen=2)\nfor v in x:\n    q.append(v)\n    p.append(v)\n    q, p = p, q",
    "for v in x:\n    q.appendleft(v)\n    q.insert(0, v)",
]


@pytest.mark.parametrize("body", SWAPPED)
def test_which_deque_it_is_must_be_known(body, tmp_path):
    f = written(SOURCE.format(body=body.replace("\n", "\n    ")), tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG241"):
        gradgen.grad(f)(X[0])
