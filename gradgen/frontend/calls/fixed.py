"""Parameters that the text is made for one value of, which it looks at."""

from __future__ import annotations

import enum
from typing import Any

import gast

from gradgen.frontend.calls.default_texts import is_dtype, is_open_row, name_of
from gradgen.frontend.heap.outer_values import CONTAINERS, held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.statics import is_known
from gradgen.frontend.source.names import NO_VALUE, is_no_option, is_plain
from gradgen.frontend.source.spelling import written
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref, Var
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR
from gradgen.shapes.statics import read_static


def of_value(
    lowering: Lowering,
    arg: gast.Name,
    text: str,
    default: str | None,
    keyword_only: bool,
) -> Param:
    """A parameter that the text is made for one value of."""
    var = lowering.supply.var(arg.id, Origin.PARAM)
    told = read_static(text)
    value = held(lowering, told, arg, arg.id)
    assert value is not None
    lowering.state.names[0, arg.id] = value
    lowering.assume(var, SCALAR, Kind.OTHER)
    own = lowering.source.defaults.get(arg.id, NO_VALUE)
    if is_plain(told) and (own is NO_VALUE or (type(own), own) != (type(told), told)):
        if not lowering.source.at_hand:
            _refuse_others(lowering, arg.id, var, told, Const(told))
    return Param(var, default, None, keyword_only, fact=text)


def _refuse_others(
    lowering: Lowering, name: str, var: Var, value: Any, given: Expr, told: str = ""
) -> None:
    """Lets the text raise where an argument has another value than it is made for."""
    equal = is_plain(value) and value is not None or is_dtype(value)
    word = "numpy.not_equal" if equal else "is_not"
    test = Apply(word, (Ref(var), given), (), "operator")
    told = told or written(value)
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
    given = Const(None) if shown == "None" else handle
    told = shown
    if shown == "None" and value is not None:
        told = getattr(value, "__name__", "") or f"as in {lowering.source.node.name}"
    _refuse_others(lowering, arg.id, var, value, given, told)
    lowering.decided(f"{arg.id} is {told}")
    return Param(var, shown, None, keyword_only)
