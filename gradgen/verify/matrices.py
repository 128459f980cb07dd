"""Jacobians, Hessians and their products as gradients, to be measured like these."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradgen.verify.tangents import seed_name


def gradient_by_matrix(
    function: Callable[..., Any], names: Sequence[str], wrt: Sequence[str], mode: str
) -> Callable[..., Any]:
    """A function of the same arguments and a seed: the gradients of sum(seed * value).

    `function` returns, in `mode` "jacobian", the Jacobians of the value in each of
    `wrt` (or of one the diagonal, in "diagonal"); in "hessian" the Hessian: then the
    value is a gradient.
    """

    own = seed_name(names)

    def gradients(**arguments: Any) -> Any:
        seed = arguments.pop(own)
        like = [np.asarray(arguments[name]) for name in wrt]
        found = function(**arguments)
        found = found if isinstance(found, tuple) else (found,)
        products = tuple(_times(seed, J, x, mode) for J, x in zip(found, like))
        return products if len(products) > 1 else products[0]

    keyword = inspect.Parameter.KEYWORD_ONLY
    words = [inspect.Parameter(name, keyword) for name in (*names, own)]
    setattr(gradients, "__signature__", inspect.Signature(words))
    return gradients


def _times(seed: Any, J: Any, x: np.ndarray, mode: str) -> Any:
    """The seed times a Jacobian, of the argument's shape and the Jacobian's dtype."""
    if mode == "diagonal":
        return (np.asarray(seed) * J).astype(np.asarray(J).dtype)
    rows = np.shape(J)[: np.ndim(J) - x.ndim]
    weights = np.broadcast_to(seed, rows)
    product = np.tensordot(weights, J, len(rows)).astype(np.asarray(J).dtype)
    return product[()] if product.ndim == 0 else product
