"""Reads a NumPy function and writes its gradient as readable Python."""

from gradgen.api import emit, grad, value_and_grad, vjp
from gradgen.errors import GradgenError

__version__ = "0.1.0"
__all__ = ["GradgenError", "emit", "grad", "value_and_grad", "vjp"]
