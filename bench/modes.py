"""Hessians times vectors and Jacobians: gradgen's, autograd's and JAX's, side by side."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from bench.tape import on_tape
from bench.timing import interleaved
from examples import losses, networks, recurrent

TOLERANCE = 1e-8
LIBRARIES = ("autograd", "jax")


@dataclass(frozen=True)
class Case:
    """A derivative of one function in one argument, at a small and a large size."""

    name: str
    mode: str
    primal: Callable
    wrt: str
    shapes: dict[str, str]
    sizes: dict[str, dict[str, int]]

    @property
    def place(self) -> int:
        return list(self.shapes).index(self.wrt)

    def inputs(self, size: str) -> tuple:
        """Random float64 arguments, and for hvp a vector."""
        rng = np.random.default_rng(0)
        shapes = [*self.shapes.values()]
        shapes += [self.shapes[self.wrt]] if self.mode == "hvp" else []
        lengths = [tuple(self.sizes[size][d] for d in dims.split()) for dims in shapes]
        return tuple(rng.normal(size=n) / np.sqrt(n[0]) for n in lengths)


MLP = {"W1": "d h", "b1": "h", "W2": "h c", "b2": "c", "X": "n d", "Y": "n c"}
RNN = {"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"}
LAYER = {"x": "d", "W": "c d", "b": "c"}
CASES = (
    Case(
        "cosine_loss",
        "hvp",
        losses.cosine_loss,
        "X",
        {"X": "n", "Y": "n"},
        {"small": {"n": 128}, "large": {"n": 100_000}},
    ),
    Case(
        "mlp_loss",
        "hvp",
        networks.mlp_loss,
        "W1",
        MLP,
        {
            "small": {"d": 4, "h": 8, "c": 3, "n": 16},
            "large": {"d": 128, "h": 256, "c": 10, "n": 512},
        },
    ),
    Case(
        "rnn_loss",
        "hvp",
        recurrent.rnn_loss,
        "Wh",
        RNN,
        {"small": {"n": 4, "m": 8, "t": 10}, "large": {"n": 32, "m": 128, "t": 50}},
    ),
    Case(
        "softmax_layer",
        "jacobian",
        networks.softmax_layer,
        "x",
        LAYER,
        {"small": {"d": 8, "c": 8}, "large": {"d": 256, "c": 256}},
    ),
)


def generated(case: Case) -> Callable:
    """The emitted text itself."""
    import gradgen

    make = gradgen.hvp if case.mode == "hvp" else gradgen.jacobian
    return make(case.primal, case.wrt, shapes=case.shapes).function


def by_autograd(case: Case) -> Callable:
    import autograd

    function, k = on_tape(case.primal), case.place
    if case.mode == "jacobian":
        return autograd.jacobian(function, k)
    times = autograd.hessian_vector_product(function, k)
    return lambda *args: times(*args)


def by_jax(case: Case) -> Callable:
    """Compiled, in float64: what is timed is the call, not the compilation."""
    import jax
    import jax.numpy

    jax.config.update("jax_enable_x64", True)
    function, k = _of_jax(case.primal), case.place
    if case.mode == "jacobian":
        found = jax.jit(jax.jacrev(function, k))
    else:

        def times(*args):
            *args, v = args

            def gradient(x):
                return jax.grad(function, k)(*args[:k], x, *args[k + 1 :])

            return jax.jvp(gradient, (args[k],), (v,))[1]

        found = jax.jit(times)
    return lambda *args: found(*args).block_until_ready()


def _of_jax(primal: Callable) -> Callable:
    """The primal from a copy of its module, whose np is JAX's."""
    import jax.numpy

    copied = on_tape(primal)
    copied.__globals__["np"] = jax.numpy
    return copied


def candidates(case: Case) -> dict[str, Callable]:
    """The functions that there are, the primal with them."""
    found = {"generated": generated(case)}
    makers = {"autograd": by_autograd, "jax": by_jax}
    for name in LIBRARIES:
        if importlib.util.find_spec("autograd") and importlib.util.find_spec(name):
            found[name] = makers[name](case)
    return found


def versions() -> str:
    """What is measured."""
    there = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    return ", ".join(f"{name} {version(name)}" for name in ("numpy", *there))


def lines(rounds: int, seconds: float) -> list[list[str]]:
    """A table: microseconds of generated text, and how many times that the others take."""
    found = [
        ["", "size", "primal us", "generated us", *(f"{n}/gen" for n in LIBRARIES)]
    ]
    for case in CASES:
        functions = candidates(case)
        for size in ("small", "large"):
            args = case.inputs(size)
            want = functions["generated"](*args)
            for name, function in functions.items():
                got = np.asarray(function(*args))
                scale = np.max(np.abs(want))
                if not np.max(np.abs(got - want)) <= TOLERANCE * scale:
                    raise AssertionError(f"{case.name}: {name} differs")
            count = len(case.shapes)
            timed = {
                "primal": lambda *a, f=case.primal, n=count: f(*a[:n]),
                **functions,
            }
            taken = interleaved(timed, args, rounds, seconds)
            ratios = (
                f"{taken[name] / taken['generated']:.2f}" if name in taken else "-"
                for name in LIBRARIES
            )
            micro = (f"{taken[name] * 1e6:.1f}" for name in ("primal", "generated"))
            found.append([f"{case.mode} {case.name}", size, *micro, *ratios])
    return found
