"""The examples with loops: how each is called, and what its gradient is asked for.

A name belongs to the tests of committed gradients once its file is in generated/.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

import numpy as np

GENERATED = Path(__file__).resolve().parents[1] / "generated"


@dataclass(frozen=True)
class Example:
    """One committed gradient: primal, form, facts, names, and arguments to try.

    `shapes` has the facts of the command, in the primal's order; the parameters
    that are no floats have none. `arguments(size, rng)` makes all arguments, at
    two sizes, 0 and 1.
    """

    primal: str
    wrt: str
    shapes: dict[str, str]
    arguments: Callable
    form: str = "joint"
    array: bool = False  # the result, so that the seed has its shape
    keep_calls: bool = False

    @property
    def names(self) -> dict[str, str]:
        """The primal's parameters in order, those of committed files."""
        module, _, function = self.primal.partition(".")
        primal = getattr(importlib.import_module(f"examples.{module}"), function)
        return {
            name: self.shapes.get(name, "") for name in signature(primal).parameters
        }

    @property
    def command(self) -> str:
        """The arguments of `gradgen emit`."""
        module, _, function = self.primal.partition(".")
        parts = [
            f"examples/{module}.py:{function}",
            f"--wrt {self.wrt.replace(' ', ',')}",
        ]
        forms = {"value": ["--value"], "callback": ["--style callback"], "joint": []}
        facts = [f'--shape {name}="{fact}"' for name, fact in self.shapes.items()]
        kept = ["--keep-calls"] if self.keep_calls else []
        return " ".join([*parts, *forms[self.form], *kept, *facts])


def some(rng, *shape):
    return rng.normal(size=shape)


def positive_definite(rng, n):
    X = rng.normal(size=(n, n + 2))
    return X @ X.T / n + np.eye(n)


def jacobi(size, rng):
    n = (8, 11)[size]
    return [some(rng, n), some(rng, n), (4, 3)[size]]


def heat(size, rng):
    return [some(rng, *((5, 6), (7, 4))[size]), 0.2, (3, 4)[size]]


def gauss(size, rng):
    shape = ((4, 5), (6, 4))[size]
    return [some(rng, *shape), some(rng, *shape), (2, 3)[size]]


def rnn(size, rng):
    n, m, t = ((3, 4, 6), (2, 5, 4))[size]
    return [0.5 * some(rng, *s) for s in ((n, m), (m, m), (m,), (t, n), (m,))]


def lstm(size, rng):
    n, m, t = ((3, 2, 4), (2, 3, 5))[size]
    shapes = ((n, 4 * m), (m, 4 * m), (4 * m,), (t, n), (m,))
    return [0.5 * some(rng, *s) for s in shapes]


def populations(size, rng):
    n = (3, 4)[size]
    x, y = rng.uniform(0.5, 2, (2, n))
    return [x, y, 0.9, 0.5, 1.1, 0.4, 0.1, (3, 5)[size]]


def bodies(size, rng):
    n = (3, 4)[size]
    places, speeds = some(rng, n, 3), 0.3 * some(rng, n, 3)
    return [places, speeds, rng.uniform(0.5, 2, n), 0.1, (2, 3)[size]]


def definite(size, rng):
    return [positive_definite(rng, (4, 5)[size])]


def columns(size, rng):
    return [some(rng, *((5, 3), (4, 4))[size])]


def states(size, rng):
    n, m, t = ((2, 1, 4), (3, 2, 3))[size]
    return [
        0.5 * some(rng, n, n),
        some(rng, m, n),
        positive_definite(rng, n),
        positive_definite(rng, m),
        some(rng, n),
        positive_definite(rng, n),
        some(rng, t, m),
    ]


def hidden(size, rng):
    k, t = ((3, 5), (4, 4))[size]

    def logs(*shape):
        p = rng.uniform(0.1, 1, shape)
        return np.log(p / np.sum(p, axis=-1, keepdims=True))

    return [logs(k), logs(k, k), np.log(rng.uniform(0.1, 1, (t, k)))]


def option(size, rng):
    return [1.0, (1.07, 1.13)[size], 0.05, (0.3, 0.4)[size], 1.5, (4, 7)[size]]


def contraction(size, rng):
    n = (3, 4)[size]
    return [some(rng, n, n) / (2 * n), some(rng, n), 1e-12]


def vector(size, rng):
    return [some(rng, (4, 6)[size]), (0.5, 90.0)[size]]


def interval(size, rng):
    return [(0.0, -0.5)[size], (2.0, 1.7)[size], 0.8, (0.9, 0.4)[size], 1e-5]


SQUARE = {"F": "n n", "H": "m n", "Q": "n n", "R": "m m", "x": "n", "P": "n n"}
POPULATIONS = {"x": "n", "y": "n", "a": "", "b": "", "c": "", "d": "", "dt": ""}
NUMBERS = dict.fromkeys("spot strike rate sigma maturity steps".split(), "")

EXAMPLES = {
    "jacobi_1d": Example("stencils.jacobi_1d", "A B", {"A": "n", "B": "n"}, jacobi),
    "heat_2d": Example("stencils.heat_2d", "u", {"u": "n m", "alpha": ""}, heat),
    "gauss_seidel": Example(
        "stencils.gauss_seidel", "u f", {"u": "n m", "f": "n m"}, gauss
    ),
    "rnn_loss": Example(
        "recurrent.rnn_loss",
        "Wx Wh b",
        {"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"},
        rnn,
    ),
    "lstm_loss": Example(
        "recurrent.lstm_loss",
        "Wx Wh b",
        {"Wx": "n k", "Wh": "m k", "b": "k", "X": "t n", "target": "m"},
        lstm,
        form="value",
    ),
    "rk4_lotka_volterra": Example(
        "dynamics.rk4_lotka_volterra", "x y a b c d", POPULATIONS, populations
    ),
    "nbody_steps": Example(
        "dynamics.nbody_steps",
        "position velocity mass",
        {"position": "n 3", "velocity": "n 3", "mass": "n", "dt": ""},
        bodies,
    ),
    "cholesky_loops": Example("factors.cholesky_loops", "A", {"A": "n n"}, definite),
    "gram_schmidt": Example(
        "factors.gram_schmidt", "A", {"A": "n m"}, columns, "callback", array=True
    ),
    "kalman_loglik": Example(
        "filters.kalman_loglik", "F H Q R", SQUARE | {"Y": "t m"}, states, "value"
    ),
    "hmm_forward": Example(
        "filters.hmm_forward",
        "log_start log_step log_seen",
        {"log_start": "k", "log_step": "k k", "log_seen": "t k"},
        hidden,
    ),
    "binomial_option": Example(
        "finance.binomial_option", "spot sigma rate", NUMBERS, option, "value"
    ),
    "fixed_point": Example(
        "iterations.fixed_point",
        "W b",
        {"W": "n n", "b": "n", "tolerance": ""},
        contraction,
    ),
    "dose": Example(
        "quadrature.dose",
        "a b rate centre",
        dict.fromkeys("a b rate centre tolerance".split(), ""),
        interval,
        keep_calls=True,
    ),
    "soft_length": Example(
        "iterations.soft_length", "x limit", {"x": "n", "limit": ""}, vector, "value"
    ),
}

COMMITTED = {
    name: example
    for name, example in EXAMPLES.items()
    if (GENERATED / f"{name}.py").exists()
}
