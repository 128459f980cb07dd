"""What is assumed of a class's instances, where the arrays of one are like that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy import broadcast_shapes as broadcast

from gradgen.facts.assumed import Assumed
from gradgen.facts.fitting import ITS
from gradgen.shapes.spec import OR_ROW


def hold(assumed: Iterable[Assumed], examples: Mapping[str, Any]) -> bool:
    """Whether arrays and numbers have the ranks and lengths that are assumed of them."""
    sizes: dict[str, int] = {}
    assumed = tuple(assumed)
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
    return all(_fits(one, sizes, examples) for one in assumed if one.fits)


def _fits(one: Assumed, sizes: Mapping[str, int], examples: Mapping[str, Any]) -> bool:
    """Whether an example has the shape, or broadcasts to it, that is assumed of it.

    So it does as far as is known where there is no example of that shape.
    """
    if one.name not in examples or one.fits == ITS and one.main not in examples:
        return True
    shape = np.shape(examples.get(one.name, 0.0))
    if one.fits == ITS:
        whole = np.shape(examples.get(one.main, 0.0))
    else:
        letters = one.fits.partition(OR_ROW)[0].split()
        if not all(letter.isdecimal() or letter in sizes for letter in letters):
            return True
        whole = tuple(sizes[x] if x in sizes else int(x) for x in letters)
    if one.is_row:
        return shape in (whole, (1, *whole))
    try:
        return shape == whole or not one.alike and broadcast(shape, whole) == whole
    except ValueError:
        return False
