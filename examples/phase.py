"""Phase of a complex spectrogram: an arctan2 whose gradient is easily nan."""

import numpy as np


def find_phase(subbands):
    """Phase of subbands (batch, 2, bands, frames): real part first, then imaginary."""
    numerator = subbands[:, 1:2, :, :]
    denominator = subbands[:, 0:1, :, :]
    # Add epsilon to denominator to avoid nan
    epsilon = 1e-7
    nudge = (denominator == 0) * epsilon
    denominator = denominator + nudge
    return np.arctan2(numerator, denominator)


def phase_energy(subbands):
    """Sum of the squared phases of a spectrogram."""
    numerator = subbands[:, 1:2, :, :]
    denominator = subbands[:, 0:1, :, :]
    nudge = (denominator == 0) * 1e-7
    angle = np.arctan2(numerator, denominator + nudge)
    return np.sum(angle**2)


def phase(re, im):
    """Sum of the squared phases, from separate real and imaginary parts."""
    angle = np.arctan2(im, re)
    return np.sum(angle**2)
