"""The primals whose gradients stand beside this file as text."""

from examples.iterations import soft_length  # noqa: F401
from examples.losses import L2_norm, cosine_loss, cossim_rows  # noqa: F401
from examples.networks import mlp_loss  # noqa: F401
from examples.recurrent import rnn_loss  # noqa: F401
from examples.stencils import jacobi_1d  # noqa: F401
