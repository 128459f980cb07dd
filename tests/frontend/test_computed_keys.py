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


def chosen_by_data(x):
    total = {"up": 0.0, "down": 0.0}
    for v in x - 0.8:
        total["up" if v > 0 else "down"] += v**2
    return total["up"] - 2 * total["down"]


def chosen_by_a_name(x):
    total = {"up": 0.0, "down": 1.0, "none": x[0]}
    for v in x:
        key = "none"
        if v > 1.0:
            key = "up"
        elif v > 0.8:
            key = "down"
        total[key] = total[key] * 0.5 + v**2
    return total["up"] * total["down"] + total["none"]


def chosen_by_a_flag(x):
    total = {True: 0.0, False: 0.0}
    for v in x:
        total[v > 0.8] += v**3
    return total[True] - 2 * total[False]


def stored_once(x):
    total = {"large": 1.0, "small": 2.0}
    total["large" if np.sum(x) > 3 else "small"] = np.sum(x**2)
    return total["large"] - 2 * total["small"]


def of_arrays(x):
    total = {"large": x, "small": 2.0 * x}
    total["large" if np.sum(x) > 3 else "small"] = x**2
    return np.sum(total["large"] * total["small"])


def added_by_data(x):
    total = {"up": 0.0}
    total["up" if x[0] > 5 else "down"] = x[1]
    return total["up"] + sum(total.values())


@pytest.mark.parametrize(
    "f", [chosen_by_data, chosen_by_a_name, chosen_by_a_flag, stored_once, of_arrays]
)
def test_keys_that_the_data_choose(f):
    test_each(f)


def test_a_key_that_the_data_add_is_refused():
    with pytest.raises(gradgen.GradgenError, match="GG231"):
        gradgen.grad(added_by_data)(np.array([0.7, 1.3]))
