"""Python values that are known while emitting, as handles and back."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.memory import Record, State, is_structure
from gradgen.frontend.lowering.recursion import whole_number
from gradgen.frontend.source.names import NO_VALUE, PLAIN, is_mark
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.strong import number_of


@dataclass(frozen=True)
class SetOf(Apply):
    """A set of handles, each once: its order is not what Python's is."""


def set_of(items: list[Expr]) -> SetOf:
    """The set of some handles, which are constants."""
    return SetOf("tuple", tuple(dict.fromkeys(items)))


@dataclass(frozen=True)
class RangeOf(Apply):
    """A range of numbers, which arrays take for the list of these; it equals no list."""


def range_of(numbers: range) -> RangeOf:
    """A range that is known."""
    return RangeOf("list", tuple(map(Const, numbers)))


def static_value(
    one: Expr,
    state: State,
    definitions: Mapping[Var, Expr],
    numbers: set[Var],
    strong: bool = False,
) -> Any:
    """The Python value of a handle that is known as a whole, else NO_VALUE.

    If that is `strong`, numbers of NumPy's are such: np.uint8(200), not 200.
    """
    if one is REFUSED or isinstance(one, Record):
        return NO_VALUE
    if isinstance(one, Const):
        return number_of(one) if strong else one.value
    if isinstance(one, Ref):
        version = state.versions.get(one.var)
        if isinstance(version, Apply):
            return static_value(version, state, definitions, numbers, strong)
        defined = definitions.get(one.var) if one.var in numbers else None
        if not isinstance(defined, Const):
            defined = whole_number(one, definitions)
        if not isinstance(defined, Const):
            return NO_VALUE
        return number_of(defined) if strong else defined.value
    if not is_structure(one):
        return NO_VALUE
    known = state, definitions, numbers, strong
    parts = [static_value(part, *known) for part in one.args]
    if any(part is NO_VALUE for part in parts):
        return NO_VALUE
    if isinstance(one, SetOf):
        return set(parts)
    if isinstance(one, RangeOf):
        step = parts[1] - parts[0] if len(parts) > 1 else 1
        return (
            range(parts[0], parts[-1] + (1 if step > 0 else -1), step)
            if parts
            else range(0)
        )
    if one.op == "dict":
        keys = [getattr(key, "value", None) for _, key in one.kwargs]
        return dict(zip(keys, parts))
    makers: dict[str, Callable[..., Any]] = {
        "tuple": tuple,
        "list": list,
        "slice": lambda items: slice(*items),
    }
    return makers[one.op](parts) if one.op in makers else NO_VALUE


def is_known(value: object) -> bool:
    """Whether a Python value may be a handle: plain, or a container of such."""
    if type(value) in PLAIN or isinstance(value, (type, types.ModuleType)):
        return True
    if is_mark(value):
        return True
    if isinstance(value, (tuple, list, set, frozenset)) and not hasattr(
        value, "_fields"
    ):
        return all(map(is_known, value))
    if isinstance(value, dict):
        return all(map(is_known, value.values()))
    return callable(value) and hasattr(value, "__name__")


def ordered(values: set[Any]) -> list[Any]:
    """The items of a set in an order that is the same on every run."""
    return sorted(values, key=lambda one: (type(one).__name__, repr(one)))
