"""sorted, max and min of what is known item by item, and by a key."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

import gast

from gradgen.frontend.calls.arguments import apply, positional
from gradgen.frontend.control.branches import choose
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.by_keys import best_by_key, in_order, listed, order_by_key
from gradgen.frontend.control.by_keys import which_way
from gradgen.frontend.control.generators import by_turns
from gradgen.frontend.control.unpacking import unless_vector
from gradgen.frontend.control.zipping import items_if_known
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import is_a_list, new_list
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr


def call_sorted(lowering: Lowering, node: gast.Call) -> Expr | None:
    options = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    backwards = which_way(lowering, options.get("reverse", Const(False)), node)
    found = items_if_known(lowering, node.args[0], sets=True)
    if found.known is None:
        if "key" in options:
            made = order_by_key(lowering, node, options["key"], backwards)
            return made and listed(lowering, made, node)
        value = lowering.read_at_once(node.args[0])
        if is_a_list(lowering, value):
            value = lowering.bind(Apply("numpy.array", (value,)), node)
        return _sorted_array(lowering, value, backwards, node)
    items = list(found.known)
    keys = [_key(lowering, options.get("key"), item, node) for item in items]
    values = [_order_of(lowering, key) for key in keys]
    one = len({type(value) for value in values}) == 1
    if NO_VALUE in values or not one or len(set(values)) < len(values):
        values = [value_known(lowering, key) for key in keys]
    if all(value is not NO_VALUE for value in values):
        order = sorted(range(len(items)), key=values.__getitem__, reverse=backwards)
        return new_list(lowering, Apply("list", tuple(items[i] for i in order)))
    if "key" in options:
        made = in_order(lowering, items, keys, backwards, node)
        if made is not None:
            return made
    if "key" in options or not all(
        map(functools.partial(_may_be_number, lowering), items)
    ):
        lowering.fail(
            "GG243",
            "the order of these is not known here",
            node,
            "np.sort(np.array(items)), or np.argsort",
        )
    array = lowering.bind(Apply("numpy.array", (Apply("list", tuple(items)),)), node)
    unless_vector(lowering, array, node)
    ordered = lowering.bind(Apply("numpy.sort", (array,)), node)
    places = range(len(items))
    parts = [lowering.item(ordered, Const(i), node) for i in places]
    return new_list(lowering, Apply("list", tuple(parts[:: -1 if backwards else 1])))


def _order_of(lowering: Lowering, key: Expr) -> Any:
    """What decides the order of a key: of a pair the first item, where it is known."""
    known = contents(lowering, key)
    first = key
    if known is not None and known.op in ("tuple", "list") and known.args:
        first = known.args[0]
    value = value_known(lowering, first)
    return value if isinstance(value, (str, int)) else NO_VALUE


def _may_be_number(lowering: Lowering, handle: Expr) -> bool:
    """Whether a value is a number, or of a rank that is not known."""
    known = contents(lowering, handle) is not None
    return not known and lowering.facts.rank(handle) in (0, None)


def _sorted_array(
    lowering: Lowering, value: Expr, backwards: bool, node: gast.Call
) -> Expr | None:
    if value is REFUSED:
        return REFUSED
    unless_vector(lowering, value, node)
    made: Expr = lowering.bind(Apply("numpy.sort", (value,)), node)
    if backwards:
        step = Apply("slice", (Const(None), Const(None), Const(-1)))
        made = lowering.bind(Apply("getitem", (made, step), (), "operator"), node)
    return listed(lowering, made, node)


def _key(lowering: Lowering, key: Expr | None, item: Expr, node: gast.AST) -> Expr:
    if key is None or key == Const(None):
        return item
    found = apply(lowering, key, [item], (), node)
    if found is REFUSED:
        raise Refusal
    return found


def call_max(lowering: Lowering, node: gast.Call) -> Expr | None:
    return _best(lowering, node, "numpy.greater", "numpy.max")


def call_min(lowering: Lowering, node: gast.Call) -> Expr | None:
    return _best(lowering, node, "numpy.less", "numpy.min")


def _best(lowering: Lowering, node: gast.Call, better: str, whole: str) -> Expr | None:
    """max(items, key=f, default=x), of an array, and of a list that is not known."""
    options = {str(k.arg): lowering.read(k.value) for k in node.keywords}
    if len(node.args) > 1:
        if any(isinstance(one, (gast.Tuple, gast.List)) for one in node.args):
            if "key" not in options:
                _refuse_rows(lowering, node)
        if not options:
            return None
        return _best_of(lowering, positional(lowering, node), options, node, better)

    def gather() -> Items:
        return items_if_known(lowering, node.args[0], sets=True)

    def best(found: Items) -> Expr | None:
        if found.known is None:
            if options.keys() == {"key"}:
                return best_by_key(lowering, node, options["key"], whole)
            return None if options else _of_vector(lowering, whole, node)
        return _best_of(lowering, list(found.known), options, node, better)

    key = next((k.value for k in node.keywords if k.arg == "key"), None)
    if key is None:
        return best(gather())
    return by_turns(lowering, key, node.args, gather, best)


def _best_of(
    lowering: Lowering,
    items: list[Expr],
    options: dict[str, Expr],
    node: gast.Call,
    better: str,
) -> Expr | None:
    if not items and "default" in options:
        return options["default"]
    if not items or REFUSED in items:
        return REFUSED if items else None
    if "key" not in options:
        if len(items) == 1:
            return items[0]
        if any(contents(lowering, item) is not None for item in items):
            _refuse_rows(lowering, node)
        made = [Held(item, node) for item in items]
        plain = gast.Call(func=node.func, args=made, keywords=[])
        return lowering.special_call(
            lowering.resolve(node.func), gast.copy_location(plain, node)
        )
    best = Apply("tuple", (items[0], _key(lowering, options["key"], items[0], node)))
    for item in items[1:]:
        key = _key(lowering, options["key"], item, node)
        test = comparison_of(lowering, better, key, best.args[1], node)
        truth = known_truth(lowering, test)
        new, old = Apply("tuple", (item, key)), best
        if truth is None:
            chosen = choose(
                lowering, test, lambda: new, lambda: old, "best", lowering.note
            )
            if not isinstance(chosen, Apply):
                return REFUSED
            best = chosen
        elif truth:
            best = new
    return best.args[0]


def _refuse_rows(lowering: Lowering, node: gast.Call) -> NoReturn:
    """Refuses max((a, 1), (b, 2)), which compares the items one after another."""
    word = getattr(node.func, "id", "max")
    lowering.fail(
        "GG243",
        f"which of these {word} finds is not known here: they are compared item by item",
        node,
        f"{word}(..., key=lambda item: item[0])",
    )


def comparison_of(
    lowering: Lowering, op: str, left: Expr, right: Expr, node: Any
) -> Expr:
    """A comparison as a condition, decided where both are known."""
    a, b = value_known(lowering, left), value_known(lowering, right)
    if NO_VALUE not in (a, b):
        return Const(a > b if op == "numpy.greater" else a < b)
    test = lowering.bind(Apply(op, (left, right), (), "operator"), node)
    return lowering.current(test, node)


def _of_vector(lowering: Lowering, whole: str, node: gast.Call) -> Expr | None:
    value = lowering.read_at_once(node.args[0])
    if value is REFUSED:
        return REFUSED
    if is_a_list(lowering, value):
        value = lowering.bind(Apply("numpy.array", (value,)), node)
    unless_vector(lowering, value, node)
    return lowering.bind(Apply(whole, (value,)), node)
