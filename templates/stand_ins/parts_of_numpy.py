"""Functions of NumPy's that are others put together."""

module = "numpy"


def isdtype(dtype, kind):
    letters = {
        "bool": "b",
        "signed integer": "i",
        "unsigned integer": "u",
        "integral": "iu",
        "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return dtype.kind in "".join([letters[one] for one in kinds])


def polyint(p, m=1, k=None):
    if m != 1 or k is not None:
        raise NotImplementedError("polyint that goes on, or has constants")
    p = np.asarray(p)
    return np.concatenate((p / np.arange(len(p), 0, -1), np.zeros(1)))


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or cov:
        raise NotImplementedError("polyfit that returns more than the coefficients")
    lhs = np.vander(np.asarray(x), deg + 1)
    rhs = np.asarray(y)
    if w is not None:
        lhs = lhs * np.asarray(w)[:, None]
        rhs = rhs * w if rhs.ndim == 1 else rhs * np.asarray(w)[:, None]
    scale = np.sqrt(np.sum(lhs * lhs, axis=0))
    fitted = np.linalg.lstsq(lhs / scale, rhs, rcond)[0]
    return (fitted.T / scale).T


def unravel_index(indices, shape, order="C"):
    if order != "C":
        raise NotImplementedError("unravel_index in another order")
    if np.min(indices) < 0 or np.max(indices) >= np.prod(shape):
        raise ValueError("index is out of bounds for these shapes")
    if len(shape) == 1:
        return (indices,)
    if len(shape) == 2:
        return indices // shape[1], indices % shape[1]
    if len(shape) == 3:
        rest = indices // shape[2]
        return rest // shape[1], rest % shape[1], indices % shape[2]
    raise NotImplementedError("unravel_index of more than three axes")


def broadcast_shapes(*args):
    return np.shape(np.broadcast_arrays(*[np.empty(one) for one in args])[0])


class broadcast:
    def __init__(self, *args):
        whole = np.broadcast_arrays(*args)[0]
        self.shape, self.size = np.shape(whole), np.size(whole)
        self.ndim = self.nd = np.ndim(whole)
        self.numiter = len(args)


def asarray_chkfinite(a, dtype=None, order=None):
    a = np.asarray(a, dtype=dtype)
    if not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def poly(seq_of_zeros):
    zeros = np.atleast_1d(seq_of_zeros)
    if np.ndim(zeros) != 1 or np.iscomplexobj(zeros):
        raise NotImplementedError("poly of a matrix, or of complex numbers")
    coefficients = np.zeros(len(zeros) + 1, dtype=np.result_type(zeros, 1.0))
    coefficients[0] = 1.0
    for k in range(len(zeros)):
        step = zeros[k] * coefficients[: k + 1]
        coefficients[1 : k + 2] = coefficients[1 : k + 2] - step
    return coefficients
