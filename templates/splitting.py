"""Functions with as many results as their arguments say.

shape[z] is a tuple of shapes then, z[i] one result, and positions(z) counts them;
a result that nothing reads has the adjoint 0.
"""

import numpy as np
from gradgen.rules import (
    all_read,
    at,
    at_least,
    axis_of_slope,
    between,
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
    rank,
    refuse,
    results,
    section,
    shape,
    slopes,
    spacing_of,
    spread,
    t,
    together,
    unbroadcast,
    unused,
    varies,
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


@general
def gradient(z, f, *varargs, axis=None):
    shape[z] = slopes(f, axis)
    t[z] = spread(np.gradient(t[f], varargs, axis=axis))
    if varies(t[varargs]) and (is_number(axis) or rank(f) == 1):
        t[z] = -z * spacing_of(t[varargs], 0) / spacing_of(varargs, 0)
    if axis is None and rank(f) is None:
        d[f] = refuse(d[z], "np.gradient of what may have several axes", "axis=-1")
    for i in positions(results(z)):
        if rank(spacing_of(varargs, i)) != 0:
            d[f] = refuse(d[z], "np.gradient with an array of places", "one spacing")
        elif not unused(each(d[z], i)):
            slope = each(d[z], i) / spacing_of(varargs, i)
            inner = slope[between(f, axis_of_slope(f, axis, i), 1, -1)] / 2
            d[f][between(f, axis_of_slope(f, axis, i), 2, None)] += inner
            d[f][between(f, axis_of_slope(f, axis, i), None, -2)] += -inner
            first = slope[at(f, axis_of_slope(f, axis, i), 0)]
            last = slope[at(f, axis_of_slope(f, axis, i), -1)]
            d[f][at(f, axis_of_slope(f, axis, i), 1)] += first
            d[f][at(f, axis_of_slope(f, axis, i), 0)] += -first
            d[f][at(f, axis_of_slope(f, axis, i), -1)] += last
            d[f][at(f, axis_of_slope(f, axis, i), -2)] += -last
            d[spacing_of(varargs, i)] = unbroadcast(
                -slope * each(z, i), spacing_of(varargs, i)
            )
