"""A slice of several results: np.linalg.lstsq(A, b)[0:2], which is two of them.

before:  x, rest = np.linalg.lstsq(A, b)[0:2]
after:   solved = np.linalg.lstsq(A, b); x = solved[0]; rest = solved[1]
"""

from __future__ import annotations

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.items import count_of_results
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    """Some of several results, as a tuple of them."""
    if base is not REFUSED and is_slice(key):
        count = (
            0 if contents(lowering, base) else count_of_results(base, lowering.facts)
        )
        try:
            places = range(count)[static(lowering.current(key, node))]
        except ValueError:
            places = range(0)
        if count and places:
            found = tuple(lowering.item(base, Const(i), node) for i in places)
            return Apply("tuple", found)
    return item.further(lowering, base, key, node)
