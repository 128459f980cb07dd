"""max, min and sorted by a key, of what is not known item by item.

max(range(n), key=f)     int(np.argmax(np.array([f(one) for one in range(n)])))
max(x, key=f)            x[np.argmax(...)]
sorted(range(n), key=f)  np.argsort(np.array([f(one) for one in range(n)]), kind="stable")
sorted(x, key=f)         x[np.argsort(...)]

Of equal keys the first counts, as it does for Python's functions.
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.control.comprehensions import listed_items
from gradgen.frontend.control.conditions import binary
from gradgen.frontend.control.generators import has_changed
from gradgen.frontend.control.unpacking import unless_vector
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import is_a_list, new_list
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held, call_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_structure, leaves, map_leaves
from gradgen.frontend.lowering.memory import same_structure
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import getitem

# a name that no user can have
ONE = "one "
STABLE = (("kind", Const("stable")),)


def best_by_key(
    lowering: Lowering, node: gast.Call, key: Expr, whole: str
) -> Expr | None:
    """The item of which the key is largest or smallest; None where none is found."""
    keys = _keys(lowering, node, key)
    if keys is None or keys is REFUSED:
        return keys
    word = f"numpy.arg{whole.removeprefix('numpy.')}"
    found: Expr
    place: Expr = lowering.bind(Apply(word, (keys,)), node)
    if place is REFUSED:
        return REFUSED
    if not _is_range(lowering, node.args[0]):
        found = lowering.item(lowering.read(node.args[0]), place, node)
        return found
    place = lowering.bind(Apply("int", (place,), (), "name:int"), node)
    return _in_range(lowering, place, node)


def order_by_key(
    lowering: Lowering, node: gast.Call, key: Expr, backwards: bool
) -> Expr | None:
    """The items in the order of their keys, as an array."""
    keys = _keys(lowering, node, key)
    if keys is None or keys is REFUSED:
        return keys
    if backwards:
        keys = lowering.bind(Apply("numpy.negative", (keys,), (), "operator"), node)
    places = lowering.bind(Apply("numpy.argsort", (keys,), STABLE), node)
    if _is_range(lowering, node.args[0]):
        return _in_range(lowering, places, node)
    over = lowering.read(node.args[0])
    if is_a_list(lowering, over):
        over = lowering.bind(Apply("numpy.array", (over,)), node)
        unless_vector(lowering, over, node)
    found: Expr = lowering.bind(getitem(over, places), node)
    return found


def which_way(lowering: Lowering, reverse: Expr, node: gast.Call) -> bool:
    """Whether items are sorted backwards; refused where the data tell."""
    known = value_known(lowering, reverse)
    if known is NO_VALUE:
        told = "which way these are sorted is not known here"
        lowering.fail("GG243", told, node, "a branch with a sorted(...) in each arm")
    return bool(known)


def in_order(
    lowering: Lowering,
    items: list[Expr],
    keys: list[Expr],
    backwards: bool,
    node: gast.Call,
) -> Expr | None:
    """Items that are known, pairs of numbers and the like, in the order of their keys.

    before:  sorted([(a, b), (c, d)], key=lambda p: p[0])
    after:   k = np.argsort(np.array([a, c]), kind="stable"), and np.array([a, c])[k[0]],
             np.array([b, d])[k[0]] and so on
    """
    every = [one for item in (*items, *keys) for one in leaves(item)]
    alike = all(same_structure(items[0], item) for item in items[1:])
    numbers = all(map(lowering.is_number, every)) and not any(map(is_structure, keys))
    if not alike or not numbers or any(isinstance(k, Const) for k in keys):
        return None
    array = lowering.bind(Apply("numpy.array", (Apply("list", tuple(keys)),)), node)
    if backwards:
        array = lowering.bind(Apply("numpy.negative", (array,), (), "operator"), node)
    places = lowering.bind(Apply("numpy.argsort", (array,), STABLE), node)

    def ordered(*parts: Expr) -> Expr:
        made: Expr = lowering.bind(Apply("numpy.array", (Apply("list", parts),)), node)
        return made

    columns = map_leaves(ordered, *items)
    made = []
    for i in range(len(items)):
        place = lowering.item(places, Const(i), node)
        made.append(map_leaves(lambda c, p=place: lowering.item(c, p, node), columns))
    listed: Expr = new_list(lowering, Apply("list", tuple(made)))
    return listed


def listed(lowering: Lowering, made: Expr, node: gast.Call) -> Expr:
    """An array as the list that a call of Python's gives."""
    held = gast.Call(func=node.func, args=[Held(made, node)], keywords=[])
    found: Expr = listed_items(lowering, gast.copy_location(held, node))
    return found


def _is_range(lowering: Lowering, over: Any) -> bool:
    return isinstance(over, gast.Call) and lowering.resolve(over.func) is range


def _in_range(lowering: Lowering, place: Expr, node: gast.Call) -> Expr:
    """What is at a place of a range: start + step * place."""
    own = [lowering.read(arg) for arg in getattr(node.args[0], "args", ())]
    start, step = (*own, Const(1))[0:3:2] if len(own) > 1 else (Const(0), Const(1))
    if step != Const(1):
        place = binary(lowering, "Mult", step, place, node)
    found: Expr = place
    return found if start == Const(0) else binary(lowering, "Add", start, found, node)


def _keys(lowering: Lowering, node: gast.Call, key: Expr) -> Expr | None:
    """The keys of what a name or a range gives, as an array of numbers."""
    over = node.args[0]
    if not _is_range(lowering, over) and not isinstance(
        over, (gast.Name, gast.Attribute)
    ):
        return None
    before, mark = lowering.state.copy(), lowering.mark()
    called = call_of(key, (), (), node)
    called.args = [gast.Name(ONE, gast.Load(), None, None)]
    store = gast.Name(ONE, gast.Store(), None, None)
    made = gast.ListComp(called, [gast.comprehension(store, over, [], 0)])
    for part in (called.args[0], store, called, made):
        gast.copy_location(part, node)
    keys: Expr = lowering.read(made)
    if keys is REFUSED:
        return REFUSED
    if not _is_range(lowering, over) and has_changed(lowering, before, mark):
        lowering.fail(
            "GG268",
            "the key changes what may be read here again",
            node,
            "a loop that keeps the best item and its key",
        )
    array: Expr = lowering.bind(Apply("numpy.array", (keys,)), node)
    if array is not REFUSED:
        unless_vector(lowering, array, node)
    return array
