"""The functions of helpers.py, where an emitted file is differentiated again.

Each but one is what flows back through an operation: linear in g, and what flows
back to g is the operation itself.
"""

from gradgen.rules import boolean, constant, d, linear, same, shape, unknown

module = "helper"


@linear("g")
def _unbroadcast(z, g, x):
    shape[z] = same(x)
    d[g] = _unbroadcast(d[z], g)


@linear("g")
def _matmul_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.matmul(d[z], b)
    d[b] = _matmul_right(g, d[z], b)


@linear("g")
def _matmul_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.matmul(a, d[z])
    d[a] = _matmul_left(g, a, d[z])


@linear("g")
def _inner_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.inner(d[z], b)
    d[b] = _inner_right(g, d[z], b)


@linear("g")
def _inner_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.inner(a, d[z])
    d[a] = _inner_left(g, a, d[z])


@linear("g")
def _dot_left(z, g, a, b):
    shape[z] = same(a)
    d[g] = np.dot(d[z], b)
    d[b] = _dot_right(g, d[z], b)


@linear("g")
def _dot_right(z, g, a, b):
    shape[z] = same(b)
    d[g] = np.dot(a, d[z])
    d[a] = _dot_left(g, a, d[z])


@linear("g")
def _convolve_adjoint(z, g, a, v, mode):
    shape[z] = same(a)
    d[g] = np.convolve(d[z], v, mode)
    d[v] = _convolve_adjoint(g, v, d[z], mode)


@linear("g")
def _correlate_left(z, g, a, v, mode):
    shape[z] = same(a)
    d[g] = np.correlate(d[z], v, mode)
    d[v] = _correlate_right(g, d[z], v, mode)


@linear("g")
def _correlate_right(z, g, a, v, mode):
    shape[z] = same(v)
    d[g] = np.correlate(a, d[z], mode)
    d[a] = _correlate_left(g, a, d[z], mode)


@linear("g")
def _added_along_axis(z, g, x, indices, axis):
    shape[z] = same(x)
    d[g] = np.take_along_axis(d[z], indices, axis)


@constant
def _share_in_quantile(z, x, q, axis):
    shape[z] = same(x)


@boolean
def _stored_last(z, x, key):
    shape[z] = unknown(z)
