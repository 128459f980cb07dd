"""Programs with views, aliases and arrays that change: where libraries differ most."""

import numpy as np


def part_changed(x):
    y = x.copy()
    v = y[1:]
    v[:] = v * x[:-1]
    return np.sum(y**2)


def base_changed(x):
    y = x * 1.0
    v = y[1:]
    y[0] = x[1] ** 2
    y[2] = x[0]
    return np.sum(v * y[:-1])


def two_names(x):
    y = x * 2
    z = y
    z[0] = 3 * x[1]
    return np.sum(y**3)


def entry_kept(x):
    y = x * 2
    s = y[0]
    y[0] = x[1]
    return s * np.sum(y**2)


def part_added_to(x):
    y = x * 1
    v = y[:2]
    v += x[1:3]
    return np.sum(y**2)


def entries_in_a_loop(x):
    y = x * 1.0
    for i in range(1, len(x)):
        s = y[i - 1]
        y[i] = s * y[i]
        y[i - 1] = y[i - 1] + s
    return np.sum(y * x)


def rows(x):
    y = np.zeros((2, len(x)))
    y[0] = x
    r = y[1]
    r[:] = x * x
    r[0] += x[1]
    return np.sum(y[0] * y[1]) + r[0] * y[1, 0]


def transposed(x):
    y = x * x
    t = y.T
    y[0] = 5.0
    u = t * x
    t[1] = x[2]
    return np.sum(u) + np.sum(y * u)


def masked(x, m):
    y = x * x
    y[m] = x[m] ** 3
    return np.sum(y * x)


def augmented(x):
    y = x.copy()
    y *= x
    w = y
    y += 1
    return np.sum(w * y)


def swapped(x):
    y = x.copy()
    a, b = y[0], y[1]
    y[0] = b * a
    y[1] = a + b
    return np.sum(y) * a


def entries_in_a_list(x):
    rows = []
    y = x * 1.0
    for i in range(3):
        y[i] = y[i] * y[0]
        rows.append(y[i])
    return rows[0] * rows[1] * np.sum(y)


def sum_added_to(x):
    total = np.sum(x)
    first = total
    total += x[0]
    return first * total


def number_in_a_loop(x):
    r = np.sum(x)
    first = r
    for i in range(len(x)):
        r *= 0.7 + 0.2 * np.sin(r) * x[i]
    return r * first


def adjoint_of_two(x):
    t = x[0] * x[1]
    total = t
    for k in range(3):
        total = 0.5 * total * t + 0.1 * k
    again = total
    for k in range(3):
        again = 0.5 * again * total + 0.1 * k
    return again + total


def entry_of_a_row(x):
    y = np.outer(x, x)
    s = y[0][1]
    y[0, 1] = x[2]
    return s * np.sum(y)


def entry_of_a_transpose(x):
    y = np.outer(x, x)
    s = y.T[0, 1]
    y[1, 0] = x[2]
    return s * np.sum(y)


def entry_of_a_part(x):
    y = x * 1
    s = y[-1:][0]
    y[-1] = x[0] ** 2
    return s * np.sum(y)


def converted_and_changed(x):
    z = x * 1
    y = z.astype(z.dtype)
    y[0] = 3 * y[1]
    return np.sum(y * z)


def added_from_beside(x):
    y = np.outer(x, x)
    y[:, 1:] += y[:, :-1]
    y[1:, :2] = y[:-1, :2]
    y += y.T
    return np.sum(y * x)


PROGRAMS = [f for f in vars().values() if getattr(f, "__module__", "") == __name__]
FACTS = {"x": "n", "m": "n:bool"}
