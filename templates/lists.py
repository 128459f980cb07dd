"""Python lists that a loop fills, and reads by index.

The adjoint of a list is a list of the same length.
"""

from gradgen.rules import (
    d,
    entries,
    fresh,
    holomorphic,
    linear,
    popped,
    positions,
    rows,
    shape,
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
