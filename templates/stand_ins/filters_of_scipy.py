"""SciPy's filters along one axis, as sums of shifted and padded arrays."""

module = """
scipy.ndimage._filters
scipy.ndimage
"""


def correlate1d(
    input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    if output is not None:
        raise NotImplementedError("a filter with an output of its own")
    weights = np.asarray(weights)
    count = len(weights)
    before = count // 2 + origin
    widths = [(0, 0)] * np.ndim(input)
    widths[axis] = (before, count - 1 - before)
    if mode in ("constant", "grid-constant"):
        padded = np.pad(input, widths, constant_values=cval)
    elif mode in ("reflect", "grid-mirror"):
        padded = np.pad(input, widths, mode="symmetric")
    elif mode == "mirror":
        padded = np.pad(input, widths, mode="reflect")
    elif mode == "nearest":
        padded = np.pad(input, widths, mode="edge")
    elif mode in ("wrap", "grid-wrap"):
        padded = np.pad(input, widths, mode="wrap")
    else:
        raise RuntimeError("boundary mode not supported")
    windows = np.lib.stride_tricks.sliding_window_view(padded, count, axis=axis)
    return windows @ weights
