"""How each of the twenty is asked for, and the arguments that it is measured at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """A request, and whether its text is the hand-written one byte for byte."""

    wrt: tuple[str, ...]
    shapes: dict[str, str]
    arguments: dict[str, Any]
    value: bool = False
    is_exact: bool = False


def drawn(seed: int, *shape: int) -> np.ndarray:
    """Numbers around 0, away from the kinks of these functions."""
    return np.random.default_rng(seed).normal(size=shape)


def positive(seed: int, *shape: int) -> np.ndarray:
    """Numbers in (0.5, 1.5)."""
    return np.random.default_rng(seed).uniform(0.5, 1.5, size=shape)


def definite(seed: int, n: int) -> np.ndarray:
    """A symmetric matrix that is surely definite."""
    root = 0.3 * drawn(seed, n, n)
    return root @ root.T + np.eye(n)


CASES = {
    "huber_loss": Case(
        ("pred",),
        {"pred": "n", "target": "n", "delta": ""},
        {"pred": 2 * drawn(1, 7), "target": drawn(2, 7), "delta": 0.8},
    ),
    "pinball_loss": Case(
        ("pred",),
        {"pred": "n", "y": "n", "q": ""},
        {"pred": drawn(1, 6), "y": drawn(2, 6), "q": 0.3},
    ),
    "triplet_loss": Case(
        ("anchor", "positive", "negative"),
        {"anchor": "n d", "positive": "n d", "negative": "n d", "margin": ""},
        {
            "anchor": drawn(1, 5, 3),
            "positive": drawn(2, 5, 3),
            "negative": drawn(3, 5, 3),
        },
    ),
    "softmax_cross_entropy": Case(
        ("logits",),
        {"logits": "n c", "labels": "n:int"},
        {"logits": drawn(1, 4, 3), "labels": np.array([0, 2, 1, 2])},
        value=True,
    ),
    "ridge_loss": Case(
        ("w",),
        {"w": "d", "X": "n d", "y": "n", "penalty": ""},
        {"w": drawn(1, 3), "X": drawn(2, 5, 3), "y": drawn(3, 5), "penalty": 0.1},
        value=True,
        is_exact=True,
    ),
    "batch_norm": Case(
        ("x", "gamma", "beta"),
        {"x": "n d", "gamma": "d", "beta": "d", "eps": ""},
        {"x": drawn(1, 5, 3), "gamma": drawn(2, 3), "beta": drawn(3, 3)},
        is_exact=True,
    ),
    "group_norm": Case(
        ("x", "gamma"),
        {"x": "n g c", "gamma": "c", "eps": ""},
        {"x": drawn(1, 3, 2, 4), "gamma": drawn(2, 4)},
    ),
    "masked_attention": Case(
        ("Q", "K", "V"),
        {"Q": "n k", "K": "m k", "V": "m d", "mask": "n m:bool"},
        {
            "Q": drawn(1, 4, 3),
            "K": drawn(2, 5, 3),
            "V": drawn(3, 5, 2),
            "mask": np.arange(20).reshape(4, 5) % 3 > 0,
        },
    ),
    "conv1d": Case(
        ("x", "w"),
        {"x": "n", "w": "k"},
        {"x": drawn(1, 7), "w": drawn(2, 3)},
        is_exact=True,
    ),
    "low_pass": Case(
        ("x", "a"),
        {"x": "n", "a": ""},
        {"x": drawn(1, 6), "a": 0.7},
        is_exact=True,
    ),
    "wave_steps": Case(
        ("u", "previous"),
        {"u": "n", "previous": "n", "c": ""},
        {"u": drawn(1, 6), "previous": drawn(2, 6), "c": 0.2, "steps": 3},
    ),
    "total_variation": Case(
        ("image",), {"image": "h w", "eps": ""}, {"image": drawn(1, 5, 4)}
    ),
    "gated_recurrence": Case(
        ("W", "U"),
        {"W": "m m", "U": "m m", "x": "t m", "h": "m"},
        {
            "W": drawn(1, 3, 3),
            "U": drawn(2, 3, 3),
            "x": drawn(3, 4, 3),
            "h": drawn(4, 3),
        },
    ),
    "gaussian_nll": Case(
        ("mean", "cov"),
        {"x": "n", "mean": "n", "cov": "n n"},
        {"x": drawn(1, 4), "mean": drawn(2, 4), "cov": definite(3, 4)},
        is_exact=True,
    ),
    "pair_potential": Case(
        ("x",),
        {"x": "n 3", "sigma": "", "depth": ""},
        {"x": 2 * drawn(1, 5, 3), "sigma": 0.9, "depth": 0.5},
        is_exact=True,
    ),
    "rotate": Case(
        ("q", "v"), {"q": "4", "v": "3"}, {"q": drawn(1, 4), "v": drawn(2, 3)}
    ),
    "hermite": Case(
        ("values", "slopes"),
        {"t": "n", "knots": "k", "values": "k", "slopes": "k"},
        {
            "t": np.array([0.2, 1.7, 2.5, 0.9, 1.1]),
            "knots": np.arange(4.0),
            "values": drawn(1, 4),
            "slopes": drawn(2, 4),
        },
        is_exact=True,
    ),
    "kalman_step": Case(
        ("Q", "R"),
        {
            "x": "n",
            "P": "n n",
            "F": "n n",
            "H": "m n",
            "Q": "n n",
            "R": "m m",
            "y": "m",
        },
        {
            "x": drawn(1, 3),
            "P": definite(2, 3),
            "F": drawn(3, 3, 3),
            "H": drawn(4, 2, 3),
            "Q": definite(5, 3),
            "R": definite(6, 2),
            "y": drawn(7, 2),
        },
    ),
    "mixture_loglik": Case(
        ("log_weights", "means", "scales"),
        {"x": "n", "log_weights": "k", "means": "k", "scales": "k"},
        {
            "x": drawn(1, 6),
            "log_weights": drawn(2, 3),
            "means": drawn(3, 3),
            "scales": positive(4, 3),
        },
    ),
    "rk4_decay": Case(
        ("y", "k"),
        {"y": "n", "k": "", "dt": ""},
        {"y": drawn(1, 4), "k": 0.7, "dt": 0.1, "steps": 3},
    ),
}
