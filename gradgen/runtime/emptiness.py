"""Calls with arguments of no entries: the function is run, for it may raise.

A text leaves out forward statements that no gradient reads. Of `max(w)`, `w[0]` or
`1 / len(w)` of an empty w the function raises, and so has its gradient.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradgen.runtime.copied import copied


def raise_as(
    primal: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    """Raises what the function raises, where an argument has no entries.

    before:  gradient of f(x, w), whose line `a = max(w)` nothing reads
    after:   ValueError of max for an empty w, as of f; nothing for others

    The function gets copies, since it may change its arguments.
    """
    if not any(map(_is_empty, (*args, *kwargs.values()))):
        return
    own, more = copied((args, dict(kwargs)))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # the call warns of it itself
        primal(*own, **more)


def _is_empty(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return not value.size
    return isinstance(value, (list, tuple, dict)) and not value
