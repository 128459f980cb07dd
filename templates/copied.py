"""The functions of helpers.py, where an emitted file is differentiated again.

Most are what flows back through an operation: linear in g and in one argument of that
operation. What flows back to g is the operation itself.
"""

import numpy as np
from gradgen.rules import (
    accumulated,
    as_column,
    as_row,
    boolean,
    conj,
    constant,
    count,
    d,
    dtype,
    elementwise,
    general,
    given,
    holomorphic,
    integer,
    linear,
    nonzero,
    of_matrices,
    own_line,
    refuse,
    same,
    scalar,
    shape,
    t,
    transposed,
    unknown,
    varies,
)
from scipy import signal

module = "helper"


@linear("g")
@holomorphic
def _unbroadcast(z, g, x):
    shape[z] = same(x)
    d[g] = _unbroadcast(d[z], g)


@linear("g", "b")
@holomorphic
def _matmul_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.matmul(d[z], b)
    d[b] = _matmul_right(g, d[z], b)


@linear("g", "a")
@holomorphic
def _matmul_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.matmul(a, d[z])
    d[a] = _matmul_left(g, a, d[z])


@linear("g", "b")
@holomorphic
def _inner_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.inner(d[z], b)
    d[b] = _inner_right(g, d[z], b)


@linear("g", "a")
@holomorphic
def _inner_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.inner(a, d[z])
    d[a] = _inner_left(g, a, d[z])


@linear("g", "b")
@holomorphic
def _dot_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.dot(d[z], b)
    d[b] = _dot_right(g, d[z], b)


@linear("g", "a")
@holomorphic
def _dot_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.dot(a, d[z])
    d[a] = _dot_left(g, a, d[z])


@linear("g", "v")
def _convolve_adjoint(z, g, a, v, mode):
    shape[z] = same(a)
    d[g] = np.convolve(d[z], v, mode)
    d[v] = _convolve_adjoint(g, v, d[z], mode)


@linear("g", "v")
def _correlate_left(z, g, a, v, mode):
    shape[z] = same(a)
    d[g] = np.correlate(d[z], v, mode)
    d[v] = _correlate_right(g, d[z], v, mode)


@linear("g", "a")
def _correlate_right(z, g, a, v, mode):
    shape[z] = same(v)
    d[g] = np.correlate(a, d[z], mode)
    d[a] = _correlate_left(g, a, d[z], mode)


@linear("g", "v")
def _signal_adjoint(z, g, a, v, cut):
    shape[z] = same(a)
    d[g] = np.convolve(d[z], v)[cut : cut + count(g, 0)]
    d[v] = _signal_adjoint(g, v, d[z], cut)


@linear("g")
@holomorphic
def _insert_array(z, g, x, obj, values, axis):
    shape[z] = same(x)
    d[g] = np.insert(d[z], obj, np.zeros_like(values), axis=axis)


@linear("g")
@holomorphic
def _insert_values(z, g, x, obj, values, axis):
    shape[z] = same(values)
    d[g] = np.insert(np.zeros_like(x), obj, d[z], axis=axis)


@linear("g")
@holomorphic
def _added_along_axis(z, g, x, indices, axis):
    shape[z] = same(x)
    if axis is None:
        d[g] = np.take(d[z], indices)
    else:
        d[g] = np.take_along_axis(d[z], indices, axis)


@linear("x")
@holomorphic
def _copied(z, x):
    shape[z] = same(x)
    d[x] = d[z]


@linear("g")
@holomorphic
def _resized(z, g, x):
    shape[z] = same(x)
    d[g] = _resized(d[z], g)


@general
@holomorphic
def _product_of_the_others(z, x, axis):
    shape[z] = same(x)
    t[z] = _others_tangent(t[x], x, axis)
    d[x] = _others_tangent(d[z], x, axis)  # second derivatives are symmetric


@linear("t_x")
@holomorphic
def _others_tangent(z, t_x, x, axis):
    shape[z] = same(x)
    d[t_x] = _others_tangent(d[z], x, axis)
    d[x] = refuse(d[z], "the second derivative of np.prod", "np.exp of a sum of logs")


@general
@holomorphic
def _cumprod_adjoint(z, g, x, axis):
    shape[z] = same(x)
    d[g] = _cumprod_tangent(d[z], x, axis)
    d[x] = _cumprod_second(g, d[z], x, axis)
    if varies(t[g]):
        t[z] = _cumprod_adjoint(t[g], x, axis)
    if varies(t[x]):
        t[z] = _cumprod_second(g, t[x], x, axis)


@linear("t_x")
@holomorphic
def _cumprod_tangent(z, t_x, x, axis):
    shape[z] = accumulated(x, axis, True)
    d[t_x] = _cumprod_adjoint(d[z], x, axis)
    d[x] = _cumprod_second(d[z], t_x, x, axis)


@linear("g", "t_x")
@holomorphic
def _cumprod_second(z, g, t_x, x, axis):
    shape[z] = same(x)
    d[g] = refuse(d[z], "the second derivative of np.cumprod", "np.exp of np.cumsum")
    d[t_x] = refuse(d[z], "the second derivative of np.cumprod", "np.exp of np.cumsum")
    d[x] = refuse(d[z], "the second derivative of np.cumprod", "np.exp of np.cumsum")


@general
@holomorphic
def _matrix_power(z, g, a, n):
    shape[z] = same(a)
    # The n-th power of [[a, g], [0, a]] has z above its diagonal.
    zeros = np.zeros_like(a)
    pair = np.block([[a, g], [zeros, a]])
    m = count(a, -1)
    flow = np.block([[zeros, d[z]], [zeros, zeros]])
    back = _matrix_power(flow, np.swapaxes(pair, -1, -2), n)
    d[g] = back[..., :m, m:]
    d[a] = back[..., :m, :m] + back[..., m:, m:]
    change = np.block([[t[a], t[g]], [zeros, t[a]]])
    t[z] = _matrix_power(change, pair, n)[..., :m, m:]


@general
@holomorphic
def _cofactors(z, a):
    shape[z] = same(a)
    inverse = transposed(np.linalg.inv(a))  # regular matrices only
    total = np.sum(z * d[z], axis=(-2, -1), keepdims=True)
    d[a] = total * inverse - z @ transposed(d[z]) @ inverse
    change = np.sum(z * t[a], axis=(-2, -1), keepdims=True)
    t[z] = change * inverse - z @ transposed(t[a]) @ inverse


@general
def _eigvals_adjoint(z, g, w, v):
    shape[z] = same(v)
    flow = np.linalg.solve(v, d[z])
    d[g] = np.sum(flow * transposed(v), axis=-1)
    d[v] = transposed(flow * g[..., None]) - z @ transposed(flow)
    inner = t[g][..., None] * transposed(v) + g[..., None] * transposed(t[v])
    t[z] = np.linalg.solve(transposed(v), inner - transposed(t[v]) @ z)


@general
@holomorphic
def _hermitian_vectors(z, a, UPLO):
    shape[z] = of_matrices(a)
    values = np.linalg.eigvalsh(a, UPLO=UPLO)
    size = np.maximum(-values[..., :1], values[..., -1:])[..., None]
    apart = as_row(values) - as_column(values)
    far = own_line(np.abs(apart) > 10000 * np.spacing(size))
    inner = own_line(transposed(z) @ d[z])
    counts = as_row(np.any(d[z], axis=-2))
    told = far | (counts > np.eye(count(a, -1)))
    gaps = own_line(np.where(told, far * apart, np.inf))
    middle = 0.5 * (inner - conj(transposed(inner))) / nonzero(gaps)
    d[a] = conj(z) @ middle @ transposed(z)  # where no phase of a vector counts
    turned = own_line(conj(transposed(z)) @ t[a] @ z)
    away = own_line(np.where(np.eye(count(a, -1)), np.inf, apart))
    known = own_line(np.where(np.abs(away) > 10000 * np.spacing(size), away, 0))
    t[z] = z @ (0.5 * (turned + conj(transposed(turned))) / nonzero(known))


@linear("r")
@holomorphic
def _upright(z, r):
    shape[z] = same(r)
    d[r] = d[z]


@general
def _vectors_of(z, values, w, v):
    shape[z] = same(v)
    d[v] = _vectors_of(w, values, d[z])
    d[values] = 0 * np.sum(d[z], axis=-2)  # an order has no derivative
    d[w] = 0 * np.sum(d[z], axis=-2)
    t[z] = _vectors_of(values, w, t[v]) + 0 * (t[values] + t[w])[..., None, :]


@linear("ab")
def _banded_transpose(z, l_and_u, ab):
    shape[z] = same(ab)
    d[ab] = _banded_transpose((l_and_u[1], l_and_u[0]), d[z])


@linear("ab", "x")
def _banded_product(z, l_and_u, ab, x):
    shape[z] = same(x)
    turned = _banded_transpose(l_and_u, ab)
    d[ab] = -_banded_adjoint(l_and_u, d[z], ab, x)
    d[x] = _banded_product((l_and_u[1], l_and_u[0]), turned, d[z])


@linear("g", "x")
def _banded_adjoint(z, l_and_u, g, ab, x):
    shape[z] = same(ab)
    turned = _banded_transpose(l_and_u, d[z])
    d[g] = -_banded_product(l_and_u, d[z], x)
    d[x] = -_banded_product((l_and_u[1], l_and_u[0]), turned, g)


@linear("g")
def _around(z, g, a, v):
    shape[z] = unknown(z)
    d[g] = _middle(d[z], np.shape(g))


@linear("whole")
def _middle(z, whole, shape_):
    shape[z] = given(shape_)
    ones = np.ones(np.ndim(whole), dtype="int")
    d[whole] = _around(d[z], np.shape(whole), ones)


@linear("g")
@holomorphic
def _from_windows(z, g, shape_, axis):
    shape[z] = given(shape_)
    d[g] = np.lib.stride_tricks.sliding_window_view(
        d[z], np.shape(g)[np.size(shape_) :], axis
    )


@linear("g", "x")
def _lagged(z, g, x, n, axis):
    shape[z] = given(n)
    one = np.ones(1, dtype=dtype(x))
    d[g] = signal.lfilter(d[z], one, x, axis=axis)
    back = signal.lfilter(d[z], one, np.flip(g, axis), axis=axis)
    d[x] = np.flip(back, axis)


@linear("z_")
def _real_root(z, z_):
    shape[z] = same(z_)
    d[z_] = d[z]


@constant
def _simpson_weights(z, n, x, dx):
    shape[z] = given(n)


@constant
def _share_in_quantile(z, x, q, axis):
    shape[z] = same(x)


@integer
def _length_along(z, x, n, axis):
    shape[z] = scalar(z)


@integer
def _lengths_along(z, x, s, axes):
    shape[z] = unknown(z)


@boolean
def _stored_last(z, x, key):
    shape[z] = unknown(z)


@boolean
def _stored_at_last(z, x, key, value):
    shape[z] = unknown(z)


@elementwise
def _increasing(z, xp):
    d[xp] = d[z]
