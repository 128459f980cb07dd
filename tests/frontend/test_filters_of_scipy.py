"""Filters along one axis, windows and least squares of SciPy's, under any name."""

import numpy as np
import pytest
import scipy.linalg
from scipy import ndimage, signal
from scipy.ndimage import correlate1d

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.both_doors import compare

V = np.sin(np.arange(12) * 0.7)
M = np.sin(np.arange(24) * 0.9).reshape(6, 4)
W = [0.2, 0.5, 0.3]


def shifted(x):
    return correlate1d(x, [0.2, 0.5, 0.3, 0.7], origin=-1) ** 2


def convolved(x):
    return ndimage.convolve1d(x, np.array([0.2, 0.5, 0.3, 0.7]), mode="nearest") ** 2


def gauss(x):
    return ndimage.gaussian_filter1d(x, 1.0) ** 2


def slope(x):
    return ndimage.gaussian_filter1d(x, 0.7, order=1, mode="wrap") ** 2


def smooth(x):
    return signal.savgol_filter(x, 5, 2) ** 2


def smooth_slope(x):
    return signal.savgol_filter(x, 7, 3, deriv=1, delta=0.5, mode="mirror") ** 2


def windowed(x):
    return x * signal.get_window("hann", 12) + x**2 * signal.get_window("hamming", 12)


@pytest.mark.parametrize(
    "f", [shifted, convolved, gauss, slope, smooth, smooth_slope, windowed]
)
def test_vectors(f):
    compare(f, (V,))


def reflected(x):
    return correlate1d(x, W, mode="reflect") ** 2


def mirrored(x):
    return correlate1d(x, W, mode="mirror") ** 2


def nearest(x):
    return correlate1d(x, W, mode="nearest") ** 2


def wrapped(x):
    return correlate1d(x, W, mode="wrap") ** 2


def filled(x):
    return correlate1d(x, W, axis=0, mode="constant", cval=2.0) ** 2


def along(x):
    return correlate1d(x, [0.2, 0.5, 0.3, 0.4, 0.9], axis=0, origin=1) ** 2


@pytest.mark.parametrize("f", [reflected, mirrored, nearest, wrapped, filled, along])
@pytest.mark.parametrize("x", [V, M])
def test_modes_and_axes(f, x):
    compare(f, (x,), text=False)
    value, _ = gradgen.value_and_grad(f)(x, seed=np.ones_like(x))
    np.testing.assert_allclose(value, f(x), rtol=1e-12, atol=1e-14)


def given(x):
    out = np.empty_like(x)
    correlate1d(x, W, output=out)
    return out


def test_an_output_of_its_own_is_refused():
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(given)(V, seed=np.ones(12))


def fitted(x):
    return scipy.linalg.lstsq(np.vander(np.arange(5.0), 3), x)[0]


def by_local_name(x):
    from scipy.linalg import lstsq as least

    coefficients, residues, rank, values = least(np.vander(np.arange(5.0), 3), x)
    return coefficients * residues


def by_other_name(x):
    solve = scipy.linalg.lstsq
    return solve(np.outer(np.arange(5.0), [1.0, 0.5]) + np.eye(5, 2), x)[0]


@pytest.mark.parametrize("f", [fitted, by_local_name, by_other_name])
def test_least_squares(f):
    compare(f, (V[:5],))


def empty(x):
    args, flag = tuple(), "OPTIONAL"
    if len(args) == 0 and flag is False:
        raise ValueError("none")
    return x * (1 + len(args)) + len(list())


def test_nothing_in_it():
    compare(empty, (V,))


def boxes(x):
    return ndimage.uniform_filter1d(x, 4, mode="nearest", origin=1) ** 2


def boxes_from_the_left(x):
    return ndimage.uniform_filter1d(x, 5, axis=0, mode="wrap", origin=-1) ** 2


def squares(x):
    return ndimage.uniform_filter(x, 3) ** 2


def rectangles(x):
    return ndimage.uniform_filter(x, (3, 2), mode="constant") ** 2


def blurred(x):
    return ndimage.gaussian_filter(x, 1.0) ** 2


def blurred_along_one(x):
    return ndimage.gaussian_filter(x, (0.7, 0)) ** 2


def slopes_of_rows(x):
    return ndimage.gaussian_filter(x, [0.6, 0.8], order=(0, 1), mode="wrap") ** 2


def first_axis(x):
    return ndimage.gaussian_filter(x, 0.8, axes=(0,)) ** 2


MATRICES = [
    boxes_from_the_left,
    squares,
    rectangles,
    blurred,
    blurred_along_one,
    slopes_of_rows,
    first_axis,
]


@pytest.mark.parametrize("f", [boxes, *MATRICES])
def test_boxes_and_blurs(f):
    x = V if f is boxes else M
    seed = np.cos(np.arange(x.size)).reshape(x.shape)
    want = numeric_gradient(lambda x: np.sum(seed * f(x)), (x,), 0).value
    got = gradgen.grad(f)(x, seed=seed)
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-10)
    space = {}
    exec(gradgen.emit(f, shapes={"x": " ".join("nm"[: x.ndim])}), space)
    got = space[f"grad_{f.__name__}"](x, seed)
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-10)


def curved(x):
    return ndimage.laplace(x, mode="nearest") ** 2


def edges(x):
    across = ndimage.sobel(x, 1, mode="constant", cval=0.5)
    return np.hypot(ndimage.sobel(x, axis=0), across) + ndimage.prewitt(x) ** 2


def blobs(x):
    return ndimage.gaussian_laplace(x, 0.8) ** 2


def steep(x):
    return ndimage.gaussian_gradient_magnitude(x, (0.7, 1.1), mode="wrap")


@pytest.mark.parametrize("f", [curved, edges, blobs, steep])
def test_edges_of_images(f):
    compare(f, (M,))
