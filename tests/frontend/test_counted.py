"""Operators of deques, Counters and dictionaries; dictionaries that a loop fills."""

from __future__ import annotations

from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, 0.8, 1.7, -0.6])


def more_in_place(x):
    d = deque([x[0], x[1]], maxlen=2)
    d += [x[3]]
    return d[0] * d[1] ** 2


def two_together(x):
    d = deque([x[0], x[1]], maxlen=2) + deque([x[3]])
    return d[0] * d[1] ** 2


def repeated(x):
    d = 2 * deque([x[0], x[1]], maxlen=3)
    d *= 2
    d.append(x[2])
    return d[0] * d[1] ** 2 * d[2]


def copied(x):
    d = deque([x[0], x[1]], maxlen=2)
    e = d.copy()
    e += (x[2],)
    return sum(e) * e[0] + d[0]


def more_in_a_branch(x):
    d = deque([x[0], x[1]], maxlen=2)
    if x[0] > 0:
        d += [x[2]]
    return d[0] * d[1] ** 2


def without_an_end(x):
    d = deque([x[0], x[1]])
    d += (x[2], x[3])
    d.popleft()
    return d[0] * d[1] ** 2 * len(d)


def updated(x):
    c = Counter(a=x[0], b=x[1])
    c.update({"a": x[2]})
    c.update(a=2)
    return c["a"] ** 2 * c["b"]


def updated_by_a_counter(x):
    c = Counter(a=x[0])
    c.update(Counter(b=x[1], a=x[2]), d=x[3])
    return c["a"] * c["b"] * c["d"]


def updated_by_letters(x):
    c = Counter("aab")
    c.update("abc")
    return x[0] * c["a"] + c["c"] * x[1] + c["none"]


def subtracted(x):
    c = Counter(a=x[0], b=x[1])
    d = c.copy()
    c.subtract({"a": x[2]})
    return c["a"] ** 2 * c["b"] + d["a"] + d["none"]


def counts_added(x):
    c = Counter(a=3, b=1) + Counter(a=1, b=2)
    d = Counter(a=3, b=1) - Counter(a=1, b=2)
    return c["a"] * x[0] + c["b"] * x[1] + d["a"] * x[2] + d["b"] * x[3]


def dictionaries_joined(x):
    d = {"a": x[0]} | {"b": x[1], "a": x[2]}
    d |= {"c": x[3]}
    return d["a"] * d["b"] * d["c"]


@pytest.mark.parametrize(
    "f",
    [
        *(more_in_place, two_together, repeated, copied, more_in_a_branch),
        *(without_an_end, updated, updated_by_a_counter, updated_by_letters),
        *(subtracted, counts_added, dictionaries_joined),
    ],
)
def test_operators_of_containers(f):
    want = numeric_gradient(f, [X], 0)
    found = gradgen.grad(f)(X)
    assert found.shape == X.shape and found.dtype == X.dtype
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)


def counts_that_may_vanish(x):
    c = Counter(a=x[0]) + Counter(a=x[1], b=x[2])
    return c["a"]


def greater_counts(x):
    c = Counter(a=x[0])
    c |= Counter(a=x[1])
    return c["a"]


def filled_up(x):
    d = deque(maxlen=2)
    for v in x:
        d += [v]
    return d[0] * d[1]


def summed_in_a_loop(x):
    d = defaultdict(float)
    for v in x:
        d["p"] += v
    return d["p"] ** 2


def counted_in_branches(x):
    c = Counter()
    for v in x:
        if v > 0:
            c["p"] += v
        else:
            c["n"] += v
    return c["p"] ** 2 * c["n"]


def multiplied_in_a_while(x):
    d = defaultdict(lambda: 1.0)
    i = 0
    while i < len(x):
        d["p"] *= x[i]
        i += 1
    return d["p"]


def in_one_branch(x):
    d = defaultdict(float)
    if x[0] > 0:
        d["p"] += x[1]
    return d["p"] + x[2]


@pytest.mark.parametrize(
    "f, code",
    [
        (counts_that_may_vanish, "GG243"),
        (greater_counts, "GG243"),
        (filled_up, "GG243"),
        (summed_in_a_loop, "GG244"),
        (counted_in_branches, "GG244"),
        (multiplied_in_a_while, "GG244"),
        (in_one_branch, "GG244"),
    ],
)
def test_containers_that_are_refused(f, code):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(f)(X)
    assert code in str(caught.value)


def the_advice(x):
    d = {"p": 0.0, "n": 0.0}
    for v in x:
        if v > 0:
            d["p"] += v
        else:
            d["n"] += v
    return d["p"] ** 2 * d["n"]


def test_a_key_with_a_value_before_the_loop():
    want = numeric_gradient(the_advice, [X], 0)
    np.testing.assert_allclose(gradgen.grad(the_advice)(X), want.value, rtol=1e-6)
