"""How long a list is, and what is in it, in an arm or a loop inside the one that it grows in."""

import numpy as np
import pytest

import gradgen

X = np.random.default_rng(0).normal(size=(4, 2))


def in_an_arm(x):
    a, out = [x[0]], 0.0
    for t in range(len(x)):
        if t != 1:
            out = out + len(a) * np.sum(x[t])
        a.append(x[t])
    return out


def in_the_other_arm(x):
    a, h, out = [x[0]], x[0], 0.0
    for t in range(len(x)):
        if t == 1:
            h = h * 0.5
        else:
            out = out + np.sum(h * x[t]) / len(a)
        a.append(h)
    return out + np.sum(a[-1])


def in_an_inner_loop(x):
    a, out = [x[0]], 0.0
    for t in range(len(x)):
        for k in range(2):
            out = out + len(a) * np.sum(x[t]) * (k + 1)
        a.append(x[t])
    return out


def in_a_while_loop(x):
    a, out, t = [x[0]], 0.0, 0
    while len(a) < 5:
        if t % 2 == 0:
            out = out + np.sum(x[t]) ** len(a)
        a.append(x[t] * 2)
        t = t + 1
    return out


def that_gets_shorter(x):
    a, out = [x[0], x[1], x[2], x[3]], 0.0
    for t in range(len(x)):
        if t > 0:
            out = out + np.sum(a[-1] * x[t]) * len(a)
        a.pop()
    return out


def an_entry_that_changes(x):
    a, out = [x[0]], 0.0
    for t in range(len(x)):
        a.append(x[t] * 0.5)
        if t != 1:
            out = out + np.sum(a[0] * x[t])
        a[0] = a[0] * 1.5
    return out


def the_last_entry(x):
    a, out = [x[0]], 0.0
    for t in range(len(x)):
        for k in range(2):
            out = out + np.sum(a[-1] * a[0]) * x[t, k]
        a.append(x[t] * 0.5)
    return out


class Kept:
    def __init__(self):
        self.a, self.h = [], None

    def of_an_instance(self, x):
        self.a, self.h, out = [x[0]], x[0], 0.0
        for t in range(len(x)):
            if t != 2:
                out = out + len(self.a) * np.sum(self.h * x[t])
            self.a.append(self.h)
            self.h = np.tanh(self.h + x[t])
        return out


def differences(f):
    h, found = 1e-6, np.zeros(X.shape)
    for at in np.ndindex(X.shape):
        step = np.zeros(X.shape)
        step[at] = h
        found[at] = (f(X + step) - f(X - step)) / (2 * h)
    return found


CASES = [
    in_an_arm,
    in_the_other_arm,
    in_an_inner_loop,
    in_a_while_loop,
    that_gets_shorter,
    an_entry_that_changes,
    the_last_entry,
    Kept().of_an_instance,
]


@pytest.mark.parametrize("f", CASES)
@pytest.mark.parametrize("save", ["values", "state"])
def test_is_what_it_was_in_that_round(f, save):
    got = gradgen.grad(f, save=save)(X)
    np.testing.assert_allclose(got, differences(f), rtol=1e-5, atol=1e-7)


def test_no_list_is_copied_for_its_length():
    text = gradgen.grad(in_an_arm).specialize(X).source
    assert "copy" not in text
