"""Functions that join arrays: the gradient of each is a part of the whole's."""

import numpy as np
from gradgen.rules import (
    appended,
    block_piece,
    blocks,
    count,
    d,
    general,
    is_sequence,
    holomorphic,
    laid,
    like,
    linear,
    part,
    piece,
    positions,
    rank,
    shape,
    t,
)


@linear("tup")
@holomorphic
def hstack(z, tup):
    shape[z] = laid("hstack", tup)
    for i in positions(tup):
        d[tup[i]] = piece(d[z], "hstack", tup, i)


@linear("tup")
@holomorphic
@like("row_stack")
def vstack(z, tup):
    shape[z] = laid("vstack", tup)
    for i in positions(tup):
        d[tup[i]] = piece(d[z], "vstack", tup, i)


@linear("tup")
@holomorphic
def dstack(z, tup):
    shape[z] = laid("dstack", tup)
    for i in positions(tup):
        d[tup[i]] = piece(d[z], "dstack", tup, i)


@linear("tup")
@holomorphic
def column_stack(z, tup):
    shape[z] = laid("column_stack", tup)
    for i in positions(tup):
        d[tup[i]] = piece(d[z], "column_stack", tup, i)


@linear("arrays")
@holomorphic
def block(z, arrays):
    shape[z] = blocks(arrays)
    if is_sequence(arrays[0]):
        for i in positions(arrays):
            for j in positions(arrays[i]):
                d[arrays[i][j]] = block_piece(d[z], arrays, i, j)
    else:
        for j in positions(arrays):
            d[arrays[j]] = block_piece(d[z], arrays, None, j)


@general
@holomorphic
def append(z, arr, values, axis=None):
    shape[z] = appended(arr, values, axis)
    t[z] = np.append(t[arr], t[values], axis=axis)
    if axis is not None:
        d[arr] = part(d[z], [arr, values], 0, axis)
        d[values] = part(d[z], [arr, values], 1, axis)
    elif rank(arr) == 1 and rank(values) == 0:
        d[arr] = d[z][:-1]
        d[values] = d[z][-1]
    elif rank(arr) == 1 and rank(values) == 1:
        d[arr] = part(d[z], [arr, values], 0, 0)
        d[values] = part(d[z], [arr, values], 1, 0)
    else:
        d[arr] = np.reshape(d[z][: count(arr, None)], np.shape(arr))
        d[values] = np.reshape(d[z][count(arr, None) :], np.shape(values))
