"""Parts of lists by bounds that the call tells, rows of tables, ranges: what they are in Python.

Each was taken for one entry, a number, once.
"""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

WEIGHTS = [0.5, 1.5, 2.5, 3.5]
PAIR = (0, 2)
ORDER = [3, 1, 0, 2]
BY_NAME = {"c": [1.0, 2.0, 3.0, 4.0]}
AROUND = [[0, 1], [1, 2], [2, 3], [3, 0]]
ROWS = range(0, 2)
X = np.array([1.0, 5.0, 2.0, 7.0])


def entries(x, k=2):
    order = [3, 1, 0, 2]
    return np.var(x[order[:k]])


def of_the_module(x, k=2):
    return np.prod(x[ORDER[:k]])


def powers(x, n=4):
    return np.sum(x ** [1, 2, 3, 2][:n])


def product(x, n=4):
    return x @ WEIGHTS[:n]


def quotient(x):
    return np.sum(x / WEIGHTS[: len(x)])


def joined(x, n=2):
    return np.sum((np.array([2.0] * 2 + WEIGHTS[:n])) * x)


def repeated(x, n=2):
    return np.sum((2 * WEIGHTS[:n])[3] * x)


def summed(x, n=3):
    return sum(WEIGHTS[:n]) * x[0] + len(WEIGHTS[:n]) * x[1] + max(WEIGHTS[:n]) * x[2]


def looped(x, n=3):
    total = 0.0
    for w in WEIGHTS[:n]:
        total = total + w * x[1] ** 2
    return total + sum(w * v for w, v in zip(WEIGHTS[:n], x))


def of_a_dictionary(x, n=2):
    return np.sum(BY_NAME["c"][:n]) * x[0] + BY_NAME["c"][n:][0] * x[1]


def compared(x, n=2):
    return x[0] if WEIGHTS[:n] == [0.5, 1.5] else 2 * x[0]


def of_computed(x, n=1):
    return np.sum([x[0], x[1] ** 2, x[2], x[3]][: n + 1])


def of_a_tuple(x, n=2):
    return np.sum(np.asarray(PAIR)[:n]) * x[0]


def row(x, i=0):
    return np.sum(x[AROUND[i]] ** 2)


def rows(x):
    total = 0.0
    for i in range(4):
        total = total + np.sum((x[AROUND[i]] - x[i]) ** 2)
    return total


def stored_rows(x, i=1):
    y = x * 1.0
    y[AROUND[i]] *= 2
    return np.sum(y**2)


def sort_of_row(x, i=1):
    is_pair = isinstance(AROUND[i], list) and AROUND[i] == [1, 2]
    return 2.0 * x[0] if is_pair else 3.0 * x[0]


def row_unpacked(x, i=1):
    a, b = AROUND[i]
    return x[a] * x[b] ** 2 + np.sum(x[AROUND[i] + AROUND[i]])


def range_as_key(x):
    y = x * 1.0
    y[ROWS] = 0
    return np.sum(y**2) + np.sum(x[ROWS[::-1]] * x[ROWS] ** 2)


def sort_of_range(x):
    own = range(1, 4)
    alike = ROWS == range(0, 2) and own == range(1, 4) and own != (1, 2, 3)
    return np.sum(x) * (2.0 if alike and isinstance(ROWS, range) else 3.0)


def default_as_key(x, rows=(0, 2)):
    return np.sum(x[list(rows)] ** 2)


def default_as_array(x, w=[1.0, 2.0, 3.0, 4.0]):
    return 3 * np.dot(x, w) - x[0]


def tuple_of_weights(x, w=(1.0, 2.0, 3.0, 4.0)):
    return np.sum(x * w)


FUNCTIONS = [
    *(entries, of_the_module, powers, product, quotient, joined, repeated, summed),
    *(looped, of_a_dictionary, compared, of_computed, of_a_tuple, row, rows),
    *(stored_rows, sort_of_row, row_unpacked, range_as_key, sort_of_range),
    *(default_as_key, default_as_array, tuple_of_weights),
]


def is_right_in_process(function):
    """Asserts value and gradient, and returns the gradient by differences."""
    want = numeric_gradient(function, [X], 0).value
    value, found = gradgen.value_and_grad(function)(X)
    np.testing.assert_allclose(value, function(X))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    return want


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_is_left_out_and_what_is_given(function):
    value, found = gradgen.value_and_grad(function)(X)
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(value, function(X))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    matrix = gradgen.jacobian(function)(X)
    assert type(matrix) is np.ndarray and matrix.dtype == X.dtype
    np.testing.assert_allclose(matrix, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_text_is_right_or_refused(function):
    try:
        text = gradgen.emit(function)
    except GradgenError:
        return
    names = {}
    exec(text, names)
    try:
        found = names[f"grad_{function.__name__}"](X)
    except ValueError as error:
        assert "taken for" in str(error)
    else:
        want = numeric_gradient(function, [X], 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def of_a_tuples_part(x, n):
    return np.sum(x[PAIR[:n]])


def test_the_part_of_a_tuple_is_refused_with_what_to_write():
    """A tuple is no list of places: x[(0, 2)] is one entry."""
    with pytest.raises(GradgenError, match="GG240 .*not known here") as refused:
        gradgen.emit(of_a_tuples_part)
    assert "np.array" in str(refused.value)


def in_rows(x):
    return np.sum(np.mean(x[PAIR, 0], axis=-1) ** 2)


def one_entry(x, at=(1, 2)):
    return np.sum(np.mean(x[at], axis=-1) ** 2)


def turned(x, at=(None, 1)):
    return np.sum(np.mean(x[at], axis=-1) ** 2)


@pytest.mark.parametrize("function", [in_rows, one_entry, turned])
def test_tuples_around_the_function_are_keys_as_they_are(function):
    x = np.random.default_rng(0).normal(size=(3, 4, 4))
    want = numeric_gradient(function, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-6, atol=1e-9)
    value, tangent = gradgen.jvp(function)(x, np.ones_like(x))
    np.testing.assert_allclose(tangent, np.sum(want), rtol=1e-6)


def joined_rows(x, n=2):
    return np.sum(x[([0, 1], [1, 2])[n - 1] + ([0, 1], [1, 2])[n - 1]])


def joined_named_rows(x, n=2):
    K = [[x[0], 1.0], [x[1], 2.0]]
    row = K[n - 1] + K[0]
    return sum(row) * len(row)


def compared_rows(x, n=2):
    K = [[0, 1], [1, 2]]
    return x[0] * (2.0 if K[n - 1] == [1, 2] else 3.0)


def grown_row(x, n=2):
    K = [[0, 1], [1, 2]]
    row = K[n - 1]
    row.append(0)
    return np.sum(x[row]) + len(K[1]) * x[1]


def row_as_array(x, n=2):
    K = [[x[0], 1.0], [x[1], 2.0]]
    return np.sum(np.array(K[n - 1]) ** 2) + np.sum(x[:2] * K[n - 1])


@pytest.mark.parametrize(
    "function",
    [joined_rows, joined_named_rows, compared_rows, grown_row, row_as_array],
)
def test_lists_in_local_lists_are_lists(function):
    want = is_right_in_process(function)
    try:
        text = gradgen.emit(function)
    except GradgenError:
        return
    names = {}
    exec(text, names)
    found = names[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def lengthened_row(x, n):
    K = [[x[0], 1.0], [x[1], 2.0]]
    row = K[n - 1]
    row *= 2
    return sum(row) * len(row)


def test_a_row_of_a_list_is_made_no_longer():
    for door in (gradgen.emit, lambda f: gradgen.grad(f)(X, 2)):
        try:
            found = door(lengthened_row)
        except GradgenError as refusal:
            assert "GG240" in str(refusal)
        else:
            np.testing.assert_allclose(found, [0.0, 8.0, 0.0, 0.0])


def doubled_default(x, K=[0.5, 1.5]):
    return np.sum((K + K)[-1] * x)


def joined_defaults(x, K=[0.5, 1.5], L=[2.0, 3.0]):
    return np.sum((K + L)[2] * x) + len(K + L) * x[0]


def repeated_default(x, K=[0.5, 1.5]):
    return np.sum((2 * K)[2] * x)


def parts_of_a_default(x, K=[0.5, 1.5, 2.0, 1.0]):
    return np.sum(x / K[1:][0]) + np.sum(x[1:] / K[1:]) + np.sum(K * x)


@pytest.mark.parametrize(
    "function", [doubled_default, joined_defaults, repeated_default, parts_of_a_default]
)
def test_defaults_that_are_lists_are_lists(function):
    want = is_right_in_process(function)
    names = {}
    exec(gradgen.emit(function), names)
    found = names[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
