"""numpy.fft: each transform through the checker; lengths, axes and norms; oracles."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
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


@pytest.mark.filterwarnings("ignore:Mean of empty")
@pytest.mark.parametrize("line", LINES, ids=lambda line: " of ".join(line))
def test_transform(line):
    text, fact = line
    found = complex_faults(text, fact, forms=FORMS[:1], ranked=needs_rank(text))
    if found:
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize("line", OTHERS, ids=lambda line: " of ".join(line))
def test_line(line):
    found = complex_faults(*line, forms=FORMS, ranked=needs_rank(line[0]))
    if found:
        pytest.fail(found, pytrace=False)
