"""The functions to differentiate: straight-line ones, and the loops with a gradient."""

from __future__ import annotations

import numpy as np

from bench import hand
from bench.loop_workloads import LOOPS
from bench.more_fields import FIELDS
from bench.more_models import MODELS
from bench.more_series import SERIES
from bench.workload import Workload, weights
from examples import attention_einsum, gp, losses, networks


def positive(rng: np.random.Generator, shape: tuple[int, ...]):
    """Numbers in (0.5, 1.5); a Python float for a scalar."""
    return rng.uniform(0.5, 1.5, shape) if shape else float(rng.uniform(0.5, 1.5))


def labels(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Zeros and ones."""
    return rng.integers(2, size=shape).astype(float)


def one_hot(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Rows with a single 1."""
    rows, classes = shape
    return np.eye(classes)[rng.integers(classes, size=rows)]


def cossim_rows_by_sqrt(yh, y):
    """cossim_rows without np.linalg.norm.

    autograd's gradient of a norm with keepdims=True has a wrong shape.
    """
    import autograd.numpy as np

    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.sqrt(np.sum(yh * yh, axis=1, keepdims=True))
    norm_y = np.sqrt(np.sum(y * y, axis=1, keepdims=True))
    cosine = np.sum(yh * y, axis=1, keepdims=True) / (norm_yh * norm_y)
    return np.sum(np.abs(1 - cosine))


STRAIGHT = (
    Workload(
        name="cosine_loss",
        primal=losses.cosine_loss,
        wrt=("X",),
        shapes={"X": "n", "Y": "n"},
        sizes={"small": {"n": 128}, "large": {"n": 1_000_000}},
        hand=hand.cosine_loss,
    ),
    Workload(
        name="cossim_rows",
        primal=losses.cossim_rows,
        wrt=("yh",),
        shapes={"yh": "n d", "y": "n d"},
        sizes={"small": {"n": 16, "d": 8}, "large": {"n": 4096, "d": 128}},
        hand=hand.cossim_rows,
        autograd=cossim_rows_by_sqrt,
    ),
    Workload(
        name="logistic_regression",
        primal=networks.logistic_regression,
        wrt=("w", "b"),
        shapes={"w": "d", "b": "", "X": "n d", "y": "n"},
        sizes={"small": {"n": 32, "d": 8}, "large": {"n": 20_000, "d": 50}},
        hand=hand.logistic_regression,
        draws={"y": labels},
    ),
    Workload(
        name="mlp_loss",
        primal=networks.mlp_loss,
        wrt=("W1", "b1", "W2", "b2"),
        shapes={
            "W1": "d h",
            "b1": "h",
            "W2": "h c",
            "b2": "c",
            "X": "n d",
            "Y": "n c",
        },
        sizes={
            "small": {"n": 16, "d": 8, "h": 16, "c": 4},
            "large": {"n": 512, "d": 256, "h": 256, "c": 10},
        },
        hand=hand.mlp_loss,
        options={"stop": ("shift",)},
        draws={"W1": weights, "W2": weights, "Y": one_hot},
    ),
    Workload(
        name="layer_norm_loss",
        primal=networks.layer_norm_loss,
        wrt=("x", "gamma", "beta"),
        shapes={"x": "n d", "gamma": "d", "beta": "d", "target": "n d"},
        sizes={"small": {"n": 16, "d": 8}, "large": {"n": 2048, "d": 256}},
        hand=hand.layer_norm_loss,
    ),
    Workload(
        name="attention_loss",
        primal=networks.attention_loss,
        wrt=("Q", "K", "V"),
        shapes={"Q": "n d", "K": "m d", "V": "m e", "target": "n e"},
        sizes={
            "small": {"n": 16, "m": 16, "d": 8, "e": 8},
            "large": {"n": 1024, "m": 1024, "d": 64, "e": 64},
        },
        hand=hand.attention_loss,
        options={"stop": ("shift",)},
    ),
    Workload(
        name="attention_einsum_loss",
        primal=attention_einsum.attention_einsum_loss,
        wrt=("Q", "K", "V"),
        shapes={"Q": "b h n d", "K": "b h m d", "V": "b h m e", "target": "b h n e"},
        sizes={
            "small": {"b": 2, "h": 2, "n": 8, "m": 8, "d": 4, "e": 4},
            "large": {"b": 4, "h": 4, "n": 128, "m": 128, "d": 32, "e": 32},
        },
        hand=hand.attention_einsum_loss,
        options={"stop": ("shift",)},
    ),
    Workload(
        name="gp_marginal_likelihood",
        primal=gp.gp_marginal_likelihood,
        wrt=("lengthscale", "amplitude", "noise"),
        shapes={"X": "n d", "y": "n", "lengthscale": "d", "amplitude": "", "noise": ""},
        sizes={"small": {"n": 16, "d": 3}, "large": {"n": 400, "d": 4}},
        hand=hand.gp_marginal_likelihood,
        draws={"lengthscale": positive, "amplitude": positive, "noise": positive},
    ),
)

WORKLOADS = STRAIGHT + LOOPS + MODELS + FIELDS + SERIES
