"""Seeds of results that are lists or tuples whose length no text knows."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient

A = np.array([[0.4, 1.1, -0.7], [0.9, -1.3, 0.2], [1.6, 0.3, 0.8]])
W = (1.5, -0.5, 2.0)


def row_as_tuple(a):
    return tuple(a[0])


def row_as_list(a):
    return list(a[0])


def filled(a):
    found = []
    for x in a[1]:
        found.append(x * x)
    return found


def comprehended(a):
    return tuple(np.sin(x) for x in a[2])


def rows(a):
    return tuple(a)


def beside_a_count(a):
    return tuple(a[1] ** 2), 3


def doubled(a, list):
    found = []
    for x in a[1]:
        found.append(list * x)
    return found


def differences(a):
    dif = [0] * len(a)
    for i in range(1, len(a)):
        dif[i] = a[i, 0] - a[i - 1, 0] * a[i, 1]
    return dif


def carried_on(a):
    found = [0.0] * len(a)
    for i in range(len(a)):
        found[i] = a[i, 2] ** 2 + (0.5 * found[i - 1] if i else 0.0)
    return found


IN_TEXTS = [row_as_tuple, row_as_list, filled, doubled, differences, carried_on]


def measured(function, weights):
    def number(a):
        parts = function(a)
        return sum(np.sum(w * part) for w, part in zip(weights, parts, strict=True))

    return numeric_gradient(number, [A], 0).value


@pytest.mark.parametrize(
    "sort", [tuple, list, np.array], ids=["tuple", "list", "array"]
)
@pytest.mark.parametrize("function", [row_as_tuple, row_as_list, filled, comprehended])
def test_any_sequence_of_seeds(function, sort):
    want = measured(function, W)
    got = gradgen.grad(function)(A, seed=sort(W))
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    got = gradgen.vjp(function)(A)[1](sort(W))
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    "sort", [tuple, list, np.array], ids=["tuple", "list", "array"]
)
def test_seeds_that_are_rows(sort):
    weights = A[::-1] + 0.25
    got = gradgen.grad(rows)(A, seed=sort(weights))
    np.testing.assert_array_equal(got, weights)


def test_beside_what_has_no_seed():
    want = measured(lambda a: beside_a_count(a)[0], W)
    got = gradgen.grad(beside_a_count)(A, seed=(W, None))
    np.testing.assert_allclose(got, want, rtol=1e-7)


def test_none_stands_for_zeros_and_a_number_for_all():
    want = measured(filled, (1.5, 0.0, 2.0))
    got = gradgen.grad(filled)(A, seed=[1.5, None, 2])
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    want = measured(filled, (2.0, 2.0, 2.0))
    np.testing.assert_allclose(gradgen.grad(filled)(A, seed=2), want, rtol=1e-7)


@pytest.mark.parametrize("function", [row_as_tuple, filled])
def test_another_length_is_refused(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(A, seed=(1.0, 2.0))
    assert caught.value.code == "GG506"


@pytest.mark.parametrize(
    "sort", [tuple, list, np.array], ids=["tuple", "list", "array"]
)
@pytest.mark.parametrize("function", IN_TEXTS)
def test_texts_take_any_sequence(function, sort):
    space = {}
    exec(gradgen.emit(function), space)
    more = (1.7,) if function is doubled else ()
    seed = sort(W)
    got = space[f"grad_{function.__name__}"](A, *more, seed)
    want = measured(lambda a: function(a, *more), W)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(seed, W)  # the caller's own stays as it was
