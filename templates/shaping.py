"""Functions that move entries without changing them."""

import numpy as np
from gradgen.rules import (
    d,
    dtype,
    expanded,
    flat,
    floating,
    general,
    given,
    holomorphic,
    inverse,
    is_complex,
    is_sequence,
    joined,
    layer,
    like,
    linear,
    made_of,
    made_with_an_axis,
    never,
    part,
    permuted,
    positions,
    rank,
    refuse,
    reshaped,
    same,
    shape,
    squeezed,
    stacked,
    stretched,
    swapped,
    t,
    unbroadcast,
)


@linear("a")
@holomorphic
def reshape(z, a, shape_, order="C"):
    shape[z] = reshaped(a, shape_)
    if rank(a) == 0:
        d[a] = np.sum(d[z])
    elif order == "C":
        d[a] = np.reshape(d[z], np.shape(a))
    elif order == "F":
        d[a] = np.reshape(d[z], np.shape(a), order="F")
    else:
        d[a] = never(d[z], "np.reshape in an order of memory", 'order="C"')


@linear("a")
@holomorphic
def ravel(z, a, order="C"):
    shape[z] = flat(a)
    if rank(a) == 0:
        d[a] = np.sum(d[z])
    elif order == "C":
        d[a] = np.reshape(d[z], np.shape(a))
    elif order == "F":
        d[a] = np.reshape(d[z], np.shape(a), order="F")
    else:
        d[a] = never(d[z], "np.ravel in an order of memory", 'order="C"')


@linear("a")
@holomorphic
def transpose(z, a, axes=None):
    shape[z] = permuted(a, axes)
    if rank(a) == 0 or rank(a) == 1:
        d[a] = d[z]
    elif axes is None:
        d[a] = d[z].T
    else:
        d[a] = np.transpose(d[z], inverse(axes))


@linear("x")
@holomorphic
@like("linalg.matrix_transpose")
def matrix_transpose(z, x):
    shape[z] = swapped(x, -1, -2)
    d[x] = np.swapaxes(d[z], -1, -2)


@linear("a")
@holomorphic
def swapaxes(z, a, axis1, axis2):
    shape[z] = swapped(a, axis1, axis2)
    d[a] = np.swapaxes(d[z], axis1, axis2)


@linear("a")
@holomorphic
def expand_dims(z, a, axis):
    shape[z] = expanded(a, axis)
    if rank(a) == 0:
        d[a] = np.sum(d[z])
    else:
        d[a] = np.reshape(d[z], np.shape(a))


@linear("a")
@holomorphic
def squeeze(z, a, axis=None):
    shape[z] = squeezed(a, axis)
    d[a] = np.reshape(d[z], np.shape(a))


@linear("array")
@holomorphic
def broadcast_to(z, array, shape_):
    shape[z] = stretched(array, shape_)
    d[array] = unbroadcast(d[z], array)


@linear("m")
@holomorphic
def flip(z, m, axis=None):
    shape[z] = same(m)
    if axis is None:
        d[m] = np.flip(d[z])
    else:
        d[m] = np.flip(d[z], axis)


@linear("m")
@holomorphic
def fliplr(z, m):
    shape[z] = same(m)
    d[m] = np.fliplr(d[z])


@linear("m")
@holomorphic
def flipud(z, m):
    shape[z] = same(m)
    d[m] = np.flipud(d[z])


@linear("arrays")
@holomorphic
def concatenate(z, arrays, axis=0):
    shape[z] = joined(arrays, axis)
    for i in positions(arrays):
        if axis is None:
            d[arrays[i]] = np.reshape(part(d[z], arrays, i, None), np.shape(arrays[i]))
        else:
            d[arrays[i]] = part(d[z], arrays, i, axis)


@linear("arrays")
@holomorphic
def stack(z, arrays, axis=0):
    shape[z] = stacked(arrays, axis)
    for i in positions(arrays):
        d[arrays[i]] = layer(d[z], i, axis)


@linear("a")
@holomorphic
def copy(z, a, order="K"):
    shape[z] = same(a)
    d[a] = d[z]


@linear("x")
@holomorphic
@like("asarray", "asanyarray")
def array(z, x, dtype=None, *, order="K"):
    shape[z] = made_of(x)
    if is_sequence(x):
        for i in positions(x):
            d[x[i]] = layer(d[z], i, 0)
    else:
        d[x] = d[z]


@linear("x")
@holomorphic
@like("asfortranarray")
def ascontiguousarray(z, x, *, order="K"):
    shape[z] = made_with_an_axis(x)
    if is_sequence(x):
        for i in positions(x):
            d[x[i]] = layer(d[z], i, 0)
    elif rank(x) == 0:
        d[x] = np.sum(d[z])
    else:
        d[x] = d[z]


@linear("fill_value")
@holomorphic
def full_like(z, a, fill_value, dtype=None, order="K"):
    shape[z] = same(a)
    d[fill_value] = unbroadcast(d[z], fill_value)


@linear("fill_value")
@holomorphic
def full(z, shape_, fill_value, dtype=None, order="C"):
    shape[z] = given(shape_)
    d[fill_value] = unbroadcast(d[z], fill_value)


@general
@holomorphic
def astype(z, x, dtype_, *, copy=True):
    shape[z] = same(x)
    if is_complex(z) and not is_complex(x):
        d[x] = np.real(d[z]).astype(dtype(x))
        t[z] = t[x].astype(dtype_)
    elif is_complex(x) and not is_complex(z):
        d[x] = refuse(d[z], "a cast of complex numbers to real ones", "x.real")
    elif not floating(dtype_):
        d[x] = 0 * d[z]  # 0 for a cast to integers or booleans
        t[z] = np.zeros_like(t[x])
    elif rank(x) == 0:
        d[x] = d[z]
        t[z] = t[x]
    elif rank(x) is None:  # a number has no astype
        if double(dtype_):
            d[x] = d[z]  # as wide as it gets: it is cast where it is given back
        else:
            d[x] = np.asarray(d[z]).astype(dtype(x))
        t[z] = np.asarray(t[x]).astype(dtype_)
    else:
        if double(dtype_):
            d[x] = d[z]
        else:
            d[x] = d[z].astype(dtype(x))
        t[z] = t[x].astype(dtype_)


@linear("x")
@like("float32")
def float64(z, x):
    shape[z] = same(x)
    if rank(x) == 0:
        d[x] = d[z]
    elif rank(x) is None:
        d[x] = np.asarray(d[z]).astype(dtype(x))
        t[z] = np.asarray(t[x]).astype(dtype(z))
    else:
        d[x] = d[z].astype(dtype(x))
        t[z] = t[x].astype(dtype(z))


@general
@holomorphic
def real_if_close(z, a):
    shape[z] = same(a)
    if is_complex(a):
        # the imaginary part is left out where all of it is small
        d[a] = np.where(np.iscomplexobj(z), d[z], np.real(d[z]))
        t[z] = np.where(np.iscomplexobj(z), t[a], np.real(t[a]))
    else:
        d[a] = d[z]
        t[z] = t[a]
