"""What a function asks of a dictionary whose keys are assumed, as the text asks it again."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.arguments_changed import read_key
from gradgen.frontend.heap.containers import (
    is_assumed,
    path_of,
    untold_part,
    written_path,
)
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.quoting import string_literal


# what is read where a key is missing that is asked for: nothing
ABSENT = ""


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


def ask_for_none(lowering: Lowering, base: Expr, key: Any) -> None:
    """Lets the text raise where an argument has a key that it is told to lack.

    A derivative at hand is made for the keys of its arguments.

    before:  eps = options.get("eps", 1e-5)        # of options {"k": 2.0}
    after:   if "eps" in options:
                 raise ValueError('values of options with "eps" have no gradient here')
             eps = 1e-5
    """
    read_key(lowering, base, key, False)
    told = lowering.root.source.at_hand or is_assumed(lowering, base)
    name = "" if told else written_path(lowering, base)
    if name and isinstance(key, (str, int)) and base in lowering.state.names.values():
        shown = string_literal(key) if isinstance(key, str) else repr(key)
        test = Apply("in", (Const(key), Const(None, name)), (), "operator")
        why = f"values of {name} with {shown} have no gradient here"
        raise_where(lowering, test, ValueError, why)


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


def ask_for_optional(lowering: Lowering, base: Expr, node: gast.Call) -> None:
    """Refuses options.get("k", 1.0) of an argument of which nothing tells, and that key.

    It is read again as a dictionary that may lack the key.
    """
    path, key = path_of(lowering, base), _constant(lowering, node.args[:1])
    if path and isinstance(key, str):
        untold_part(lowering, path[0], key, node)
        lowering.problems[-1].read_of = path, key
        lowering.problems[-1].otherwise = _otherwise(lowering, node)
        raise Refusal


def optional_member(
    lowering: Lowering, inside: bool, base: Expr, key: Any, keys: list[Any], node: Any
) -> Expr | None:
    """The test "k" in options, of a key that options may lack and is asked for.

    Of one that no line reads so far it is refused, and read again as such a key; None
    for one that options have.

    before:  if "k" in options: y = y + options["k"]
    after:   k = options.get("k")
             if "k" in options: y = y + k
    """
    if not isinstance(key, str) or not is_assumed(lowering, base):
        return None
    is_asked = _optional(lowering, base, key) == ABSENT
    if key not in keys or not is_asked and lowering.root.source.asks:
        path = path_of(lowering, base)
        untold_part(lowering, path[0], key, node)
        lowering.problems[-1].read_of = path, key
        lowering.problems[-1].otherwise = ABSENT
        raise Refusal
    if not is_asked:
        return None
    word = "in" if inside else "not_in"
    name = _assumed(lowering, base)
    return Apply(word, (Const(key), Const(None, name)), (), "operator")


def read_optional(
    lowering: Lowering, base: Expr, keys: list[Any], node: gast.Call
) -> None:
    """Sees that options.get("k", 1.0) reads a key that options may lack as it is read
    everywhere, where nothing tells of options."""
    key = _constant(lowering, node.args[:1])
    if key not in keys and is_assumed(lowering, base):
        ask_for_optional(lowering, base, node)
    elif key not in keys:
        ask_for_none(lowering, base, key)
    told = _optional(lowering, base, key)
    if told is not None and (told or "None") != _otherwise(lowering, node):
        lowering.fail(
            "GG245",
            f"a missing {key} is read as {told or None}, and as another value here",
            node,
            "one default for it",
        )


def refuse_optional(
    lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None
) -> None:
    """Refuses options["k"] where options may lack it: it is read again as one that has it."""
    value = getattr(key, "value", None)
    if _optional(lowering, base, value):  # one that is asked for may be read
        path = path_of(lowering, base)
        untold_part(lowering, path[0], value, node)
        lowering.problems[-1].read_of = path, value
        raise Refusal


def _optional(lowering: Lowering, base: Expr, key: Any) -> str | None:
    """How Python writes what is read where an argument lacks a key; None if it has it."""
    found = dict(lowering.root.source.optional)
    return found.get((*path_of(lowering, base), key)) if found else None


def _otherwise(lowering: Lowering, node: gast.Call) -> str | None:
    """The value of a default in options.get("k", default); None for what is computed."""
    value = _constant(lowering, node.args[1:2]) if node.args[1:] else None
    plain = value is None or type(value) in (int, float, bool, str)
    return repr(value) if plain and not node.keywords else None


def _constant(lowering: Lowering, nodes: list[Any]) -> Any:
    handles = [lowering.read(node) for node in nodes]
    return value_known(lowering, handles[0]) if handles else NO_VALUE


def _assumed(lowering: Lowering, base: Expr) -> str:
    """How a text writes a dictionary whose keys are assumed; "" for any other value."""
    return written_path(lowering, base) if is_assumed(lowering, base) else ""
