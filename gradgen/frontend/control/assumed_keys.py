"""What a function asks of a dictionary whose keys are assumed, as the text asks it again."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import gast

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.arguments_changed import read_key
from gradgen.frontend.heap.containers import (
    is_assumed,
    path_of,
    untold_part,
    written_path,
)
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import Refusal
from gradgen.frontend.lowering.held import Held
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
        otherwise = _otherwise(lowering, node)
        if otherwise is None and not _is_made(lowering, node):
            otherwise = ABSENT
        _read_again(lowering, base, key, node, otherwise)


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
    if key not in keys or not is_asked and lowering.asks():
        _read_again(lowering, base, key, node, ABSENT)
    return membership_test(lowering, inside, base, key) if is_asked else None


def membership_test(lowering: Lowering, inside: bool, base: Expr, key: str) -> Expr:
    """The test of the text's own whether a dictionary has a key."""
    word = "in" if inside else "not_in"
    name = _assumed(lowering, base)
    return Apply(word, (Const(key), Const(None, name)), (), "operator")


def _read_again(
    lowering: Lowering, base: Expr, key: Any, node: Any, otherwise: str | None
) -> NoReturn:
    """Refuses a read of a key, so that it is read with what is `otherwise` there; None
    where the dictionary is taken to have it."""
    path = path_of(lowering, base)
    untold_part(lowering, path[0], key, node)
    lowering.problems[-1].read_of = path, key
    lowering.problems[-1].otherwise = otherwise
    raise Refusal


def read_optional(
    lowering: Lowering, base: Expr, known: Apply, args: list[Expr], node: gast.Call
) -> Expr | None:
    """What options.get("k", default) reads of a key that options may lack, where nothing
    tells of options; None for the value of one that they are taken to have.

    Where the default is computed, or another one than elsewhere, the text asks for the key.

    before:  value = info.get("value", U)
    after:   value = info["value"] if "value" in info else U
    """
    key = value_known(lowering, args[0])
    held = {getattr(one, "value", None): v for one, v in pairs_of(lowering, known)}
    if key not in held or not is_assumed(lowering, base):
        if is_assumed(lowering, base):
            ask_for_optional(lowering, base, node)
        elif key not in held:
            ask_for_none(lowering, base, key)
        return None
    told, otherwise = _optional(lowering, base, key), _otherwise(lowering, node)
    if (told or "None") == otherwise or told is None and otherwise is not None:
        return None
    if any(_is_container(lowering, one) for one in (held[key], *args[1:])):
        if told is not None:
            _read_again(lowering, base, key, node, None)
        return None
    if told == ABSENT:
        test = membership_test(lowering, True, base, key)
        parts = [Held(one, node) for one in (test, held[key], args[1])]
        chosen = gast.IfExp(test=parts[0], body=parts[1], orelse=parts[2])
        return lowering.read(gast.copy_location(chosen, node))
    if told is not None or lowering.asks():
        _read_again(lowering, base, key, node, ABSENT)
    return None


def refuse_optional(
    lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None
) -> None:
    """Refuses options["k"] where options may lack it: it is read again as one that has it."""
    value = getattr(key, "value", None)
    if _optional(lowering, base, value):  # one that is asked for may be read
        _read_again(lowering, base, value, node, None)


def _optional(lowering: Lowering, base: Expr, key: Any) -> str | None:
    """How Python writes what is read where an argument lacks a key; None if it has it."""
    found = dict(lowering.root.source.optional)
    return found.get((*path_of(lowering, base), key)) if found else None


def _otherwise(lowering: Lowering, node: gast.Call) -> str | None:
    """The value of a default in options.get("k", default); None for what is computed.

    What is infinite has no literal, and counts as that.
    """
    value = _constant(lowering, node.args[1:2]) if node.args[1:] else None
    plain = value is None or type(value) in (int, float, bool, str)
    plain = plain and (type(value) is not float or math.isfinite(value))
    return repr(value) if plain and not node.keywords else None


def _is_made(lowering: Lowering, node: gast.Call) -> bool:
    """Whether the default in options.get("k", default) is a container."""
    return any(_is_container(lowering, lowering.read(arg)) for arg in node.args[1:2])


def _is_container(lowering: Lowering, handle: Expr) -> bool:
    return contents(lowering, handle) is not None or lowering.is_dynamic(handle)


def _constant(lowering: Lowering, nodes: list[Any]) -> Any:
    handles = [lowering.read(node) for node in nodes]
    return value_known(lowering, handles[0]) if handles else NO_VALUE


def _assumed(lowering: Lowering, base: Expr) -> str:
    """How a text writes a dictionary whose keys are assumed; "" for any other value."""
    return written_path(lowering, base) if is_assumed(lowering, base) else ""
