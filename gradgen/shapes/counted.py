"""The parameters that are numbers, as what is made of them is a length of an array."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.walk import lets

# what lengths are computed with: c // groups, 2 * n + 1
ARITHMETIC = {f"numpy.{name}" for name in "add subtract multiply floor_divide".split()}
# what takes the lengths of its result behind an array, or alone
SHAPED = {"numpy.reshape": 1, "numpy.broadcast_to": 1}
FILLED = {"numpy.zeros": 0, "numpy.ones": 0, "numpy.empty": 0, "numpy.full": 0}
OF_LENGTHS = SHAPED | FILLED


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
        if isinstance(value, Apply) and value.op in OF_LENGTHS:
            for shape in value.args[OF_LENGTHS[value.op] :][:1]:
                if isinstance(shape, Apply) and shape.op in ("tuple", "list"):
                    for one in shape.args:
                        yield from _numbers_in(one, made, params)


def _numbers_in(value: Expr, made: dict[Var, Expr], params: set[Var]) -> Iterator[Var]:
    if isinstance(value, Ref) and value.var in params:
        yield value.var
    elif isinstance(value, Ref) and value.var in made:
        yield from _numbers_in(made[value.var], made, params)
    elif isinstance(value, Apply) and value.op in ARITHMETIC:
        for arg in value.args:
            yield from _numbers_in(arg, made, params)
