"""Functions with as many results as their arguments say.

shape[z] is a tuple of shapes then, z[i] one result, and positions(z) counts them;
a result that nothing reads has the adjoint 0.
"""

import numpy as np
from gradgen.rules import (
    all_read,
    at,
    at_least,
    crossing,
    d,
    each,
    general,
    holomorphic,
    in_order,
    integer,
    is_number,
    layers,
    linear,
    meshed,
    off_grid,
    parts,
    places,
    positions,
    refuse,
    rank,
    section,
    shape,
    spread,
    t,
    together,
    unbroadcast,
    unused,
    with_zeros,
)


@linear("ary")
@holomorphic
def split(z, ary, indices_or_sections, axis=0):
    shape[z] = parts(ary, indices_or_sections, axis, True)
    if all_read(d[z]) and in_order(indices_or_sections) and axis == 0:
        d[ary] = np.concatenate(d[z])
    elif all_read(d[z]) and in_order(indices_or_sections):
        d[ary] = np.concatenate(d[z], axis=axis)
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[ary][section(ary, indices_or_sections, axis, i)] += d[z[i]]


@linear("ary")
@holomorphic
def array_split(z, ary, indices_or_sections, axis=0):
    shape[z] = parts(ary, indices_or_sections, axis, False)
    if in_order(indices_or_sections) and axis == 0:
        d[ary] = np.concatenate(with_zeros(d[z], z))
    elif in_order(indices_or_sections):
        d[ary] = np.concatenate(with_zeros(d[z], z), axis=axis)
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[ary][section(ary, indices_or_sections, axis, i)] += d[z[i]]


@linear("ary")
@holomorphic
def hsplit(z, ary, indices_or_sections):
    shape[z] = parts(ary, indices_or_sections, "hsplit", True)
    if all_read(d[z]) and in_order(indices_or_sections):
        d[ary] = np.hstack(d[z])
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[ary][section(ary, indices_or_sections, "hsplit", i)] += d[z[i]]


@linear("ary")
@holomorphic
def vsplit(z, ary, indices_or_sections):
    shape[z] = parts(ary, indices_or_sections, "vsplit", True)
    if all_read(d[z]) and in_order(indices_or_sections):
        d[ary] = np.vstack(d[z])
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[ary][section(ary, indices_or_sections, "vsplit", i)] += d[z[i]]


@linear("ary")
@holomorphic
def dsplit(z, ary, indices_or_sections):
    shape[z] = parts(ary, indices_or_sections, "dsplit", True)
    if all_read(d[z]) and in_order(indices_or_sections):
        d[ary] = np.dstack(d[z])
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[ary][section(ary, indices_or_sections, "dsplit", i)] += d[z[i]]


@linear("x")
@holomorphic
def unstack(z, x, *, axis=0):
    shape[z] = layers(x, axis)
    if all_read(d[z]) and axis == 0:
        d[x] = np.stack(d[z])
    elif all_read(d[z]):
        d[x] = np.stack(d[z], axis=axis)
    else:
        for i in positions(z):
            if not unused(d[z[i]]):
                d[x][at(x, axis, i)] += d[z[i]]


@general
@holomorphic
def atleast_1d(z, *arys):
    shape[z] = at_least(arys, 1)
    t[z] = spread(np.atleast_1d(t[arys]))
    for i in positions(arys):
        if is_number(arys[i]) or unused(each(d[z], i)):
            pass
        elif rank(arys[i]) == 0:
            d[arys[i]] = each(d[z], i)[0]
        elif rank(arys[i]) is None:
            d[arys[i]] = np.reshape(each(d[z], i), np.shape(arys[i]))
        else:
            d[arys[i]] = each(d[z], i)


@general
@holomorphic
def atleast_2d(z, *arys):
    shape[z] = at_least(arys, 2)
    t[z] = spread(np.atleast_2d(t[arys]))
    for i in positions(arys):
        if is_number(arys[i]) or unused(each(d[z], i)):
            pass
        elif rank(arys[i]) == 0:
            d[arys[i]] = each(d[z], i)[0, 0]
        elif rank(arys[i]) is not None and rank(arys[i]) > 1:
            d[arys[i]] = each(d[z], i)
        else:
            d[arys[i]] = np.reshape(each(d[z], i), np.shape(arys[i]))


@general
@holomorphic
def atleast_3d(z, *arys):
    shape[z] = at_least(arys, 3)
    t[z] = spread(np.atleast_3d(t[arys]))
    for i in positions(arys):
        if is_number(arys[i]) or unused(each(d[z], i)):
            pass
        elif rank(arys[i]) == 0:
            d[arys[i]] = each(d[z], i)[0, 0, 0]
        elif rank(arys[i]) is not None and rank(arys[i]) > 2:
            d[arys[i]] = each(d[z], i)
        else:
            d[arys[i]] = np.reshape(each(d[z], i), np.shape(arys[i]))


@general
@holomorphic
def meshgrid(z, *xi, indexing="xy", sparse=False):
    shape[z] = meshed(xi, indexing, sparse)
    if sparse:
        t[z] = spread(np.meshgrid(t[xi], indexing=indexing, sparse=True))
    elif indexing == "xy":
        t[z] = spread(np.meshgrid(t[xi]))
    else:
        t[z] = spread(np.meshgrid(t[xi], indexing=indexing))
    for i in positions(xi):
        if unused(d[z[i]]):
            pass
        elif sparse or off_grid(xi, i, indexing) == ():
            d[xi[i]] = np.reshape(d[z[i]], np.shape(xi[i]))
        elif rank(xi[i]) == 1:
            d[xi[i]] = np.sum(d[z[i]], axis=off_grid(xi, i, indexing))
        else:
            along = np.sum(d[z[i]], axis=off_grid(xi, i, indexing))
            d[xi[i]] = np.reshape(along, np.shape(xi[i]))


@general
@holomorphic
def broadcast_arrays(z, *args):
    shape[z] = together(args)
    t[z] = spread(np.broadcast_arrays(t[args]))
    for i in positions(args):
        if not unused(d[z[i]]):
            d[args[i]] = unbroadcast(d[z[i]], args[i])


@integer
def nonzero(z, a):
    shape[z] = places(a)


@integer
def ix_(z, *args):
    shape[z] = crossing(args)
    for i in positions(args):
        d[args[i]] = refuse(d[z[i]], "np.ix_ of floats", "x[:, None] and y[None, :]")
