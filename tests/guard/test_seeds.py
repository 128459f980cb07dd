"""The cases that made people ask: exact gradients, worked out by hand.

The numbers of the masks are those that MaskedTensor's notebook asks for: where
nothing was selected the gradient is 0, and next to it nothing changes.
"""

from pathlib import Path

import numpy as np
import pytest

import examples.masked as masked
import gradgen
from examples.losses import cosine_rows
from gradgen.commands.order import Order, make

FOLDER = Path(__file__).resolve().parents[2] / "generated"


def committed(name):
    """The function of a committed file."""
    names: dict = {}
    exec((FOLDER / f"{name}.py").read_text(encoding="utf-8"), names)
    return next(f for n, f in names.items() if n.startswith("grad_"))


def same(got, want, dtype=np.float64) -> bool:
    """Equal to the last digit; -0.0 is 0."""
    return got.dtype == dtype and np.array_equal(got, np.asarray(want, dtype))


DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@DTYPES
def test_where_with_an_exponential_that_overflows(dtype):
    x = np.array([-10, -5, 0, 5, 10, 50, 60, 70, 80, 90, 100, 1000], dtype)
    with np.errstate(over="ignore"):
        got = committed("where_exp")(x)
    want = np.where(x < 0, np.exp(np.minimum(x, 0)), 0)
    assert same(got, want, dtype) and np.count_nonzero(got) == 2


@DTYPES
def test_where_that_discards_a_division_by_zero(dtype):
    a, b, c = np.array([[3, 2], [0, 4], [5, 7]], dtype)
    with np.errstate(divide="ignore"):
        d_a, d_c = committed("where_ratio")(a, b, c, b != 0)
    assert same(d_a, [0, 0.25], dtype) and same(d_c, [1, 0], dtype)


@DTYPES
def test_a_number_that_where_discards(dtype):
    a, b, c = dtype(3), dtype(0), dtype(5)
    text = make(
        Order(
            "examples/masked.py:where_ratio",
            wrt="a",
            shape=("a=", "b=", "c=", "selected="),
        )
    ).emitted.text
    names: dict = {}
    exec(text, names)
    with np.errstate(divide="ignore"):
        got = names["grad_where_ratio"](a, b, c, False)
    assert got == 0 and masked.where_ratio(a, dtype(1), c, False) == 5


@DTYPES
def test_sums_that_pass_over_nan(dtype):
    a = np.array([1, 2, np.nan], dtype)
    assert same(committed("nansum_scaled")(a, dtype(1)), 3, dtype)
    assert same(committed("nanmean_scaled")(a, dtype(1)), 1.5, dtype)


@DTYPES
def test_a_quotient_by_zero_under_a_mask(dtype):
    x, div = np.array([[1, 1, 3], [0, 1, 4]], dtype)
    with np.errstate(divide="ignore"):
        got = committed("masked_ratio")(x, div)
    assert same(got, [0, 1, 0.25], dtype)


def spectrum(imag, real, dtype):
    """One bin; the real part comes first."""
    return np.array([real, imag], dtype).reshape(1, 2, 1, 1)


def angle(im, re):
    return np.arctan2(im, re)


@pytest.mark.parametrize(
    "dtype, tiny",
    [(np.float32, 1e-20), (np.float64, 1e-200), (np.float32, 1e-30)],
)
def test_phase_where_the_square_of_the_radius_underflows(dtype, tiny):
    # real and imaginary part alike: the gradient is 1 / (2 * tiny) and its negative
    call = committed("find_phase")
    got = call(spectrum(tiny, tiny, dtype), np.ones((1, 1, 1, 1), dtype))
    d_real, d_imag = got.ravel()
    half = dtype(0.5) / dtype(tiny)
    assert got.dtype == dtype
    assert np.isclose(d_imag, half, rtol=4 * np.finfo(dtype).eps, atol=0)
    assert np.isclose(d_real, -half, rtol=4 * np.finfo(dtype).eps, atol=0)


def test_the_numbers_that_the_thread_asked_for():
    got = committed("find_phase")(
        spectrum(1e-20, 1e-20, np.float32), np.ones((1, 1, 1, 1), np.float32)
    )
    assert np.allclose(got.ravel(), [-5e19, 5e19], rtol=1e-6, atol=0)
    # a real part of 0 is nudged to 1e-7: 1e-20 / 1e-7 / 1e-7, and 1 / 1e-7
    got = committed("find_phase")(
        spectrum(1e-20, 0, np.float32), np.ones((1, 1, 1, 1), np.float32)
    )
    assert np.allclose(got.ravel(), [-1e-6, 1e7], rtol=1e-6, atol=0)
    got = committed("find_phase")(
        spectrum(0, 0, np.float32), np.ones((1, 1, 1, 1), np.float32)
    )
    assert np.allclose(got.ravel(), [0, 1e7], rtol=1e-6, atol=0)


@pytest.mark.parametrize("dtype, tiny", [(np.float32, 1e-20), (np.float64, 1e-200)])
def test_phase_on_the_imaginary_axis(dtype, tiny):
    # arctan2(tiny, 0): 0 along the imaginary part, -1 / tiny along the real one
    gradient = gradgen.grad(angle, ("im", "re"), shapes={"im": "n", "re": "n"})
    d_im, d_re = gradient(np.array([tiny], dtype), np.zeros(1, dtype))
    assert same(d_im, [0], dtype)
    assert np.isclose(d_re, -1 / dtype(tiny), rtol=4 * np.finfo(dtype).eps, atol=0)


@DTYPES
def test_phase_at_zero_beside_other_bins(dtype):
    # d(angle**2): 2 * angle * (re, -im) / r**2, and 0 where re and im are 0
    re, im = np.array([[0, 1, 0], [0, 1, 2]], dtype)
    d_re, d_im = committed("phase")(re, im)
    assert d_re.dtype == d_im.dtype == dtype
    quarter = np.pi / 4
    eps = 4 * np.finfo(dtype).eps
    assert np.allclose(d_re, [0, -quarter, -np.pi / 2], rtol=eps, atol=0)
    assert np.allclose(d_im, [0, quarter, 0], rtol=eps, atol=0)


@DTYPES
def test_cosine_loss_with_a_row_of_zeros(dtype):
    yh = np.array([[0, 0], [3, 4], [0, 2]], dtype)
    y = np.array([[1, 1], [0, 1], [0, 0]], dtype)
    with np.errstate(invalid="ignore"):
        got = committed("cosine_rows")(yh, y)
        plain = gradgen.grad(
            cosine_rows, "yh", shapes={"yh": "n d", "y": "n d"}, guard=False
        )(yh, y)
    # row 1: -(y / 5 - 4 / 5 / 25 * yh) = (0.096, -0.072)
    want = np.array([[0, 0], [0.096, -0.072], [0, 0]])
    assert got.dtype == dtype
    assert np.allclose(got, want, rtol=4 * np.finfo(dtype).eps, atol=0)
    assert np.array_equal(got[1], plain[1]) and np.isnan(plain[[0, 2]]).all()


@DTYPES
def test_pairwise_distances_with_a_diagonal_that_is_discarded(dtype):
    X = np.array([[0, 0], [3, 4], [0, 0]], dtype)
    # rows 0 and 2 are the same point: their distance pulls at neither
    want = np.array([[-0.6, -0.8], [1.2, 1.6], [-0.6, -0.8]])
    got = committed("distances_above")(X)
    assert got.dtype == dtype
    assert np.allclose(got, want, rtol=4 * np.finfo(dtype).eps, atol=0)


@DTYPES
def test_standard_deviation_over_a_border_that_is_discarded(dtype):
    patches = np.array([[1, 1], [1, 3], [5, 5], [2, 6], [0, 0]], dtype)
    got = committed("inner_contrast")(patches)
    want = [[0, 0], [-0.5, 0.5], [0, 0], [-0.5, 0.5], [0, 0]]
    assert same(got, want, dtype)


GUARDED = ["phase", "cosine_rows", "distances_above", "inner_contrast"]


@pytest.mark.parametrize("name", GUARDED)
def test_the_committed_text_says_what_is_guarded(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert " --guard" in text.splitlines()[1] + text.splitlines()[2]
    assert "    Guarded: x / 0 -> 0 for " in text
    assert text.count("# guard: x / 0 -> 0") == (2 if name == "cosine_rows" else 1)
