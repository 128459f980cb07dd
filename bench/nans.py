"""`python -m bench.nans`: gradients at points where a tape returns nan, as a table.

Each row is a function of bench/nan_functions.py in float32. JAX and PyTorch have a
column where they can be imported (the extra `tapes`).
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType

import numpy as np

import gradgen
from bench.nan_functions import CASES, Case

Maker = Callable[[Case, Sequence[np.ndarray]], np.ndarray]


def of_gradgen(case: Case, point: Sequence[np.ndarray], guard: bool) -> np.ndarray:
    """The gradient of the text that gradgen emits."""
    return gradgen.grad(case.function, shapes=case.shapes, guard=guard)(*point)


def of_jax(case: Case, point: Sequence[np.ndarray]) -> np.ndarray:
    """JAX's gradient of the same function, with jax.numpy for np."""
    jax = importlib.import_module("jax")
    numpy = importlib.import_module("jax.numpy")
    function = FunctionType(case.function.__code__, {"np": numpy})
    return jax.grad(function)(*(numpy.asarray(arg) for arg in point))


def of_torch(case: Case, point: Sequence[np.ndarray]) -> np.ndarray:
    """PyTorch's gradient of its own form of the function."""
    torch = importlib.import_module("torch")
    first, *others = (torch.tensor(arg) for arg in point)
    first.requires_grad_()
    (found,) = torch.autograd.grad(case.torch(torch)(first, *others), first)
    return found.numpy()


def tapes() -> dict[str, Maker]:
    """The tapes that can be imported, by name and version."""
    found: dict[str, Maker] = {}
    for name, title, maker in (("jax", "JAX", of_jax), ("torch", "PyTorch", of_torch)):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found[f"{title} {module.__version__}"] = maker
    return found


def point_of(case: Case) -> list[np.ndarray]:
    """The arguments in float32."""
    return [np.asarray(arg, np.float32) for arg in case.point]


def shown(values) -> str:
    """Numbers as a person writes them, six digits."""
    entries = np.ravel(np.asarray(values, np.float64)) + 0.0
    return " ".join(f"{entry:.6g}" for entry in entries)


def table() -> list[str]:
    """The rows of a Markdown table."""
    makers: dict[str, Maker] = {
        "gradgen": lambda case, point: of_gradgen(case, point, False),
        "gradgen --guard": lambda case, point: of_gradgen(case, point, True),
    } | tapes()
    lines = [" | ".join(["| function", "right", *makers]) + " |"]
    lines.append("|" + "---|" * (len(makers) + 2))
    for case in CASES:
        point = point_of(case)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [shown(make(case, point)) for make in makers.values()]
        name = f"| `{case.function.__name__}`"
        lines.append(" | ".join([name, shown(case.right), *found]) + " |")
    return lines


if __name__ == "__main__":
    print("\n".join(table()))
