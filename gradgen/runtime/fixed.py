"""Calls with functions, tables and keywords that no signature tells: a text of their own.

`g(x, np.sin)`, where g is the gradient of `f(x, activation=np.tanh)`, is the gradient of
a function that calls f with np.sin. So are calls that hand over *args and **kwargs, and
those of a function whose text is refused unless its options are known.
"""

from __future__ import annotations

import enum
import inspect
import linecache
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradgen.frontend.source.lookup import is_compared_as_object
from gradgen.frontend.source.names import CALLED
from gradgen.frozen import dataclass
from gradgen.lines import lines_of, text_name
from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.left_out import defaults_of

STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
# options that a text may be refused for, unless they are known
OPTIONS = (str, bool, int, type(None))
# what a derivative takes besides the arguments of its function
SEED = "seed"


@dataclass(frozen=True)
class Fixed:
    """A call as one of another function: what it calls, and with which arguments.

    `key` is equal for calls of one function.
    """

    key: tuple[Any, ...]
    # those that are fixed and are whole numbers
    counts: tuple[str, ...]
    make: Callable[[], Callable[..., Any]]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def fixed_call(
    function: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    wrt: tuple[str, ...],
    options: bool = False,
    free: frozenset[str] = frozenset(),
) -> Fixed | None:
    """The call with what is static in it fixed; None where nothing is.

    With `options` strings, flags and counts are static as well, but those that are
    `free`.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    only = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    defaults = defaults_of(function)
    more = args[len(names) :] if code.co_flags & inspect.CO_VARARGS else ()
    extra = [k for k in kwargs if k not in (*names, *only, SEED)]
    extra = extra if code.co_flags & inspect.CO_VARKEYWORDS else []
    given = dict(zip(names, args)) | {k: v for k, v in kwargs.items() if k not in extra}
    found = {
        name: value
        for name, value in (defaults | given).items()
        if name in (*names, *only) and name not in wrt and _is_fixed(value, options)
        if name not in free
        if options or value is not defaults.get(name, found_nowhere)
    }
    words_of = {
        name: words
        for name, value in given.items()
        if options and name in (*names, *only) and name not in found
        if (words := _words(value))
    }
    if not (found or words_of or more or extra):
        return None
    ways = (tuple((k, _key(v)) for k, v in way.items()) for way in (found, words_of))
    key = *ways, len(more), tuple(extra)
    rest = tuple(None if name in found else value for name, value in zip(names, args))
    words = {k: None if k in found else v for k, v in kwargs.items()}
    stars = len(more)

    def make() -> Callable[..., Any]:
        return _calling(function, found, stars, extra, words_of)

    counts = (k for k, v in found.items() if type(v) is int)
    return Fixed(key, tuple(counts), make, (*rest, *more), words)


class ByShape(AsFunction):
    """A derivative of a function that asks how it is called, or takes *args alone.

    One for each number of places and set of keywords that it is called with; the
    arguments of *args are called args_0, args_1 and so on. `shape` makes the function
    of such a call.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        method: types.MethodType | None,
        make: Callable[[Callable[..., Any]], Any],
        maker: str,
        tangents: int,
        shape: Callable[[Any, tuple[Any, ...], Mapping[str, Any]], Any],
    ) -> None:
        self.primal, self._method, self._tangents = function, method, tangents
        self._make, self.maker, self.is_bound = make, maker, method is not None
        self._shape = shape
        self._dress(function)
        self._made: dict[tuple[Any, ...], Any] = {}

    def specialize(self, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        return self.for_call(args, kwargs).specialize(*args, **kwargs)

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.for_call(args, kwargs)(*args, **kwargs)

    def for_call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """The derivative of the function of such a call."""
        own = args[: len(args) - self._tangents]
        words = {k: v for k, v in kwargs.items() if k != SEED}
        key = len(own), *words
        if key not in self._made:
            instance = () if self._method is None else (self._method.__self__,)
            function = self._shape(self.primal, (*instance, *own), words)
            for one in instance:
                function = types.MethodType(function, one)
            self._made[key] = self._make(function)
        return self._made[key]


def starred_as(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The function of a call of one that takes *args: of these places and keywords."""
    code = function.__code__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    more = max(len(args) - code.co_argcount, 0)
    return _calling(function, {}, more, [k for k in kwargs if k not in own])


found_nowhere = object()


def _is_fixed(value: Any, options: bool) -> bool:
    """Whether a value is no number and no array, and can be the key of a text."""
    if isinstance(value, (enum.Enum, type(np.max))):
        return True
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
        return True
    if isinstance(
        value, (type(np.max), np.ufunc, np.dtype, types.ModuleType, types.MethodType)
    ):
        return True
    if isinstance(value, (dict, list, tuple)) and not hasattr(value, "_fields"):
        parts = list(value.values() if isinstance(value, dict) else value)
        plain = all(isinstance(one, (*OPTIONS, float)) for one in parts)
        known = all(_is_fixed(one, True) or type(one) is float for one in parts)
        words = any(type(one) not in (int, float) for one in parts)
        return known and (isinstance(value, dict) and words or not plain or options)
    if options and type(value) is float:
        return bool(np.isinf(value))  # an order of norms
    if options and is_compared_as_object(type(value)) and hasattr(value, "__dict__"):
        return not callable(value)  # compared as the object that it is
    return options and isinstance(value, (*OPTIONS, np.integer, np.bool_, slice))


def _words(value: Any) -> dict[str, Any]:
    """What a dictionary of arrays has of strings and flags, under words."""
    if type(value) is not dict:
        return {}
    return {
        key: one
        for key, one in value.items()
        if type(key) is str and isinstance(one, (str, bool, type(None)))
    }


def _key(value: Any) -> Any:
    """What tells two static values apart; it holds the functions that it names."""
    if isinstance(value, dict):
        return "dict", tuple((key, _key(one)) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(map(_key, value))
    if isinstance(value, (*OPTIONS, float, np.generic, slice)):
        return type(value).__name__, repr(value)
    return "object", _Same(value)


class _Same:
    """An object as a key: equal to itself alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def _calling(
    function: Any,
    found: Mapping[str, Any],
    stars: int,
    extra: list[str],
    words_of: Mapping[str, Mapping[str, Any]] = types.MappingProxyType({}),
) -> Callable[..., Any]:
    """A function that calls another one with what is fixed, and is in a dictionary.

    def f(x, options, activation=None):
        return _function(x, {**options, 'mode': _options_0}, activation=_activation)
    """
    signature = inspect.signature(function, follow_wrapped=False)
    head: list[str] = []
    handed: list[str] = []
    only: list[str] = []
    module = function.__globals__.get("__name__")
    module = module if module == CALLED else function.__module__
    space: dict[str, Any] = {"__name__": module, "_function": function}
    for name, parameter in signature.parameters.items():
        word = name
        if name in found:
            word = f"_{name}"
            space[word] = found[name]
            if type(found[name]) is dict:  # the function may fill it
                word = f"{{**{word}}}"
        shown = name
        if name in found and parameter.default is parameter.empty:
            shown = name  # each call gives it
        elif name in found:
            shown = f"{name}=None"
        elif parameter.default is not parameter.empty:
            space[f"_default_{name}"] = parameter.default
            shown = f"{name}=_default_{name}"
        if name in words_of:
            held = {
                f"_{name}_{i}": one for i, one in enumerate(words_of[name].values())
            }
            space |= held
            pairs = (f"{key!r}: {one}" for key, one in zip(words_of[name], held))
            word = f"{{**{name}, {', '.join(pairs)}}}"
        if parameter.kind is parameter.VAR_POSITIONAL:
            names = [f"{name}_{i}" for i in range(stars)]
            if names:  # behind which no parameter is left out
                head = [*(one.partition("=")[0] for one in head), *names]
            handed = handed + names
        elif parameter.kind is parameter.KEYWORD_ONLY:
            only.append(shown)
            handed.append(f"{name}={word}")
        elif parameter.kind is not parameter.VAR_KEYWORD:
            head.append(shown)
            handed.append(word)
    only += extra
    handed += [f"{name}={name}" for name in extra]
    if only:
        head += ["*", *only]
    name = function.__name__ if function.__name__.isidentifier() else "f"
    text = (
        f"def {name}({', '.join(head)}):\n    return _function({', '.join(handed)})\n"
    )
    file = text_name(f"fixed {name}", text)
    linecache.cache[file] = len(text), None, lines_of(text, ends=True), file
    exec(compile(text, file, "exec"), space)
    made = space[name]
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    result: Callable[..., Any] = made
    return result
