"""Names of the module in the text: a name means there what it means in the function.

A text has one table of names for its module, and one for each function. A constant
keeps its name where that name is free in both; else its value is written out.
"""

from __future__ import annotations

import builtins
import keyword
import math
import sys
import types
from dataclasses import replace
from itertools import count

import numpy

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.spelling import constant_line
from gradgen.ir.library import NUMPY
from gradgen.ir.nodes import Const
from gradgen.ir.strong import maker_of, strong_constant
from gradgen.quoting import import_line
from gradgen.rules.load import helpers

# modules that a text may import for itself, under their own names
IMPORTED = ("builtins", "dataclasses", "logging", "math", "scipy", "warnings", "xp")


def is_free(lowering: Lowering, name: str, line: str) -> bool:
    """Whether a name may mean what a line of the text's module says."""
    own = lowering.outermost or lowering.root.source.node.name
    if name in lowering.root.locals or name.endswith(f"_{own}"):
        return False  # grad_f is the text's own function
    if isinstance(lowering.root.source.closure.get(name), numpy.ndarray):
        return False  # an argument of the text
    return lowering.context.get(name, line) == line


def constant_under(lowering: Lowering, name: str, value: object) -> Const:
    """A constant of the module or of a closure, under its name where it is free.

    before:  k = 5.0                          after:  5.0 * x, where the function
             def g(x): return k * x                   that calls g has its own k
    """
    shown = _is_finite(value) and not is_wanted(name) and "." not in name
    if shown and lowering.source.globals is lowering.root.source.globals:
        line = constant_line(lowering.source, name, value)
        if is_free(lowering, name, line):
            lowering.context[name] = line
            return Const(value, name)
    return Const(value)


def strong_under(lowering: Lowering, name: str, value: numpy.generic) -> Const:
    """A number of NumPy's under its name where it is free, else written out.

    before:  G = np.float32(0.5)       after:  G = np.float32(0.5), in the module
             def f(x): return G * x            of the text too
    """
    found = strong_constant(value)
    assert found is not None
    shown = "." not in name and not is_wanted(name) and numpy.isfinite(value)
    if shown and lowering.source.globals is lowering.root.source.globals:
        maker, digits = maker_of(found.value, found.dtype)
        line, own = f"{name} = {maker}({digits!r})", "import numpy as np"
        if is_free(lowering, name, line) and is_free(lowering, "np", own):
            lowering.context |= {name: line, "np": own}
            return replace(found, text=name)
    return found


def constant_in(
    lowering: Lowering, module: types.ModuleType, name: str, value: object
) -> Const:
    """A constant of another module, read there, or written out."""
    full = module.__name__
    first, line = full.partition(".")[0], import_line(full)
    known = sys.modules.get(full) is module and full != "__main__"
    known = known and _is_finite(value) and not is_wanted(first, (full,))
    known = known and _is_reached(full, module)
    if known and line is not None:
        if is_free(lowering, first, line):
            lowering.context[first] = line
            return Const(value, f"{full}.{name}")
    return Const(value)


def module_name(lowering: Lowering, module: str) -> str:
    """What a module of Python's is called in the text: math, or math_2."""
    names = (module if n == 1 else f"{module}_{n}" for n in count(1))
    for name in names:
        line = f"import {module}" + f" as {name}" * (name != module)
        if is_free(lowering, name, line):
            lowering.context[name] = line
            break
    return name


def _is_reached(full: str, module: types.ModuleType) -> bool:
    """Whether `pkg.part.name` leads to a module: a package may have deleted `part`."""
    first, *path = full.split(".")
    found = sys.modules.get(first)
    for name in path:
        found = getattr(found, name, None)
    return found is module


def is_wanted(name: str, own: tuple[str, ...] = ()) -> bool:
    """Whether a text may need a name for something else than a module's constant."""
    if name in own:
        return False
    reserved = name.startswith("__") or keyword.issoftkeyword(name)
    told = name in NUMPY.aliases or name in IMPORTED or name in helpers()
    return reserved or told or hasattr(builtins, name)


def _is_finite(value: object) -> bool:
    """Whether a plain value is written by its digits alone."""
    if isinstance(value, tuple):
        return all(map(_is_finite, value))
    if isinstance(value, complex):
        return math.isfinite(value.real) and math.isfinite(value.imag)
    return not isinstance(value, float) or math.isfinite(value)
