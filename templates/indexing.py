"""Reading and writing parts of an array.

`d[x][key] += g` scatters: the engine makes d[x] an array once, and adds into it;
keys that may repeat a place (integer arrays) print as np.add.at.
"""

import numpy as np
from gradgen.rules import (
    cleared,
    d,
    holomorphic,
    indexed,
    like,
    linear,
    only_expands,
    rank,
    read_back,
    same,
    shape,
    unbroadcast,
    unexpand,
)

module = ""


@linear("x")
@holomorphic
def getitem(z, x, key):
    shape[z] = indexed(x, key)
    if only_expands(key):
        d[x] = unexpand(d[z], key)
    else:
        d[x][key] += d[z]


@linear("x", "value")
@holomorphic
def setitem(z, x, key, value):
    shape[z] = same(x)
    if rank(z) == 0 and only_expands(key):
        d[value] = np.reshape(d[z], np.shape(value))
        d[x] = 0 * d[z]
    elif only_expands(key):
        g = d[z][key]
        d[value] = unbroadcast(g, value)
        d[x] = 0 * d[z]
    else:
        g = read_back(d[z], key, value)  # a place stored to twice keeps the last
        d[value] = unbroadcast(g, value)
        d[x] = cleared(d[z], key)


@linear("x", "value")
@holomorphic
@like("add_at")
def additem(z, x, key, value):
    shape[z] = same(x)
    if rank(z) == 0 and only_expands(key):
        d[value] = np.reshape(d[z], np.shape(value))
    else:
        g = d[z][key]
        d[value] = unbroadcast(g, value)
    d[x] = d[z]
