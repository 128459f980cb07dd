"""Where texts for cupy, jax and torch run: here in a stand-in, or on a GPU.

With GRADGEN_GPU=1 in the environment, cupy is the real package, and the arrays of torch
are on the device; jax takes the device by itself. Without it the stand-in of stand_in.py
takes cupy's place.

    GRADGEN_GPU=1 python -m pytest -m "long or not long" tests/target
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from tests.target import device_array
from tests.target.stand_in import stand_in

ON_GPU = os.environ.get("GRADGEN_GPU") == "1"
# a device adds in another order, and its exp and sin differ in the last bits
ON_DEVICE = 1e-9


@contextmanager
def cupy_here() -> Iterator:
    """The module cupy while the block runs: the real one, or the stand-in."""
    if not ON_GPU:
        with stand_in() as module:
            yield module
        return
    import cupy

    yield cupy


def given(value):
    """An argument on the device: arrays and numpy's numbers, also in containers."""
    if not ON_GPU:
        return device_array.given(value)
    import cupy

    return device_array.given(value, cupy.asarray)


def tensor(array: np.ndarray):
    """A tensor of torch: on the GPU where there is to be one."""
    import torch

    made = torch.from_numpy(np.array(array))
    return made.cuda() if ON_GPU else made


def within(rtol: float) -> float:
    """The tolerance of a comparison with NumPy's numbers."""
    return max(rtol, ON_DEVICE) if ON_GPU else rtol
