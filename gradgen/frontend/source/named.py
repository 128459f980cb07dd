"""A name -> what stands under it: module.fn, path/file.py:fn, module:Net.method."""

from __future__ import annotations

import difflib
import functools
import importlib.util
import inspect
import os
import sys
import types
import unicodedata
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.listed import a_module
from gradgen.frontend.source.mangled import private
from gradgen.frontend.source.raised import import_failed
from gradgen.frontend.source.unmoved import unmoved

# As many names may be listed in a message.
FEW = 12


def class_named(target: str) -> type | None:
    """The class that a method is named of, which may inherit it: module:Net.loss."""
    head, _, own = target.rpartition(".")
    if not head or ":" in own or head.startswith("."):
        return None
    try:
        found: Any = resolve(head)
    except GradgenError:
        return None
    return found if isinstance(found, type) else None


def resolve(target: str) -> Callable[..., Any]:
    """What stands under a name: see `find`. Raises GradgenError."""
    if not isinstance(target, str):
        raise GradgenError(
            "GG101",
            f"{target!r} is a {type(target).__name__}, not a function",
            advice="a function, or its name",
        )
    path, colon, name = target.rpartition(":")
    if not colon:
        path, _, name = target.rpartition(".")
        above, _, cls = path.rpartition(".")
        if cls and _is_class_of(above, cls):
            path, name = above, f"{cls}.{name}"
    name = unicodedata.normalize("NFKC", name)  # as Python reads names
    is_name = path and all(part.isidentifier() for part in name.split("."))
    if not is_name or not colon and target.endswith(".py") and os.path.isfile(target):
        module = _module_named(target)
        if module is not None:
            raise a_module(target, module)
        raise GradgenError(
            "GG101",
            f"{target!r} does not name a function",
            advice="module.fn, module:fn or path/file.py:fn",
        )
    module = _import(path)
    cls, _, own = name.rpartition(".")
    try:
        if cls:
            return _method(getattr(module, cls), own, name)
        found = getattr(module, name)
    except GradgenError:
        raise
    except AttributeError:
        inner = None if colon else _module_named(target)
        if inner is not None:
            raise a_module(target, inner) from None
        functions = [n for n, v in vars(module).items() if inspect.isfunction(v)]
        raise GradgenError(
            "GG102",
            f"{path} has no function {name}",
            advice=did_you_mean(name, functions),
        ) from None
    except Exception as error:  # of a __getattr__ of the module's own
        raise import_failed(path, error) from error
    if isinstance(found, types.ModuleType):
        raise a_module(target, found)
    return found  # type: ignore[no-any-return]


def _module_named(target: str) -> types.ModuleType | None:
    """The module that a target without a function names; None where there is none."""
    path = target.rstrip(":.")
    if not os.path.isfile(path) and not _is_found(path):
        return None
    return _import(path)


def _is_found(path: str) -> bool:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    return not path.endswith(".py") and spec_of(path) is not None


def spec_of(path: str) -> ModuleSpec | None:
    """Where a module is; the packages above it are imported. Raises GradgenError."""
    try:
        with unmoved():
            return importlib.util.find_spec(path)
    except (ImportError, ValueError, AttributeError):
        return None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # of a package, which may raise anything
        raise import_failed(path, error) from error


def _is_class_of(path: str, name: str) -> bool:
    """Whether a module has a class of this name, and is no package with a module."""
    if not path or spec_of(f"{path}.{name}") is not None:
        return False
    try:
        return isinstance(getattr(_import(path), name, None), type)
    except GradgenError:
        return False


def _method(cls: Any, name: str, full: str) -> Callable[..., Any]:
    """The function of a method, as the class's text has it."""
    found = inspect.getattr_static(cls, private(name, cls.__name__), None)
    function: Any = getattr(found, "__func__", found)
    if isinstance(found, classmethod):
        function = getattr(cls, name)  # with the class that it is asked of
    if isinstance(found, property):
        function = found.fget
    if function is None:
        known = [n for n in dir(cls) if inspect.isfunction(getattr(cls, n, None))]
        raise GradgenError(
            "GG102",
            f"{full.rpartition('.')[0]} has no method {name}",
            advice=did_you_mean(name, known),
        )
    return function  # type: ignore[no-any-return]


def did_you_mean(name: str, known: list[str]) -> str:
    """The nearest known name, or all of them when they are few."""
    return _nearest(name, tuple(known))


@functools.lru_cache(maxsize=512)
def _nearest(name: str, known: tuple[str, ...]) -> str:
    # A slip of the fingers seldom changes the first letter.
    close = difflib.get_close_matches(name, known, 5)
    near = [other for other in close if other[:1].lower() == name[:1].lower()]
    near = near or difflib.get_close_matches(name, known, 1, cutoff=0.75)
    near = [other for other in near if is_slip(name, other)]
    if near:
        return f"did you mean {near[0]}?"
    return "one of " + ", ".join(known) if known and len(known) <= FEW else ""


def is_slip(name: str, other: str) -> bool:
    """Whether one name may be a slip of the fingers for the other, or its beginning.

    One letter that is wrong, missing, too many, or two that changed places, for
    each four of the name: sun is np.sum, and relu is not np.real.
    """
    short, long = sorted((name.lower(), other.lower()), key=len)
    if len(short) > 2 and long.startswith(short):
        return True
    return _slips(short, long) <= max(1, len(name) // 4)


def _slips(a: str, b: str) -> int:
    """How many letters are changed, left out, put in or swapped between two names."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        now = [i + 1]
        for j, y in enumerate(b):
            least = min(row[j] + (x != y), row[j + 1] + 1, now[j] + 1)
            if before and j and (x, a[i - 1]) == (b[j - 1], y):
                least = min(least, before[j - 1] + 1)
            now.append(least)
        before, row = row, now
    return row[-1]


def _import(path: str) -> types.ModuleType:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with unmoved():
            return _imported(path)
    except GradgenError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise import_failed(path, error) from error


def _imported(path: str) -> types.ModuleType:
    if not path.endswith(".py"):
        return importlib.import_module(path)
    if not os.path.isfile(path):
        raise GradgenError("GG103", f"there is no file {path}")
    # As pytest does: a file's neighbours can be imported from it.
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = os.path.basename(path)[:-3]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # of a file in Python
    module = importlib.util.module_from_spec(spec)
    known = sys.modules.setdefault(name, module)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if known is module:
            del sys.modules[name]
        raise
    return module
