"""A text for an example looks how many axes arguments have, where the function asks."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Held:
    def __init__(self, m, t=None):
        self.m, self.t = m, {"a": 2.0} if t is None else t


def by_ndim(x, m):
    return np.sum(m) * x if m.ndim == 2 else x**2


def by_length_of_shape(x, m):
    if len(np.shape(m)) > 1:
        return np.sum(m) * x
    return x**2


def by_shape(x, m):
    return x if not np.shape(m) else x**3


def by_membership(x, m):
    return x * np.sum(m) if np.ndim(m) in (1, 2) else x**2


def by_lengths(x, m):
    s = 0.0
    for n in np.shape(m):
        s = s + n * x
    return s


def by_axis(x, m):
    return np.cumsum(m * x, axis=m.ndim - 2).sum()


def by_table(x, m):
    return x ** {1: 2.0, 2: 3.0, 3: 4.0}[np.ndim(m)]


def by_axes(x, m):
    return np.sum(np.max(m * x, axis=tuple(range(1, m.ndim))))


def of_what_is_made(x, m):
    y = np.atleast_2d(m) * x
    return y.sum() if y.ndim == 2 else np.sum(y**2)


def scaled(x, m):
    return np.sum(m) * np.sin(x) if np.ndim(m) == 2 else x**2 * np.sum(m)


def twice(x, m):
    return scaled(x, m) + scaled(2 * x, m)


def is_array(x, m):
    return x**2 if isinstance(m, np.ndarray) else x


def is_one(x, m):
    return x**2 if np.isscalar(m) else x


FUNCTIONS = (
    by_ndim,
    by_length_of_shape,
    by_shape,
    by_membership,
    by_lengths,
    by_axis,
    by_table,
    by_axes,
    of_what_is_made,
    twice,
    is_array,
    is_one,
)
VALUES = (
    2.0,
    np.arange(3.0) + 1,
    np.arange(6.0).reshape(2, 3) + 1,
    np.arange(12.0).reshape(2, 3, 2) + 1,
)


def is_right_or_raises(f, gradient, value, own):
    try:
        want = numeric_gradient(lambda x: f(x, value), [1.3], 0).value
    except Exception:
        want = None
    try:
        got = gradient(1.3, value)
    except Exception:
        assert not own
        return
    assert want is not None
    np.testing.assert_allclose(got, want, rtol=1e-5)


def takes(f, value):
    try:
        f(1.3, value)
    except (AttributeError, KeyError, np.exceptions.AxisError):
        return False
    return True


@pytest.mark.parametrize("keep_calls", (False, True))
@pytest.mark.parametrize(
    "f, told", [(f, told) for f in FUNCTIONS for told in VALUES if takes(f, told)]
)
def test_other_ranks_are_right_or_raise(f, told, keep_calls):
    space = {}
    text = gradgen.emit(f, wrt="x", example=(1.3, told), keep_calls=keep_calls)
    exec(text, space)
    for value in VALUES:
        is_right_or_raises(f, space[f"grad_{f.__name__}"], value, value is told)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_of_what_an_object_holds(f):
    def of_object(x, p):
        return f(x, p.m)

    told = Held(VALUES[2])
    space = {}
    exec(gradgen.emit(of_object, wrt="x", example=(1.3, told)), space)
    for value in VALUES:
        gradient = space["grad_of_object"]
        is_right_or_raises(of_object, gradient, Held(value), value is VALUES[2])


def has_key(x, p):
    return x**2 if "k" in p.t else x * p.t.get("z", 3.0)


@pytest.mark.parametrize("told", ({"a": 2.0}, {"k": 2.0}, {"z": 1.0}))
def test_keys_of_what_an_object_holds(told):
    space = {}
    exec(gradgen.emit(has_key, wrt="x", example=(1.3, Held(0.0, told))), space)
    for other in ({"a": 2.0}, {"k": 2.0}, {"z": 1.0}, {"z": 5.0}, {}):
        held = Held(0.0, other)
        is_right_or_raises(has_key, space["grad_has_key"], held, other == told)


class Foreign:
    def __mul__(self, other):
        return 2 * other

    __rmul__ = __mul__


class Derived(Foreign):
    pass


def of_class(x, m):
    if isinstance(m, Foreign):
        x = x**2
    return x * m


def of_type(x, m):
    if type(m) is Foreign:
        return x**2
    return x * 3.0


@pytest.mark.parametrize("f", (of_class, of_type))
def test_instances_of_classes_without_a_name_raise(f):
    space = {}
    exec(gradgen.emit(f, wrt="x"), space)
    for value in (2.0, Foreign(), Derived()):
        is_right_or_raises(f, space[f"grad_{f.__name__}"], value, value == 2.0)
