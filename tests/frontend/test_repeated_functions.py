"""(f,) * n and [f] * n: one function, as often as a number of the call says."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

M = np.array([[0.3, 1.2, 0.7], [0.9, 0.4, 0.8], [1.4, 0.6, 0.2], [0.5, 0.7, 1.1]])


def share(x, cost=False):
    return 1 - x / np.max(x) if cost else x / np.max(x)


def normalized(m, method, types):
    if callable(method):
        method = (method,) * m.shape[1]
    elif not isinstance(method, (list, tuple)):
        raise ValueError("no method")
    out = m.astype(float)
    for i, (kind, one) in enumerate(zip(types, method)):
        out[:, i] = one(m[:, i], cost=kind != 1)
    return out


def by_columns(m, types):
    return normalized(m, share, types)


def in_turn(x, n):
    layers = [np.sin] * n
    for f in layers:
        x = f(x)
    return x * len(layers)


def by_place(x, n):
    layers = (lambda v: v * v + 0.1,) * n
    for i in range(len(layers)):
        x = layers[i](x)
    return x


def mapped(x):
    return np.array([f(v) for f, v in zip([np.exp] * len(x), x)])


def known(x):
    first, second = (np.cos,) * 2
    return first(second(x))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (by_columns, (M, np.array([1, -1, 1]))),
        (in_turn, (0.4, 3)),
        (by_place, (0.4, 2)),
        (by_place, (0.4, 0)),
        (mapped, (M[0],)),
        (known, (0.4,)),
    ],
)
def test_one_function(f, args):
    compare(f, args)


def cut(x, n):
    layers = [np.sin] * n
    for f in layers[1:]:
        x = f(x)
    return x


def joined(x, n):
    layers = [np.sin] * n + [np.cos]
    for f in layers:
        x = f(x)
    return x


@pytest.mark.parametrize("f", [cut, joined])
def test_others_are_refused(f):
    with pytest.raises(gradgen.GradgenError):
        gradgen.emit(f)
