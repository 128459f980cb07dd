"""Arrays that live elsewhere, as cupy's do: they compute, and cannot be looked at.

They are made of numpy's, and are no numpy arrays: what would copy from a device, or
is undefined there, raises Refused. x[i] of a vector is a view of its memory, and x += y
changes x, also where numpy has numbers of their own. A method has the keywords of
gradgen/target/names/cupy.json.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import scipy

from gradgen.target.links import links

TABLE = links("cupy")
UFUNC = ["out", "dtype", "casting"]
NUMBERS = (bool, int, float, complex, np.generic)
# attributes that are known without a copy from the device
ATTRIBUTES = {"dtype", "shape", "ndim", "size", "itemsize", "nbytes", "strides"}
PARTS = {"T", "mT", "real", "imag"}
COPIES = {"item", "tolist", "tobytes", "tofile", "dump", "dumps", "data", "flat"}
# these make arrays of what the host has, or tell of it
TAKE_HOST_VALUES = set(
    "array asarray asanyarray ascontiguousarray asfortranarray ndim shape isscalar "
    "iscomplexobj isrealobj isclose result_type promote_types can_cast dtype".split()
)
# parameters that are arrays
ARRAYS = set("a ary arr array b condition fp m v weights x xp y z choices".split())
# parameters that the host reads before anything is started
HOST = set(
    "axis axes shape newshape shift reps k n N ord num offset ddof keepdims dtype "
    "indices_or_sections pad_width mode order source destination axis1 axis2".split()
)
# positions of arguments that are arrays under other names: seen with cupy 14.2
ARRAY_AT = {"digitize": 1, "scipy.special.polygamma": 0}


class Refused(TypeError):
    """What cupy does not do, or what would copy from the device."""


class Array:
    """An array that lives elsewhere: it computes, and cannot be looked at."""

    __slots__ = ("_held",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, held: np.ndarray):
        self._held = held

    def __getattr__(self, name: str):
        if name in COPIES or name not in TABLE.methods:
            raise Refused(f"x.{name} copies from the device, or cupy has none")
        if name in ATTRIBUTES:
            return getattr(self._held, name)
        if name in PARTS:
            return Array(getattr(self._held, name))

        def method(*args, **kwargs):
            if TABLE.has(name) and TABLE.names[name] != UFUNC:
                check(name, (self, *args), kwargs)
            return called(getattr(self._held, name), args, kwargs)

        return method

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key) -> Array:
        return Array(self._held[_place(key)])

    def __setitem__(self, key, value) -> None:
        place = _place(key)
        if not isinstance(value, (Array, *NUMBERS)):
            raise Refused(f"{type(value).__name__} stored into a cupy array")
        _refuse_repeated(self._held, place)
        self._held[place] = held(value)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or not all(
            isinstance(i, (Array, *NUMBERS)) for i in inputs
        ):
            raise Refused(f"np.{ufunc.__name__} of a cupy array and a numpy array")
        return called(ufunc, inputs, kwargs)

    def __array_function__(self, function, *_):
        raise Refused(f"np.{function.__name__} of a cupy array")


def _read(name: str) -> Callable:
    def reads(self, *_, **__):
        raise Refused(f"{name} of a cupy array waits for the device")

    return reads


for (
    _name
) in "bool int float complex index array contains str repr format round".split():
    setattr(Array, f"__{_name}__", _read(f"__{_name}__"))


def _operator(name: str, function: Callable, swapped: bool = False) -> Callable:
    def applied(self, *others):
        if not all(isinstance(other, (Array, *NUMBERS)) for other in others):
            kinds = ", ".join(type(other).__name__ for other in others)
            raise Refused(f"{name} of a cupy array and {kinds}")
        operands = (*others, self) if swapped else (self, *others)
        return made(function(*map(held, operands)))

    return applied


def _in_place(name: str, ufunc: np.ufunc) -> Callable:
    def applied(self, other):
        if not isinstance(other, (Array, *NUMBERS)):
            raise Refused(f"{name} of a cupy array and {type(other).__name__}")
        ufunc(self._held, held(other), out=self._held, casting="same_kind")
        return self

    return applied


for _name in "neg pos abs invert lt le gt ge eq ne".split():
    _dunder = f"__{_name}__"
    setattr(Array, _dunder, _operator(_dunder, getattr(operator, _dunder)))
for _name, _ufunc in {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "pow": np.power,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "matmul": np.matmul,
}.items():
    _function = getattr(operator, f"__{_name}__")
    setattr(Array, f"__{_name}__", _operator(_name, _function))
    setattr(Array, f"__r{_name}__", _operator(_name, _function, swapped=True))
    setattr(Array, f"__i{_name}__", _in_place(_name, _ufunc))


def held(value):
    """What numpy computes with: the arrays behind arrays, also in lists."""
    if isinstance(value, Array):
        return value._held
    if isinstance(value, (tuple, list)):
        return type(value)(map(held, value))
    return value


def made(value):
    """Arrays of what numpy gave; a number that it computed is one without axes."""
    if isinstance(value, (np.ndarray, np.generic)):
        return Array(np.asarray(value))
    if isinstance(value, (tuple, list)):
        parts = [made(one) for one in value]
        return value._make(parts) if hasattr(value, "_make") else type(value)(parts)
    return value


def called(function: Callable, args: tuple, kwargs: dict):
    out = kwargs.get("out")
    if out is not None and not isinstance(out, Array):
        raise Refused("out= is no cupy array")
    result = function(*map(held, args), **{name: held(v) for name, v in kwargs.items()})
    return made(result) if out is None else out


def _place(key):
    """The key for numpy; with an ellipsis, so that a number is a view as well."""
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if isinstance(part, np.ndarray):
            raise Refused("a numpy array as the index of a cupy array")
    key = tuple(map(held, parts))
    return key if any(part is Ellipsis for part in key) else (*key, ...)


def _refuse_repeated(array: np.ndarray, place: tuple) -> None:
    """Refuses a store that names a place twice: which value stays is not defined."""
    if any(isinstance(part, (np.ndarray, list)) for part in place):
        places = np.arange(array.size).reshape(array.shape)[place]
        if np.unique(places).size != places.size:
            raise Refused("a store that names a place twice")


def check(name: str, args: tuple, kwargs: dict) -> None:
    """Refuses arguments that cupy's function of this name does not take."""
    known = TABLE.names[name]
    for keyword in kwargs:
        if not TABLE.takes(name, keyword):
            raise Refused(f"cupy.{name} takes no {keyword}=")
    is_ufunc = known == UFUNC
    words = [] if is_ufunc else _words(name)
    place = ARRAY_AT.get(name, -1)
    if len(args) > place >= 0 and not isinstance(args[place], Array):
        raise Refused(f"cupy.{name} of {type(args[place]).__name__}")
    for k, value in enumerate(args):
        if k == place:
            continue
        _check_value(name, words[k] if k < len(words) else "", value, k, is_ufunc)
    for keyword, value in kwargs.items():
        _check_value(name, keyword, value, -1, False)


@cache
def _words(name: str) -> list[str]:
    """The names of numpy's positional parameters, up to one that takes any number."""
    root = scipy if name.startswith("scipy.") else np
    original = operator.attrgetter(name.removeprefix("scipy."))(root)
    try:
        parameters = inspect.signature(original).parameters.values()
    except (TypeError, ValueError):
        return []
    several = [p.kind is p.VAR_POSITIONAL for p in parameters]
    known = [p.name for p in parameters]
    return known[: several.index(True)] if any(several) else known


def _check_value(name: str, word: str, value, k: int, is_ufunc: bool) -> None:
    inner = value if isinstance(value, (tuple, list)) else [value]
    of_arrays = [isinstance(one, Array) for one in inner]
    if any(isinstance(one, np.ndarray) for one in inner):
        raise Refused(f"cupy.{name} of a numpy array")
    if isinstance(value, (tuple, list)) and any(of_arrays) and not all(of_arrays):
        raise Refused(f"cupy.{name} of a list of arrays and other values")
    if word in HOST and any(of_arrays):
        raise Refused(f"cupy.{name} waits for {word}= to come from the device")
    if is_ufunc and not isinstance(value, (Array, *NUMBERS)):
        raise Refused(f"cupy.{name} of {type(value).__name__}")
    if name in TAKE_HOST_VALUES or not word in ARRAYS or any(of_arrays):
        return
    if k == 0 or isinstance(value, (tuple, list)):
        raise Refused(f"cupy.{name} of {type(value).__name__}, which is no cupy array")


def given(value, made: Callable | None = None):
    """An argument on the device: arrays and numpy's numbers, also in containers.

    `made` makes an array of the device of one of numpy's; the stand-in's by default.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return Array(np.array(value)) if made is None else made(value)
    if isinstance(value, dict):
        return {name: given(one, made) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(given(one, made) for one in value)
    return value


def fetched(value):
    """A result as numpy's arrays again; numbers stay what they are."""
    if isinstance(value, Array):
        return np.array(value._held)
    if isinstance(value, dict):
        return {name: fetched(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(map(fetched, value))
    return value.get() if hasattr(value, "get") else value
