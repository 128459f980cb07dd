"""What an argument of unknown rank broadcasts to: the arrays that it meets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gradgen.ir.nodes import Apply, Expr, Function, Let
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, Whole, join, ranked

# a size that the letters of arguments tell: n, or n - 2
SIZE = re.compile(r"[^\W\d]\w*([+-]\d+)?|\d+")


def fitting(
    primal: Function, facts: Facts, names: Collection[str], letters: Collection[str]
) -> dict[str, str]:
    """The arguments among `names` that are taken for what stretches nothing, and facts.

    Elementwise such an argument meets arrays of which the axes are known, and made of
    the `letters`. It broadcasts to the smallest of these, if that does to the others.

        before:  eta = X @ beta + offset        # X (n, d), beta (d)
        after:   offset broadcasts to (n)
    """
    met: dict[str, set[Shape]] = {}
    capital = {param.label for param in primal.params if param.label[:1].isupper()}
    for let in lets(primal.body):
        for name, shape in _met(let, facts, names):
            met.setdefault(name, set()).add(shape)
    found = {}
    for name, shapes in met.items():
        smallest = min(shapes, key=lambda shape: (shape.rank or 0, str(shape.dims)))
        dims = smallest.dims or ()
        if not all(smallest <= other for other in shapes):
            continue
        if any(ONE in (shape.dims or ()) for shape in shapes):
            continue  # x[:, None] - y is written to be stretched
        if len(dims) < 2 and name in capital:
            continue
        if all(_is_told(dim, letters) for dim in dims):
            found[name] = " ".join(str(dim).replace(" ", "") for dim in dims)
    return found


def _met(
    let: Let, facts: Facts, names: Collection[str]
) -> Iterator[tuple[str, Shape]]:
    """The arguments of a statement with the shape of what else it is computed of."""
    value = let.value
    if not isinstance(value, Apply):
        return
    rule = operations().get(value.op)
    if rule is None or rule.shape is not None or facts.several(value):
        return
    for i, arg in enumerate(value.args):
        name = _argument(arg, facts)
        if name not in names:
            continue
        others = [*value.args[:i], *value.args[i + 1 :]]
        try:
            shape = join(*(facts.of(one) for one in others), ranked())
        except ShapeConflict:
            continue
        if shape.rank:
            yield name, shape


def _argument(value: Expr, facts: Facts) -> str:
    """The argument whose shape a value has, where nothing is known of that."""
    atoms = facts.of(value).atoms
    (atom,) = atoms if len(atoms) == 1 else (None,)
    return atom.name if isinstance(atom, Whole) else ""


def _is_told(dim: Dim, letters: Collection[str]) -> bool:
    """Whether the lengths of arguments tell a size."""
    text = str(dim).replace(" ", "")
    return bool(SIZE.fullmatch(text)) and set(letters) >= dim.names
