"""Python's sum of an array, and of a comprehension over one, is np.sum where it may be."""

import math

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(3)


def of_an_array(x, y):
    return sum((x - y) ** 2) / len(x)


def of_logarithms(x, y):
    s = np.zeros(len(x))
    s[0] = x[0] ** 2
    for i in range(1, len(x)):
        s[i] = 0.5 * s[i - 1] + x[i] ** 2
    return sum(np.log(s)) + sum(y * x)


def of_a_generator(x, y):
    return sum((v - y[0]) ** 2 for v in x)


def of_a_list(x, y):
    return y[1] * sum([v**3 for v in x[1:]]) + x[0]


def squared(v):
    return v * v + 1


def of_a_function(x, y):
    return sum(squared(v) for v in x) * y[0]


def meaned(x, y):
    return np.mean([np.exp(-v / y[0] ** 2) for v in x])


def made_an_array(x, y):
    z = np.array([v**2 for v in x])
    z[0] = 3.0
    return np.sum(z * x) * y[0]


AT_ONCE = [of_an_array, of_logarithms, of_a_generator, of_a_list, of_a_function]
AT_ONCE += [meaned, made_an_array]


def beside_a_vector(x, y):
    return np.sum(np.sin(sum(v * y for v in x)))


def by_math(x, y):
    return sum(math.exp(v) for v in x) + y[0]


def by_a_test(x, y):
    return sum(v**2 if v > 0 else y[0] * v for v in x)


def of_some(x, y):
    return sum(v**2 for v in x if v > 0) * y[0]


def of_numbers(x, y):
    return sum(1.5 for v in x) * x[0] * y[0]


def of_places(x, y):
    return sum(x[i] * y[i] for i in range(len(x)))


def from_a_start(x, y):
    return sum(x, y[0]) ** 2


LOOPS = [
    beside_a_vector,
    by_math,
    by_a_test,
    of_some,
    of_numbers,
    of_places,
    from_a_start,
]


def is_right(function, x, y, gradient):
    want = numeric_gradient(function, (x, y), 0).value
    np.testing.assert_allclose(gradient(x, y), want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("function", AT_ONCE + LOOPS)
def test_right_in_process_and_as_text(function, size):
    x, y = R.normal(size=size), R.normal(size=max(size, 2))[: max(size, 2)]
    if function in (of_an_array, of_logarithms, of_places):
        y = y[:size]
    is_right(function, x, y, gradgen.grad(function))
    value, _ = gradgen.value_and_grad(function)(x, y)
    np.testing.assert_allclose(value, function(x, y), rtol=1e-12)
    space: dict = {}
    exec(gradgen.emit(function), space)
    is_right(function, x, y, space[f"grad_{function.__name__}"])


@pytest.mark.parametrize("function", AT_ONCE)
def test_no_loop_over_entries_is_left(function):
    text = gradgen.emit(function, shapes={"x": "n", "y": "n"})
    loops = sum(line.strip().startswith("for ") for line in text.split("\n"))
    # its own, and that of the way back
    assert loops == (2 if function is of_logarithms else 0)


def of_rows(x):
    return np.sum(np.sin(sum(x)))


def test_rows_are_added_up_along_the_first_axis():
    x = R.normal(size=(3, 2))
    want = numeric_gradient(of_rows, (x,), 0).value
    np.testing.assert_allclose(gradgen.grad(of_rows)(x), want, rtol=1e-6)
    space: dict = {}
    exec(gradgen.emit(of_rows, shapes={"x": "n d"}), space)
    np.testing.assert_allclose(space["grad_of_rows"](x), want, rtol=1e-6)


def test_lists_are_taken_as_well():
    found = gradgen.grad(of_a_generator)([1.0, 2.0, 4.0], [0.5, 1.0])
    np.testing.assert_allclose(found, [1.0, 3.0, 7.0])


@pytest.mark.parametrize("function", [of_a_generator, of_a_list, of_a_function])
def test_the_text_takes_lists_where_nothing_tells_of_arrays(function):
    space: dict = {}
    exec(gradgen.emit(function), space)
    x, y = [1.0, 2.0, 4.0], [0.5, 1.0]
    want = numeric_gradient(function, (np.array(x), np.array(y)), 0).value
    found = space[f"grad_{function.__name__}"](x, y)
    np.testing.assert_allclose(found, want, rtol=1e-6)


def counted(x, n):
    return x[0] * sum(n) * sum(n > 1)


def test_integers_and_masks():
    x, n = R.normal(size=2), np.array([1, 2, 3])
    np.testing.assert_allclose(gradgen.grad(counted)(x, n), [12.0, 0.0])


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64])
def test_small_integers_are_added_up_in_their_own_dtype(dtype):
    x, n = R.normal(size=2), np.array([200, 100, 7]).astype(dtype)
    with np.errstate(over="ignore"):
        found = gradgen.grad(scaled_by_a_sum)(x, n)
        np.testing.assert_allclose(found, [float(sum(n)) + float(sum(n)), 0.0])


def scaled_by_a_sum(x, n):
    return x[0] * sum(n) + x[0] * sum(k for k in n)


def counted_by_a_list(x):
    seen = []

    def twice(v):
        seen.append(1.0)
        return 2 * v

    return sum(twice(v) for v in x) * len(seen)


def counted_in_an_array(x):
    seen = np.zeros(1)

    def twice(v):
        seen[0] += 1.0
        return 2 * v

    return sum([twice(v) for v in x]) * seen[0]


def taken_from_a_list(x):
    weights = [1.0, 2.0, 3.0, 4.0]
    return sum([v * weights.pop() for v in x])


@pytest.mark.parametrize(
    "function", [counted_by_a_list, counted_in_an_array, taken_from_a_list]
)
def test_what_each_round_changes_changes_in_each_round(function):
    x = R.normal(size=4)
    want = numeric_gradient(function, (x,), 0).value
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-6)
    space: dict = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space[f"grad_{function.__name__}"](x), want, rtol=1e-6)


def beside_itself(x, y):
    return np.sum((sum((v - x) ** 2 for v in x) - y) ** 2)


def beside_another_name_of_it(x, y):
    q = x * y
    p = (q, x)
    return np.sum(np.array([v - p[0] for v in q]) @ x)


def beside_itself_in_a_function(x, y):
    def away(v, m=x):
        return np.sum((v - m) ** 2)

    return np.mean([away(v) for v in x]) * y[0]


def of_a_density(x, y):
    z = x + y
    return np.mean([np.log(np.mean(np.exp(-((v - z) ** 2)))) for v in z])


def beside_a_part_of_it(x, y):
    tail = x[1:]
    return np.sum(sum(v * tail for v in tail)) + np.sum(np.array([tail / v for v in y]))


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize(
    "function",
    [
        beside_itself,
        beside_another_name_of_it,
        beside_itself_in_a_function,
        of_a_density,
        beside_a_part_of_it,
    ],
)
def test_the_vector_itself_is_none_of_its_entries(function, size):
    x, y = R.uniform(0.5, 2.0, size=(2, size))
    is_right(function, x, y, gradgen.grad(function))
    for shapes in ({}, {"x": "n", "y": "n"}):
        space: dict = {}
        exec(gradgen.emit(function, shapes=shapes), space)
        is_right(function, x, y, space[f"grad_{function.__name__}"])


def by_its_length(x, y):
    q = x * y
    return sum(v / len(q) for v in q) + np.mean([v * x[0] - np.sum(x) for v in x])


def test_its_length_and_its_entries_are_numbers():
    x, y = R.normal(size=(2, 4))
    is_right(by_its_length, x, y, gradgen.grad(by_its_length))
    text = gradgen.emit(by_its_length, shapes={"x": "n", "y": "n"})
    assert not any(line.strip().startswith("for ") for line in text.split("\n"))


def of_what_was_stored(x, y):
    w = x * y
    w[0] += 1
    return sum(v * 2 for v in w) + np.sum(np.array([v * w[0] for v in w]))


def of_an_argument_that_changes(x, y):
    x[0] = y[0]
    return sum(v * v for v in x) + np.mean([v * y[1] for v in x])


def of_views_in_rounds(x, y):
    w, total = x * 1.0, 0.0
    for k in range(2):
        w[k] = w[k] * np.mean([v * v for v in w[1:]])
        total = total + sum(np.tanh(v * w[0]) for v in w) + w[k] * y[0]
    return total


@pytest.mark.parametrize(
    "function",
    [of_what_was_stored, of_an_argument_that_changes, of_views_in_rounds],
)
def test_entries_are_those_of_the_moment(function):
    x, y = R.uniform(0.5, 1.5, size=(2, 3))

    def plain(x):
        return function(x.copy(), y)

    want = numeric_gradient(plain, (x,), 0).value
    value, found = gradgen.value_and_grad(function)(x, y)
    np.testing.assert_allclose(value, plain(x), rtol=1e-12)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    for shapes in ({}, {"x": "n", "y": "n"}):
        space: dict = {}
        exec(gradgen.emit(function, shapes=shapes), space)
        found = space[f"grad_{function.__name__}"](x.copy(), y)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
