"""The parameters that are numbers, as what is made of them is a length of an array."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, DIVIDING_WHOLE, MADE, OF_TUPLES
from gradgen.ir.walk import lets

# what lengths are computed with: c // groups, 2 * n + 1
WHOLE = ADDITIVE.keys() | OF_TUPLES | DIVIDING_WHOLE


def counted(function: Function) -> Iterator[Var]:
    """The parameters that lengths are made of, which are whole numbers.

    before:  x.reshape(n, heads, d // heads)        np.zeros((2 * m, len(x)))
    after:   heads                                  m

    A shape that is one argument may be a tuple: np.zeros(shape).
    """
    params = {param.var for param in function.params}
    made: dict[Var, Expr] = {}
    for let in lets(function.body):
        value = made[let.var] = let.value
        if not isinstance(value, Apply):
            continue
        if value.op in MADE or value.op == "numpy.reshape":
            for shape in value.args[0 if value.op in MADE else 1 :][:1]:
                if isinstance(shape, Apply) and shape.op in ("tuple", "list"):
                    for one in shape.args:
                        yield from _numbers_in(one, made, params)


def _numbers_in(value: Expr, made: dict[Var, Expr], params: set[Var]) -> Iterator[Var]:
    if isinstance(value, Ref) and value.var in params:
        yield value.var
    elif isinstance(value, Ref) and value.var in made:
        yield from _numbers_in(made[value.var], made, params)
    elif isinstance(value, Apply) and value.op in WHOLE:
        for arg in value.args:
            yield from _numbers_in(arg, made, params)
