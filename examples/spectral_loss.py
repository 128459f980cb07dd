"""How far apart two signals sound: a distance of their spectra, blind to phase."""

import numpy as np

# Keeps the logarithm finite at a frequency that a signal does not have.
EPSILON = 1e-8


def spectral_loss(x, y):
    """Mean squared distance of the log-magnitude spectra of two signals (batch, n)."""
    X, Y = np.fft.rfft(x), np.fft.rfft(y)
    power = X.real**2 + X.imag**2
    target = Y.real**2 + Y.imag**2
    # Half the logarithm of the power is the logarithm of the magnitude.
    distance = 0.5 * (np.log(power + EPSILON) - np.log(target + EPSILON))
    return np.mean(distance**2)
