"""return {"t": t, "v": v} and return [t, v] inside a loop."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def lists_in_a_dictionary(x, k, n):
    t = [0.0]
    v = [x]
    while True:
        v.append(v[-1] - k * v[-1] * 0.1)
        t.append(t[-1] + 0.1)
        if t[-1] >= n:
            return {"t": t, "v": v}


def numbers(x, k, n):
    v, t = x, 0.0
    while True:
        v = v - k * v * 0.1
        t = t + 0.1
        if t >= n:
            return {"t": t * k, "v": v}


def behind_the_loop(x, k, n):
    v = x
    for i in range(5):
        v = v * (1 - 0.1 * k)
        if v < n:
            return {"v": v, "more": [v * k, x]}
    return {"v": v * 2, "more": [v, k * x]}


def a_list(x, k, n):
    v = x
    for i in range(6):
        v = v * np.cos(k * 0.2)
        if i >= 2 * n:
            return [v, v**2]
    return [k, v]


def changed_before(x, k, n):
    out = {"v": x, "t": 0.0}
    while True:
        out["v"] = out["v"] * (1 - 0.1 * k)
        out["t"] = out["t"] + 0.1
        if out["t"] >= n:
            return out


def _inside(x, k, n):
    v, t = x, 0.0
    while True:
        v = v - k * v * 0.1
        t = t + 0.1
        if t >= n:
            return {"t": t, "v": v}


def handed_on(x, k, n):
    found = _inside(x, k, n)
    found["v"] = found["v"] ** 2
    return found["v"] * found["t"] + found["v"]


def handed_on_twice(x, k, n):
    one, other = _inside(x, k, n), _inside(k, x, n)
    one["v"] = 3 * one["v"]
    return one["v"] * other["v"]


class Model:
    def __init__(self, k):
        self.k = k

    def run(self, x, n):
        v, t = x, 0.0
        for _ in range(20):
            v = v - self.k * v * 0.1
            t = t + 0.1
            if t >= n:
                return {"v": v, "last": t}
        return {"v": v, "last": -t}


EVERY = [lists_in_a_dictionary, numbers, behind_the_loop, a_list, changed_before]
EVERY += [handed_on, handed_on_twice]
POINTS = [(1.3, 2.0, 0.25), (1.1, 0.4, 0.95), (0.9, 1.7, 0.05)]


def flat(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in flat(one)]
    return [float(value)]


def weighed(value):
    return sum((i + 1) * one for i, one in enumerate(flat(value)))


def seed_of(value):
    count = iter(range(1, 100))

    def like(one):
        if isinstance(one, dict):
            return {k: like(v) for k, v in one.items()}
        if isinstance(one, list):
            return [like(v) for v in one]
        return float(next(count))

    return like(value) if not isinstance(value, float) else 1.0


@pytest.mark.parametrize("f", EVERY)
@pytest.mark.parametrize("at", POINTS)
def test_a_call(f, at):
    value, pullback = gradgen.vjp(f, wrt=("x", "k"))(*at)
    np.testing.assert_allclose(flat(value), flat(f(*at)), rtol=1e-12)
    assert type(value) is type(f(*at)) or f in (handed_on, handed_on_twice)
    found = pullback(seed_of(f(*at)))
    for i in range(2):
        want = numeric_gradient(lambda *p: weighed(f(*p)), at, i).value
        np.testing.assert_allclose(found[i], want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [numbers, a_list, changed_before, handed_on])
@pytest.mark.parametrize("told", [{}, {"example": POINTS[0]}])
def test_a_text(f, told):
    space = {}
    exec(gradgen.emit(f, wrt=("x", "k"), **told), space)
    for at in POINTS:
        found = space[f"grad_{f.__name__}"](*at, *flat(seed_of(f(*at))))
        for i in range(2):
            want = numeric_gradient(lambda *p: weighed(f(*p)), at, i).value
            np.testing.assert_allclose(found[i], want, rtol=1e-6, atol=1e-8)


def test_a_method():
    model = Model(0.7)
    value, pullback = gradgen.vjp(model.run, wrt="x")(1.3, 0.55)
    assert value == model.run(1.3, 0.55)
    np.testing.assert_allclose(pullback({"v": 1.0, "last": 0.0}), 0.93**6)


def test_other_keys_by_other_ways_are_refused():
    def f(x, n):
        for i in range(4):
            x = x * 0.5
            if x < n:
                return {"x": x}
        return {"y": x}

    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(1.0, 0.2)
    assert caught.value.code == "GG222"


def test_what_is_changed_after_it_is_returned():
    def f(x, n):
        out = {"x": x}
        for i in range(4):
            try:
                out["x"] = out["x"] * 0.5
                if i >= n:
                    return out
            finally:
                out["x"] = out["x"] * 3
        return out

    try:
        found = gradgen.grad(f, wrt="x")(1.0, 2)
    except gradgen.GradgenError:
        return
    np.testing.assert_allclose(found, f(1.0, 2)["x"])


def test_a_try_block_in_the_loop():
    def f(x, n):
        v = [x]
        while True:
            try:
                step = 1 / x
            except ZeroDivisionError:
                step = 3.0
            v.append(v[-1] * 0.5 + step)
            if len(v) > n:
                return {"v": v, "last": v[-1]}

    for x in (1.5, 0.7):
        value, pullback = gradgen.vjp(f)(x, 4)
        assert value == f(x, 4)
        found = pullback({"v": [0.0] * 5, "last": 1.0})
        want = numeric_gradient(lambda x: f(x, 4)["last"], (x,), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6)
