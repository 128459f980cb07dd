"""Axes, and what else a rule asks for, as the constants that they are, if known.

before:  np.sum(x, axis=x.ndim - 1)          after:  np.sum(x, axis=1), or axis=-1
         np.linalg.norm(x, ord=p + 1)                np.linalg.norm(x, ord=2)
         for k in range(x.ndim):                     for k in (0, 1):
             x = np.cumsum(x, axis=k)                    x = np.cumsum(x, axis=k)
"""

from __future__ import annotations

import gast

from gradgen.frontend.calls.said_anyway import without_defaults
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.axis_names import AXES
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.rules.rule import Rule
from gradgen.rules.traits import counts_own_axes

# a loop over more axes than an array may have is none over axes
MOST = 8


def with_known_options(lowering: Lowering, value: Apply, rule: Rule) -> Apply:
    """The operation with its axes, and what its rule asks for, as constants if known.

    What a function does anyway is not said: overwrite_a=False.
    """
    value = without_defaults(value, rule, lambda one: _known(lowering, one))
    if rule.kind == "elementwise" and not rule.asked:
        return value
    names = [p.var.name for p in rule.params]
    stars = [k for k, p in enumerate(rule.params) if p.star]
    names = names[: stars[0]] if stars else names
    wanted = {*AXES, *rule.asked} - rule.differentiable
    args = list(value.args)
    own = args[0] if args and counts_own_axes(rule) else None

    def known(name: str, given: Expr) -> Expr:
        found = _known(lowering, given) if name in wanted else given
        if name != "axis" or found is not given or own is None:
            return found
        return _from_behind(lowering, given, own)

    for k, name in enumerate(names[: len(args)]):
        args[k] = known(name, args[k])
    kwargs = tuple((k, known(k, v)) for k, v in value.kwargs)
    if (tuple(args), kwargs) == (value.args, value.kwargs):
        return value
    return Apply(value.op, tuple(args), kwargs, value.spelling)


def _known(lowering: Lowering, axis: Expr) -> Expr:
    if isinstance(axis, Apply) and axis.op in ("tuple", "list"):
        parts = tuple(_known(lowering, part) for part in axis.args)
        return Apply(axis.op, parts, axis.kwargs, axis.spelling)
    value = value_known(lowering, axis) if isinstance(axis, Ref) else None
    return Const(value) if type(value) in (int, bool, str) else axis


def _from_behind(lowering: Lowering, axis: Expr, own: Expr) -> Expr:
    """An axis that is counted from an array's rank, which is not known, as one from behind.

    before:  np.mean(x, axis=x.ndim - 1)          after:  np.mean(x, axis=-1)
    """
    known = lowering.facts.definitions
    made = known.get(axis.var) if isinstance(axis, Ref) else None
    if not isinstance(made, Apply) or made.op != "numpy.subtract":
        return axis
    rank, back = made.args
    count = known.get(rank.var) if isinstance(rank, Ref) else rank
    wanted = "numpy.ndim"
    if isinstance(count, Apply) and count.op == "len" and len(count.args) == 1:
        shape, wanted = count.args[0], "numpy.shape"  # len(x.shape)
        count = known.get(shape.var) if isinstance(shape, Ref) else shape
    if not isinstance(count, Apply) or count.op != wanted:
        return axis
    size = getattr(back, "value", None)
    of_one_shape = lowering.facts.of(count.args[0]) == lowering.facts.of(own)
    return Const(-size) if of_one_shape and type(size) is int and size > 0 else axis


def over_axes(lowering: Lowering, node: gast.For) -> gast.For:
    """The loop over numbers written out, where they are axes in its body."""
    call, target = node.iter, node.target
    if getattr(target, "id", "") not in lowering.source.over_axes:
        return node
    is_range = isinstance(call, gast.Call) and lowering.resolve(call.func) is range
    if not is_range or not isinstance(target, gast.Name) or call.keywords:
        return node
    bounds = [value_known(lowering, lowering.read(arg)) for arg in call.args]
    if not all(type(bound) is int for bound in bounds) or 0 in bounds[2:]:
        return node
    numbers = range(*bounds)
    if len(numbers) > MOST:
        return node
    known = Apply("tuple", tuple(map(Const, numbers)))
    made = gast.For(target, Held(known, call), node.body, node.orelse, None)
    return gast.copy_location(made, node)
