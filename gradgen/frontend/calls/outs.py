"""out= of a function: what it computes is stored into an array."""

from __future__ import annotations

import gast
import numpy

from gradgen.errors import GradgenError
from gradgen.frontend.calls.in_turn import fits, in_turn
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves
from gradgen.frontend.lowering.sharing import ARRAYS
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.rules.load import operation_of, operations
from gradgen.rules.refusals import sort_of_dtype
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.shapes.shape import equal

# what takes a dtype as its second argument
MADE = ("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.array")


def into_out(lowering: Lowering, node: gast.Call) -> Expr:
    """np.add(a, b, out=c): a store into c, and c.

    With where= of a ufunc c keeps what it has elsewhere: np.where(mask, a + b, c).
    """
    (out,) = (k.value for k in node.keywords if k.arg == "out")
    node = _in_order(lowering, node, out)
    kept = [k for k in node.keywords if k.arg != "out"]
    masks = [k for k in kept if k.arg == "where" and _is_by_entry(lowering, node)]
    if isinstance(out, gast.Tuple) and len(out.elts) == 1:
        (out,) = out.elts
    target = lowering.read(out)
    if isinstance(target, Const) and masks:
        masks = []  # refused with the others that have no out=
    else:
        kept = [k for k in kept if k not in masks]
    plain = gast.Call(func=node.func, args=node.args, keywords=kept)
    value = lowering.read(gast.copy_location(plain, node))
    mask = lowering.read(masks[0].value) if masks else Const(True)
    if REFUSED in (value, target, mask):
        return REFUSED
    if isinstance(target, Const):
        return value
    _refuse_none(lowering, target, node)
    if mask != Const(True):
        value = _where(lowering, mask, value, target, node)
    else:
        _raise_unless_fits(lowering, value, target, node)
    lowering.store(target, Const(...), value, node)
    return target


def _in_order(lowering: Lowering, node: gast.Call, out: gast.AST) -> gast.Call:
    """The call with what Python computes before `out` read by now, where that tells.

    np.add(p.next(), p.next(), out=p.next())
    """
    if not _calls(out):
        return node
    args = [_held(lowering, arg) for arg in node.args]
    before = [k.arg for k in node.keywords].index("out")
    keywords = [
        gast.copy_location(gast.keyword(k.arg, _held(lowering, k.value)), k)
        if i < before
        else k
        for i, k in enumerate(node.keywords)
    ]
    made = gast.Call(func=node.func, args=args, keywords=keywords)
    return gast.copy_location(made, node)


def _held(lowering: Lowering, node: gast.AST) -> gast.AST:
    """The handle of an expression that calls something, read where it stands."""
    if not _calls(node) or isinstance(node, (gast.Starred, gast.GeneratorExp)):
        return node
    return Held(lowering.read(node), node)


def _calls(node: gast.AST) -> bool:
    return any(isinstance(one, gast.Call) for one in gast.walk(node))


def _refuse_none(lowering: Lowering, target: Expr, node: gast.Call) -> None:
    """Refuses an argument as out= that is None unless it is given, and not told."""
    if not isinstance(target, Ref) or target.var.origin is not Origin.PARAM:
        return
    name = lowering.known_name(target.var)
    known = lowering.facts.rank(lowering.current(target)) is not None
    if not known and lowering.root.source.defaults.get(name, 0) is None:
        lowering.fail(
            "GG302",
            f"no gradient for out={name}, which is None or an array",
            node,
            f"a call without it, or a shape fact for {name}",
        )


def _is_by_entry(lowering: Lowering, node: gast.Call) -> bool:
    """Whether where= tells which entries are computed: not those that are summed."""
    function = lowering.resolve(node.func)
    return isinstance(function, numpy.ufunc) or among(function, (numpy.clip,))


def _where(
    lowering: Lowering, mask: Expr, value: Expr, target: Expr, node: gast.Call
) -> Expr:
    """The new entries where the mask is true, those of the target elsewhere."""
    _raise_unless_fits(lowering, value, target, node)
    _raise_unless_fits(lowering, mask, target, node, mask=True)
    before = lowering.current(target, node)
    return lowering.bind(Apply("numpy.where", (mask, value, before)), node)


def stored_where(lowering: Lowering, node: gast.Call) -> bool:
    """np.copyto(c, a, where=mask), and np.putmask(c, mask, a) where a goes by entries."""
    target, first, second = map(lowering.read, _of_three(node))
    if REFUSED in (target, first, second):
        return True
    if lowering.resolve(node.func) is numpy.copyto:
        value, mask = first, second
    else:
        value, mask = second, first
        into = lowering.current(target)
        if not fits(lowering, value, into, node):
            shape = lowering.bind(Apply("numpy.shape", (into,)), node)
            value = in_turn(lowering, value, shape, node)
        told = "putmask: mask and data must be the same size"
        _raise_unless_alike(lowering, mask, target, told)
    if not isinstance(target, Const):
        before = lowering.current(target, node)
        chosen = Apply("numpy.where", (mask, value, before))
        lowering.store(target, Const(...), lowering.bind(chosen, node), node)
    return True


def _raise_unless_alike(lowering: Lowering, one: Expr, target: Expr, told: str) -> None:
    """Raises where two arrays have not the same shape, and may have another."""
    parts = lowering.current(one), lowering.current(target)
    if not lowering.facts.same(*parts):
        shapes = tuple(Apply("numpy.shape", (part,)) for part in parts)
        test = Apply("numpy.not_equal", shapes, (), "operator")
        raise_where(lowering, test, ValueError, told)


def _of_three(node: gast.Call) -> list[gast.AST]:
    """The arguments of such a call, by place or by name."""
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def is_stored_where(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call is one of these: three arguments, one of them a mask."""
    value, words = lowering.resolve(node.func), [k.arg for k in node.keywords]
    if value is numpy.copyto:
        return len(node.args) == 2 and words == ["where"]
    return value is numpy.putmask and len(node.args) == 3 and not words


def _stretches(lowering: Lowering, function: object) -> bool:
    """Whether out= may have more places than the result, which is repeated."""
    if isinstance(function, numpy.ufunc):
        # matmul's last axes have to be the same; vecdot has none left
        return function.signature is None or function.signature.endswith("->()")
    return among(function, (numpy.clip, numpy.round, numpy.around, numpy.outer))


def _is_whole(lowering: Lowering, into: Ref) -> bool:
    """Whether an array surely was made of integers or of booleans."""
    if lowering.facts.kind(into) in (Kind.BOOLEAN, *INTEGRAL):
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
    lowering: Lowering, value: Expr, target: Expr, node: gast.Call, mask: bool = False
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
    exact = not mask and not _stretches(lowering, function)
    first, last = lowering.facts.of(now), lowering.facts.of(into)
    if equal(first, last) or not exact and first <= last:
        return
    both = now if exact else Apply("numpy.add", (now, into), (), "operator")
    shapes = tuple(Apply("numpy.shape", (part,)) for part in (both, into))
    test = Apply("numpy.not_equal", shapes, (), "operator")
    raise_where(lowering, test, ValueError, "out= does not fit")


def with_out(function: object, node: gast.Call) -> gast.Call | None:
    """The call with out= by its name, None where no argument stands in its place.

    before:  np.add(a, b, c), np.choose(i, [a, b], c, "wrap")
    after:   np.add(a, b, out=c), np.choose(i, [a, b], out=c, mode="wrap")
    """
    if isinstance(function, numpy.ufunc):
        names = ["out"] if len(node.args) == function.nin + 1 else []
        at = function.nin
    else:
        op = operation_of().get(id(function), "")
        names = list(operations()[op].by_name) if op in operations() else []
        at = names.index("out") if "out" in names else len(node.args)
        names = names[at:]
    if not names or at >= len(node.args):
        return None
    words = [gast.keyword(name, arg) for name, arg in zip(names, node.args[at:])]
    given = [*node.keywords, *words]
    made = gast.Call(func=node.func, args=node.args[:at], keywords=given)
    return gast.copy_location(made, node)
