"""Lists that a loop fills, given to functions of NumPy's: they are arrays there.

One function for each expression; `l` has a square for each entry of x.
"""

import linecache

import numpy as np
import pytest

from tests.both_doors import compare

X = np.array([0.7, 1.3, 0.9, 1.6])
EXPRESSIONS = """
np.sum(l) + np.mean(l) * np.max(l)
np.std(l) + np.median(l)
x[np.nonzero(l)[0][0]] * l[0]
x[np.where(l)[0]].sum()
x[0] * l[1] if np.any(l) else x[1]
x[0] * l[1] if np.all(l) else x[1]
x[0] if not np.all(l) and len(l) > 9 else x[1]
np.concatenate([l, x]).sum() + np.hstack([l, x])[2] ** 2
np.stack([l, x]).prod(axis=0).sum()
np.vstack([l, x, l])[2, 1] + np.column_stack((l, x))[1, 0] ** 2
(np.array([l, x]) ** 3).sum()
(np.asarray((x, l)) * x).sum()
x[1] * (2 if np.array_equal(l, x) else 3)
x[1] * (2 if np.allclose(l, x) else 3) + l[0]
x[2] * np.searchsorted(l, 0.5)
x[1] * np.size(l) + l[0] * np.ndim(l)
x[0] * np.shape(l)[0]
np.meshgrid(l, x)[0].sum() + (np.meshgrid(x, l)[1] ** 2).sum()
np.einsum("i,i", l, x) + np.einsum("i->", l)
np.count_nonzero(l) * x[0]
np.argwhere(l).sum() * x[0]
np.broadcast_arrays(l, x[0])[0].sum()
np.isin(l, x).sum() * x[1] + l[2]
np.lexsort((l, np.round(x)))[0] * x[1]
""".strip().split("\n")


def made(number, expression):
    lines = [
        f"def f{number}(x):",
        "    l = []",
        "    for v in x:",
        "        l.append(v * v + 0.1)",
        f"    return {expression}",
    ]
    name, text = f"<lists {number}>", "\n".join(lines) + "\n"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    space = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space[f"f{number}"]


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
def test_it_is_an_array_there(number):
    compare(made(number, EXPRESSIONS[number]), (X,))


def rows(m):
    tops = [np.max(column) for column in m.T]
    (found,) = np.where([np.all(row < 2.0) for row in m])
    return m[found] * tops[0]


def nested(m):
    pairs = []
    for row in m:
        pairs.append([row[0] * row[1], row[1]])
    return (
        np.concatenate([np.array(pairs), m]).sum() + np.nonzero(pairs)[1][0] * m[0, 0]
    )


def best(m):
    tops = [np.max(column) for column in m.T]
    lows = [np.min(column) for column in m.T]
    total = 0.0
    for row in m:
        if not np.all(tops == row) and np.all(lows <= row) and np.any(row < tops):
            total = total + np.sum(row * row) * tops[0]
    (found,) = np.where([np.all(tops != row) for row in m])
    return total + np.sum(m[found])


@pytest.mark.parametrize("f", [rows, nested, best])
def test_of_rows(f):
    compare(f, (np.array([[0.4, 0.9], [1.2, 0.3], [0.8, 1.5]]),))
