"""The words of the rule files that are decided while emitting."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, call, getitem, lift, multiply
from gradgen.ir.walk import static

Rank = Callable[[Expr], int | None]


def rank_word(rank: Rank, x: Expr) -> int | None:
    """rank(x): the number of dimensions of x, or None when it is not known."""
    return rank(x)


def is_number(rank: Rank, x: Expr) -> Expr:
    """is_number(x): whether x is a literal number."""
    number = isinstance(x, Const) and isinstance(x.value, (int, float))
    return Const(number and not isinstance(x.value, bool))


def unused(rank: Rank, g: Expr) -> Expr:
    """unused(d[z[i]]): whether nothing reads that result."""
    return Const(g == Const(0))


def is_sequence(rank: Rank, x: Expr) -> Expr:
    """is_sequence(x): whether x is a list or tuple that is written out."""
    return Const(isinstance(x, Apply) and x.op in ("tuple", "list"))


def only_expands(rank: Rank, key: Expr) -> Expr:
    """only_expands(key): whether the key is made of None, : and ... alone."""
    whole = Apply("slice", (Const(None),) * 3)
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return Const(all(item in (Const(None), Const(...), whole) for item in items))


def unexpand(rank: Rank, g: Expr, key: Expr) -> Expr:
    """unexpand(d[z], key): the entry 0 of each axis that None added."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    new = [Const(0) if item == Const(None) else item for item in items]
    while new and new[-1] != Const(0):
        if new[-1] == Const(...) and Const(0) in new:
            break
        new.pop()
    if not new:
        return g
    return getitem(g, new[0] if len(new) == 1 else Apply("tuple", tuple(new)))


def refuse(rank: Rank, g: Expr, what: Expr, instead: Expr) -> Expr:
    """refuse(d[z], what, instead): raises GradgenError."""
    _refuse(what.value, instead.value)


def dtype(rank: Rank, x: Expr) -> Expr:
    """dtype(x): x.dtype, or what numpy makes of x where x may be a number."""
    if not rank(x):
        return call("numpy.result_type", x)
    return Apply("dtype", (x,), spelling="attribute:dtype")


def unbroadcast(rank: Rank, c: Expr, x: Expr, *rest: Expr) -> Expr:
    """unbroadcast(c, x): c in full, summed to the shape of x."""
    if rest:
        return Apply("unbroadcast", (c, x, *rest))
    return Apply("unbroadcast", (c, Const(None), x))


def inverse(rank: Rank, axes: Expr) -> Expr:
    """inverse(axes): the permutation that undoes axes; None stays None."""
    order = _constant(axes, "axes")
    if order is None:
        return Const(None)
    if not all(isinstance(axis, int) for axis in order):
        _refuse(f"axes={order!r}", "axes=(1, 0)")
    order = [axis % len(order) for axis in order]
    if sorted(order) != list(range(len(order))):
        _refuse(f"axes={_constant(axes, 'axes')!r}", "each axis once")
    return lift(tuple(order.index(i) for i in range(len(order))))


def layer(rank: Rank, g: Expr, i: Expr, axis: Expr) -> Expr:
    """layer(d[z], i, axis): the i-th entry of d[z] along axis."""
    where = _constant(axis, "axis")
    index = static(i)
    if where == 0:
        return getitem(g, index)
    if where > 0:
        return getitem(g, (slice(None),) * where + (index,))
    if where == -1:
        return getitem(g, (..., index))
    return getitem(g, (..., index) + (slice(None),) * (-where - 1))


def part(rank: Rank, g: Expr, arrays: Expr, i: Expr, axis: Expr) -> Expr:
    """part(d[z], arrays, i, axis): the slice of d[z] that came from arrays[i]."""
    where = _constant(axis, "axis")
    if where is None:
        _refuse("np.concatenate with axis=None", "np.concatenate of ravelled arrays")
    index = static(i)
    ends = [Apply("extent", (array, Const(where))) for array in arrays.args]
    start = _total(ends[:index])
    last = index == len(ends) - 1
    stop = Const(None) if last else _total(ends[: index + 1])
    piece = Apply("slice", (start, stop, Const(None)))
    if where == 0:
        return getitem(g, piece)
    if where > 0:
        key = (Apply("slice", (Const(None),) * 3),) * where + (piece,)
        return getitem(g, Apply("tuple", key))
    tail = (Apply("slice", (Const(None),) * 3),) * (-where - 1)
    return getitem(g, Apply("tuple", (Const(...), piece, *tail)))


def _total(sizes: list[Expr]) -> Expr:
    if not sizes:
        return Const(None)
    total = sizes[0]
    for size in sizes[1:]:
        total = add(total, size)
    return total


def contraction(rank: Rank, g: Expr, subscripts: Expr, operands: Expr, i: Expr) -> Expr:
    """contraction(d[z], subscripts, operands, i): the adjoint of one operand.

    The adjoint of an einsum is an einsum of the result's adjoint and the other
    operands. An index that only this operand has was summed out alone; the
    adjoint does not depend on it and keeps length 1 there.
    """
    text = _constant(subscripts, "subscripts").replace(" ", "")
    index = static(i)
    inputs, output = explicit(text)
    mine = inputs[index]
    others = [s for j, s in enumerate(inputs) if j != index]
    if len(set(mine)) != len(mine):
        _refuse(f"einsum {text!r} with a repeated index", "np.diagonal or np.trace")
    available = set(output).union(*map(set, others))
    present = "".join(letter for letter in mine if letter in available)
    rest = [operand for j, operand in enumerate(operands.args) if j != index]
    joined = ",".join([output, *others])
    if not output and not present:
        return g
    if not rest:
        axes = tuple(output.index(letter) for letter in present)
        result = g if output == present else call("numpy.transpose", g, lift(axes))
    elif not output:
        # The result is one number, which einsum would make a float64 of.
        result = rest[0]
        if others != [present]:
            result = call(
                "numpy.einsum", Const(f"{','.join(others)}->{present}"), *rest
            )
        result = multiply(g, result)
    else:
        result = call("numpy.einsum", Const(f"{joined}->{present}"), g, *rest)
    if present == mine:
        return result
    key = tuple(slice(None) if letter in available else None for letter in mine)
    return getitem(result, key)


def explicit(subscripts: str) -> tuple[list[str], str]:
    """The operands' index letters, and the result's, numpy's default included.

    Raises GradgenError for an ellipsis.
    """
    if "." in subscripts:
        _refuse("einsum with an ellipsis", "einsum with a letter for each dimension")
    left, arrow, output = subscripts.partition("->")
    inputs = left.split(",")
    if not arrow:
        letters = "".join(inputs)
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return inputs, output


def _constant(expr: Expr, name: str):
    try:
        return static(expr)
    except ValueError:
        _refuse(f"an argument {name}= that is not a constant", f"a literal {name}=")


def _refuse(what: str, advice: str):
    raise GradgenError("GG302", f"no gradient for {what}", advice=advice)


WORDS = {
    "is_number": is_number,
    "unused": unused,
    "is_sequence": is_sequence,
    "only_expands": only_expands,
    "unexpand": unexpand,
    "refuse": refuse,
    "dtype": dtype,
    "unbroadcast": unbroadcast,
    "inverse": inverse,
    "layer": layer,
    "part": part,
    "contraction": contraction,
}
