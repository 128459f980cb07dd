"""Means and variances as SciPy's functions of samples take them."""

module = "scipy.stats._stats_py"


def _xp_mean(
    x,
    /,
    *,
    axis=None,
    weights=None,
    keepdims=False,
    nan_policy="propagate",
    dtype=None,
    xp=None,
    warn=True,
):
    if nan_policy != "propagate":
        raise NotImplementedError("means with another nan_policy than 'propagate'")
    if none(weights):
        return np.mean(x, axis=axis, keepdims=keepdims)
    x, weights = np.broadcast_arrays(x, weights)
    whole = np.sum(weights, axis=axis, keepdims=keepdims)
    return np.sum(weights * x, axis=axis, keepdims=keepdims) / whole


def _xp_var(
    x,
    /,
    *,
    axis=None,
    correction=0,
    keepdims=False,
    nan_policy="propagate",
    dtype=None,
    xp=None,
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


def iqr(
    x,
    axis=None,
    rng=(25, 75),
    scale=1.0,
    nan_policy="propagate",
    interpolation="linear",
    keepdims=False,
):
    if nan_policy != "propagate" or interpolation != "linear" or scale == "normal":
        raise NotImplementedError("iqr with these options")
    low = np.percentile(x, rng[0], axis=axis, keepdims=keepdims)
    high = np.percentile(x, rng[1], axis=axis, keepdims=keepdims)
    return (high - low) / scale
