"""Where a number stands among sorted ones, by Python's bisection."""

module = """
bisect
_bisect
"""


def bisect_right(a, x, lo=0, hi=None):
    if lo != 0 or hi is not None:
        raise NotImplementedError("a bisection of a part")
    return int(np.searchsorted(a, x, side="right"))


def bisect_left(a, x, lo=0, hi=None):
    if lo != 0 or hi is not None:
        raise NotImplementedError("a bisection of a part")
    return int(np.searchsorted(a, x, side="left"))
