"""Python lists that a loop fills, and reads by index.

The adjoint of a list is a list of the same length.
"""

import numpy as np
from gradgen.rules import (
    array_of,
    d,
    emptied,
    end_to_end,
    entries,
    fresh,
    holomorphic,
    linear,
    longer,
    popped,
    positions,
    rows,
    shape,
    split_like,
)

module = ""


@linear("items")
@holomorphic
def list(z, *items):
    shape[z] = fresh(z)
    for i in positions(items):
        d[items[i]] = d[z][i]


@linear("xs", "item")
@holomorphic
def append(z, xs, item):
    shape[z] = fresh(z)
    last = d[z][-1]
    d[item] = last
    d[xs] = popped(d[z])


@linear("xs", "item")
@holomorphic
def put(z, xs, i, item, old=None):
    shape[z] = fresh(z)
    d[item] = d[z][i]
    d[xs] = emptied(d[z], i, item, old)


@linear("xs")
@holomorphic
def shortened(z, xs, last):
    shape[z] = fresh(z)
    d[xs] = longer(d[z], last)


@linear("xs")
@holomorphic
def sliced(z, xs, key):
    shape[z] = fresh(z)
    d[xs][key] += d[z]


@linear("xs", "ys")
@holomorphic
def joined(z, xs, ys, n):
    shape[z] = fresh(z)
    d[xs] = d[z][:n]
    d[ys] = d[z][n:]


@linear("item")
@holomorphic
def repeated(z, item, count):
    shape[z] = fresh(z)
    d[item] = np.sum(array_of(d[z]), axis=0)


@linear("xs")
@holomorphic
def item(z, xs, i):
    shape[z] = fresh(z)
    d[xs][i] += d[z]


@linear("xs")
@holomorphic
def stacked(z, xs):
    shape[z] = rows(xs)
    d[xs] = entries(d[z])


@linear("xs")
@holomorphic
def concatenated(z, xs, axis=0):
    shape[z] = end_to_end(xs, axis)
    d[xs] = split_like(d[z], xs, axis)
