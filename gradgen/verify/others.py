"""Other seeds, points and shapes that check_grads tries, made from its arguments.

At the arguments given every entry is measured; at the others one derivative along a
direction is enough to see that a gradient is off, and then every entry is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.finite import scales
from gradgen.verify.nested import Nested

LENGTHS = (1, 2)  # that an axis is cut to
NAMES = 2  # of lengths that are cut, the longest first
MOVES = (0.3, 0.5)  # how far each entry goes, in parts of itself


@dataclass(frozen=True)
class Trial:
    """Other arguments, as leaves, and how they are told of."""

    leaves: list[Any]
    said: str
    resized: bool = False


def other_points(
    leaves: Sequence[Any], places: Sequence[int], rng: np.random.Generator
) -> Iterator[Trial]:
    """The arguments with the numbers at some places moved by a part of themselves.

    The signs stay, but of arrays that have numbers of both; what is symmetric stays so.
    """
    for far in MOVES:
        moved = list(leaves)
        for place in places:
            moved[place] = _moved(leaves[place], far, far == MOVES[-1], rng)
        yield Trial(moved, "at another point")


def other_shapes(
    leaves: Sequence[Any], f: Callable[..., Any], hand: Callable[..., Any]
) -> Iterator[Trial]:
    """The arguments with all axes of one length cut to 1, and to 2.

    Not where that length is told elsewhere: by a number among the arguments, in the
    function's text, or by an array that it reads besides.
    """
    shapes = [leaf.shape for leaf in leaves if isinstance(leaf, np.ndarray)]
    lengths = sorted({n for shape in shapes for n in shape}, reverse=True)
    fixed = _lengths_told(leaves, f) | _lengths_told((), hand, constants=False)
    for length in [n for n in lengths if n not in fixed][:NAMES]:
        for short in LENGTHS:
            if short < length:
                cut = [_cut(leaf, length, short) for leaf in leaves]
                yield Trial(cut, f"with {short} in place of {length} entries", True)


def _moved(leaf: Any, far: float, turn: bool, rng: np.random.Generator) -> Any:
    by = 1 + far * rng.uniform(-1, 1, np.shape(leaf))
    if turn and np.size(leaf) > 1 and np.isrealobj(leaf):
        if np.min(leaf) < 0 < np.max(leaf):
            by = by * rng.choice([-1, 1], np.shape(leaf))
    if np.ndim(leaf) == 2 and np.array_equal(leaf, np.transpose(leaf)):
        rows = 1 + far * rng.uniform(-1, 1, len(leaf))
        by = rows[:, None] * rows  # a positive definite matrix stays one
    changed = leaf * by
    if isinstance(leaf, np.ndarray):
        return np.asarray(changed, leaf.dtype)
    return type(leaf)(changed)


def _cut(leaf: Any, length: int, short: int) -> Any:
    if not isinstance(leaf, np.ndarray):
        return leaf
    keys = tuple(slice(short) if n == length else slice(None) for n in leaf.shape)
    return leaf[keys].copy()


def _lengths_told(
    leaves: Sequence[Any], f: Callable[..., Any], constants: bool = True
) -> set[Any]:
    """Lengths that something else than a shape tells."""
    found = {leaf for leaf in leaves if type(leaf) is int}
    found |= {len(leaf) for leaf in leaves if isinstance(leaf, (list, tuple))}
    f = inspect.unwrap(f)
    code = getattr(f, "__code__", None)
    if code is not None:
        if constants:
            found |= {one for one in _constants(code) if type(one) is int and one > 2}
        try:
            variables = inspect.getclosurevars(f)
        except (TypeError, ValueError):
            return found
        for value in [*variables.nonlocals.values(), *variables.globals.values()]:
            if isinstance(value, (np.ndarray, list, tuple)):
                found |= set(np.shape(value)) if _is_regular(value) else {len(value)}
            elif type(value) is int:
                found.add(value)
    return found


def _constants(code: Any) -> Iterator[Any]:
    for one in code.co_consts:
        if isinstance(one, tuple):
            yield from one
        elif hasattr(one, "co_consts"):
            yield from _constants(one)
        else:
            yield one


def _is_regular(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fciub"
    except ValueError:
        return False


@dataclass(frozen=True)
class Direction:
    """Directions for the leaves at some places, and what a gradient is along them."""

    tangents: list[Any]

    def of(self, gradients: Sequence[Any], places: Sequence[int]) -> tuple[Any, Any]:
        """The derivative that the gradients give, and the size of its terms."""
        total = size = 0.0
        for gradient, place in zip(gradients, places, strict=True):
            terms = np.real(np.asarray(gradient) * self.tangents[place])
            total += np.sum(terms)
            size += np.sum(np.abs(terms))
        return total, size


def direction(
    nested: Nested,
    leaves: Sequence[Any],
    places: Sequence[int],
    gradients: Sequence[Any],
    level: bool,
    rng: np.random.Generator,
) -> Direction:
    """A random direction; where `level`, one along which all entries count alike."""
    tangents: list[Any] = [None] * len(leaves)
    every = [
        np.abs(g) * scales(leaves[p]) for g, p in zip(gradients, places, strict=True)
    ]
    sizes = np.concatenate([np.ravel(one) for one in every])
    least = max(
        np.min(sizes[sizes > 0], initial=np.inf), 1e-8 * np.max(sizes, initial=0)
    )
    for place, size in zip(places, every):
        tangent = scales(leaves[place]) * rng.uniform(0.5, 1.5, size.shape)
        tangent = tangent * rng.choice([-1, 1], size.shape)
        if np.iscomplexobj(leaves[place]):
            tangent = tangent * np.exp(1j * rng.uniform(0, 6, size.shape))
        elif level and np.isfinite(least):
            tangent = tangent * (least / np.maximum(size, least))
        tangents[place] = tangent if np.ndim(leaves[place]) else tangent[()]
    return Direction(tangents)
