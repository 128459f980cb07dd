"""Functions that stand in a class as in a module, without an instance: EOS.density(T, p)."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from typing import Any

import numpy

from gradgen.lines import dedented

# what the first argument of a method is called
RECEIVERS = {"self", "cls", "this", "me", "mcs"}


def is_of_namespace(function: Any, cls: Any) -> bool:
    """Whether a function of a class takes no instance first: the class is a name for many.

    before:  class EOS:
                 def check(p): return p * p
                 def zeta(T, p): return T * EOS.check(p)
    after:   zeta is a function of T and p

    Its first argument is not called self, and nothing is read of it that an instance has
    and an array has not. The class says nothing of instances: it has no __init__, no
    operators.
    """
    function = inspect.unwrap(function)
    name = function.__name__
    params = [*inspect.signature(function).parameters.values()]
    if not params or _is_special(name, function):
        return False
    first = params[0]
    if first.name in RECEIVERS or first.kind is first.VAR_POSITIONAL:
        return False
    read = _read_of(function.__code__, first.name)
    own = [vars(base) for base in cls.__mro__ if base is not object]
    if read is None or any(read & one.keys() for one in own):
        return False
    if any(_is_special(key, value) for one in own for key, value in one.items()):
        return False
    return read <= set(dir(numpy.ndarray))


def _is_special(name: str, value: object) -> bool:
    """Whether it tells how instances are made, or what operators do with them."""
    return name.startswith("__") and name.endswith("__") and inspect.isfunction(value)


@functools.lru_cache(maxsize=1024)
def _read_of(code: types.CodeType, name: str) -> set[str] | None:
    """The attributes of an argument that a function reads; None without a text."""
    try:
        tree = ast.parse(dedented(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }
