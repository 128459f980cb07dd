"""What an argument of unknown rank broadcasts to: the arrays that it meets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from gradgen.ir.nodes import Apply, Function, Ref, Var
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, join, ranked

# a size that the letters of arguments tell: n, or n - 2
SIZE = re.compile(r"[^\W\d]\w*([+-]\d+)?|\d+")


# what is computed of several such arguments
SEVERAL = "*"


def fitting(
    primal: Function, facts: Facts, names: Collection[str], letters: Collection[str]
) -> dict[str, str]:
    """The arguments among `names` that are taken for what stretches nothing, and facts.

    Elementwise such an argument meets arrays of which the axes are known, and made of
    the `letters`. It broadcasts to the smallest of these, if that does to the others.
    `facts` are those of arguments that are numbers as far as nothing is known of them.

        before:  eta = X @ beta + offset        # X (n, d), beta (d)
        after:   offset broadcasts to (n)
    """
    met: dict[str, set[Shape]] = {}
    capital = {name for name in names if name[:1].isupper()}
    for name, shape in _met(primal, facts, names):
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
    primal: Function, facts: Facts, names: Collection[str]
) -> Iterator[tuple[str, Shape]]:
    """The arguments of elementwise operations with the shape of what else they take."""
    of = {param.var: param.label for param in primal.params if param.label in names}
    for let in lets(primal.body):
        value = let.value
        rule = operations().get(value.op) if isinstance(value, Apply) else None
        if rule is None or rule.shape is not None or facts.several(value):
            continue
        assert isinstance(value, Apply)
        given = [arg for arg in value.args if isinstance(arg, Ref)]
        known = {of.get(arg.var, "") for arg in given if _counts(arg, facts, of)}
        if len(known) == 1:  # np.exp(log_scale) has the shape of that
            (of[let.var],) = known
            continue
        if known and "" not in known:
            of[let.var] = SEVERAL
        for arg in given:
            name = of.get(arg.var)
            others = [other for other in given if of.get(other.var) != name]
            try:
                shape = join(*map(facts.of, others), ranked())
            except ShapeConflict:
                continue
            if name in names and shape.rank:
                yield name, shape


def _counts(arg: Ref, facts: Facts, of: Mapping[Var, str]) -> bool:
    """Whether a value is of such an argument, or has axes: a number changes no shape."""
    return arg.var in of or facts.rank(arg) != 0


def _is_told(dim: Dim, letters: Collection[str]) -> bool:
    """Whether the lengths of arguments tell a size."""
    text = str(dim).replace(" ", "")
    return bool(SIZE.fullmatch(text)) and set(letters) >= dim.names
