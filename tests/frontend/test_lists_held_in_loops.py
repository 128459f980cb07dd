"""Lists that an instance holds while a loop changes what else it holds."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

W = np.random.default_rng(0).normal(size=(3, 3))
X = np.random.default_rng(1).normal(size=(5, 3))


class Cell:
    def __init__(self, w):
        self.params, self.cache = [w], None

    def forward(self, x, h):
        (w,) = self.params
        after = np.tanh(x + h @ w)
        self.cache = (x, h, after)
        return after


class Recurrent:
    """Its state goes from round to round, beside a list of its own."""

    def __init__(self):
        self.w, self.h = W, None
        self.items, self.more, self.layers = [], [], None

    def keeps_layers(self, x):
        self.layers, out = [], np.empty(x.shape)
        self.h = np.zeros(3)
        for t in range(x.shape[0]):
            layer = Cell(self.w)
            self.h = layer.forward(x[t], self.h)
            out[t, :] = self.h
            self.layers.append(layer)
        return np.sum(out**2)

    def keeps_pairs(self, x):
        self.h, out = np.zeros(3), 0.0
        for t in range(x.shape[0]):
            for k in range(2):
                self.h = np.tanh(x[t] + self.h @ self.w)
                self.items.append((k, self.h))
            out = out + np.sum(self.h)
        return out

    def keeps_some(self, x):
        self.items, self.h = [], np.zeros(3)
        for t in range(x.shape[0]):
            self.h = np.tanh(x[t] + self.h @ self.w)
            if t > 0:
                self.items.append({"h": self.h})
        return np.sum(self.h)

    def reads(self, x):
        self.items, self.h = [np.zeros(3)], np.zeros(3)
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.items[-1] @ self.w)
            self.items.append(self.h * t)
        return np.sum(self.items[-1] ** 2) + np.sum(self.items[1])

    def joined(self, x):
        self.items, self.h = [x], np.zeros(3)
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.h @ self.w)
            self.items = self.items + [self.h * t]
        return np.sum(self.items[-1]) + np.sum(self.items[0])

    def changes_places(self, x):
        self.items, self.more, self.h = [], [x[0]], np.zeros(3)
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.h @ self.w)
            self.items.append(self.h * t)
            self.items, self.more = self.more, self.items
        return np.sum(np.array(self.items)) + 2 * np.sum(np.array(self.more) ** 2)

    def is_cut(self, x):
        self.items, self.h, out = [], np.zeros(3), 0.0
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.h @ self.w)
            self.items.append(self.h * t)
            if len(self.items) > 2:
                out = out + np.sum(self.items[0])
                self.items = self.items[1:]
        return out

    def keeps_the_first(self, x):
        self.items, self.h = [], np.zeros(3)
        first = self.items
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.h @ self.w)
            first.append(self.h)
            self.items = self.items + [x[t]]
        return np.sum(first[-1] ** 2) + np.sum(np.array(self.items) ** 3)

    def may_be_the_first(self, x):
        self.items, self.h = [], np.zeros(3)
        first = self.items
        for t in range(len(x)):
            self.h = np.tanh(x[t] + self.h @ self.w)
            self.items.append(self.h * t)
            if t == 1:
                self.items = []
        return np.sum(np.array(first) ** 2) + np.sum(np.array(self.items))


def differences(f):
    h, found = 1e-6, np.zeros(X.shape)
    for at in np.ndindex(X.shape):
        step = np.zeros(X.shape)
        step[at] = h
        found[at] = (f(X + step) - f(X - step)) / (2 * h)
    return found


KEPT = ["keeps_layers", "keeps_pairs", "keeps_some"]
BOUND_ANEW = ["joined", "changes_places", "is_cut"]


@pytest.mark.parametrize("name", [*KEPT, "reads", *BOUND_ANEW])
def test_a_list_beside_a_state(name):
    def value(x):
        return getattr(Recurrent(), name)(x)

    got = gradgen.grad(getattr(Recurrent(), name))(X)
    np.testing.assert_allclose(got, differences(value), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["keeps_the_first", "may_be_the_first"])
def test_another_name_of_it_is_right_or_refused(name):
    def value(x):
        return getattr(Recurrent(), name)(x)

    try:
        got = gradgen.grad(getattr(Recurrent(), name))(X)
    except GradgenError:
        return
    np.testing.assert_allclose(got, differences(value), rtol=1e-6, atol=1e-8)
