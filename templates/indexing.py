"""Reading and writing parts of an array.

`d[x][key] += g` scatters: the engine makes d[x] an array once, and adds into it;
keys that may repeat a place (integer arrays) print as np.add.at.
"""

from gradgen.rules import d, holomorphic, indexed, linear, only_expands, shape, unexpand

module = ""


@linear("x")
@holomorphic
def getitem(z, x, key):
    shape[z] = indexed(x, key)
    if only_expands(key):
        d[x] = unexpand(d[z], key)
    else:
        d[x][key] += d[z]
