"""A function with parameters of its own in the place of a wrapper's *args.

before:  def wrapper(*args): return 2 * f(*args)
after:   def f(x, y): return _wrapper(x, y)
"""

from __future__ import annotations

import inspect
import linecache
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from gradgen.frontend.source.asking import STARRED, asked
from gradgen.frontend.source.called import calling
from gradgen.frontend.source.decorated import behind
from gradgen.lines import lines_of, text_name

# what a function was made in the place of, and whether it is of one call
STANDS_FOR, SETTLED = "__stands_for__", "__settled__"


def undecorated(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function with parameters of its own in the place of a wrapper's *args.

    before:  def wrapper(*args): return 2 * f(*args)
    after:   def f(x, y): return _wrapper(x, y)

    What the wrapper asks about, and need not be given, is left out: a default that is
    handed on is another call. `called_as` gives the function of a call.
    """
    known = calling(function)
    if known is not None:
        return known
    function = behind(function)
    function = calling(function) or function
    if not isinstance(function, types.FunctionType):
        return function
    wrapped = getattr(function, "__wrapped__", None)
    if wrapped is None or not function.__code__.co_flags & STARRED:
        return function
    signature = _signature(function)
    if signature is None:
        return function
    left_out = _asked_of(function)
    handed = [
        one.replace(kind=one.KEYWORD_ONLY) if left else one
        for left, one in _after_left_out(signature.parameters.values(), left_out)
    ]
    return _handing_on(function, handed)


def _signature(function: Any) -> inspect.Signature | None:
    """The parameters that a wrapper stands for; None where they are not told."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    told = all(one.kind not in stars for one in found.parameters.values())
    return found if told else None


def _after_left_out(
    parameters: Iterable[inspect.Parameter], asked: frozenset[str]
) -> Iterator[tuple[bool, inspect.Parameter]]:
    """The parameters that are handed on, and whether one before has been left out."""
    left = False
    for one in parameters:
        if one.name in asked and one.default is not one.empty:
            left = True
        else:
            yield left, one


def asks(function: Any) -> bool:
    """Whether a wrapper asks which of its arguments are given, or how."""
    is_settled = getattr(function, SETTLED, False)
    return not is_settled and bool(_asked_of(stands_for(function)))


def _asked_of(function: Any) -> frozenset[str]:
    if not isinstance(function, types.FunctionType) or not (
        hasattr(function, "__wrapped__") and function.__code__.co_flags & STARRED
    ):
        return frozenset()
    signature = _signature(function)
    if signature is None:
        return frozenset()
    return asked(function, inspect.unwrap(function), signature.parameters)


def called_as(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The function of a call of a wrapper that asks: of these places and keywords."""
    wrapper = stands_for(function)
    signature = inspect.signature(wrapper)
    signature.bind(*args, **kwargs)  # raises as the call does
    every = [p.replace(default=p.empty) for p in signature.parameters.values()]
    handed = every[: len(args)]
    handed += [p.replace(kind=p.KEYWORD_ONLY) for p in every if p.name in kwargs]
    made = _handing_on(wrapper, handed)
    setattr(made, SETTLED, True)
    return made


def _handing_on(function: Any, handed: list[inspect.Parameter]) -> Callable[..., Any]:
    """A function of these parameters that calls a wrapper with them."""
    signature = inspect.Signature(handed)
    parts = [
        f"{one.name}={one.name}" if one.kind is one.KEYWORD_ONLY else one.name
        for one in handed
    ]
    name = function.__name__ if function.__name__.isidentifier() else "f"
    told = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    head = str(
        signature.replace(
            parameters=[
                p.replace(default=_Shown(p)) if p.default is not p.empty else p
                for p in told
            ],
            return_annotation=signature.empty,
        )
    )
    text = f"def {name}{head}:\n    return _wrapped_function({', '.join(parts)})\n"
    file = text_name(name, text)
    linecache.cache[file] = len(text), None, lines_of(text, ends=True), file
    values = {f"_default_{p.name}": p.default for p in told if p.default is not p.empty}
    space = {"__name__": function.__module__, "_wrapped_function": function, **values}
    exec(compile(text, file, "exec"), space)
    made = cast(Callable[..., Any], space[name])
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    made.__qualname__ = function.__qualname__
    setattr(made, STANDS_FOR, function)
    return made


def stands_for(function: Any) -> Any:
    """The wrapper that a function was made in the place of; itself for others."""
    return getattr(function, STANDS_FOR, function)


class _Shown:
    """A default as a name in the text of a definition."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        self.name = parameter.name

    def __repr__(self) -> str:
        return f"_default_{self.name}"
