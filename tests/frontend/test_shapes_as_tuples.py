"""x.shape, x.ndim and tuples put together: (3,) + x.shape, (1,) * x.ndim, *x.shape."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def grown(x):
    shape = x.shape
    shape += (2,)
    return np.sum(np.ones(shape)) * np.sum(x**2)


def grown_one_by_one(x):
    shape = (2,)
    for n in x.shape:
        shape += (n,)
    return np.sum(np.ones(shape)) * np.sum(x**2)


def changed(x):
    shape = list(x.shape)
    shape[0] = 1
    return np.sum(np.ones(shape) * x**2)


def unpacked(x):
    n, *rest = x.shape
    return np.sum(np.ones((n, *rest)) * x**2)


FORMS = {
    "ahead": lambda x: np.sum(np.zeros((3,) + x.shape) + x**2),
    "behind": lambda x: np.sum(x.reshape(x.shape + (1,)) ** 2),
    "last": lambda x: np.sum(x.reshape(x.shape[:-1] + (1, -1)) ** 2),
    "first": lambda x: np.sum(np.concatenate([x, np.ones((2,) + x.shape[1:])]) ** 3),
    "twice": lambda x: np.sum(np.ones(x.shape + x.shape) * np.sum(x**2)),
    "times": lambda x: np.sum(np.ones(x.shape * 2) * np.sum(x**2)),
    "array": lambda x: np.sum(np.array(x.shape) + x.ndim) * np.sum(x**2),
    "beside": lambda x: np.sum(x.shape + np.ones(x.ndim)) * np.sum(x**2),
    "starred": lambda x: np.sum(x.reshape(*x.shape, 1) ** 2),
    "inside": lambda x: np.sum(np.ones((2, *x.shape)) + x**2),
    "in a list": lambda x: np.sum(np.ones([2] + list(x.shape)) * x**2),
    "as a tuple": lambda x: np.sum(np.ones(tuple(x.shape)) * x**2),
    "ones": lambda x: np.sum(np.ones((1,) * x.ndim) * x**2),
    "slices": lambda x: np.sum(x[(slice(None),) * (x.ndim - 1) + (0,)] ** 2),
    "widths": lambda x: np.sum(np.pad(x, [(0, 1)] + [(0, 0)] * (x.ndim - 1)) ** 2),
    "axes": lambda x: np.sum(x.transpose(tuple(range(x.ndim))[::-1])[0] ** 2),
    "broadcast": lambda x: np.sum(np.broadcast_to(x, (2,) + x.shape) ** 2),
    "largest": lambda x: max(x.shape + (1,)) * np.sum(x**2),
    "count": lambda x: len(x.shape + (1,)) * np.sum(x**2),
    "same": lambda x: np.sum(x**2) * (x.shape + (1,) == (2, 3, 1)),
    "product": lambda x: np.prod(x.shape[1:] + (2,)) * np.sum(x**2),
    "zeros like None": lambda x: np.sum(np.zeros_like(x, shape=None) + x**2),
    "full like None": lambda x: np.sum(np.full_like(x, 2.0, shape=None) * x),
    "zeros like": lambda x: np.sum(np.zeros_like(x, shape=(2,) + x.shape) + x**2),
    "full like": lambda x: np.sum(np.full_like(x, x[-1], shape=(2,) + x.shape) * x),
    "grown": grown,
    "grown one by one": grown_one_by_one,
    "changed": changed,
    "unpacked": unpacked,
}
ARRAYS = [np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3) + 0.5]


@pytest.mark.parametrize("x", ARRAYS, ids=["vector", "matrix"])
@pytest.mark.parametrize("form", FORMS)
def test_value_and_gradient_with_nothing_told(form, x):
    f = FORMS[form]
    value, gradient = gradgen.value_and_grad(f)(x.copy())
    np.testing.assert_allclose(value, f(x), rtol=1e-12)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("form", ["ahead", "behind", "starred", "ones"])
def test_a_shape_of_unknown_rank_is_refused_with_the_fact_that_tells(form):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(FORMS[form], general=True)
    assert "--shape x=" in str(caught.value)
    assert "grad_" in gradgen.emit(FORMS[form], shapes={"x": "n"})
