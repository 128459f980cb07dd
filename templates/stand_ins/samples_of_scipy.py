"""Means and variances as SciPy's functions of samples take them."""

module = "scipy.stats._stats_py"


def _xp_mean(
    x, /, *, axis=None, weights=None, keepdims=False, nan_policy="propagate",
    dtype=None, xp=None, warn=True
):
    if nan_policy != "propagate":
        raise NotImplementedError("means with another nan_policy than 'propagate'")
    if none(weights):
        return np.mean(x, axis=axis, keepdims=keepdims)
    x, weights = np.broadcast_arrays(x, weights)
    whole = np.sum(weights, axis=axis, keepdims=keepdims)
    return np.sum(weights * x, axis=axis, keepdims=keepdims) / whole


def _xp_var(
    x, /, *, axis=None, correction=0, keepdims=False, nan_policy="propagate",
    dtype=None, xp=None
):
    if nan_policy != "propagate":
        raise NotImplementedError("variances with another nan_policy than 'propagate'")
    return np.var(x, axis=axis, ddof=correction, keepdims=keepdims)


def _demean(a, mean, axis, *, xp, precision_warning=True):
    return a - mean


def _moment(a, order, axis, *, mean=None, xp=None):
    if none(mean):
        mean = np.mean(a, axis=axis, keepdims=True)
    return np.mean((a - mean) ** order, axis=axis)
