"""The primals whose gradients stand beside this file as text."""

from examples.losses import L2_norm, cosine_loss, cossim_rows  # noqa: F401
from examples.networks import mlp_loss  # noqa: F401
