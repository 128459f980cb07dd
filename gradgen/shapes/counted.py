"""The parameters that are numbers, as what is made of them is a length of an array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, DIVIDING_WHOLE, MADE, OF_TUPLES
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, own_expressions, statements, subexpressions

# what asks whether a value is None, or whether it is true
ASKING = ("is", "is_not", "not", "and", "or", "numpy.where")
# what lengths are computed with: c // groups, 2 * n + 1
WHOLE = ADDITIVE.keys() | OF_TUPLES | DIVIDING_WHOLE


def counted(function: Function) -> Iterator[Var]:
    """The parameters that lengths are made of, which are whole numbers.

    before:  x.reshape(n, heads, d // heads)        np.zeros((2 * m, len(x)))
    after:   heads                                  m

    A shape that is one argument may be a tuple: np.zeros(shape). So are the ends of
    slices, x[: n + 1], but for arguments that may be None by their default, or of which
    the function asks whether they are. Of x[:h] alone h is one number, or None (`bare`).
    """
    made = {let.var: let.value for let in lets(function.body)}
    yield from _of_shapes(function, made)
    ends = _ends_of_slices(function, made)
    yield from ends - _may_be_none(function) if ends else ()


def _of_shapes(function: Function, made: Mapping[Var, Expr]) -> Iterator[Var]:
    params = {param.var for param in function.params}
    for value in made.values():
        if not isinstance(value, Apply):
            continue
        if value.op in MADE or value.op == "numpy.reshape":
            for shape in value.args[0 if value.op in MADE else 1 :][:1]:
                if isinstance(shape, Apply) and shape.op in ("tuple", "list"):
                    for end in upstream(shape, made, _of_numbers):
                        if isinstance(end, Ref) and end.var in params:
                            yield end.var


def bare(function: Function) -> set[Var]:
    """The parameters that slices start and end by, and which no sum makes numbers.

    x[:h] and x[h:] are both all of x, where h is None.
    """
    made = {let.var: let.value for let in lets(function.body)}
    ends = _ends_of_slices(function, made)
    if not ends:
        return ends
    computed = set(_of_shapes(function, made))
    for stmt in function.body:
        read: Iterable[Expr] = ()
        if isinstance(stmt, Let):
            read = subexpressions(stmt.value)
        elif isinstance(stmt, Loop) and stmt.over is not None:
            computed |= {one.var for one in stmt.over.args if isinstance(one, Ref)}
        for one in read:
            if isinstance(one, Apply) and one.op in ARITHMETIC:
                computed |= {arg.var for arg in one.args if isinstance(arg, Ref)}
    return ends - computed


def _ends_of_slices(function: Function, made: Mapping[Var, Expr]) -> set[Var]:
    """The parameters that slices start and end by, alone or in sums of whole numbers."""
    params = {param.var for param in function.params}
    ends = {
        end.var
        for stmt in statements(function.body)
        for expr in own_expressions(stmt)
        for key in subexpressions(expr)
        if isinstance(key, Apply) and key.op == "slice"
        for bound in key.args
        for end in upstream(bound, made, _of_numbers)
        if isinstance(end, Ref)
    }
    return ends & params


def _may_be_none(function: Function) -> set[Var]:
    """The parameters that are None by default, and what the function asks for that."""
    found = {param.var for param in function.params if param.default == "None"}
    for stmt in statements(function.body):
        if isinstance(stmt, Branch) and isinstance(stmt.test, Ref):
            found.add(stmt.test.var)
        for expr in own_expressions(stmt):
            for one in subexpressions(expr):
                if isinstance(one, Apply) and one.op in ASKING:
                    found |= {arg.var for arg in one.args if isinstance(arg, Ref)}
    return found


def _of_numbers(value: Apply) -> Sequence[Expr] | None:
    return value.args if value.op in WHOLE or value.op in ("tuple", "list") else None
