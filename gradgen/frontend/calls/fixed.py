"""Parameters that the text is made for one value of, which it looks at."""

from __future__ import annotations

import enum
import types
from typing import Any

import gast

from gradgen.frontend.calls.default_texts import is_dtype, is_open_row, name_of
from gradgen.frontend.calls.differing import differs, unequal
from gradgen.frontend.heap.outer_values import CONTAINERS, held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.statics import is_known
from gradgen.frontend.source.names import NO_VALUE, is_no_option, is_plain
from gradgen.frontend.source.spelling import written
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR
from gradgen.shapes.statics import is_named, value_of


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
        test = _is_another(Ref(var), told)
        if test is None:
            test = unequal(Ref(var), _written_out(told, shown))
        own = lowering.source.defaults.get(arg.id, NO_VALUE)
        if default == "None" and own is not None:  # which the text has no word for
            test = _unless_left_out(Ref(var), test, own is told)
        _refuse_others(lowering, arg.id, test, shown)
    return Param(var, default, None, keyword_only, fact=text)


def _written_out(value: Any, shown: str) -> Expr:
    """A value as the text writes it: a list by its parts."""
    if isinstance(value, list):
        return Apply("list", tuple(_written_out(one, repr(one)) for one in value))
    return Const(value, shown)


def _is_another(given: Ref, value: Any) -> Expr | None:
    """The test that an argument has another value; None of lambdas and containers.

    before:  mode=Mode.FAST         link=softplus                   k=2
    after:   mode.name != "FAST"    link.__name__ != "softplus"     k != 2
    """
    if value is not None and is_plain(value):
        return unequal(given, Const(value))
    if isinstance(value, (list, dict, slice)):
        return None
    lambdas = isinstance(value, types.FunctionType) and value.__name__ == "<lambda>"
    return None if lambdas else differs(given, value)


def _unless_left_out(given: Ref, test: Expr, is_own: bool) -> Expr:
    """The test of an argument that is None where it is left out: as this value, or not."""
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
    if isinstance(value, enum.Enum):
        handle: Expr = Const(value)
        shown = written(value.value) if isinstance(value, (str, int)) else "None"
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
    test, told = _is_another(Ref(var), value), shown
    if shown == "None" and value is not None:
        told = getattr(value, "__name__", "") or f"as in {lowering.source.node.name}"
        none = Apply("is_not", (Ref(var), Const(None)), (), "operator")
        test = none if test is None else _unless_left_out(Ref(var), test, True)
    if isinstance(value, enum.Enum):
        told = f"{type(value).__name__}.{value.name}"
    _refuse_others(lowering, arg.id, test or unequal(Ref(var), handle), told)
    lowering.decided(f"{arg.id} is {told}")
    return Param(var, shown, None, keyword_only)
