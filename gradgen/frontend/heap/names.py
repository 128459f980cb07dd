"""What names mean: those of the call, of the calls around it, of its module."""

from __future__ import annotations

import builtins
import functools
import types
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.constants import module_number
from gradgen.frontend.heap.outer_values import held
from gradgen.frontend.heap.outside import constant_under, strong_under
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.names import NO_VALUE, canonical, is_mark, is_plain
from gradgen.ir.nodes import Const, Expr
from gradgen.ir.strong import strong_constant
from gradgen.quoting import import_line
from gradgen.rules.methods import has_operations


def lookup(lowering: Lowering, name: str) -> Expr | None:
    """What a local name, or one of an enclosing function, is bound to."""
    frame: Frame | None = lowering.frame
    while frame is not None:
        found = lowering.state.names.get((frame.number, name))
        if found is not None or name in frame.locals:
            return found
        if name in frame.shared:
            break
        frame = frame.parent
    return None


def is_refused(lowering: Lowering, name: str) -> bool:
    """Whether what a local name holds has been refused."""
    return lookup(lowering, name) is REFUSED


def global_value(lowering: Lowering, name: str) -> Any:
    """What a name means outside the function, or NO_VALUE."""
    for table in (lowering.source.closure, lowering.source.globals, vars(builtins)):
        if name in table:
            return table[name]
    return NO_VALUE


def constant_handle(
    lowering: Lowering, value: object, node: gast.AST, text: str
) -> Expr:
    """A module constant under its name, or a refusal."""
    if is_plain(value):
        return constant_under(lowering, text, value)
    if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
        return Const(value, canonical(value, text))
    if is_mark(value):
        return Const(value)
    named = hasattr(value, "__name__") or isinstance(value, functools.partial)
    if callable(value) and named or isinstance(value, types.ModuleType):
        return Const(value, text)
    if not isinstance(value, numpy.ndarray) and has_operations(value):
        return Const(value, text)
    if isinstance(value, numpy.complex128) and numpy.isfinite(value):
        return module_number(lowering, value, text.rpartition(".")[2], node)
    if isinstance(value, numpy.generic) and strong_constant(value) is not None:
        return strong_under(lowering, text, value)
    found = held(lowering, value, node, text)
    if found is not None:
        return found
    kind = type(value).__name__
    lowering.fail(
        "GG211",
        f"{text} is a {kind}, not a plain number",
        node,
        "a parameter of the function",
    )


def importing(
    lowering: Lowering,
    module: str,
    node: gast.AST | None,
    name: str | None = None,
    alias: str | None = None,
) -> str:
    """The line that imports a module, or a name of it; refused where none can."""
    line = import_line(module, name, alias)
    if line is None:
        what = f"the module {module}"
        what = what if name is None else f"{name} of {what}"
        advice = "a module whose file's name is a name of Python's"
        lowering.problem("GG219", f"{what} cannot be imported", node, advice)
    return line or ""
