"""np.unique with more than the values that it finds.

u, places, counts = np.unique(a, return_inverse=True, return_counts=True)

before:  the call, of three results
after:   u = np.unique(a)
         places = np.searchsorted(u, a)
         counts = np.bincount(np.ravel(places))

The places have the shape of a, as in NumPy 2.
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import getitem

# what may be asked for, in the order of the results
ASKED = ("return_index", "return_inverse", "return_counts")


def distinct(lowering: Lowering, node: gast.Call) -> Expr | None:
    """The values that an array has, and what else is asked for; None where nothing is."""
    given = {
        k.arg: value_known(lowering, lowering.read(k.value)) for k in node.keywords
    }
    asked = [word for word in ASKED if given.get(word) is True]
    plain = set(given) <= set(ASKED) and all(type(v) is bool for v in given.values())
    if len(node.args) != 1 or not asked or not plain:
        return None
    array = lowering.read(node.args[0])
    if array is REFUSED:
        return REFUSED

    def made(op: str, *args: Expr, **words: Any) -> Expr:
        value: Expr = lowering.bind(Apply(op, args, tuple(words.items())), node)
        return value

    def flat(value: Expr) -> Expr:
        return value if lowering.facts.rank(array) == 1 else made("numpy.ravel", value)

    found = made("numpy.unique", array)
    results = [found]
    if "return_index" in asked:
        entries = flat(array)
        order = made("numpy.argsort", entries, kind=Const("stable"))
        first = made("numpy.searchsorted", made("numpy.sort", entries), found)
        results.append(lowering.bind(getitem(order, first), node))
    if asked != ["return_index"]:
        places = made("numpy.searchsorted", found, array)
        if "return_inverse" in asked:
            results.append(places)
        if "return_counts" in asked:
            results.append(made("numpy.bincount", flat(places)))
    return Apply("tuple", tuple(results))
