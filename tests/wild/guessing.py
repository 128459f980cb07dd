"""Arguments that a function takes, found by calling it: numbers, vectors, matrices.

The kinds are tried in one order for all parameters, then mixed by chance, always by the
same one. What a function is given so has no meaning; that it has a derivative there, and
which, is measured as for any other case.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

MIXED = 160  # tries after those of one kind for all


def _positive(rng: np.random.Generator, n: int) -> np.ndarray:
    """A symmetric matrix whose eigenvalues are near 1 and above."""
    a = rng.normal(size=(n, n))
    return (a @ a.T + n * np.eye(n)) / n


KINDS: tuple[Callable[[np.random.Generator], Any], ...] = (
    lambda rng: float(rng.uniform(0.4, 1.6)),
    lambda rng: float(rng.uniform(200, 400)),
    lambda rng: rng.uniform(0.3, 1.7, 5),
    lambda rng: rng.uniform(0.3, 1.7, 3),
    lambda rng: rng.uniform(0.3, 1.7, 4),
    lambda rng: rng.uniform(0.3, 1.7, 6),
    lambda rng: _positive(rng, 3),
    lambda rng: _positive(rng, 4),
    lambda rng: rng.uniform(0.3, 1.7, (6, 3)),
    lambda rng: rng.uniform(0.3, 1.7, (6, 4)),
    lambda rng: np.stack([_positive(rng, 3) for _ in range(4)]),
    lambda rng: np.stack([_positive(rng, 4) for _ in range(2)]),
    lambda rng: rng.uniform(0.3, 1.7, 2),
    lambda rng: rng.uniform(0.3, 1.7, (3, 4, 2)),
    lambda rng: 1.0,
    lambda rng: 1,
    lambda rng: 3,
    lambda rng: [float(x) for x in rng.uniform(0.3, 1.7, 3)],
)


def guessed(
    function: Callable[..., Any],
    count: int,
    suits: Callable[[Any], bool],
    limited: Callable[[int], Any],
) -> tuple[Any, ...] | None:
    """Arguments for so many parameters, with which the result suits; None if none do.

    `limited(seconds)` is a context that ends calls which take longer.
    """
    rng, chance = np.random.default_rng(5), random.Random(count)
    tries: list[Sequence[Any]] = [[kind] * count for kind in KINDS]
    tries += [chance.choices(KINDS, k=count) for _ in range(MIXED)]
    for kinds in tries:
        args = tuple(kind(rng) for kind in kinds)
        if not any(isinstance(arg, (float, np.ndarray)) for arg in args):
            continue
        given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
        try:
            with warnings.catch_warnings(), limited(2):
                value = function(*given)
        except Exception:
            continue
        except BaseException as error:  # it took too long: so will others
            if isinstance(error, KeyboardInterrupt):
                raise
            return None
        if suits(value):
            return args
    return None
