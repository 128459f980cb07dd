"""Arguments that a call leaves out, and whose defaults it hands over itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradgen.frontend.calls.default_texts import is_handed, is_open_row

Given = tuple[tuple[Any, ...], dict[str, Any]]


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The arguments that a call may leave out, by name, as they are now."""
    one: Any = function
    code, given = one.__code__, one.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    behind = names[len(names) - len(given) :]
    return dict(zip(behind, given)) | (one.__kwdefaults__ or {})


def with_left_out(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    bound: int = 0,
) -> Given:
    """The arguments of a call with the arrays, records and objects that it leaves out.

    before:  g(x)              of f(x, k=2.0, w=np.ones(3))
    after:   g(x, 2.0, w)      where w is the array that f holds

    So what a text takes for an argument is one, and the default is read at each call.
    `bound` is how many arguments come before these: the instance of a method.
    """
    known = defaults_of(function)
    handed = [
        name for name, value in known.items() if is_handed(value) or is_open_row(value)
    ]
    if not handed:
        return args, dict(kwargs)
    code: Any = getattr(function, "__code__")
    names = code.co_varnames[bound : code.co_argcount]
    placed = {*names[: len(args)], *kwargs}
    missing = [name for name in handed if name not in placed]
    words = dict(kwargs)
    words |= {name: known[name] for name in missing if name not in names}
    places = [names.index(name) for name in missing if name in names]
    if not places:
        return args, words
    between = names[len(args) : max(places) + 1]
    if any(name not in words and name not in known for name in between):
        return args, words  # an argument is missing, which the call tells
    more = [words.pop(name) if name in words else known[name] for name in between]
    return (*args, *more), words


def is_option(value: Any) -> bool:
    """Whether an argument may be an option, which a text takes for an array."""
    return value is None or isinstance(value, (tuple, list))
