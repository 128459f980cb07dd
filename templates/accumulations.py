"""Sums and products up to each entry: of a number there is one as well."""

import numpy as np
from gradgen.rules import (
    accumulated,
    between,
    d,
    dtype,
    either,
    general,
    holomorphic,
    integral,
    is_number,
    lengthened,
    linear,
    never,
    rank,
    shape,
    t,
)


@linear("a")
@holomorphic
def cumsum(z, a, axis=None, dtype=None):
    shape[z] = accumulated(a, axis, True)
    if integral(dtype):
        d[a] = never(d[z], "a sum in integers", "a floating dtype")
    elif axis is None and rank(a) == 1:
        d[a] = np.flip(np.cumsum(np.flip(d[z])))
    elif axis is None or rank(a) == 0:
        d[a] = np.reshape(np.flip(np.cumsum(np.flip(d[z]))), np.shape(a))
    elif rank(a) is None or not is_number(axis):  # a number has one sum
        back = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)
        d[a] = np.reshape(back, np.shape(a))
    else:
        d[a] = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)


@linear("x")
@holomorphic
def cumulative_sum(z, x, *, axis=None, include_initial=False):
    shape[z] = lengthened(x, axis, include_initial)
    along = either(axis, 0)
    if rank(x) == 0:  # a number has one sum
        d[x] = d[z][-1]
    elif include_initial:
        later = d[z][between(x, axis, 1, None)]
        d[x] = np.flip(np.cumsum(np.flip(later, along), axis=along), along)
    elif axis is None:
        d[x] = np.flip(np.cumsum(np.flip(d[z])))
    elif is_number(axis):
        d[x] = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)
    else:
        d[x] = np.flip(np.cumulative_sum(np.flip(d[z], axis), axis=axis), axis)


@general
@holomorphic
def cumprod(z, a, axis=None):
    shape[z] = accumulated(a, axis, True)
    d[a] = _cumprod_adjoint(d[z], a, axis)
    t[z] = _cumprod_tangent(t[a], a, axis)


@general
@holomorphic
def cumulative_prod(z, x, *, axis=None):
    shape[z] = accumulated(x, axis, True)
    d[x] = _cumprod_adjoint(d[z], x, either(axis, 0))
    t[z] = _cumprod_tangent(t[x], x, either(axis, 0))
