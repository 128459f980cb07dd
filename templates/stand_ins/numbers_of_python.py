"""Functions of numbers that Python's math module has and NumPy has not."""

module = "math"


def remainder(x, y, /):
    if y == 0:
        raise ValueError("math domain error")
    return x - y * np.rint(x / y)


def dist(p, q, /):
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return np.sqrt(sum((a - b) ** 2 for a, b in zip(p, q)))


def prod(iterable, /, *, start=1):
    product = start
    for item in iterable:
        product = product * item
    return product


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
