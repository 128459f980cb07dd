"""What is assumed of a class's instances, where the arrays of one are like that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gradgen.facts.assumed import Assumed


def hold(assumed: Iterable[Assumed], examples: Mapping[str, Any]) -> bool:
    """Whether arrays and numbers have the ranks and lengths that are assumed of them."""
    sizes: dict[str, int] = {}
    for one in assumed:
        if one.name not in examples:
            continue
        shape = np.shape(examples[one.name])
        if one.rank >= 0 and len(shape) != one.rank:
            return False
        letters = one.length.split()
        for letter, size in zip(letters, shape) if len(letters) == len(shape) else ():
            known = (
                int(letter) if letter.isdecimal() else sizes.setdefault(letter, size)
            )
            if letter.isalnum() and known != size:
                return False
    return True
