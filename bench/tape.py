"""A workload's value and gradient by autograd, where that is installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from bench.workload import Workload


def autograd_version() -> str | None:
    """The installed version of autograd, or None."""
    try:
        return version("autograd")
    except PackageNotFoundError:
        return None


def value_and_grad(workload: Workload) -> Callable | None:
    """A function g(*args) -> (value, tuple of gradients), or None where there is none."""
    if autograd_version() is None or not workload.taped or workload.in_place:
        return None
    from autograd import value_and_grad as differentiate

    function = workload.autograd or on_tape(workload.primal)
    positions = tuple(list(workload.shapes).index(name) for name in workload.wrt)
    return differentiate(function, positions)


def on_tape(primal: Callable, namespace=None) -> Callable:
    """The primal from a second copy of its module, whose np is autograd's, or another.

    A second copy, because the functions that the primal calls need that np as well,
    and the first one is being timed with NumPy's.
    """
    if namespace is None:
        import autograd.numpy as namespace

    origin = sys.modules[primal.__module__].__spec__
    spec = importlib.util.spec_from_file_location(origin.name, origin.origin)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.np = namespace
    return getattr(module, primal.__name__)
