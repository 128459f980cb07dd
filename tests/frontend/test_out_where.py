"""out= with where= of a ufunc: the entries that are not computed stay as they were."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def safe(a, b):
    return np.sum(np.divide(a, b, out=np.zeros_like(a), where=b != 0) ** 2)


def below(a, b):
    known = a * 2
    np.log(b, out=known, where=b > 0.7)
    return np.sum(known**2)


def by_place(a, b):
    known = np.ones_like(a)
    np.multiply(a, b, known, where=a > b)
    return np.sum(known * b)


def in_a_tuple(a, b):
    known = a * 3
    np.add(a, b, out=(known,), where=[True, False, True])
    return np.sum(known**2)


def used_after(a, b):
    known = np.zeros_like(b)
    return np.sum(a * np.divide(0.5, b, out=known, where=b > 0.6)) + np.sum(known)


def into_a_view(a, b):
    both = np.stack([a, b])
    np.sqrt(a * b, out=both[1], where=a > 0.8)
    return np.sum(both**2)


def in_a_loop(a, b):
    known = np.copy(a)
    for k in range(3):
        np.multiply(known, b, out=known, where=b > 0.5 + 0.25 * k)
    return np.sum(known)


def of_rows(a, b):
    known = np.zeros((2, 3))
    np.multiply(a, b, out=known, where=np.array([[True], [False]]))
    return np.sum(known**2)


def into_itself(a, b):
    a = a.copy()
    np.divide(a, b, out=a, where=b > 0.7)
    return np.sum(a**3)


def always(a, b):
    return np.sum(np.multiply(a, b, out=np.empty_like(a), where=True))


def of_flags(a, b):
    flags = np.zeros(3, dtype=bool)
    np.less(a, 0.9, out=flags, where=b > 0.7)
    return np.sum(np.where(flags, a * b, b))


def of_sums(a, b):
    total = np.zeros(())
    np.sum(a * b, where=b > 0.7, out=total)
    return total * 2


def copied(a, b):
    known = a * 2
    np.copyto(known, b**2, where=b > 0.7)
    return np.sum(known**2)


def put_by_a_mask(a, b):
    known = a * 2
    np.putmask(known, a > 0.9, b)
    np.putmask(known, b > 1.2, 0.5)
    return np.sum(known**2)


def repeated_products(a, b):
    known = np.ones((2, 3, 3))
    np.outer(a, b, out=known)
    return np.sum(known * np.arange(2.0)[:, None, None])


def repeated_numbers(a, b):
    known = np.zeros(2)
    np.vecdot(a, b, out=known)
    return np.sum(known * np.arange(2.0))


PROGRAMS = [
    repeated_products,
    *([repeated_numbers] if hasattr(np, "vecdot") else []),
    copied,
    put_by_a_mask,
    safe,
    below,
    by_place,
    in_a_tuple,
    used_after,
    into_a_view,
    in_a_loop,
    of_rows,
    into_itself,
    always,
    of_flags,
    of_sums,
]
POINT = np.array([0.4, 1.1, 0.95]), np.array([0.9, 0.65, 1.3])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("f", PROGRAMS)
def test_a_call_has_the_derivative(f, dtype):
    point = [one.astype(dtype) for one in POINT]
    exact = [one.astype(np.float64) for one in point]
    found = gradgen.grad(f, wrt=("a", "b"))(*point)
    room = 1e-7 if dtype is np.float64 else 2e-5
    for i, g in enumerate(found):
        want = numeric_gradient(f, exact, i).value
        assert g.shape == want.shape and g.dtype == dtype
        np.testing.assert_allclose(g, want, rtol=room, atol=room)


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("told", [{}, {"a": "3", "b": "3"}])
def test_a_text_has_the_derivative(f, told):
    text = gradgen.emit(f, wrt=("a", "b"), shapes=told)
    space: dict = {}
    exec(text, space)
    found = space[f"grad_{f.__name__}"](*POINT)
    for i, g in enumerate(found):
        want = numeric_gradient(f, POINT, i).value
        np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)


def test_zeros_that_are_not_divided_by_have_no_share():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 0.5])
    d_a, d_b = gradgen.grad(safe, wrt=("a", "b"))(a, b)
    np.testing.assert_array_equal(d_a, [2 * 0.5 * 0.5, 0, 2 * 6 * 2])
    np.testing.assert_array_equal(d_b, [-2 * 0.5 * 0.25, 0, -2 * 6 * 12])


def test_a_mask_larger_than_the_array_raises():
    def f(a):
        known = np.zeros_like(a)
        return np.sum(np.sqrt(a, out=known, where=np.ones((2, 3), bool)))

    with pytest.raises(ValueError):
        f(POINT[0])
    with pytest.raises(ValueError):
        gradgen.grad(f)(POINT[0])


def test_without_an_array_the_others_are_not_known():
    def f(a):
        return np.sum(np.sqrt(a, where=a > 0, out=None))

    with pytest.raises(gradgen.GradgenError, match="where"):
        gradgen.grad(f)(POINT[0])


@pytest.mark.parametrize("mask", [np.array([True]), np.array(True)])
def test_a_mask_of_another_size_raises_as_numpy_does(mask):
    def f(a, m):
        known = a * 2
        np.putmask(known, m, 0.5)
        return np.sum(known**2)

    with pytest.raises(ValueError, match="same size"):
        f(POINT[0], mask)
    with pytest.raises(ValueError, match="same size"):
        gradgen.grad(f)(POINT[0], mask)
