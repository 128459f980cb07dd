"""The kinds of arguments that people hand over, and what a gradient of each looks like.

`KINDS` are functions from a few numbers to an argument; `leaves` and `rebuilt` take
one apart and make it again of other numbers, in float64 or complex128, which is what
the primal is measured by.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np


class Plain(np.ndarray):
    """A subclass that computes as an array does."""


def _nested(values: np.ndarray) -> list:
    return [[float(v) for v in values], [float(v) + 0.25 for v in values]]


def _memmap(values: np.ndarray) -> np.memmap:
    with tempfile.TemporaryFile() as file:
        array = np.memmap(file, dtype=np.float64, shape=values.shape)
    array[...] = values
    return array


def _unaligned(values: np.ndarray) -> np.ndarray:
    memory = np.zeros(values.size * 8 + 1, np.uint8)
    array = np.ndarray(values.shape, np.float64, memory, offset=1)
    array[...] = values
    return array


def _read_only(values: np.ndarray) -> np.ndarray:
    array = values.copy()
    array.flags.writeable = False
    return array


def _strided(values: np.ndarray) -> np.ndarray:
    return np.repeat(values, 2)[::2]


def _object(values: np.ndarray) -> np.ndarray:
    return np.array([float(v) for v in values], dtype=object)


def _whole(values: np.ndarray) -> list[int]:
    """Whole numbers, no two alike: a maximum of equal ones has no gradient."""
    return [int(round(v)) + 10 * i for i, v in enumerate(values)]


NUMBERS: dict[str, Callable[[np.ndarray], Any]] = {
    "float": lambda v: float(v[0]),
    "int": lambda v: int(round(v[0])),
    "bool": lambda v: bool(v[0] > 1),
    "complex": lambda v: complex(v[0], 0.5),
    "float16 scalar": lambda v: np.float16(v[0]),
    "float32 scalar": lambda v: np.float32(v[0]),
    "float64 scalar": lambda v: np.float64(v[0]),
    "longdouble scalar": lambda v: np.longdouble(v[0]),
    "int64 scalar": lambda v: np.int64(round(v[0])),
    "0-d array": lambda v: np.array(v[0]),
    "0-d float32": lambda v: np.array(v[0], np.float32),
}
CONTAINERS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda v: [float(one) for one in v],
    "list of ints": _whole,
    "list of both": lambda v: [_whole(v)[0], *(float(one) for one in v[1:])],
    "list of bools": lambda v: [bool(one == max(v)) for one in v],
    "list of scalars": lambda v: [np.float64(one) for one in v],
    "tuple": lambda v: tuple(float(one) for one in v),
    "tuple of ints": lambda v: tuple(_whole(v)),
    "range": lambda v: range(1, 1 + len(v)),
    "nested list": _nested,
    "nested tuple of ints": lambda v: (tuple(_whole(v)), tuple(_whole(v + 4))),
    "empty list": lambda v: [],
}
ARRAYS: dict[str, Callable[[np.ndarray], Any]] = {
    "float16": lambda v: v.astype(np.float16),
    "float32": lambda v: v.astype(np.float32),
    "float64": lambda v: v.copy(),
    "longdouble": lambda v: v.astype(np.longdouble),
    "matrix of floats": lambda v: np.stack([v, v + 0.25]),
    "Fortran order": lambda v: np.asfortranarray(np.stack([v, v + 0.25])),
    "empty": lambda v: v[:0].copy(),
    "read-only": _read_only,
    "strided": _strided,
    "reversed": lambda v: v[::-1].copy()[::-1],
    "big-endian": lambda v: v.astype(">f8"),
    "subclass": lambda v: v.copy().view(Plain),
    "memmap": _memmap,
    "unaligned": _unaligned,
}
# those that have no gradient, or compute otherwise than an array does
OTHERS: dict[str, Callable[[np.ndarray], Any]] = {
    "int array": lambda v: np.array(_whole(v)),
    "bool array": lambda v: v > 1,
    "complex64": lambda v: (v + 0.5j).astype(np.complex64),
    "complex128": lambda v: v + 0.5j,
    "np.matrix": lambda v: np.matrix(np.stack([v, v])),
    "masked array": lambda v: np.ma.masked_array(v, mask=[True] + [False] * len(v[1:])),
    "object array": _object,
}
KINDS = NUMBERS | CONTAINERS | ARRAYS | OTHERS
PYTHONS = (bool, int, float, complex)


def leaves(value: Any) -> np.ndarray:
    """The numbers of an argument, in float64 or complex128."""
    if isinstance(value, (list, tuple, range)):
        parts = [leaves(one) for one in value]
        return np.concatenate(parts) if parts else np.zeros(0)
    wide = np.complex128 if np.iscomplexobj(value) else np.float64
    return np.asarray(value).astype(wide).ravel()


def rebuilt(value: Any, numbers: Any) -> Any:
    """An argument of the same form as `value`, made of other numbers."""
    return _taken(value, iter(numbers))


def _taken(value: Any, numbers: Any) -> Any:
    if isinstance(value, (list, range)):
        return [_taken(one, numbers) for one in value]
    if isinstance(value, tuple):
        return tuple(_taken(one, numbers) for one in value)
    if isinstance(value, PYTHONS) and not isinstance(value, np.generic):
        return next(numbers).item()
    if np.ndim(value) == 0:
        one = next(numbers)
        return np.array(one) if isinstance(value, np.ndarray) else one
    return np.array([next(numbers) for _ in range(value.size)]).reshape(value.shape)


def unlike(value: Any, gradient: Any) -> str:
    """How a gradient is not of the form of its argument, "" where it is."""
    if isinstance(value, (list, tuple, range)):
        kind = tuple if isinstance(value, tuple) else list
        if type(gradient) is not kind or len(gradient) != len(value):
            return f"a {type(gradient).__name__} for a {type(value).__name__}"
        return next(filter(None, map(unlike, value, gradient)), "")
    if np.shape(gradient) != np.shape(value):
        return f"the shape {np.shape(gradient)} for {np.shape(value)}"
    kind = np.asarray(gradient).dtype
    if isinstance(value, PYTHONS) and not isinstance(value, np.generic):
        wanted = np.dtype(complex if isinstance(value, complex) else float)
        fits = isinstance(gradient, (float, complex)) and kind == wanted
        return "" if fits else f"a {type(gradient).__name__} for a number"
    return "" if kind == value.dtype else f"{kind} for {value.dtype}"
