"""Values of float32 arguments have the function's dtype, tangents that of the value."""

import warnings

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported

HEAD = """
import numpy as np
from scipy import fft, ndimage, signal, special, stats
from scipy.spatial import distance


"""
CALLS = """
np.cov(A) | np.cov(x) | np.corrcoef(A) | np.interp(x, np.cumsum(x), x)
np.interp(s, np.cumsum(x), x) | np.interp(x, np.cumsum(x), x, left=s)
special.betaln(2, x) | special.xlogy(1, x) | special.xlog1py(2, x)
special.voigt_profile(1, 2.0, x * 0.4) | special.comb(5.5, x) | special.hyp2f1(1, 2, 3, x / 9)
special.ellipkinc(x, 0.3) | special.gammaincinv(2, x / 4) | special.spherical_jn(2, x)
special.logsumexp(A, axis=0, b=s) | special.logsumexp(A, b=2.0)
stats.norm(x, s).logpdf(0.3) | stats.norm.cdf(x * 0.3, 0.1, scale=x[::-1])
stats.norm.cdf(x[0]) | stats.norm(x, s).ppf(0.3) | stats.beta.logpdf(x * 0.4, 2.0, 3.0)
stats.t.logpdf(x + 1, 2.5, loc=0.1) | distance.cdist(A, A[::-1] + 0.3, "cityblock")
distance.cdist(A, A[::-1] + 0.3) | distance.pdist(A) | distance.canberra(x, x[::-1] + 0.2)
distance.chebyshev(x, x[::-1] * 0.3 + 0.2) | np.linalg.norm(A) | np.sum(x) * np.log(2)
np.select([x > 1, x > s], [x**2, s * x], default=s) | np.select([x > 1], [x * x], default=2)
np.where(A > 0.5, A * (A > 0.2), s) + (A > 0.5) * s | np.poly(x) | np.poly(x) * s
ndimage.gaussian_filter(x, 0.7) | ndimage.uniform_filter1d(x, 3) | ndimage.sobel(A)
ndimage.correlate1d(A, [1, s, 2], axis=-1) | ndimage.laplace(A) | ndimage.prewitt(A)
ndimage.convolve1d(A, [1, s, 2], axis=0) | signal.savgol_filter(x, 3, 1)
signal.savgol_filter(x, 3, 2, mode="constant", cval=2.0) | fft.dct(x)
"""
TEXTS = [
    text.strip() for line in CALLS.split("\n") for text in line.split(" | ") if text
]
A = (np.random.default_rng(0).random((4, 3)) + 0.3).astype(np.float32)
X = (np.random.default_rng(2).random(4) + 0.3).astype(np.float32)


@pytest.mark.parametrize("text", TEXTS)
def test_dtypes(text):
    f = imported(f"{HEAD}def f(x, A, s):\n    return {text}\n", "f")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        true = f(X, A, 1.5)
        name = "A" if "A" in text else "x"
        given = {"x": X, "A": A}[name]
        value, back = gradgen.vjp(f, name)(X, A, 1.5)
        flowing = back(np.ones_like(true))
        out, along = gradgen.jvp(f, name)(X, A, 1.5, np.cos(given))
    assert value.dtype == out.dtype == along.dtype == true.dtype
    assert np.shape(along) == np.shape(true)
    assert flowing.dtype == np.float32
    np.testing.assert_allclose(value, true, rtol=1e-5)
    total = np.sum(flowing * np.cos(given))
    scale = np.sum(np.abs(flowing * np.cos(given)))
    np.testing.assert_allclose(np.sum(along), total, rtol=0, atol=1e-4 * scale + 1e-5)
