"""Loops to differentiate, with shapes, sizes, inputs and hand gradients."""

from __future__ import annotations

import numpy as np

from bench import hand_loops
from bench.workload import COUNT, Workload, weights
from examples import dynamics, factors, recurrent, stencils


def amounts(rng: np.random.Generator, shape: tuple[int, ...]):
    """Positive numbers of size 1; a Python float for a scalar."""
    value = rng.uniform(0.5, 1.5, shape)
    return value if shape else float(value)


def small_step(rng: np.random.Generator, shape: tuple[int, ...]) -> float:
    return 0.05


def diffusivity(rng: np.random.Generator, shape: tuple[int, ...]) -> float:
    return 0.2


def positive_definite(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    X = rng.normal(size=shape)
    return X @ X.T / len(X) + np.eye(len(X))


LOOPS = (
    Workload(
        name="jacobi_1d",
        primal=stencils.jacobi_1d,
        wrt=("A", "B"),
        shapes={"A": "n", "B": "n", "steps": COUNT},
        sizes={"small": {"n": 128, "steps": 20}, "large": {"n": 100_000, "steps": 20}},
        hand=hand_loops.jacobi_1d,
        in_place=True,
    ),
    Workload(
        name="heat_2d",
        primal=stencils.heat_2d,
        wrt=("u",),
        shapes={"u": "n m", "alpha": "", "steps": COUNT},
        sizes={
            "small": {"n": 16, "m": 16, "steps": 20},
            "large": {"n": 256, "m": 256, "steps": 20},
        },
        hand=hand_loops.heat_2d,
        draws={"alpha": diffusivity},
        in_place=True,
    ),
    Workload(
        name="rnn_loss",
        primal=recurrent.rnn_loss,
        wrt=("Wx", "Wh", "b"),
        shapes={"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"},
        sizes={
            "small": {"n": 8, "m": 16, "t": 20},
            "large": {"n": 64, "m": 256, "t": 50},
        },
        hand=hand_loops.rnn_loss,
        draws={"Wx": weights, "Wh": weights},
    ),
    Workload(
        name="lstm_loss",
        primal=recurrent.lstm_loss,
        wrt=("Wx", "Wh", "b"),
        shapes={"Wx": "n k", "Wh": "m k", "b": "k", "X": "t n", "target": "m"},
        sizes={
            "small": {"n": 8, "m": 16, "k": 64, "t": 20},
            "large": {"n": 64, "m": 256, "k": 1024, "t": 50},
        },
        hand=hand_loops.lstm_loss,
        draws={"Wx": weights, "Wh": weights},
    ),
    Workload(
        name="cholesky_loops",
        primal=factors.cholesky_loops,
        wrt=("A",),
        shapes={"A": "n n"},
        sizes={"small": {"n": 8}, "large": {"n": 64}},
        hand=hand_loops.cholesky_loops,
        draws={"A": positive_definite},
        taped=False,
    ),
    Workload(
        name="rk4_lotka_volterra",
        primal=dynamics.rk4_lotka_volterra,
        wrt=("x", "y", "a", "b", "c", "d"),
        shapes={
            "x": "n",
            "y": "n",
            "a": "",
            "b": "",
            "c": "",
            "d": "",
            "dt": "",
            "steps": COUNT,
        },
        sizes={"small": {"n": 16, "steps": 10}, "large": {"n": 100_000, "steps": 5}},
        hand=hand_loops.rk4_lotka_volterra,
        draws=dict.fromkeys("xyabcd", amounts) | {"dt": small_step},
    ),
)
