"""What meets one row that is told: of x @ W + b, with b (1, k), x is a matrix."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.operators import ADDITIVE
from gradgen.facts.matrices import Products, Step
from gradgen.ir.nodes import Apply, Function, Ref
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.walk import lets
from gradgen.shapes.dims import ONE
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def meets_a_row(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """A product that a row is added to has a row for each example.

    before:  x @ self.W + self.b        # b (1, k)
    after:   x is a matrix
    """
    if Products(primal, facts).are_stacked:
        return
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in ADDITIVE:
            continue
        left, right = value.args[:2]
        for product, bias in ((left, right), (right, left)):
            if not isinstance(product, Ref) or not isinstance(bias, Ref):
                continue
            made = facts.definitions.get(product.var)
            is_product = isinstance(made, Apply) and made.op in MATRIX_PRODUCTS
            dims = facts.shapes[bias.var].dims
            is_row = dims is not None and len(dims) == 2 and dims[0] == ONE
            given = bias.var not in facts.definitions
            if is_product and is_row and given and 2 in ranks.of(product):
                yield [(product.var, 2)]
