"""Reductions by ufuncs that are no function of numpy's own: np.logaddexp.reduce.

The methods that are one, np.add.reduce, and all outer methods need no rule here.
"""

import numpy as np
from gradgen.rules import d, general, named, nonzero, reduced, shape, t, unreduce


@general
@named("logaddexp.reduce")
def logaddexp_reduce(z, array, axis=0, *, keepdims=False):
    shape[z] = reduced(array, axis, keepdims)
    share = np.exp(array - unreduce(z, array, axis, keepdims))
    d[array] = unreduce(d[z], array, axis, keepdims) * share
    t[z] = np.sum(t[array] * share, axis=axis, keepdims=keepdims)


@general
@named("logaddexp2.reduce")
def logaddexp2_reduce(z, array, axis=0, *, keepdims=False):
    shape[z] = reduced(array, axis, keepdims)
    share = np.exp2(array - unreduce(z, array, axis, keepdims))
    d[array] = unreduce(d[z], array, axis, keepdims) * share
    t[z] = np.sum(t[array] * share, axis=axis, keepdims=keepdims)


@general
@named("hypot.reduce")
def hypot_reduce(z, array, axis=0, *, keepdims=False):
    shape[z] = reduced(array, axis, keepdims)
    share = array / unreduce(nonzero(z), array, axis, keepdims)
    d[array] = unreduce(d[z], array, axis, keepdims) * share
    t[z] = np.sum(t[array] * share, axis=axis, keepdims=keepdims)
