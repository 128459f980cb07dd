"""Objects that stand for themselves: missing = object(), np._NoValue; x is None."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

_missing = object()


def inner(x, axis=_missing, scale=np._NoValue):
    if axis is _missing:
        axis = 0
    if scale is not np._NoValue:
        x = x * scale
    return np.sum(x**2, axis=axis)


def left_out(x):
    return np.sum(inner(x) ** 2)


def given(x):
    return np.sum(inner(x, 1, scale=3.0) ** 2)


def own(x, axis=_missing):
    if axis is _missing:
        return np.sum(x**2)
    return np.sum(np.max(x, axis=axis) ** 2)


def weighted(x, w=_missing):
    y = x if w is _missing else x * w
    return np.sum(y**2)


def in_a_list(x):
    parts = [_missing, x, 2 * x]
    return sum(np.sum(v * v) for v in parts if v is not _missing)


def of_a_table(x):
    value = {"a": x}.get("b", _missing)
    return np.sum(x**2) if value is _missing else np.sum(value)


def is_true(x):
    return np.sum(x**2) if _missing else np.sum(x)


class Cached:
    def __init__(self):
        self.known = _missing

    def loss(self, x):
        if self.known is _missing:
            self.known = 2 * x
        return np.sum(self.known**2)


def made_inside(x):
    return Cached().loss(x)


X = np.eye(3) + 0.1 + np.arange(9.0).reshape(3, 3) / 20


@pytest.mark.parametrize(
    "f", [left_out, given, own, weighted, in_a_list, of_a_table, is_true, made_inside]
)
def test_what_is_known_of_them_decides(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-7)
    space: dict = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space[f"grad_{f.__name__}"](X), want, rtol=1e-7)


@pytest.mark.parametrize(("f", "other"), [(own, 1), (weighted, X + 1)])
def test_an_argument_in_its_place(f, other):
    want = numeric_gradient(f, (X, other), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X, other), want, rtol=1e-7)
    space: dict = {}
    exec(gradgen.emit(f), space)
    with pytest.raises(ValueError, match="have no gradient here"):
        space[f"grad_{f.__name__}"](X, other)


def by_rounds(x):
    v = _missing
    for i in range(len(x)):
        v = x[i] * 2 if v is _missing else v * x[i]
    return np.sum(v)


def by_a_branch(x):
    v = _missing
    if x[0, 0] > 0:
        v = x * 2
    if v is _missing:
        return np.sum(x)
    return np.sum(v * x)


def by_an_arm(x):
    v = x if x[0, 0] > 0 else _missing
    return np.sum(x if v is _missing else v * x)


@pytest.mark.parametrize("f", [by_rounds, by_a_branch, by_an_arm])
def test_what_is_not_known_is_refused(f):
    for made in (lambda: gradgen.grad(f)(X), lambda: gradgen.emit(f)):
        with pytest.raises(gradgen.GradgenError) as caught:
            made()
        assert caught.value.code in ("GG222", "GG223")


def shape_or_none(x, w):
    given = None if w is None else np.asarray(w)
    shape = () if given is None else given.shape
    return np.sum(x**2) * len(shape)


def shapes_of_all(x, w):
    shapes = []
    for one, axes in zip([x, w], [2, 1]):
        one = None if one is None else np.asarray(one)
        shape = () if one is None else one.shape
        shapes.append(shape[:-axes])
    return np.sum(x * w) if not any(shapes) else np.sum(x)


@pytest.mark.parametrize("f", [shape_or_none, shapes_of_all])
@pytest.mark.parametrize("w", [X, X[0], None], ids=["matrix", "vector", "none"])
def test_an_argument_of_a_call_is_none_or_is_not(f, w):
    if w is None and f is shapes_of_all:
        return
    want = numeric_gradient(f, (X, w), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X, w), want, rtol=1e-7, atol=1e-9)


def multiplied(x):
    return x * _missing


def returned(x):
    return np.sum(x), _missing


def in_an_array(x):
    return np.sum(np.array([x[0, 0], _missing]))


def stored(x):
    y = x.copy()
    y[0] = _missing
    return np.sum(y)


def shown(x):
    print(_missing)
    return np.sum(x)


def compared(x):
    return np.sum(x) if _missing == x[0, 0] else np.sum(x**2)


@pytest.mark.parametrize(
    "f", [multiplied, returned, in_an_array, stored, shown, compared]
)
def test_they_are_no_numbers(f):
    for made in (lambda: gradgen.vjp(f)(X), lambda: gradgen.emit(f, value=True)):
        with pytest.raises(gradgen.GradgenError) as caught:
            made()
        assert caught.value.code == "GG211"
