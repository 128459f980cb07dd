"""Lengths that meet at the ends of products: of x @ W + b, whatever the rank of x is."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.stretching import is_elementwise
from gradgen.ir.nodes import Apply, Function, Ref
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Replaced, Shape


def ends(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The last axis of a product, and of what is added to it or multiplied with it.

    before:  np.tanh(x @ W + b) @ V        # W (n, m), b (k), V (p, q), of any x
    after:   m and k, m and p

    Where they are equal b stretches nothing, and no shape has to be asked for. So are
    n and p, m and q of x @ W + x @ V.
    """
    contracted: dict[Shape, Dim] = {}
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        made = _product(facts.of(Ref(let.var)))
        if value.op == "numpy.matmul" and made is not None:
            if contracted.setdefault(made.base, made.was) != made.was:
                yield contracted[made.base], made.was
            behind = _product(made.base)
            if behind is not None and behind.new != made.was:
                yield behind.new, made.was
        if not is_elementwise(value):
            continue
        shapes = [facts.of(arg) for arg in value.args if isinstance(arg, Ref)]
        products = [one for one in map(_product, shapes) if one is not None]
        for product in products:
            if product.new != products[0].new:
                yield products[0].new, product.new
            for dims in (shape.dims or () for shape in shapes):
                if len(dims) == 1 and dims[0] != product.new:
                    yield product.new, dims[0]


def _product(shape: Shape) -> Replaced | None:
    """What is multiplied with a matrix on the right, and has no known rank."""
    for atom in shape.atoms:
        if isinstance(atom, Replaced) and atom.last:
            return atom
    return None
