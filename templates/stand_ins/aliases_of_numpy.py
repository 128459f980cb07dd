"""NumPy's functions under the names of the array API."""

module = """
scipy._lib.array_api_compat.numpy._aliases
array_api_compat.numpy._aliases
sklearn.externals.array_api_compat.numpy._aliases
"""


def asarray(obj, /, *, dtype=None, device=None, copy=None, order=None):
    if copy:
        return np.array(obj, dtype=dtype)
    return np.asarray(obj, dtype=dtype)


def astype(x, dtype, /, *, copy=True, device=None):
    return x.astype(dtype)
