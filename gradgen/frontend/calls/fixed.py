"""Parameters that the text is made for one value of, which it looks at."""

from __future__ import annotations

import enum
import types
from keyword import iskeyword
from typing import Any

import gast

from gradgen.frontend.calls.default_texts import is_dtype, is_open_row, name_of
from gradgen.frontend.calls.differing import differs, field_of, unequal
from gradgen.frontend.calls.of_type import is_other
from gradgen.frontend.heap.outer_values import CONTAINERS, held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.statics import is_known
from gradgen.frontend.source.names import NO_VALUE, is_no_option, is_plain
from gradgen.frontend.source.spelling import written
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR
from gradgen.shapes.statics import is_named, is_told_by_name, value_of


def of_value(
    lowering: Lowering,
    arg: gast.Name,
    text: str,
    default: str | None,
    keyword_only: bool,
) -> Param:
    """A parameter that the text is made for one value of."""
    var = lowering.supply.var(arg.id, Origin.PARAM)
    told = value_of(text, lowering.source.globals)
    if is_named(text):
        handle: Expr = Const(told)
    else:
        found = held(lowering, told, arg, arg.id)
        assert found is not None
        handle = found
    lowering.state.names[0, arg.id] = handle
    lowering.assume(var, SCALAR, Kind.OTHER)
    if not lowering.source.at_hand:
        shown = written(told) if is_plain(told) else text[1:].strip()
        test, word = _is_another(Ref(var), told, lowering)
        own = lowering.source.defaults.get(arg.id, NO_VALUE)
        if word is not None and own is told:
            default = word
        elif (
            word is None and default == "None" and own is not None
        ):  # which the text has no word for
            test = _unless_left_out(Ref(var), test, own is told)
        _refuse_others(lowering, arg.id, test, shown)
    return Param(var, default, None, keyword_only, fact=text)


def _is_another(given: Ref, value: Any, lowering: Lowering) -> tuple[Expr, str | None]:
    """The test that an argument has another value, and what stands for it in the text.

    before:  mode=Mode.FAST               k=2       link=losses.softplus
    after:   str(mode) != "Mode.FAST"     k != 2    getattr(link, "__module__", None) !=
                                                    "losses" or link.__qualname__ != ...

    The text has no module that the first and the last are in: "Mode.FAST" stands for the
    member where it is left out. None where nothing does. What no text tells from others,
    as a lambda, is left out or raises.
    """
    if isinstance(value, enum.Enum):
        full = f"{type(value).__name__}.{value.name}"
        if type(value).__str__ is enum.Enum.__str__ and not isinstance(value, int):
            return unequal(field_of(given, "", "name:str"), Const(full)), written(full)
        kind = Apply("type", (given,), (), "name:type")
        other = unequal(field_of(kind, "__name__"), Const(type(value).__name__))
        return _either(other, unequal(field_of(given, "name"), Const(value.name))), None
    if is_told_by_name(value):
        asked = given, Const("__module__"), Const(None)
        module = Apply("field", asked, (), "name:getattr")
        name = unequal(field_of(given, "__qualname__"), Const(value.__qualname__))
        return _either(unequal(module, Const(value.__module__)), name), None
    if value is not None and is_plain(value):
        node = lowering.source.node
        return is_other(given, value, node, given.var.name), written(value)
    test = None
    if isinstance(value, (list, tuple, dict, slice)):
        made = _written_out(value)
        test = None if made is None else unequal(given, made)
    elif not isinstance(value, types.FunctionType) or name_of(value) != "None":
        test = differs(given, value)
    return test or Apply("is_not", (given, Const(None)), (), "operator"), None


def _either(one: Expr, other: Expr) -> Expr:
    return Apply("or", (one, other), (), "operator")


def _written_out(value: Any) -> Expr | None:
    """A value as the text writes it, a container by its parts; None of others."""
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return Apply("slice", tuple(map(Const, parts)), (), "name:slice")
    if isinstance(value, dict):
        words = [(key, _written_out(one)) for key, one in value.items()]
        plain = [(key, one) for key, one in words if one is not None and _is_word(key)]
        all_plain = len(plain) == len(words)
        return Apply("field", (), tuple(plain), "name:dict") if all_plain else None
    if isinstance(value, (list, tuple)):
        items = [_written_out(one) for one in value]
        if any(one is None for one in items):
            return None
        known = tuple(one for one in items if one is not None)
        return Apply(type(value).__name__, known)
    return Const(value) if value is None or is_plain(value) else None


def _is_word(key: Any) -> bool:
    """Whether a key may be written as a keyword: dict(p=2)."""
    return isinstance(key, str) and key.isidentifier() and not iskeyword(key)


def _unless_left_out(given: Ref, test: Expr, is_own: bool) -> Expr:
    """The test of an argument that is None where it is left out: as this value, or not."""
    if test == Apply("is_not", (given, Const(None))):
        return test
    word, joint = ("is_not", "and") if is_own else ("is", "or")
    none = Apply(word, (given, Const(None)), (), "operator")
    return Apply(joint, (none, test), (), "operator")


def _refuse_others(lowering: Lowering, name: str, test: Expr, told: str) -> None:
    """Lets the text raise where an argument has another value than it is made for."""
    lowering.guards.append(
        (test, f"values of {name} other than {told} have no gradient here")
    )


def is_fixed(lowering: Lowering, name: str) -> bool:
    """Whether a parameter is what its default is: a function, a table of them."""
    if name not in lowering.source.defaults or name in lowering.texts:
        return False
    value = lowering.source.defaults[name]
    if name in lowering.source.fixed or isinstance(value, enum.Enum) or is_dtype(value):
        return True
    if is_plain(value) or is_open_row(value) or is_no_option(value):
        return False
    return is_known(value)


def fixed(lowering: Lowering, arg: gast.Name, keyword_only: bool) -> Param:
    """A parameter that has the value of its default, which the text tests."""
    value = lowering.source.defaults[arg.id]
    var = lowering.supply.var(arg.id, Origin.PARAM)
    lowering.assume(var, SCALAR, Kind.OTHER)
    lowering.memory.numbers.add(var)
    test, word = _is_another(Ref(var), value, lowering)
    if isinstance(value, (list, dict, slice)):  # a table: it is left out, or another
        test = Apply("is_not", (Ref(var), Const(None)), (), "operator")
    if isinstance(value, enum.Enum):
        handle: Expr = Const(value)
        shown = "None"
    elif is_plain(value):
        handle = Const(value)
        shown = written(value)
    elif isinstance(value, CONTAINERS) or is_dtype(value):
        found = held(lowering, value, arg, arg.id)
        assert found is not None  # a container is taken apart or refused
        handle, shown = found, (isinstance(found, Const) and found.text) or "None"
    else:
        shown = name_of(value)
        handle = Const(value, None if shown == "None" else shown)
    lowering.state.names[0, arg.id] = handle
    told = shown
    if shown == "None" and value is not None:
        told = getattr(value, "__name__", "") or f"as in {lowering.source.node.name}"
        if word is None:
            test = _unless_left_out(Ref(var), test, True)
    if isinstance(value, enum.Enum):
        told = f"{type(value).__name__}.{value.name}"
    _refuse_others(lowering, arg.id, test, told)
    lowering.decided(f"{arg.id} is {told}")
    return Param(var, word or shown, None, keyword_only)
