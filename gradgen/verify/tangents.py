"""A derivative along tangents as a gradient, by one call for each entry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

# (value, derivative) for arguments and tangents, both by name
Along = Callable[[Mapping[str, object], Mapping[str, object]], tuple[object, object]]


def seed_name(names: Iterable[str]) -> str:
    """What the seed of a function of these arguments is called."""
    name, taken = "seed", set(names)
    while name in taken:
        name += "_"
    return name


def gradient_by_tangents(
    along: Along, names: Sequence[str], wrt: Sequence[str]
) -> Callable[..., Any]:
    """A function of the arguments and a seed: `(value, gradients)`.

    `along(arguments, tangents)` is the value and its derivative along a tangent for
    each x in `wrt`. The gradient of sum(seed * value) has the shape and dtype of the
    argument.
    """

    def change(
        x: str,
        zeros: Mapping[str, object],
        index: tuple[int, ...],
        step: complex,
        seed: Any,
        arguments: Mapping[str, Any],
    ) -> Any:
        """The change of the real part of the sum, for a step of one entry."""
        unit = np.zeros_like(arguments[x])
        unit[index] = step
        _, changed = along(arguments, {**zeros, x: unit})
        return np.real(np.sum(seed * changed))

    name = seed_name(names)

    def gradients(**arguments: Any) -> Any:
        seed = arguments.pop(name)
        zeros = {x: np.zeros_like(arguments[x]) for x in wrt}
        value, _ = along(arguments, zeros)
        found = []
        for x in wrt:
            gradient = np.zeros_like(arguments[x])
            for index in np.ndindex(np.shape(gradient)):
                gradient[index] = change(x, zeros, index, 1, seed, arguments)
                if np.iscomplexobj(gradient):
                    turned = change(x, zeros, index, 1j, seed, arguments)
                    gradient[index] -= 1j * turned
            found.append(gradient[()] if np.ndim(gradient) == 0 else gradient)
        return value, tuple(found) if len(found) > 1 else found[0]

    keyword = inspect.Parameter.KEYWORD_ONLY
    words = [inspect.Parameter(word, keyword) for word in (*names, name)]
    setattr(gradients, "__signature__", inspect.Signature(words))
    return gradients
