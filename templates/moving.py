"""Functions that move, repeat or cut entries of one array."""

import numpy as np
from gradgen.rules import (
    at,
    at_axis,
    count,
    count_of,
    d,
    dtype,
    general,
    holomorphic,
    inserted_at,
    inside,
    is_mask,
    is_number,
    is_sequence,
    is_slice,
    landing,
    layer,
    left_by,
    linear,
    moved,
    one_more,
    opposite,
    padded,
    rank,
    refuse,
    repeated,
    rolled,
    same,
    shape,
    shifted,
    sources,
    t,
    tiled,
    turned,
    unbroadcast,
    unreduce,
    unrepeated,
    untiled,
    with_inserted,
)


@linear("a")
@holomorphic
def moveaxis(z, a, source, destination):
    shape[z] = moved(a, source, destination)
    d[a] = np.moveaxis(d[z], destination, source)


@linear("a")
@holomorphic
def rollaxis(z, a, axis, start=0):
    shape[z] = rolled(a, axis, start)
    d[a] = np.moveaxis(d[z], landing(a, axis, start), axis)


@linear("a")
@holomorphic
def roll(z, a, shift, axis=None):
    shape[z] = same(a)
    if is_mask(shift):
        back = -1 * shift
    else:
        back = opposite(shift)
    if axis is None:
        d[a] = np.roll(d[z], back)
    else:
        d[a] = np.roll(d[z], back, axis=axis)


@linear("m")
@holomorphic
def rot90(z, m, k=1, axes=(0, 1)):
    shape[z] = turned(m, k, axes)
    if axes == (0, 1):
        d[m] = np.rot90(d[z], opposite(k))
    else:
        d[m] = np.rot90(d[z], opposite(k), axes=axes)


@linear("A")
@holomorphic
def tile(z, A, reps):
    shape[z] = tiled(A, reps)
    d[A] = untiled(d[z], A, reps)


@linear("a")
@holomorphic
def repeat(z, a, repeats, axis=None):
    shape[z] = repeated(a, repeats, axis)
    if is_number(repeats) or rank(repeats) == 0:
        d[a] = unrepeated(d[z], a, repeats, axis)
    elif axis is not None:
        d[a][at_axis(np.repeat(np.arange(count(a, axis)), repeats), axis)] += d[z]
    elif rank(a) == 1:
        d[a][np.repeat(np.arange(count(a, 0)), repeats)] += d[z]
    else:
        places = np.repeat(np.arange(count(a, None)), repeats)
        d[a] = _added_along_axis(d[z], a, places, None)


@general
@holomorphic
def pad(z, array, pad_width, mode="constant", *, constant_values=0):
    shape[z] = padded(array, pad_width)
    if mode == "constant":
        if is_number(constant_values):
            t[z] = np.pad(t[array], pad_width)
        else:
            t[z] = np.pad(t[array], pad_width, constant_values=t[constant_values])
        d[array] = inside(d[z], array, pad_width)
        if rank(constant_values) == 0:
            d[constant_values] = np.sum(d[z]) - np.sum(inside(d[z], array, pad_width))
        else:
            d[constant_values] = refuse(
                d[z], "np.pad with several constant_values=", "np.concatenate"
            )
    elif mode == "edge" or mode == "reflect" or mode == "symmetric" or mode == "wrap":
        t[z] = np.pad(t[array], pad_width, mode=mode)
        if rank(array) is None:
            numbers = np.reshape(np.arange(count(array, None)), np.shape(array))
            places = np.pad(numbers, pad_width, mode=mode)
            d[array] = _added_along_axis(d[z], array, places, None)
        else:
            d[array][sources(array, pad_width, mode)] += d[z]
    elif rank(array) is None:
        d[array] = refuse(
            d[z], "np.pad with this mode= of unknown rank", '--shape and the axes, "n"'
        )
    elif rank(array) == 1 and (
        mode == "mean" or mode == "maximum" or mode == "minimum"
    ):
        # All entries of the margins are one number.
        margin = np.sum(d[z]) - np.sum(inside(d[z], array, pad_width))
        d[array] = inside(d[z], array, pad_width)
        if mode == "mean":
            t[z] = np.pad(t[array], pad_width, mode="mean")
            d[array] = unreduce(margin / count(array, None), array, None, False)
        else:
            if mode == "maximum":
                hits = array == np.max(array)
            else:
                hits = array == np.min(array)
            ties = np.sum(hits, keepdims=True, dtype=dtype(array))
            d[array] = np.where(hits, unreduce(margin, array, None, False) / ties, 0)
            change = np.sum(np.where(hits, t[array] / ties, 0))
            t[z] = np.pad(t[array], pad_width, constant_values=change)
    else:
        d[array] = refuse(d[z], "np.pad with this mode=", "np.concatenate of the parts")


@general
@holomorphic
def insert(z, arr, obj, values, axis=None):
    shape[z] = with_inserted(arr, axis, obj, values)
    t[z] = np.insert(t[arr], obj, t[values], axis=axis)
    if (
        is_sequence(obj)
        and (
            count_of(obj) > 1
            or rank(values) == 0
            or axis == 0
            and rank(values) < rank(arr)
        )
        and (rank(arr) == 1 or rank(arr) is not None and axis is not None)
    ):
        d[arr] = np.delete(d[z], shifted(obj), axis=axis)
        d[values] = unbroadcast(d[z][at(arr, axis, shifted(obj))], values)
    elif (
        not is_number(obj)
        or not rank(values) < rank(arr)
        or axis is None
        and rank(arr) != 1
    ):
        d[arr] = _insert_array(d[z], arr, obj, values, axis)
        d[values] = _insert_values(d[z], arr, obj, values, axis)
    elif rank(arr) == 1 and obj < 0:
        d[arr] = np.delete(d[z], obj - 1)
        d[values] = d[z][obj - 1]
    elif rank(arr) == 1:
        d[arr] = np.delete(d[z], obj)
        d[values] = d[z][obj]
    elif obj < 0:
        d[arr] = np.delete(d[z], obj - 1, axis=axis)
        d[values] = unbroadcast(layer(d[z], obj - 1, axis), values)
    else:
        d[arr] = np.delete(d[z], obj, axis=axis)
        d[values] = unbroadcast(layer(d[z], obj, axis), values)


@linear("arr")
@holomorphic
def delete(z, arr, obj, axis=None):
    shape[z] = one_more(arr, axis, -1, obj)
    if (is_sequence(obj) or is_slice(obj)) and (rank(arr) == 1 or axis is not None):
        d[arr][at(arr, axis, left_by(arr, obj, axis))] += d[z]
    elif not is_number(obj):
        d[arr] = _delete_adjoint(d[z], arr, obj, axis)
    elif rank(arr) == 1:
        d[arr] = np.insert(d[z], inserted_at(arr, obj, axis), 0)
    elif axis is not None:
        d[arr] = np.insert(d[z], inserted_at(arr, obj, axis), 0, axis=axis)
    else:
        filled = np.insert(d[z], inserted_at(arr, obj, axis), 0)
        d[arr] = np.reshape(filled, np.shape(arr))
