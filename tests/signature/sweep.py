"""A text called with arguments of many shapes: it is right, or raises what it assumes."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient

RAISED = ("taken for", "expected")


def text_of(function, wrt) -> tuple[str, Callable[..., Any]]:
    """The text with nothing told, and its gradient."""
    text = gradgen.emit(function, wrt=wrt)
    names: dict = {}
    exec(text, names)
    return text, names[f"grad_{function.__name__}"]


def sweep(
    function: Callable[..., Any],
    gradient: Callable[..., Any],
    is_right: Callable[..., None],
    args: Sequence[Any],
    others: Mapping[str, Sequence[Any]],
) -> int:
    """How many of the arguments that the function takes were tried; asserts the rest.

    At most two of them are other ones than the usual. `is_right` asserts that the
    gradient is, at given arguments.
    """
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    choices = [[one, *others.get(name, ())] for name, one in zip(names, args)]
    tried = 0
    for given in itertools.product(*choices):
        if sum(one is not usual for one, usual in zip(given, args)) > 2:
            continue
        try:
            function(*given)
        except (ValueError, IndexError, TypeError, AttributeError):
            continue
        tried += 1
        try:
            gradient(*given)
        except ValueError as error:
            assert any(word in str(error) for word in RAISED), error
        else:
            is_right(given)
    return tried


def right_or_raised(
    function: Callable[..., Any],
    args: Sequence[Any],
    others: Mapping[str, Sequence],
    wrt: str | None = None,
) -> str:
    """The text with nothing told: right for usual arguments, right or raised for others.

    A function that returns several values gets a seed for each.
    """
    text, gradient = text_of(function, wrt)
    names = gradient.__code__.co_varnames[: gradient.__code__.co_argcount]
    own = function.__code__.co_varnames[: function.__code__.co_argcount]
    at = 0 if wrt is None else own.index(wrt)
    seed_names = [name for name in names if name not in own]

    def values(*given):
        result = function(*given)
        return result if isinstance(result, list | tuple) else [result]

    def seeds_of(given):
        shapes = [np.shape(value) for value in values(*given)]
        return [
            np.cos(np.arange(np.prod(shape, dtype=int)) + 0.5 + k).reshape(shape)
            for k, shape in enumerate(shapes)
        ]

    def called(*given):
        return gradient(*given, **dict(zip(seed_names, seeds_of(given), strict=True)))

    def right(given):
        seeds = seeds_of(given)

        def total(*a):
            return sum(np.sum(v * seed) for v, seed in zip(values(*a), seeds))

        want = numeric_gradient(total, given, at).value
        found = called(*given)
        assert np.shape(found) == np.shape(given[at])
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)

    right(args)
    assert sweep(function, called, right, args, others)
    return text
