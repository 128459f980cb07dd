"""array-api-extra as SciPy brings it, for arrays of NumPy's."""

module = """
scipy._lib.array_api_extra
array_api_extra
sklearn.externals.array_api_extra
"""


def atleast_nd(x, /, *, ndim, xp=None):
    if ndim == 1:
        return np.atleast_1d(x)
    if ndim == 2:
        return np.atleast_2d(x)
    raise NotImplementedError("an array of more than 2 axes at least")


def expand_dims(a, /, *, axis=(0,), xp=None):
    return np.expand_dims(a, axis)


def isclose(a, b, *, rtol=1e-05, atol=1e-08, equal_nan=False, xp=None):
    return np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def sinc(x, /, *, xp=None):
    return np.sinc(x)


def apply_where(cond, args, f1, f2=None, /, *, fill_value=None, kwargs=None, xp=None):
    given = args if isinstance(args, tuple) else (args,)
    words = {} if kwargs is None else kwargs
    cond, *given = np.broadcast_arrays(cond, *given)
    if np.ndim(cond) == 0:
        cond, given = np.reshape(cond, 1), [np.reshape(one, 1) for one in given]
        first = f1(*[one[cond] for one in given], **words)
        if f2 is None:
            made = np.full(1, fill_value, dtype=np.result_type(first, fill_value))
            made[cond] = first
            return made[0]
        second = f2(*[one[~cond] for one in given], **words)
        made = np.empty(1, dtype=np.result_type(first, second))
        made[cond] = first
        made[~cond] = second
        return made[0]
    first = f1(*[one[cond] for one in given], **words)
    if f2 is None:
        made = np.full(cond.shape, fill_value, dtype=np.result_type(first, fill_value))
        made[cond] = first
        return made
    rest = ~cond
    second = f2(*[one[rest] for one in given], **words)
    made = np.empty(cond.shape, dtype=np.result_type(first, second))
    made[cond] = first
    made[rest] = second
    return made


class at:
    def __init__(self, x, idx=None, /):
        self._x = x
        self._idx = idx

    def __getitem__(self, idx):
        self._idx = idx
        return self

    def set(self, y, /, copy=None, xp=None):
        made = np.array(self._x) if copy else self._x
        made[self._idx] = y
        return made

    def add(self, y, /, copy=None, xp=None):
        made = np.array(self._x) if copy else self._x
        made[self._idx] += y
        return made

    def subtract(self, y, /, copy=None, xp=None):
        made = np.array(self._x) if copy else self._x
        made[self._idx] -= y
        return made

    def multiply(self, y, /, copy=None, xp=None):
        made = np.array(self._x) if copy else self._x
        made[self._idx] *= y
        return made

    def divide(self, y, /, copy=None, xp=None):
        made = np.array(self._x) if copy else self._x
        made[self._idx] /= y
        return made


def create_diagonal(x, /, *, offset=0, xp=None):
    return np.diag(x, offset)


def nan_to_num(x, /, *, fill_value=0.0, xp=None):
    return np.nan_to_num(x, nan=fill_value)
