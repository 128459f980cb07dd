"""Branches on options and kinds of which one arm is refused: there the text raises.

before:  if hasattr(x, "values"):          after:  if hasattr(x, "values"):
             x = x.values                              raise ValueError(...)
         return np.sum(x)                          return np.sum(x)

A branch on what is computed from numbers is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.lowering.frames import REFUSED, Arm
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Effect, Expr, Origin, Ref
from gradgen.ir.operators import COMPARISONS, EQUALITIES, TEXTS

# operations that ask what an argument is, not which numbers it holds
KINDS = (
    "isinstance",
    "hasattr",
    "callable",
    "type",
    "of_dtype",
    "numpy.issubdtype",
    "numpy.can_cast",
    "numpy.isscalar",
    "numpy.iterable",
    "numpy.ndim",
    "dtype",
    "is",
    "is_not",
)
# so many definitions are looked through
STEPS = 6


def unreached(problem: Any) -> str:
    """What the text raises in an arm that is refused."""
    return (
        f"the values of line {problem.line} ({problem.message}) have no gradient here"
    )


def asks_for_parts(problem: GradgenError) -> bool:
    """Whether it is what an argument holds that is not told: a key, or a field."""
    return bool(problem.read_of[0] or problem.field_of[0])


def asks_kind(lowering: Lowering, test: Expr, steps: int = STEPS) -> bool:
    """Whether a condition asks what an argument is: its kind, or an option."""
    if isinstance(test, Ref):
        default = lowering.root.source.defaults.get(test.var.name)
        if test.var.origin is Origin.PARAM:
            is_flag = lowering.facts.is_boolean(test)
            return is_flag or isinstance(default, (bool, str))
        found = lowering.facts.definitions.get(test.var)
        known = found is not None and steps > 0
        return known and asks_kind(lowering, found, steps - 1) if found else False
    if not isinstance(test, Apply):
        return False
    if test.op in KINDS:
        return True
    if test.op in EQUALITIES:
        if any(_is_option(lowering, one) for one in test.args):
            return True
    words = ("not", "and", "or", "in", "not_in")
    inner = test.op in words or test.op in COMPARISONS
    return inner and any(asks_kind(lowering, one, steps - 1) for one in test.args)


def _is_option(lowering: Lowering, handle: Expr) -> bool:
    if isinstance(handle, Const):
        return isinstance(handle.value, (str, type(None), type))
    return isinstance(handle, Apply) and handle.op in TEXTS


def arms(
    lowering: Lowering, test: Expr, node: gast.If, ways: tuple[Callable[[], None], ...]
) -> tuple[Arm, Arm]:
    """Both arms of a branch; one that is refused raises, where that is known."""
    before, first = lowering.state, len(lowering.problems)
    then = lowering.arm(before, ways[0])
    middle = len(lowering.problems)
    orelse = lowering.arm(before, ways[1])
    refused = middle > first, len(lowering.problems) > middle
    if refused[0] is refused[1] or not asks_kind(lowering, test):
        return then, orelse
    start, end = (first, middle) if refused[0] else (middle, len(lowering.problems))
    asking = any(map(asks_for_parts, lowering.problems[start:end]))
    if asking and lowering.asks():
        return then, orelse
    raising = lowering.arm(
        before, lambda: _raise(lowering, lowering.problems[start], node)
    )
    lowering.given_up += lowering.problems[start:end]
    del lowering.problems[start:end]
    return (raising, orelse) if refused[0] else (then, raising)


def _raise(lowering: Lowering, problem: Any, node: gast.AST) -> None:
    """What the text does in the arm that is refused."""
    told = unreached(problem)
    kind = Const(ValueError, "ValueError")
    lowering.body.append(Effect(Apply("raise", (kind, Const(told))), lowering.note))
    lowering.state.dead = True
    lowering.decided(f"line {problem.line} is not reached")


def refused(lowering: Lowering, node: gast.AST) -> Any:
    """The problem of an expression that is refused, None for another."""
    first = len(lowering.problems)
    arm = lowering.arm(lowering.state, lambda: _probe(lowering, node))
    found = lowering.problems[first:]
    del lowering.problems[first:], arm
    return found[0] if found else None


def _probe(lowering: Lowering, node: gast.AST) -> None:
    value = lowering.read(node)
    if value is not REFUSED and isinstance(value, Ref):
        lowering.current(value, node)
