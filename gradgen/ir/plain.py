"""Values that compute otherwise than arrays of numbers: why, and what to write."""

from __future__ import annotations

from typing import Any

import numpy as np

# what a subclass may define without computing in another way
HARMLESS = {
    *"__array_finalize__ __new__ __init__ __doc__ __repr__ __str__ __reduce__".split(),
    *"__setstate__ __format__ __class_getitem__ __init_subclass__ __dir__".split(),
    *"__reduce_ex__ __getstate__ __module__ __dict__ __weakref__ __del__".split(),
}
SORTS = {
    "O": ("an array of objects", "{}.astype(float)"),
    "U": ("an array of strings", "{}.astype(float)"),
    "S": ("an array of strings", "{}.astype(float)"),
    "T": ("an array of strings", "{}.astype(float)"),
    "M": ("an array of dates", "a float of the dates, such as ({0} - start) / unit"),
    "m": ("an array of time differences", "{} / np.timedelta64(1, 's')"),
    "V": ("a structured array", '{}["field"], an array of one field'),
}


def why_not_plain(value: object) -> tuple[str, str] | None:
    """What a value is that is no array of numbers, and the way out of it.

    None for arrays of numbers and for what is no array at all.
    """
    kind: type[Any] = type(value)
    if kind is np.ndarray:
        return _of_entries(value)
    if isinstance(value, np.ma.MaskedArray):
        return "a masked array", "{}.filled(0.0), or the mask as an argument of its own"
    if isinstance(value, np.matrix):
        return "an np.matrix, whose * is @", "np.asarray({})"
    if isinstance(value, np.ndarray):
        name = _computes(kind)
        if name:
            what = f"a {kind.__name__}, an array with a {name} of its own"
            return what, "np.asarray({})"
        return _of_entries(value)
    if isinstance(value, np.generic):
        return _of_entries(value) if value.dtype.kind in "MmV" else None
    if isinstance(value, (bool, int, float, complex, str, list, tuple, dict)):
        return None
    if _is_array_of_others(kind):
        library = kind.__module__.partition(".")[0]
        way = "{}.to_numpy()" if hasattr(kind, "to_numpy") else "np.asarray({})"
        if library == "torch":
            way = "{}.detach().numpy()"
        return f"a {kind.__name__} of {library}", way
    return None


def _of_entries(value: Any) -> tuple[str, str] | None:
    if value.dtype.kind == "O" and any(np.ndim(one) for one in value.flat):
        return "an array of arrays", "a list of them: {0} = list({0})"
    return SORTS.get(value.dtype.kind)


def _computes(kind: type[Any]) -> str:
    """What of an array's own a subclass replaces, "" for nothing that computes."""
    if issubclass(kind, np.memmap):
        return ""
    own = set(dir(np.ndarray)) - HARMLESS | {"__array_ufunc__", "__array_function__"}
    for base in kind.__mro__[: kind.__mro__.index(np.ndarray)]:
        found = sorted(own & vars(base).keys())
        if found:
            return found[0]
    return ""


def _is_array_of_others(kind: type[Any]) -> bool:
    """Whether objects of a type are arrays, or tables, of another library."""
    words = "__array__ __array_interface__ __dlpack__ __dataframe__".split()
    return any(hasattr(kind, word) for word in words)
