"""A keyword that a function of the interface does not have, and the one that is meant."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from gradgen.frontend.named import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")
# what other libraries, and the command line, call an option
ELSEWHERE = {
    "argnums": "wrt",
    "argnum": "wrt",
    "aux": "has_aux",
    "library": "target",
    "v": "seed",
}


def with_hints(function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose TypeError for a keyword says which one is near.

    before:  emit() got an unexpected keyword argument 'shape'
    after:   emit() has no option shape: did you mean shapes?
    """
    known = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in known:
                raise TypeError(_told(function.__name__, name, known))
        return function(*args, **kwargs)

    return called


def _told(function: str, name: str, known: list[str]) -> str:
    other = ELSEWHERE.get(name, "")
    hint = f"did you mean {other}?" if other in known else did_you_mean(name, known)
    return f"{function}() has no option {name}" + (f": {hint}" if hint else "")
