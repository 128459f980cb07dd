"""Keys and places that are computed of the number of a round: i % 2."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def counted(x):
    n = {}
    k = 0 % 2
    n[k] = n.get(k, 0.0) + x[0] ** 2
    k = 1 % 2
    n[k] = n.get(k, 0.0) + x[1] ** 2
    return n[0] * n[1]


def counted_at_once(x):
    n = {}
    for i in (0, 1, 2, 3):
        n[i % 2] = n.get(i % 2, 0.0) + x[i] ** 2
    return n[0] * n[1]


def looked_for_first(x):
    n = {}
    for i in (0, 1, 2, 3):
        if i % 2 not in n:
            n[i % 2] = 0.0
        n[i % 2] += x[i] ** 2
    return n[0] * n[1]


def inserted(x):
    items = [x[0], x[1], x[2]]
    for i in range(2):
        items.insert(i % 2, x[i + 2] ** 2)
    return items[0] * items[1] + items[2]


def taken_out(x):
    items = [x[0], x[1], x[2], x[3]]
    for i in range(2):
        x = x * items.pop(i % 2)
    return np.sum(x) * len(items)


def of_pairs(x):
    n = dict((i % 3, x[i]) for i in range(3))
    return n[0] * n[1]


def updated_by_pairs(x):
    n = {}
    for i in range(4):
        n.update({i % 2: x[i]})
        n.update([(i % 2 + 5, x[i])])
    return n[0] * n[1] * n[5] + n[6]


def popped(x):
    n = {0: x[0], 1: x[1]}
    for i in range(2):
        v = n.pop(i % 2)
        n[i // 1 + 4] = v**2
    return n[4] * n[5]


def updated_by_a_generator(x):
    n = {i % 3: x[i] for i in range(3)}
    n.update(((i + 1) % 3, x[i] ** 2) for i in range(3))
    return n[0] * n[1]


def got_or_stored(x):
    n = {}
    for i in range(4):
        if n.get(i % 2) is None:
            n[i % 2] = x[i]
        else:
            n[i % 2] *= x[i]
    return n[0] + n[1] ** 2


def generator_sees_what_it_stores(x):
    n = {0: x[0], 1: x[1], 2: x[2], 3: 0.0}
    n.update((k + 1, n[k] * 2) for k in range(3))
    return n[3] + n[1]


def list_sees_what_was(x):
    n = {0: x[0], 1: x[1], 2: x[2], 3: 0.0}
    n.update([(k + 1, n[k] * 2) for k in range(3)])
    return n[3] + n[1]


def over_its_own_items(x):
    n = {"a": x[0], "b": x[1]}
    n.update((k, v**2) for k, v in n.items())
    return n["a"] * n["b"]


def made_anew(x):
    n = {"a": x[0], "b": x[1]}
    m = n
    n = dict((k, v**2) for k, v in n.items())
    return n["a"] * n["b"] + m["a"]


CASES = [
    value
    for value in list(globals().values())
    if inspect.isfunction(value) and value.__module__ == __name__
]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_each(f):
    x = np.array([0.7, 1.3, 0.4, 1.1, 0.9])
    want = numeric_gradient(f, [x], 0).value
    names: dict = {}
    exec(gradgen.emit(f, shapes={"x": "n"}), names)
    for found in (gradgen.grad(f)(x), names[f"grad_{f.__name__}"](x)):
        assert found.shape == x.shape
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
