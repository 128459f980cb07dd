"""Fits of polynomials as scipy.signal has them, which are NumPy's."""

module = "scipy.signal._polyutils"


def polyfit(x, y, deg, *, xp, rcond=None):
    if rcond is not None:
        raise NotImplementedError("a fit with rcond=")
    return np.polyfit(x, y, deg)
