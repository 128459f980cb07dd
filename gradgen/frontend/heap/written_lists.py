"""Lists and tuples that are written out where a function of NumPy's takes an array.

    np.linalg.norm([dx, dy])    reads    np.array([dx, dy])

A rule gives such an argument an adjoint as a whole, and a list has none. Where a rule
takes a list apart (np.stack, np.block) the list stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import BINARY, COMPARE
from gradgen.rules.rule import Rule
from gradgen.shapes.kinds import Kind

OF_TWO = frozenset((*BINARY.values(), *COMPARE.values()))


def with_arrays(
    lowering: Lowering, value: Apply, rule: Rule, node: gast.AST | None
) -> Apply:
    """The call, with an array for each list of values that its rule takes whole.

    before:  np.linalg.norm([a, b])      after:  np.linalg.norm(np.array([a, b]))
    before:  np.power(x, [2, 3])         after:  np.power(x, np.array([2, 3]))

    Numbers that are written out are a list in NumPy's eyes alone: what flows back to x
    is [2, 3] * x ** ([2, 3] - 1), of operators of Python's.
    """
    if not rule.given:
        return value
    # of two with adjoints one may stand in that of the other, in an operator
    starred = any(param.star for param in rule.params)
    named = {rule.by_name[name].name for name, _ in value.kwargs}
    named |= {param.var.name for param in rule.params[: len(value.args)]}
    beside = starred or len(rule.given & named) > 1

    def made(arg: Expr, name: str, star: bool) -> Expr:
        if not star and rule.by_name[name.rstrip("_")] in rule.taken_apart:
            return arg
        listed = _is_written(lowering, arg) or beside and _is_list(lowering, arg)
        if name not in rule.given or not listed:
            return arg
        array: Expr = lowering.bind(Apply("numpy.array", (arg,)), node)
        return array

    args, place = [], 0
    for arg in value.args:
        param = rule.params[min(place, len(rule.params) - 1)]
        args.append(made(arg, param.var.name, param.star))
        place += not param.star
    kwargs = tuple(
        (name, made(arg, rule.by_name[name].name, False)) for name, arg in value.kwargs
    )
    return replace(value, args=tuple(args), kwargs=kwargs)


def _is_written(lowering: Lowering, arg: Expr) -> bool:
    """Whether it is a list of what may be floating numbers or arrays."""
    version = lowering.state.held(arg)
    listed = version if isinstance(version, Apply) else arg
    if not isinstance(listed, Apply) or listed.op not in ("list", "tuple"):
        return False
    parts = list(leaves(listed))
    return any(
        isinstance(part, Ref) and not lowering.facts.is_index(part) for part in parts
    )


def beside_arrays(lowering: Lowering, value: Apply, node: gast.AST | None) -> Apply:
    """The operator, with an array for each list that stands beside an array.

    before:  x * [0.5, 2.0]                  after:  x * np.array([0.5, 2.0])
    """
    if value.spelling != "operator" or value.op not in OF_TWO:
        return value
    for one, other in (value.args, value.args[::-1]):
        whole = value.op == BINARY["MatMult"] or has_axes(lowering, other, node)
        compared = value.op in COMPARE.values() and lowering.is_dynamic(one)
        whole = whole or compared and _is_entry(lowering, other, node)
        listed = _is_list(lowering, one) or lowering.is_dynamic(one)
        if whole and listed and other is not one:
            array = lowering.bind(Apply("numpy.array", (one,)), node)
            args = tuple(array if arg is one else arg for arg in value.args)
            return replace(value, args=args)
    return value


def has_axes(lowering: Lowering, arg: Expr, node: gast.AST | None) -> bool:
    """Whether it is an array of one axis or more, for which NumPy makes one of a list.

    What is made of integers may be a shape, which is a tuple.
    """
    if not isinstance(arg, Ref) or _is_list(lowering, arg) or lowering.is_dynamic(arg):
        return False
    now, facts = lowering.current(arg, node), lowering.facts
    if not isinstance(now, Ref) or facts.is_list(now) or facts.several(now):
        return False
    return bool(facts.rank(now)) and facts.kind(now) > Kind.INTEGER


def _is_entry(lowering: Lowering, arg: Expr, node: gast.AST | None) -> bool:
    """Whether it is read of an array: a part of it, or a number of NumPy's."""
    if not isinstance(arg, Ref) or _is_list(lowering, arg) or lowering.is_dynamic(arg):
        return False
    now = lowering.current(arg, node)
    made = lowering.facts.definitions.get(now.var) if isinstance(now, Ref) else None
    if not isinstance(made, Apply) or made.op != "getitem":
        return False
    base = made.args[0]
    return isinstance(base, Ref) and not lowering.facts.is_list(base)


def _is_list(lowering: Lowering, arg: Expr) -> bool:
    version = lowering.state.held(arg)
    listed = version if isinstance(version, Apply) else arg
    if isinstance(listed, Const):
        return isinstance(listed.value, tuple)
    return isinstance(listed, Apply) and listed.op in ("list", "tuple")
