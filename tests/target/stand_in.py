"""A strict stand-in for cupy, made of numpy: what would not run on a device raises.

`with stand_in():` puts modules cupy and cupyx.scipy into sys.modules. They have the
names and keywords of gradgen/target/names/cupy.json, made from the real package, and
no others; their arrays are those of device_array.py. How cupy does each of these things
was read from its documentation and its Python sources.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import scipy

from tests.target.device_array import TABLE, Array, called, check, held, made

GRIDS = {"ogrid", "mgrid", "r_", "c_"}
# numpy tells by True what cupy tells by an array
TESTS = {"allclose", "array_equal", "array_equiv"}

# these stretch nothing on a device: seen with cupy 14.2 on an H200
ALONG_EACH_OTHER = {"linalg.cross": 0, "linalg.solve": 2}


def refuse_stretching(name: str, args: tuple) -> None:
    """Raises ValueError, as cupy does, where the axes that are not worked on differ."""
    last = ALONG_EACH_OTHER[name]
    x, y = (np.shape(held(arg)) for arg in args[:2])
    if name == "linalg.solve" and len(x) == 2 and len(y) <= 2:
        return
    if x[: len(x) - last] != y[: len(y) - last] or len(x) != len(y):
        raise ValueError(f"cupy.{name} of {x} and {y}")


class Function:
    """A function of the module, and of a ufunc the methods that cupy has."""

    def __init__(self, name: str, original: Callable):
        self._name, self._original = name, original

    def __call__(self, *args, **kwargs):
        if not self._name.endswith(".at"):
            check(self._name, args, kwargs)
        if self._name in ALONG_EACH_OTHER:
            refuse_stretching(self._name, args)
        result = called(self._original, args, kwargs)
        return Array(np.asarray(result)) if self._name in TESTS else result

    def __getattr__(self, method: str) -> Function:
        full = f"{self._name}.{method}"
        if not TABLE.has(full):
            raise AttributeError(f"cupy has no {full}")
        return Function(full, getattr(self._original, method))


class Grid:
    """cp.ogrid[...] and its like: arrays by subscript."""

    def __init__(self, original):
        self._original = original

    def __getitem__(self, key):
        return made(self._original[held(key)])


class Module(types.ModuleType):
    """A module whose names are those of the table under a prefix, and no others."""

    def __init__(self, name: str, prefix: str, original: types.ModuleType):
        super().__init__(name)
        self.__dict__.update(_prefix=prefix, _original=original)

    def __getattr__(self, name: str):
        full = self._prefix + name
        if full == "ndarray":
            return Array
        if not TABLE.has(full):
            if any(one.startswith(f"{full}.") for one in TABLE.names):
                inner = importlib.import_module(f"{self._original.__name__}.{name}")
                return Module(f"{self.__name__}.{name}", f"{full}.", inner)
            raise AttributeError(f"module {self.__name__} has no {name}")
        value = getattr(self._original, name)
        if full in GRIDS:
            return Grid(value)
        is_type = isinstance(value, type) and full != "broadcast"
        is_plain = is_type or not callable(value)
        return value if is_plain else Function(full, value)


@contextmanager
def stand_in() -> Iterator[Module]:
    """The module cupy while the block runs; cupyx.scipy and its modules as well."""
    scipy_like = Module("cupyx.scipy", "scipy.", scipy)
    scipy_like.__path__ = []
    cupyx = types.ModuleType("cupyx")
    cupyx.__path__, cupyx.scipy = [], scipy_like
    modules = {
        "cupy": Module("cupy", "", np),
        "cupyx": cupyx,
        "cupyx.scipy": scipy_like,
    }
    for name in ("special", "linalg", "signal", "stats"):
        modules[f"cupyx.scipy.{name}"] = getattr(scipy_like, name)
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield modules["cupy"]
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module
