"""What a try block asks alone: whether a value has axes, whether a table has a key."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

TABLE = {"J": 2.0, "eV": 3.0}


def is_iterable(value):
    if isinstance(value, str):
        return False
    else:
        try:
            iter(value)
        except TypeError:
            return False
        else:
            return True


def by_asking(t):
    if is_iterable(t):
        out = np.zeros(len(t))
        for i, one in enumerate(t):
            out[i] = one**2
        return np.sum(out)
    return t**3


def by_length(t):
    try:
        n = len(t)
    except TypeError:
        n = 1
    return np.sum(t) * n


def returning(t):
    try:
        len(t)
    except (TypeError, ValueError):
        return t**2
    return np.sum(t**3)


def by_an_iterator(t):
    try:
        unused = iter(t)  # noqa: F841
    except Exception:
        return t * 2
    return np.sum(t * t)


@pytest.mark.parametrize("t", [1.3, np.array([1.3, 0.4]), np.array([0.2])])
@pytest.mark.parametrize("f", [by_asking, by_length, returning, by_an_iterator])
def test_one_text_for_numbers_and_arrays(f, t):
    want = numeric_gradient(f, (t,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(t), want, rtol=1e-8)
    space = {}
    exec(gradgen.emit(f), space)
    got = space[f"grad_{f.__name__}"](t)
    assert np.shape(got) == np.shape(t)
    np.testing.assert_allclose(got, want, rtol=1e-8)


def planck(units):
    table = {"J s": 6.6, "eV s": 4.1}
    try:
        table[units]
    except KeyError:
        raise KeyError(f"Invalid unit {units}")
    return table[units]


def with_units(x):
    return np.sum(x**2) * planck("J s")


def without(x):
    try:
        TABLE["q"]
    except KeyError:
        return np.sum(x) * 7
    return np.sum(x)


def behind_the_last(x):
    pair = (x, 2 * x)
    try:
        pair[2]
    except IndexError:
        return np.sum(x) * 3
    return np.sum(pair[1])


@pytest.mark.parametrize(
    "f, want", [(with_units, 13.2), (without, 7), (behind_the_last, 3)]
)
def test_items_that_are_asked_for(f, want):
    np.testing.assert_allclose(gradgen.grad(f)(np.ones(3)), want)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space[f"grad_{f.__name__}"](np.ones(3)), want)


def by_unit(x, unit="eV"):
    try:
        TABLE[unit]
    except KeyError:
        raise ValueError(unit)
    return x * TABLE[unit]


def going_on(x, unit="eV"):
    try:
        TABLE[unit]
    except KeyError:
        return x * 7
    return x * TABLE[unit]


def test_keys_that_an_argument_tells():
    assert gradgen.grad(by_unit)(1.5, "J") == 2
    assert gradgen.grad(going_on)(1.5, "J") == 2
    space = {}
    exec(gradgen.emit(by_unit) + gradgen.emit(going_on), space)
    assert space["grad_by_unit"](1.5, "J") == 2
    assert space["grad_going_on"](1.5) == 3
    for name in ("grad_by_unit", "grad_going_on"):
        with pytest.raises((KeyError, ValueError)):
            space[name](1.5, "K")


def entry_alone(x):
    try:
        x[5]
    except KeyError:
        return np.sum(x) * 3
    return np.sum(x)


def outside_of_try(x):
    TABLE["J"]
    return np.sum(x)


@pytest.mark.parametrize("f", [entry_alone, outside_of_try])
def test_what_may_raise_and_is_not_looked_at_is_refused(f):
    with pytest.raises(GradgenError, match="GG112"):
        gradgen.grad(f)(np.ones(3))
