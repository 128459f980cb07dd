"""A forward-mode function as a gradient, by one call for each entry of an argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import numpy as np


def gradient_by_tangents(
    function: Callable, names: Sequence[str], wrt: Sequence[str]
) -> Callable:
    """A function of the same arguments and a seed: `(value, gradients)`.

    `function` takes a tangent d_x for each x in `wrt` as well, and returns the
    value and its derivative. The gradient of sum(seed * value) has the shape and
    dtype of the argument.
    """
    positional = list(inspect.signature(function).parameters)
    given = [name for name in positional if name not in names]
    tangents = dict(zip(wrt, given, strict=True))

    def along(x, zeros, index, step, seed, arguments):
        """The change of the real part of the sum, for a step of one entry."""
        unit = np.zeros_like(arguments[x])
        unit[index] = step
        _, change = function(**arguments, **{**zeros, tangents[x]: unit})
        return np.real(np.sum(seed * change))

    def gradients(*, seed, **arguments):
        zeros = {tangents[x]: np.zeros_like(arguments[x]) for x in wrt}
        value, _ = function(**arguments, **zeros)
        found = []
        for x in wrt:
            gradient = np.zeros_like(arguments[x])
            for index in np.ndindex(np.shape(gradient)):
                gradient[index] = along(x, zeros, index, 1, seed, arguments)
                if np.iscomplexobj(gradient):
                    turned = along(x, zeros, index, 1j, seed, arguments)
                    gradient[index] -= 1j * turned
            found.append(gradient[()] if np.ndim(gradient) == 0 else gradient)
        return value, tuple(found) if len(found) > 1 else found[0]

    keyword = inspect.Parameter.KEYWORD_ONLY
    gradients.__signature__ = inspect.Signature(
        [inspect.Parameter(name, keyword) for name in (*names, "seed")]
    )
    return gradients
