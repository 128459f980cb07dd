"""Arguments that are lists or tuples of numbers: their defaults, or those of an example."""

import numpy as np
import pytest

import gradgen


def squares(x=(1.0, 2.0)):
    return np.sum(np.square(x))


def of_array(x=(1.0, 2.0), y=2.0):
    return np.sum(np.asarray(x) ** 2) * np.sum(y)


def by_entries(x=(1.0, 2.0)):
    return sum(v**3 for v in x)


def unpacked(x=(1.0, 2.0)):
    a, b = x
    return a * b**2


def largest(x=(1.0, 2.0)):
    return np.max(x)


def read(x=(1.0, 2.0)):
    return x[0] * x[1]


def squares_of(x):
    return np.sum(np.square(x))


def of_array_of(x, y=2.0):
    return np.sum(np.asarray(x) ** 2) * np.sum(y)


def by_entries_of(x):
    return sum(v**3 for v in x)


def annotated(x: list[float]):
    return np.sum(np.square(x))


def annotated_tuple(x: tuple[float, float]):
    return np.sum(np.exp(x)) * np.max(x)


def annotated_dot(x: list[float]):
    return np.dot(x, x)


def annotated_whole(x: list[int]):
    return np.prod(x)


def measured(function, x):
    columns = [np.array(x) + 1e-6 * step for step in np.eye(len(x))]
    others = [np.array(x) - 1e-6 * step for step in np.eye(len(x))]
    pairs = zip(columns, others)
    return [(function(list(a)) - function(list(b))) / 2e-6 for a, b in pairs]


def gradient_of(text, function):
    names = {}
    exec(text, names)
    return names[f"grad_{function.__name__}"]


@pytest.mark.parametrize(
    "function", [squares, of_array, by_entries, unpacked, largest, read]
)
def test_defaults(function):
    gradient = gradient_of(gradgen.emit(function), function)
    for args in ((), ([1.5, 2.5],), ((3, 2),), (np.array([0.5, 0.7]),)):
        x = args[0] if args else (1.0, 2.0)
        found = gradient(*args)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, measured(function, x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", [squares_of, of_array_of, by_entries_of])
@pytest.mark.parametrize("example", [[1.5, 2.5], (1.5, 2.5), [1, 2]])
def test_examples(function, example):
    gradient = gradient_of(gradgen.emit(function, example=(example,)), function)
    for x in (example, [0.5, 0.7, 0.9], np.array([0.5, 0.7])):
        found = gradient(x)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, measured(function, x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "function", [annotated, annotated_tuple, annotated_dot, annotated_whole]
)
@pytest.mark.parametrize("seed", [1.0, 2])
def test_annotations(function, seed):
    gradient = gradient_of(gradgen.emit(function), function)
    found = gradient([1.5, 2.5], d_out=seed)
    expected = seed * np.array(measured(function, [1.5, 2.5]))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def joined(x: list[float]):
    return np.sum(np.asarray(x + x) ** 2)


def repeated(x=(1.0, 2.0)):
    return np.sum(np.asarray(x * 2) ** 2)


def repeated_of(x):
    return np.sum(np.asarray(3 * x) ** 2)


@pytest.mark.parametrize("function", [joined, repeated_of])
def test_what_joins_lists_is_refused(function):
    with pytest.raises(gradgen.GradgenError, match="GG511|GG214"):
        gradgen.emit(function, example=([1.0, 2.0],))


def test_what_repeats_a_list_as_no_array_is_of_that_list():
    text = gradgen.emit(repeated, example=([1.0, 2.0],))
    found = gradient_of(text, repeated)([1.5, 0.5])
    np.testing.assert_allclose(found, [6.0, 2.0])
