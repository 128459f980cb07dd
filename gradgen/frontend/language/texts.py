"""Strings that are made when the text runs: messages, and options by their names."""

from __future__ import annotations

import functools
import logging
from typing import Any

import gast

from gradgen.frontend.calls.evaluation import METHODS, evaluated_call, known_text
from gradgen.frontend.calls.texts import as_text, is_text, text_of
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.of_instances import refuse_untold
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import EQUALITIES, TEXTS

# operations that strings take part in
COMPARED = (*EQUALITIES, "is", "is_not")
# methods of strings that the text calls itself, and of which a condition may be made
CALLED = METHODS[str] - {"split", "rsplit", "partition", "rpartition", "encode"}


def _are_texts(lowering: Lowering, left: Expr, right: Expr) -> bool:
    """Whether a sum is one of strings: "no " + name, where name is a string."""
    known = [is_text(lowering, one) for one in (left, right)]
    return any(known) and all(
        text or _is_text_option(lowering, one)
        for text, one in zip(known, (left, right))
    )


def _is_text_option(lowering: Lowering, handle: Expr) -> bool:
    """Whether a value is a parameter that is a string, as its default says."""
    if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
        return False
    return isinstance(lowering.root.source.defaults.get(handle.var.name), str)


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: Any) -> bool:
    return value is not logging.getLogger and is_called.further(lowering, value)


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    """ "...".format(x) of what is not known, and x.lower() of an argument."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr in CALLED:
        if (
            lowering.resolve(func) is NO_VALUE
            and lowering.resolve(func.value) is NO_VALUE
        ):
            found, node = evaluated_call(lowering, node)
            if found is not None:
                return found
            assert isinstance(node.func, gast.Attribute)
            receiver = lowering.read(node.func.value)
            if _may_be_text(lowering, receiver, func.attr):
                return _of_string(lowering, receiver, func.attr, node)
    return other_call.further(lowering, node)


def _may_be_text(lowering: Lowering, handle: Expr, name: str) -> bool:
    """Whether a method is one of a string: no array has it, or this is none."""
    if is_text(lowering, handle):
        return True
    shared = name in ("index", "count", "find", "replace", "translate")
    is_param = isinstance(handle, Ref) and handle.var.origin is Origin.PARAM
    unknown = is_param and contents(lowering, handle) is None
    return unknown and not shared and not lowering.is_number(handle)


def _of_string(lowering: Lowering, receiver: Expr, name: str, node: gast.Call) -> Expr:
    args = [as_text(lowering, lowering.read(arg), node) for arg in node.args]
    kwargs = tuple(
        (str(k.arg), as_text(lowering, lowering.read(k.value), node))
        for k in node.keywords
    )
    if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
        return REFUSED
    spelling = f"method:{name}"
    made = Apply("of_string", (receiver, *args), kwargs, spelling)
    return lowering.current(made, node)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """str(x), repr(x), and logging.getLogger(name), which only tells what is done."""
    if value is logging.getLogger and not node.keywords and len(node.args) < 2:
        names = [value_known(lowering, lowering.read(arg)) for arg in node.args]
        if all(type(name) is str for name in names):
            return Const(logging.getLogger(*names))
    if among(value, (str, repr)) and len(node.args) == 1:
        shown = as_text(lowering, lowering.read(node.args[0]), node)
        if shown is REFUSED:
            return REFUSED
        word = "str" if value is str else "repr"
        made = Apply(word, (shown,), (), f"name:{word}")
        return lowering.current(made, node)
    return special_call.further(lowering, value, node)


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    """ "..." % x and "..." + text, of what is not known."""
    if not isinstance(node.op, (gast.Mod, gast.Add)):
        return binary_operation.further(lowering, node)
    left, right = lowering.read(node.left), lowering.read(node.right)
    if REFUSED in (left, right):
        return REFUSED
    unknown = NO_VALUE in (value_known(lowering, left), value_known(lowering, right))
    if isinstance(node.op, gast.Mod) and is_text(lowering, left) and unknown:
        made = Apply("percent", (left, right), (), "operator")
        return lowering.current(made, node)
    if isinstance(node.op, gast.Add) and unknown:
        if _are_texts(lowering, left, right):
            parts = tuple(_in_parts(lowering, one, node) for one in (left, right))
            flat = [p for part in parts for p in part]
            return Apply("text", tuple(flat))
    plain = gast.BinOp(
        left=Held(left, node.left), op=node.op, right=Held(right, node.right)
    )
    return binary_operation.further(lowering, gast.copy_location(plain, node))


def _in_parts(lowering: Lowering, handle: Expr, node: gast.AST) -> list[Expr]:
    """A string as parts of a formatted one."""
    if isinstance(handle, Const):
        return [Const(str(handle.value))]
    now = lowering.current(handle, node)
    return [Apply("format", (now, Const(-1), Const("")))]


@handles(gast.JoinedStr)
def joined_text(lowering: Lowering, node: gast.JoinedStr) -> Expr:
    """An f-string: what it says, or how it reads values, each read once."""
    values = [_held_value(lowering, part) for part in node.values]
    node = gast.copy_location(gast.JoinedStr(values=values), node)
    known = known_text(lowering, node)
    return text_of(lowering, node) if known is None else known


def _held_value(lowering: Lowering, part: Any) -> Any:
    """{value} of an f-string with what the value is in its place."""
    if isinstance(part, gast.Constant):
        return part
    value = Held(lowering.read(part.value), part.value)
    made = gast.FormattedValue(value, part.conversion, part.format_spec)
    return gast.copy_location(made, part)


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """An operation; a string is no number."""
    if value.op not in COMPARED and any(
        map(functools.partial(_is_made, lowering), value.args)
    ):
        if value.op == "getitem":
            refuse_untold(lowering, value.args[0], node)
            _refuse_part(lowering, value.args[0], value.args[1], node)
        lowering.fail("GG213", "a string is not a number", node, "a number")
    return bind.further(lowering, value, node)


def _refuse_part(
    lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None
) -> None:
    """Refuses parameters["W" + str(l)] of an argument of which nothing tells."""
    if (
        isinstance(base, Ref)
        and base.var.origin is Origin.PARAM
        and _is_made(lowering, key)
    ):
        name = base.var.name
        told = f"which part of {name} this is, is not known here"
        lowering.fail("GG244", told, node, f'--shape {name}.W1="..." for each part')


def _is_made(lowering: Lowering, handle: Expr) -> bool:
    return isinstance(handle, Apply) and handle.op in TEXTS
