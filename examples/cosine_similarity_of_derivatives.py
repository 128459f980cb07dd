"""Squared cosines between derivatives of two networks, and their own gradient.

`phi` reads four numbers and gives one, `D` reads two and gives four. The quantity is
made of derivatives: dphi/dx at x = D(z), and dD/dz_i for all i at once.
"""

import numpy as np

import gradgen


def phi(x, v):
    """A linear network of one output."""
    return v @ x


def D(z, W, b):
    """A linear layer."""
    return W @ z + b


def squared_cosines(W, b, v, z):
    """The squared cosine between dphi/dx at x = D(z) and dD/dz_i, for every i."""
    dphi_dx = gradgen.grad(phi)(D(z, W, b), v)
    dD_dz = gradgen.jacobian(D)(z, W, b)
    dots = dphi_dx @ dD_dz
    lengths = np.sum(dphi_dx**2) * np.sum(dD_dz**2, axis=0)
    return dots**2 / lengths


def deep_phi(x, v, V):
    """A network with a hidden layer."""
    return v @ np.tanh(V @ x)


def deep_D(z, W, b):
    return np.tanh(W @ z + b)


def squared_cosines_of_networks(W, b, v, V, z):
    """The same of two networks that bend: every derivative depends on z and W."""
    dphi_dx = gradgen.grad(deep_phi)(deep_D(z, W, b), v, V)
    dD_dz = gradgen.jacobian(deep_D)(z, W, b)
    dots = dphi_dx @ dD_dz
    lengths = np.sum(dphi_dx**2) * np.sum(dD_dz**2, axis=0)
    return np.sum(dots**2 / lengths)
