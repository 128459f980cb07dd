"""The parameters that are numbers, as what is made of them is a length of an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, DIVIDING_WHOLE, MADE, OF_TUPLES
from gradgen.ir.upstream import upstream
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
                    for end in upstream(shape, made, _of_numbers):
                        if isinstance(end, Ref) and end.var in params:
                            yield end.var


def _of_numbers(value: Apply) -> Sequence[Expr] | None:
    return value.args if value.op in WHOLE or value.op in ("tuple", "list") else None
