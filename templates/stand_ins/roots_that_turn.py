"""NumPy's functions whose results are complex where an argument leaves their range.

Of real numbers inside it they are the plain ones; outside, the result is complex.
"""

module = """
numpy.lib._scimath_impl
numpy.lib.scimath
"""


def sqrt(x):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("the sqrt of a number below 0, which is complex")
    return np.sqrt(x)


def log(x):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("the log of a number below 0, which is complex")
    return np.log(x)


def log2(x):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("the log2 of a number below 0, which is complex")
    return np.log2(x)


def log10(x):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("the log10 of a number below 0, which is complex")
    return np.log10(x)


def logn(n, x):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("the logn of a number below 0, which is complex")
    return np.log(x) / np.log(n)


def power(x, p):
    if np.isrealobj(x) and np.any(np.less(x, 0)):
        raise NotImplementedError("a power of a number below 0, which may be complex")
    return np.power(x, p)


def arccos(x):
    if np.isrealobj(x) and np.any(np.greater(np.abs(x), 1)):
        raise NotImplementedError("the arccos of a number above 1, which is complex")
    return np.arccos(x)


def arcsin(x):
    if np.isrealobj(x) and np.any(np.greater(np.abs(x), 1)):
        raise NotImplementedError("the arcsin of a number above 1, which is complex")
    return np.arcsin(x)


def arctanh(x):
    if np.isrealobj(x) and np.any(np.greater(np.abs(x), 1)):
        raise NotImplementedError("the arctanh of a number above 1, which is complex")
    return np.arctanh(x)
