"""Arrays that nobody stores into from there on: x.setflags(write=False)."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare

X = np.array([0.3, 0.9, 1.4])


def _table(n):
    k = np.arange(1, n + 1) * 1.0
    k.setflags(write=False)
    return k


def of_a_table(x):
    return np.sum(_table(len(x)) * x * x)


def of_a_value(x):
    y = x * x
    y.setflags(False)
    return np.sum(y * x)


def filled_before(x):
    y = np.zeros(3)
    y[1:] = x[:2]
    y.setflags(write=False)
    return np.sum(y * x)


@pytest.mark.parametrize("f", [of_a_table, of_a_value, filled_before])
def test_a_lock_changes_no_value(f):
    compare(f, (X,))


def of_the_callers(x):
    x.setflags(write=False)
    return np.sum(x * x)


def opened(x):
    y = x * x
    y.setflags(write=True)
    return np.sum(y)


@pytest.mark.parametrize("f", [of_the_callers, opened])
def test_other_flags_are_refused(f):
    with pytest.raises(GradgenError, match="GG112"):
        gradgen.emit(f)


def of_a_number(x):
    z = np.complex128(x[0]) * 2j
    return np.abs(z) ** 2 * x[1]


def of_an_array(x):
    z = np.complex128(x) * (2j + 1)
    return np.sum(z.real * x + z.imag)


def of_a_complex(x):
    z = np.complex128(np.exp(1j * x))
    return np.sum((z * z).imag)


@pytest.mark.parametrize("f", [of_a_number, of_an_array, of_a_complex])
def test_complex128_as_a_function(f):
    compare(f, (X,))
