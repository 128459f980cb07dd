"""out= of a function: what it computes is stored into an array."""

from __future__ import annotations

import gast
import numpy

from gradgen.errors import GradgenError
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves
from gradgen.frontend.lowering.sharing import ARRAYS
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.rules.refusals import sort_of_dtype
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal

# what takes a dtype as its second argument
MADE = ("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.array")


def into_out(lowering: Lowering, node: gast.Call) -> Expr:
    """np.add(a, b, out=c): a store into c, and c."""
    (out,) = (k.value for k in node.keywords if k.arg == "out")
    kept = [k for k in node.keywords if k.arg != "out"]
    if any(k.arg == "where" for k in kept):
        lowering.fail("GG209", "out= with where= is not supported", node, "np.where")
    plain = gast.Call(func=node.func, args=node.args, keywords=kept)
    value = lowering.read(gast.copy_location(plain, node))
    target = lowering.read(out)
    if REFUSED in (value, target):
        return REFUSED
    if isinstance(target, Const):
        return value
    _raise_unless_fits(lowering, value, target, node)
    lowering.store(target, Const(...), value, node)
    return target


def _stretches(lowering: Lowering, function: object) -> bool:
    """Whether out= may have more places than the result, which is repeated."""
    if isinstance(function, numpy.ufunc):
        return function.signature is None  # matmul's last axes have to be the same
    return among(function, (numpy.clip, numpy.round, numpy.around))


def _is_whole(lowering: Lowering, into: Ref) -> bool:
    """Whether an array surely was made of integers or of booleans."""
    if lowering.facts.kind(into) in (Kind.INTEGER, Kind.BOOLEAN):
        return True
    made = lowering.facts.definitions.get(lowering.memory.buffer(into.var))
    if not isinstance(made, Apply) or made.op not in ARRAYS:
        return False
    given = dict(made.kwargs).get("dtype")
    if given is None and made.op == "numpy.array" and len(made.args) == 1:
        values = [getattr(leaf, "value", None) for leaf in leaves(made.args[0])]
        return bool(values) and all(type(v) in (int, bool) for v in values)
    if given is None and made.op in MADE and len(made.args) == 2:
        given = made.args[1]
    try:
        return given is not None and sort_of_dtype(given) in ("i", "u", "b")
    except GradgenError:  # an argument that is a dtype
        return False


def _raise_unless_fits(
    lowering: Lowering, value: Expr, target: Expr, node: gast.Call
) -> None:
    """Raises where out= is smaller than what goes into it, or takes no floats."""
    into, now = lowering.current(target, node), lowering.current(value, node)
    if not isinstance(into, Ref) or is_a_list(lowering, target):
        return
    if _is_whole(lowering, into) and lowering.facts.kind(now) >= Kind.WEAK:
        lowering.fail(
            "GG309",
            f"{lowering.known_name(into.var)} is an array of integers, and out= takes "
            "no floats then",
            node,
            "an array of floats: dtype=float, or 1.0 among its numbers",
        )
    function = lowering.resolve(node.func)
    if function is NO_VALUE:  # a method
        function = getattr(numpy, node.func.attr, None)
    exact = not _stretches(lowering, function)
    first, last = lowering.facts.of(now), lowering.facts.of(into)
    if equal(first, last) or not exact and first <= last:
        return
    both = now if exact else Apply("numpy.add", (now, into), (), "operator")
    shapes = tuple(Apply("numpy.shape", (part,)) for part in (both, into))
    test = Apply("numpy.not_equal", shapes, (), "operator")
    raise_where(lowering, test, ValueError, "out= does not fit")


def with_out(node: gast.Call) -> gast.Call:
    """np.add(a, b, c) as np.add(a, b, out=c)."""
    *args, out = node.args
    words = [*node.keywords, gast.keyword("out", out)]
    return gast.copy_location(
        gast.Call(func=node.func, args=args, keywords=words), node
    )
