"""The conditions of a rule, decided while emitting: by ranks and constants."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NoReturn, Protocol

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.walk import static
from gradgen.rules.words import rank_word


class HasName(Protocol):
    """A rule, of which a condition needs the operation's name alone."""

    @property
    def op(self) -> str: ...


def decide(
    test: Expr,
    rank: Callable[[Expr], int | None],
    rule: HasName,
    options: Collection[Expr] = (),
) -> bool:
    """A condition of a rule, decided while emitting.

    `options` are what may be None, such as an axis.
    Raises GradgenError where it depends on what is not known.
    """
    if isinstance(test, Apply):
        parts = test.args
        if test.op == "not":
            return not decide(parts[0], rank, rule, options)
        if test.op == "and":
            return all(decide(part, rank, rule, options) for part in parts)
        if test.op == "or":
            return any(decide(part, rank, rule, options) for part in parts)
        if test.op in ("is", "is_not"):
            if is_call(parts[0], "rank"):
                is_none = rank_word(rank, *parts[0].args) is None
            else:
                is_none = parts[0] == Const(None)
                if parts[0] in options and _may_be_none(parts[0], rank):
                    _refuse(rule)
            return is_none == (test.op == "is")
        if test.op in _COMPARISONS:
            left, right = (_decided(part, rank, rule) for part in parts)
            return _COMPARISONS[test.op](left, right)
    return bool(_decided(test, rank, rule))


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "numpy.equal": lambda a, b: a == b,
    "numpy.not_equal": lambda a, b: a != b,
    "numpy.less": lambda a, b: a is not None and b is not None and a < b,
    "numpy.greater": lambda a, b: a is not None and b is not None and a > b,
}


def _decided(expr: Expr, rank: Callable[[Expr], int | None], rule: HasName) -> Any:
    if is_call(expr, "rank"):
        return rank_word(rank, *expr.args)
    if isinstance(expr, Apply) and expr.op == "numpy.inf":
        return float("inf")
    try:
        return static(expr)
    except ValueError:
        _refuse(rule)


def _may_be_none(expr: Expr, rank: Callable[[Expr], int | None]) -> bool:
    """Whether an expression is an argument of the primal of which nothing is known."""
    is_argument = isinstance(expr, Ref) and expr.var.origin is Origin.PARAM
    return is_argument and rank(expr) is None


def _refuse(rule: HasName) -> NoReturn:
    name = rule.op.removeprefix("numpy.")
    raise GradgenError(
        "GG301",
        f"the gradient of {name} depends on an argument that is not a constant",
        advice=f"a literal for that argument of {name}",
    ) from None


def is_call(expr: Expr, *ops: str) -> bool:
    """Whether an expression is one of these operations."""
    return isinstance(expr, Apply) and expr.op in ops
