"""Fourier transforms.

With dL/dRe - i dL/dIm flowing back, a transform is its own reverse: no conjugate,
the same sign and the same norm. rfft leaves out half of the spectrum, to which
nothing flows; irfft reads each entry of its half for two.
"""

import numpy as np
from gradgen.rules import (
    along,
    beyond,
    count,
    creation,
    d,
    frequencies,
    half_frequencies,
    halved,
    halved_last,
    holomorphic,
    last_of,
    linear,
    resized,
    rest_of,
    restored,
    restored_last,
    same,
    shape,
    length_of,
    size_along,
    sizes_of,
    from_real,
    to_complex,
    to_real,
    transformed,
    transformed_all,
)

module = "numpy.fft"


@linear("a")
@to_complex
def fft(z, a, n=None, axis=-1, norm=None):
    shape[z] = transformed(a, n, axis)
    d[a] = resized(np.fft.fft(d[z], axis=beyond(axis, -1), norm=norm), a, n)


@linear("a")
@to_complex
def ifft(z, a, n=None, axis=-1, norm=None):
    shape[z] = transformed(a, n, axis)
    d[a] = resized(np.fft.ifft(d[z], axis=beyond(axis, -1), norm=norm), a, n)


@linear("a")
@from_real
def rfft(z, a, n=None, axis=-1, norm=None):
    shape[z] = halved(a, n, axis)
    length = size_along(a, axis, n)
    whole = np.fft.fft(d[z], n=length, axis=beyond(axis, -1), norm=norm)
    d[a] = resized(np.real(whole), a, n)


@linear("a")
@to_real
def irfft(z, a, n=None, axis=-1, norm=None):
    shape[z] = restored(a, n, axis)
    half = np.fft.ihfft(d[z], axis=beyond(axis, -1), norm=norm)
    length = length_of(z, axis, n)
    flow = _twice_inside(half, length, axis=beyond(axis, -1))
    d[a] = resized(flow, a, n)


@linear("a")
@to_real
def hfft(z, a, n=None, axis=-1, norm=None):
    shape[z] = restored(a, n, axis)
    half = np.fft.rfft(d[z], axis=beyond(axis, -1), norm=norm)
    length = length_of(z, axis, n)
    flow = _twice_inside(half, length, axis=beyond(axis, -1))
    d[a] = resized(flow, a, n)


@linear("a")
@from_real
def ihfft(z, a, n=None, axis=-1, norm=None):
    shape[z] = halved(a, n, axis)
    length = size_along(a, axis, n)
    whole = np.fft.ifft(d[z], n=length, axis=beyond(axis, -1), norm=norm)
    d[a] = resized(np.real(whole), a, n)


@linear("a")
@to_complex
def fft2(z, a, s=None, axes=(-2, -1), norm=None):
    shape[z] = transformed_all(a, s, axes)
    if s is None:
        d[a] = np.fft.fft2(d[z], axes=beyond(axes, (-2, -1)), norm=norm)
    else:
        d[a] = resized(np.fft.fftn(d[z], axes=along(a, axes, s), norm=norm), a, s)


@linear("a")
@to_complex
def ifft2(z, a, s=None, axes=(-2, -1), norm=None):
    shape[z] = transformed_all(a, s, axes)
    if s is None:
        d[a] = np.fft.ifft2(d[z], axes=beyond(axes, (-2, -1)), norm=norm)
    else:
        d[a] = resized(np.fft.ifftn(d[z], axes=along(a, axes, s), norm=norm), a, s)


@linear("a")
@to_complex
def fftn(z, a, s=None, axes=None, norm=None):
    shape[z] = transformed_all(a, s, axes)
    if s is None:
        d[a] = np.fft.fftn(d[z], axes=axes, norm=norm)
    else:
        d[a] = resized(np.fft.fftn(d[z], axes=along(a, axes, s), norm=norm), a, s)


@linear("a")
@to_complex
def ifftn(z, a, s=None, axes=None, norm=None):
    shape[z] = transformed_all(a, s, axes)
    if s is None:
        d[a] = np.fft.ifftn(d[z], axes=axes, norm=norm)
    else:
        d[a] = resized(np.fft.ifftn(d[z], axes=along(a, axes, s), norm=norm), a, s)


@linear("a")
@from_real
def rfft2(z, a, s=None, axes=(-2, -1), norm=None):
    shape[z] = halved_last(a, s, axes)
    lengths = sizes_of(a, axes, s)
    whole = np.fft.fft2(d[z], s=lengths, axes=beyond(axes, (-2, -1)), norm=norm)
    d[a] = resized(np.real(whole), a, s)


@linear("a")
@from_real
def rfftn(z, a, s=None, axes=None, norm=None):
    shape[z] = halved_last(a, s, axes)
    lengths = sizes_of(a, axes, s)
    whole = np.fft.fftn(d[z], s=lengths, axes=along(a, axes, s), norm=norm)
    d[a] = resized(np.real(whole), a, s)


@linear("a")
@to_real
def irfft2(z, a, s=None, axes=(-2, -1), norm=None):
    shape[z] = restored_last(a, s, axes)
    half = np.fft.ihfft(d[z], axis=beyond(last_of(a, axes, s), -1), norm=norm)
    length = count(z, last_of(a, axes, s))
    both = _twice_inside(half, length, axis=beyond(last_of(a, axes, s), -1))
    flow = np.fft.ifftn(both, axes=rest_of(a, axes, s), norm=norm)
    d[a] = resized(flow, a, s)


@linear("a")
@to_real
def irfftn(z, a, s=None, axes=None, norm=None):
    shape[z] = restored_last(a, s, axes)
    half = np.fft.ihfft(d[z], axis=beyond(last_of(a, axes, s), -1), norm=norm)
    length = count(z, last_of(a, axes, s))
    both = _twice_inside(half, length, axis=beyond(last_of(a, axes, s), -1))
    flow = np.fft.ifftn(both, axes=rest_of(a, axes, s), norm=norm)
    d[a] = resized(flow, a, s)


@linear("x")
@holomorphic
def fftshift(z, x, axes=None):
    shape[z] = same(x)
    d[x] = np.fft.ifftshift(d[z], axes=axes)


@linear("x")
@holomorphic
def ifftshift(z, x, axes=None):
    shape[z] = same(x)
    d[x] = np.fft.fftshift(d[z], axes=axes)


@creation
def fftfreq(z, n, d_=1.0):
    shape[z] = frequencies(n)


@creation
def rfftfreq(z, n, d_=1.0):
    shape[z] = half_frequencies(n)
