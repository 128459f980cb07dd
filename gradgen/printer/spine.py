"""The steps of an expression that could be done in one array, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import BINARY
from gradgen.printer.fresh import is_made
from gradgen.rules.traits import is_ufunc
from gradgen.shapes.certain import dims_of
from gradgen.shapes.infer import Facts

_SWAPPED = {BINARY["Add"], BINARY["Mult"]}


@dataclass(frozen=True)
class Step:
    """An operation on `base`, which stands at a place among the others."""

    op: str
    base: Expr
    at: int
    others: tuple[Expr, ...]
    operator: bool


def is_done_in_place(value: Expr) -> bool:
    """Whether an operation of NumPy's could leave its result in one of its operands.

    Of powers only squares do: x ** 0.5 is a root to NumPy, which np.power is not.
    """
    return (
        isinstance(value, Apply)
        and is_ufunc(value.op)
        and not value.kwargs
        and value.spelling != "augmented"
        and (value.op != BINARY["Pow"] or value.args[1] == Const(2))
    )


def steps_from(
    value: Expr, is_free: Callable[[Expr], bool], is_room: Callable[[Expr], bool]
) -> list[Step]:
    """The steps from an array that is free out to the whole, none without one.

    Of (a - b) * c they are a - b and then * c.
    """
    if not is_done_in_place(value):
        return []
    assert isinstance(value, Apply)
    for at, arg in enumerate(value.args):
        if is_free(arg):
            return [_step(value, at)]
    for at, arg in enumerate(value.args):
        if isinstance(arg, Apply) and is_room(arg):
            inner = steps_from(arg, is_free, is_room)
            if inner:
                return [*inner, _step(value, at)]
    return []


def steps_from_new(value: Expr, is_room: Callable[[Expr], bool]) -> list[Step]:
    """The steps from the innermost new array that has room for all of them."""
    if not is_done_in_place(value):
        return []
    assert isinstance(value, Apply)
    for at, arg in enumerate(value.args):
        if isinstance(arg, Apply) and is_made(arg, lambda var: False) and is_room(arg):
            return [*steps_from_new(arg, is_room), _step(value, at)]
    return []


def first_of(value: Expr, steps: list[Step], facts: Facts) -> int | None:
    """The first step that NumPy does not do in place by itself, None without one.

    In a + b + c it reuses the array of a + b, where c is a number or has its shape.
    """
    dims = dims_of(value, facts)
    for at, step in enumerate(steps):
        same = all(dims_of(one, facts) in ((), dims) for one in step.others)
        if not (step.operator and same):
            return at
    return None


def _step(value: Apply, at: int) -> Step:
    """An operation as a step, its array in front where that makes no difference."""
    base, others = value.args[at], value.args[:at] + value.args[at + 1 :]
    if value.op in _SWAPPED:
        at = 0
    if value.op == BINARY["Pow"] and others == (Const(2),) and not at:
        return Step("numpy.square", base, 0, (), True)
    return Step(value.op, base, at, others, value.spelling == "operator" and not at)
