"""numpy.fft: each transform through the checker; lengths, axes and norms; oracles."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.rules.checker import WHOLE
from tests.rules.complex_checker import complex_faults, function_of

# Lengths n and d are odd and even; 4, 7 and 8 are shorter and longer than both.
OF_COMPLEX = "fft ifft irfft hfft".split()
OF_REAL = "fft ifft rfft ihfft".split()
CALLS = [
    ("{}", "d"),
    ("{}", "n d"),
    ("{}, axis=0", "n d"),
    ("{}, axis=-2", "d n"),
    ("{}, norm='ortho'", "d"),
    ("{}, norm='forward'", "n d"),
    ("{}, norm='backward'", "d"),
    ("{}, 4", "d"),
    ("{}, n=7", "d"),
    ("{}, n=8, axis=0", "n d"),
    ("{}, n=3, norm='ortho'", "n d"),
    ("{}, n=4, axis=0, norm='forward'", "d n"),
]
ALL_CALLS = [
    ("{}", "n d"),
    ("{}", "b n d"),
    ("{}, norm='ortho'", "n d"),
    ("{}, axes=(0, 1)", "n d"),
    ("{}, axes=(1, 0)", "n d"),
    ("{}, axes=(0, 2), norm='forward'", "b n d"),
    ("{}, axes=(-1,)", "n d"),
    ("{}, s=(4, 7), axes=(0, 1)", "n d"),
    ("{}, s=(8, 3), axes=(-2, -1), norm='ortho'", "b n d"),
    ("{}, s=(7,), axes=(0,)", "n d"),
]
LINES = [
    (f"np.fft.{name}({call.format(arg)})", fact)
    for names, arg in ((OF_COMPLEX, "z"), (OF_REAL, "x"))
    for name in names
    for call, fact in CALLS
]
LINES += [
    (f"np.fft.{name}{which}({call.format(arg)})", fact)
    for names, arg in (("fft ifft irfft", "z"), ("fft rfft", "x"))
    for name in names.split()
    for which in ("2", "n")
    for call, fact in ALL_CALLS
]
OTHERS = [
    ("np.fft.fftn(z)", "d"),
    ("np.fft.fft2(z, s=(4, 7))", "n d"),
    ("np.fft.rfft2(x, s=(4, 7))", "b n d"),
    ("np.fft.irfft2(z, s=(4, 7))", "n d"),
    ("np.fft.irfft(x)", "d"),
    ("np.fft.fftshift(z)", "n d"),
    ("np.fft.fftshift(x, axes=0)", "d n"),
    ("np.fft.ifftshift(z, axes=(0, 1))", "n d"),
    ("np.fft.ifftshift(x)", "d"),
    ("np.fft.fft(x, n=2 * len(x))", "d"),
    ("np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(y), n=len(x))", "d", "d"),
    ("np.fft.irfft(np.fft.rfft(x), n=x.shape[-1]) * x", "n d"),
    ("np.fft.rfft(x) * z", "d", "1"),
    ("np.abs(np.fft.rfft(x - y)) ** 2", "n d", "d"),
    ("np.fft.fftfreq(len(x)) * x", "d"),
    ("np.fft.fft(x) * np.fft.fftfreq(len(x), d=0.5)", "d"),
    ("np.fft.rfft(x) * np.fft.rfftfreq(len(x), 2.0)", "d"),
    ("np.fft.ifft(1j * np.fft.fftfreq(len(x)) * np.fft.fft(x)).real", "d"),
    ("np.log(np.abs(np.fft.rfft(x, axis=0)) + 1e-3)", "n d"),
    ("np.angle(np.fft.fft(x)[1:2])", "n"),
]
FORMS = ("{}", "np.sum({})")


def needs_rank(text: str) -> bool:
    """Whether the axes are all axes, which only a shape fact tells."""
    return "fftn(" in text and "axes" not in text


@WHOLE
@pytest.mark.filterwarnings("ignore:Mean of empty")
@pytest.mark.parametrize("line", LINES, ids=lambda line: " of ".join(line))
def test_transform(line, whole):
    text, fact = line
    ranked, forms = needs_rank(text), FORMS[:1]
    found = complex_faults(text, fact, forms=forms, ranked=ranked, whole=whole)
    if found:
        pytest.fail(found, pytrace=False)


@WHOLE
@pytest.mark.parametrize("line", OTHERS, ids=lambda line: " of ".join(line))
def test_line(line, whole):
    ranked = needs_rank(line[0])
    found = complex_faults(*line, forms=FORMS, ranked=ranked, whole=whole)
    if found:
        pytest.fail(found, pytrace=False)


def value_and_gradient(text: str, x, **options):
    return gradgen.value_and_grad(function_of(text), **options)(x)


def test_a_unitary_transform_keeps_lengths():
    x = np.random.default_rng(0).normal(size=(3, 7))
    for call in ("fft2", "ifft2", "fftn"):
        text = f"np.sum(np.abs(np.fft.{call}(x, norm='ortho')) ** 2)"
        value, gradient = value_and_gradient(text, x, shapes={"x": "n d"})
        assert np.isclose(value, np.sum(x * x))
        assert np.allclose(gradient, 2 * x)


@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_autograd_says_the_same_of_a_spectral_loss(n):
    autograd = pytest.importorskip("autograd")
    import autograd.numpy as anp

    x, y = np.random.default_rng(n).normal(size=(2, 3, n))

    def loss(x, y):
        return anp.sum(anp.abs(anp.fft.fft(x - y)) ** 3)

    want = autograd.grad(loss)(x, y)
    f = function_of("np.sum(np.abs(np.fft.fft(x - y)) ** 3)")
    assert np.allclose(gradgen.grad(f)(x, y), want)


@pytest.mark.parametrize("n", [1, 2, 7, 8])
@pytest.mark.parametrize("name", ["rfft", "ihfft"])
def test_a_round_trip_is_the_identity(name, n):
    # irfft(rfft(x), n) is x, whose gradient is the seed.
    back = {"rfft": "irfft", "ihfft": "hfft"}[name]
    x, seed = np.random.default_rng(n).normal(size=(2, n))
    f = function_of(f"np.fft.{back}(np.fft.{name}(x), n=len(x))")
    for shapes in ({"x": "n"}, None):
        assert np.allclose(gradgen.grad(f, shapes=shapes)(x, seed=seed), seed)


def test_the_imaginary_parts_that_irfft_does_not_read_get_nothing():
    z = np.ones(4, complex)
    for n in (6, 7):
        f = function_of(f"np.fft.irfft(z, {n})")
        g = gradgen.grad(f, complex="z")(z, seed=np.arange(float(n)))
        assert g[0].imag == 0 and abs(g[1].imag) > 0
        assert (abs(g[3].imag) < 1e-15) == (n == 6)


def test_scipy_says_the_same_of_each_transform():
    scipy_fft = pytest.importorskip("scipy.fft")
    x = np.random.default_rng(1).normal(size=9)
    seed = np.random.default_rng(2).normal(size=5)
    g = gradgen.grad(function_of("np.fft.rfft(x)"))(x, seed=seed + 0j)
    # The transpose of a real transform is the real part of a padded one.
    assert np.allclose(g, scipy_fft.fft(np.pad(seed, (0, 4))).real)


def test_the_text_is_what_a_person_would_write():
    f = function_of("np.sum(np.real(np.fft.rfft(x)) ** 2)")
    text = gradgen.emit(f, shapes={"x": "b n"})
    assert "np.real(np.fft.fft(" in text and ", n=x.shape[1])" in text
    assert "def _" not in text
    z = function_of("np.fft.fft(z, norm='ortho')")
    text = gradgen.emit(z, complex="z", shapes={"z": "n"})
    assert 'd_z = np.fft.fft(d_out, norm="ortho")' in text


REFUSED = {
    "np.fft.rfftn(x)": "over all axes of unknown rank",
    "np.fft.rfft2(x, axes=(0, 0))": "over an axis twice",
    "np.fft.fftn(x, s=(4,))": "with s= and without axes=",
    "np.fft.rfftn(x, s=(4, -1), axes=(0, 1))": "with -1 in s=",
    "np.fft.fft(x, out=y)": "a store into a real array drops the imaginary part",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusal(text):
    with pytest.raises(GradgenError, match=REFUSED[text]):
        gradgen.emit(function_of(text), general=True)


def test_an_axis_that_does_not_exist_is_refused():
    with pytest.raises(GradgenError, match="there is no axis -2"):
        gradgen.emit(function_of("np.fft.fft2(x)"), shapes={"x": "n"})
