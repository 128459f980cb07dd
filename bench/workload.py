"""A function to differentiate, and how its arguments are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

# In place of a shape: a whole number, which the sizes give.
COUNT = "count"

Draw = Callable[[np.random.Generator, tuple[int, ...]], object]


@dataclass(frozen=True)
class Workload:
    """One function to differentiate, at a small and a large size.

    `shapes` names every parameter in order, with its dimensions, or COUNT for a
    whole number; a dimension may be a sum of others, and ":int" behind them tells of
    integers. `sizes` gives the dimensions their lengths, and the numbers; `draws` are
    the parameters that are not standard normal.
    `hand` returns the value and the gradient for `wrt`. `autograd` stands for the
    primal where autograd cannot differentiate it as it is written. `options` are
    further keyword arguments for gradgen.value_and_grad. A primal that is `in_place`
    writes into its arguments; one that stores into arrays is not `taped`: autograd
    cannot differentiate it, or drops what is filled in.
    """

    name: str
    primal: Callable
    wrt: tuple[str, ...]
    shapes: dict[str, str]
    sizes: dict[str, dict[str, int]]
    hand: Callable
    draws: dict[str, Draw] = field(default_factory=dict)
    autograd: Callable | None = None
    options: dict[str, object] = field(default_factory=dict)
    in_place: bool = False
    taped: bool = True

    @property
    def facts(self) -> dict[str, str]:
        """What gradgen is told: the shapes of the arrays and floats."""
        return {name: dims for name, dims in self.shapes.items() if dims != COUNT}

    @property
    def pure(self) -> Callable:
        """The primal, on copies where it writes into its arguments."""
        if not self.in_place:
            return self.primal
        return lambda *args: self.primal(*(own(arg) for arg in args))

    def inputs(self, size: str, rng: np.random.Generator) -> tuple:
        """Random float64 arguments of the named size, in the parameters' order."""
        lengths = self.sizes[size]
        values = []
        for name, dims in self.shapes.items():
            if dims == COUNT:
                values.append(lengths[name])
                continue
            axes = dims.partition(":")[0].split()
            shape = tuple(eval(axis, {}, dict(lengths)) for axis in axes)
            values.append(self.draws.get(name, normal)(rng, shape))
        return tuple(values)


def own(arg):
    """An argument of one's own: an array copied, a number as it is."""
    return arg.copy() if isinstance(arg, np.ndarray) else arg


def normal(rng: np.random.Generator, shape: tuple[int, ...]):
    """Standard normal numbers; a Python float for a scalar."""
    return rng.normal(size=shape) if shape else float(rng.normal())


def weights(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """A layer's initial weights: small enough that tanh does not saturate."""
    return rng.normal(size=shape) / np.sqrt(shape[0])
