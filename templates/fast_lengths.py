"""Lengths that Fourier transforms are fast for: whole numbers of whole numbers."""

from gradgen.rules import integer, scalar, shape

module = "scipy.fft"


@integer
def next_fast_len(z, target, real=False):
    shape[z] = scalar(z)


@integer
def prev_fast_len(z, target, real=False):
    shape[z] = scalar(z)
