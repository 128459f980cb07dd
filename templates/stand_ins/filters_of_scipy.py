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
    input, weights = np.asarray(input), np.asarray(weights)
    if np.iscomplexobj(weights):
        raise NotImplementedError("a filter of complex weights")
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
    return (windows @ weights).astype(input.dtype)


def uniform_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    from scipy.ndimage import correlate1d

    if size < 1:
        raise RuntimeError("incorrect filter size")
    weights = np.full(size, 1.0 / size)
    return correlate1d(input, weights, axis, output, mode, cval, origin)


def uniform_filter(
    input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    from scipy.ndimage import uniform_filter1d

    for axis in range(np.ndim(input)) if axes is None else axes:
        one = size[axis] if isinstance(size, (tuple, list)) else size
        start = origin[axis] if isinstance(origin, (tuple, list)) else origin
        if one > 1:
            input = uniform_filter1d(input, one, axis, output, mode, cval, start)
    return input


def gaussian_filter(
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    from scipy.ndimage import gaussian_filter1d

    if radius is not None:
        raise NotImplementedError("a filter with a radius of its own")
    for axis in range(np.ndim(input)) if axes is None else axes:
        width = sigma[axis] if isinstance(sigma, (tuple, list)) else sigma
        times = order[axis] if isinstance(order, (tuple, list)) else order
        if width > 1e-15:
            input = gaussian_filter1d(
                input, width, axis, times, output, mode, cval, truncate
            )
    return input


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    from scipy.ndimage import correlate1d

    if output is not None:
        raise NotImplementedError("a filter with an output of its own")
    weights = np.array([1.0, -2.0, 1.0])
    axes = range(np.ndim(input)) if axes is None else axes
    total = np.zeros_like(input)
    for axis in axes:
        total = total + correlate1d(input, weights, axis=axis, mode=mode, cval=cval)
    return total


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0):
    from scipy.ndimage import gaussian_filter1d

    if output is not None:
        raise NotImplementedError("a filter with an output of its own")
    total = np.zeros_like(input)
    for along in range(np.ndim(input)):
        one = input
        for axis in range(np.ndim(input)):
            width = sigma[axis] if isinstance(sigma, (tuple, list)) else sigma
            times = 2 if axis == along else 0
            one = gaussian_filter1d(
                one, width, axis=axis, order=times, mode=mode, cval=cval
            )
        total = total + one
    return total


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0):
    from scipy.ndimage import gaussian_filter1d

    if output is not None:
        raise NotImplementedError("a filter with an output of its own")
    total = np.zeros_like(input)
    for along in range(np.ndim(input)):
        one = input
        for axis in range(np.ndim(input)):
            width = sigma[axis] if isinstance(sigma, (tuple, list)) else sigma
            times = 1 if axis == along else 0
            one = gaussian_filter1d(
                one, width, axis=axis, order=times, mode=mode, cval=cval
            )
        total = total + one**2
    return np.sqrt(total)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    from scipy.ndimage import correlate1d

    along = axis % np.ndim(input)
    slope = np.array([-1.0, 0.0, 1.0])
    found = correlate1d(input, slope, along, output, mode, cval)
    for axis in range(np.ndim(input)):
        if axis != along:
            level = np.array([1.0, 2.0, 1.0])
            found = correlate1d(found, level, axis=axis, mode=mode, cval=cval)
    return found


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    from scipy.ndimage import correlate1d

    along = axis % np.ndim(input)
    slope = np.array([-1.0, 0.0, 1.0])
    found = correlate1d(input, slope, along, output, mode, cval)
    for axis in range(np.ndim(input)):
        if axis != along:
            level = np.array([1.0, 1.0, 1.0])
            found = correlate1d(found, level, axis=axis, mode=mode, cval=cval)
    return found
