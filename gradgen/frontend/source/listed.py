"""A name that leads to a module: the functions that stand in it are listed."""

from __future__ import annotations

import inspect
import types

from gradgen.errors import GradgenError


def functions_in(module: types.ModuleType) -> list[str]:
    """The functions that a module defines itself, without those named _so."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


def a_module(target: str, module: types.ModuleType) -> GradgenError:
    """The refusal of a target that names a module, not a function of it."""
    path = target.rstrip(":.")
    between = ":" if path.endswith(".py") or ":" in target else "."
    names = [f"{path}{between}{name}" for name in functions_in(module)]
    told = f"{path} is a module"
    if not names:
        return GradgenError("GG101", f"{told} without functions of its own")
    advice = names[0] if len(names) == 1 else "one of " + ", ".join(names)
    return GradgenError("GG101", f"{told}, not a function", advice=advice)
