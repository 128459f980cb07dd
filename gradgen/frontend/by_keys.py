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

from gradgen.frontend.held import Held, call_of
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.writer import REFUSED
from gradgen.frontend.memory import is_structure, leaves, map_leaves, same_structure
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import getitem

# a name that no user can have
ONE = "one "
STABLE = (("kind", Const("stable")),)


def best_by_key(reader: Any, node: gast.Call, key: Expr, whole: str) -> Expr | None:
    """The item of which the key is largest or smallest; None where none is found."""
    keys = _keys(reader, node, key)
    if keys is None or keys is REFUSED:
        return keys
    word = f"numpy.arg{whole.removeprefix('numpy.')}"
    found: Expr
    place: Expr = reader.bind(Apply(word, (keys,)), node)
    if place is REFUSED:
        return REFUSED
    if not _is_range(reader, node.args[0]):
        found = reader.item(reader.read(node.args[0]), place, node)
        return found
    place = reader.bind(Apply("int", (place,), (), "name:int"), node)
    return _in_range(reader, place, node)


def order_by_key(
    reader: Any, node: gast.Call, key: Expr, backwards: bool
) -> Expr | None:
    """The items in the order of their keys, as an array."""
    keys = _keys(reader, node, key)
    if keys is None or keys is REFUSED:
        return keys
    if backwards:
        keys = reader.bind(Apply("numpy.negative", (keys,), (), "operator"), node)
    places = reader.bind(Apply("numpy.argsort", (keys,), STABLE), node)
    if _is_range(reader, node.args[0]):
        return _in_range(reader, places, node)
    over = reader.read(node.args[0])
    if reader.is_a_list(over):
        over = reader.bind(Apply("numpy.array", (over,)), node)
        reader.unless_vector(over, node)
    found: Expr = reader.bind(getitem(over, places), node)
    return found


def which_way(reader: Any, reverse: Expr, node: gast.Call) -> bool:
    """Whether items are sorted backwards; refused where the data tell."""
    known = reader.value_known(reverse)
    if known is NO_VALUE:
        told = "which way these are sorted is not known here"
        reader.fail("GG243", told, node, "a branch with a sorted(...) in each arm")
    return bool(known)


def in_order(
    reader: Any, items: list[Expr], keys: list[Expr], backwards: bool, node: gast.Call
) -> Expr | None:
    """Items that are known, pairs of numbers and the like, in the order of their keys.

    before:  sorted([(a, b), (c, d)], key=lambda p: p[0])
    after:   k = np.argsort(np.array([a, c]), kind="stable"), and np.array([a, c])[k[0]],
             np.array([b, d])[k[0]] and so on
    """
    every = [one for item in (*items, *keys) for one in leaves(item)]
    alike = all(same_structure(items[0], item) for item in items[1:])
    numbers = all(map(reader.is_number, every)) and not any(map(is_structure, keys))
    if not alike or not numbers or any(isinstance(k, Const) for k in keys):
        return None
    array = reader.bind(Apply("numpy.array", (Apply("list", tuple(keys)),)), node)
    if backwards:
        array = reader.bind(Apply("numpy.negative", (array,), (), "operator"), node)
    places = reader.bind(Apply("numpy.argsort", (array,), STABLE), node)

    def ordered(*parts: Expr) -> Expr:
        made: Expr = reader.bind(Apply("numpy.array", (Apply("list", parts),)), node)
        return made

    columns = map_leaves(ordered, *items)
    made = []
    for i in range(len(items)):
        place = reader.item(places, Const(i), node)
        made.append(map_leaves(lambda c, p=place: reader.item(c, p, node), columns))
    listed: Expr = reader.new_list(Apply("list", tuple(made)))
    return listed


def listed(reader: Any, made: Expr, node: gast.Call) -> Expr:
    """An array as the list that a call of Python's gives."""
    held = gast.Call(func=node.func, args=[Held(made, node)], keywords=[])
    found: Expr = reader.listed(gast.copy_location(held, node))
    return found


def _is_range(reader: Any, over: Any) -> bool:
    return isinstance(over, gast.Call) and reader.resolve(over.func) is range


def _in_range(reader: Any, place: Expr, node: gast.Call) -> Expr:
    """What is at a place of a range: start + step * place."""
    own = [reader.read(arg) for arg in getattr(node.args[0], "args", ())]
    start, step = (*own, Const(1))[0:3:2] if len(own) > 1 else (Const(0), Const(1))
    if step != Const(1):
        place = reader.binary("Mult", step, place, node)
    found: Expr = place
    return found if start == Const(0) else reader.binary("Add", start, found, node)


def _keys(reader: Any, node: gast.Call, key: Expr) -> Expr | None:
    """The keys of what a name or a range gives, as an array of numbers."""
    over = node.args[0]
    if not _is_range(reader, over) and not isinstance(
        over, (gast.Name, gast.Attribute)
    ):
        return None
    called = call_of(key, (), (), node)
    called.args = [gast.Name(ONE, gast.Load(), None, None)]
    store = gast.Name(ONE, gast.Store(), None, None)
    made = gast.ListComp(called, [gast.comprehension(store, over, [], 0)])
    for part in (called.args[0], store, called, made):
        gast.copy_location(part, node)
    keys: Expr = reader.read(made)
    if keys is REFUSED:
        return REFUSED
    array: Expr = reader.bind(Apply("numpy.array", (keys,)), node)
    if array is not REFUSED:
        reader.unless_vector(array, node)
    return array
