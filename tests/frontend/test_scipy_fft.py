"""Transforms of scipy.fft: value, dtype and gradient, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

pytest.importorskip("scipy")

FORMS = {
    "fft": "np.sum(np.abs(fft.fft(x)) ** 2 * w)",
    "padded": "np.sum(np.abs(fft.fft(x, 9, workers=2)) ** 2)",
    "keywords": "np.sum(np.abs(fft.rfft(x=x, n=5, norm='ortho')) ** 4)",
    "there and back": "np.sum(fft.irfft(fft.rfft(x, axis=0) * 2, n=6) ** 3)",
    "plane": "np.sum(np.abs(fft.ifft2(np.outer(x, x), overwrite_x=False)) ** 2)",
    "all axes": "np.sum(fft.irfftn(fft.rfftn(np.outer(x, w)), s=(6, 6), axes=(0, 1)) ** 3)",
    "shift": "np.sum(fft.fftshift(x, axes=0) * w)",
    "frequencies": "np.sum(fft.fftfreq(len(x), d=0.5) * x ** 2)",
    "half": "np.sum(np.abs(fft.ihfft(x)) * fft.rfftfreq(6, 0.1)) + fft.hfft(x)[1]",
}


@pytest.mark.parametrize("form", FORMS)
def test_value_and_gradient(form, tmp_path):
    text = f"from scipy import fft\ndef f(x, w):\n    return {FORMS[form]}\n"
    f = written(text, tmp_path)
    rng = np.random.default_rng(3)
    x, w = rng.uniform(0.5, 2, 6), rng.uniform(0.5, 2, 6)
    value, gradient = gradgen.value_and_grad(f, wrt="x")(x, w)
    np.testing.assert_allclose(value, f(x, w), rtol=1e-12)
    wanted = numeric_gradient(f, [x, w], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)
    single = gradgen.grad(f, wrt="x")(x.astype(np.float32), w.astype(np.float32))
    assert single.dtype == np.float32


def test_what_may_overwrite_is_refused(tmp_path):
    text = "import scipy.fft\ndef f(x):\n    return np.abs(scipy.fft.fft(x, overwrite_x=True)[0])"
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(written(text, tmp_path))(np.ones(3))
