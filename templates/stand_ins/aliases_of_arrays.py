"""Functions of the array API that NumPy has under another name, or with other words."""

module = """
scipy._lib.array_api_compat.common._aliases
array_api_compat.common._aliases
sklearn.externals.array_api_compat.common._aliases
"""


def clip(x, /, min=None, max=None, *, xp=None):
    return np.clip(x, min, max)


def std(x, /, xp=None, *, axis=None, correction=0.0, keepdims=False):
    return np.std(x, axis=axis, ddof=correction, keepdims=keepdims)


def var(x, /, xp=None, *, axis=None, correction=0.0, keepdims=False):
    return np.var(x, axis=axis, ddof=correction, keepdims=keepdims)


def sum(x, /, xp=None, *, axis=None, dtype=None, keepdims=False):
    return np.sum(x, axis=axis, keepdims=keepdims)


def prod(x, /, xp=None, *, axis=None, dtype=None, keepdims=False):
    return np.prod(x, axis=axis, keepdims=keepdims)


def cumulative_sum(x, /, xp=None, *, axis=None, dtype=None, include_initial=False):
    if include_initial:
        raise NotImplementedError("a cumulative sum that begins with 0")
    return np.cumsum(x, axis=axis)


def cumulative_prod(x, /, xp=None, *, axis=None, dtype=None, include_initial=False):
    if include_initial:
        raise NotImplementedError("a cumulative product that begins with 1")
    return np.cumprod(x, axis=axis)


def sort(x, /, xp=None, *, axis=-1, descending=False, stable=True):
    made = np.sort(x, axis=axis)
    return np.flip(made, axis=axis) if descending else made


def argsort(x, /, xp=None, *, axis=-1, descending=False, stable=True):
    if descending:
        made = np.argsort(np.flip(x, axis=axis), axis=axis, kind="stable")
        return np.flip(x.shape[axis] - 1 - made, axis=axis)
    return np.argsort(x, axis=axis, kind="stable")


def permute_dims(x, /, axes, xp=None):
    return np.transpose(x, axes)


def reshape(x, /, shape, xp=None, *, copy=None):
    return np.reshape(x, shape)


def ceil(x, /, xp=None):
    return np.ceil(x)


def floor(x, /, xp=None):
    return np.floor(x)


def trunc(x, /, xp=None):
    return np.trunc(x)


def sign(x, /, xp=None):
    return np.sign(x)


def finfo(type_, /, xp=None):
    return np.finfo(type_.dtype if isinstance(type_, np.ndarray) else type_)


def isdtype(dtype, kind, xp=None):
    return np.isdtype(dtype, kind)
