"""What a function asks of a dictionary whose keys are assumed, as the text asks it again."""

from __future__ import annotations

from typing import Any

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.containers import path_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.structure import path_text
from gradgen.quoting import string_literal


def ask_for_key(lowering: Lowering, base: Expr, key: Any) -> None:
    """Lets the text raise where an argument lacks a key that the function asks for.

    Nothing tells of the argument, and it is read by that key: it is assumed to have it.

    before:  if "k" in options: y = y + options["k"]
    after:   if "k" not in options:
                 raise ValueError('values of options without "k" have no gradient here')
             y = y + options["k"]
    """
    name = _assumed(lowering, base)
    if name and isinstance(key, (str, int)):
        shown = string_literal(key) if isinstance(key, str) else repr(key)
        test = Apply("not_in", (Const(key), Const(None, name)), (), "operator")
        told = f"values of {name} without {shown} have no gradient here"
        raise_where(lowering, test, ValueError, told)


def ask_for_any(lowering: Lowering, base: Expr) -> None:
    """Lets the text raise where an argument is empty of which the function asks that.

    before:  if options: y = y + options["k"]
    after:   if not options:
                 raise ValueError("values of options that are empty have no gradient here")
             y = y + options["k"]
    """
    name = _assumed(lowering, base)
    if name:
        test = Apply("not", (Const(None, name),), (), "operator")
        told = f"values of {name} that are empty have no gradient here"
        raise_where(lowering, test, ValueError, told)


def _assumed(lowering: Lowering, base: Expr) -> str:
    """How a text writes a dictionary whose keys are assumed; "" for any other value."""
    first, *keys = path_of(lowering, base) or ("",)
    if first not in lowering.root.source.keyed:
        return ""
    structure = lowering.bundles.get(first)
    path = []
    for key in keys:
        if structure is None:
            return ""
        path.append((structure, key))
        structure = dict(structure.steps()).get(key)
    return path_text(first, tuple(path))
