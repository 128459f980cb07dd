"""Functions that are copied into a file for numba."""

import numpy as np


def _rows_of(entries):
    """np.array(entries) of a list of arrays of one shape, for numba."""
    size = entries[0].size
    flat = np.empty(len(entries) * size, entries[0].dtype)
    for i in range(len(entries)):
        if entries[i].shape != entries[0].shape:
            raise ValueError("arrays of different shapes")
        row = entries[i].ravel()
        for j in range(size):
            flat[i * size + j] = row[j]
    return flat.reshape((len(entries),) + entries[0].shape)


def _rows_in(entries, out):
    """The array out, filled with the arrays of a list, for numba."""
    flat = out.reshape(out.size)
    start = 0
    for entry in entries:
        row = entry.ravel()
        if start + row.size > flat.size:
            raise ValueError("arrays of different shapes")
        for j in range(row.size):
            flat[start + j] = row[j]
        start += row.size
    return out


def _chosen(condition, x, y):
    """np.where of numbers, for numba."""
    return x if condition else y


def _largest(x):
    """np.max of a vector, for numba: nan where one entry is."""
    if x.size == 0:
        raise ValueError("no largest of no numbers")
    found = x[0]
    for i in range(1, x.size):
        if x[i] > found or x[i] != x[i]:
            found = x[i]
    return found


def _least(x):
    """np.min of a vector, for numba: nan where one entry is."""
    if x.size == 0:
        raise ValueError("no least of no numbers")
    found = x[0]
    for i in range(1, x.size):
        if x[i] < found or x[i] != x[i]:
            found = x[i]
    return found


def _solved_lower(a, b):
    """np.linalg.solve of a lower triangle and a vector, for numba."""
    if a.shape[0] != b.shape[0] or a.itemsize != b.itemsize:
        raise ValueError("a system of two lengths or dtypes")
    x = np.empty(b.shape[0], b.dtype)
    for i in range(b.shape[0]):
        rest = b[i]
        for k in range(i):
            rest -= a[i, k] * x[k]
        x[i] = rest / a[i, i]
    return x


def _solved_upper(a, b):
    """np.linalg.solve of an upper triangle and a vector, for numba."""
    if a.shape[0] != b.shape[0] or a.itemsize != b.itemsize:
        raise ValueError("a system of two lengths or dtypes")
    x = np.empty(b.shape[0], b.dtype)
    for i in range(b.shape[0] - 1, -1, -1):
        rest = b[i]
        for k in range(i + 1, b.shape[0]):
            rest -= a[i, k] * x[k]
        x[i] = rest / a[i, i]
    return x


def _inverted_lower(a):
    """np.linalg.inv of a lower triangle, for numba."""
    x = np.zeros((a.shape[0], a.shape[0]), a.dtype)
    for i in range(a.shape[0]):
        x[i, i] = 1 / a[i, i]
        for k in range(i):
            factor = a[i, k] * x[i, i]
            for j in range(k + 1):
                x[i, j] -= factor * x[k, j]
    return x
