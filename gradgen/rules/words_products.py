"""Words of the rules of products that contract axes, decided while emitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, call, getitem, lift, multiply
from gradgen.rules.refusals import constant_value, refusal
from gradgen.rules.words_shaping import known_rank

Rank = Callable[[Expr], int | None]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def contraction(rank: Rank, g: Expr, subscripts: Expr, operands: Expr, i: Expr) -> Expr:
    """contraction(d[z], subscripts, operands, i): the adjoint of one operand.

    The adjoint of an einsum is an einsum of the result's adjoint and the other
    operands. An index that only this operand has was summed out alone; the
    adjoint does not depend on it and keeps length 1 there. An index that stands
    twice in the operand was its diagonal: np.eye puts it back.
    """
    text = constant_value(subscripts, "subscripts")
    if isinstance(text, str) and "." in text and None in map(rank, operands.args):
        return _with_ellipses(g, text, operands.args, i.value)
    inputs, output = explicit(text, [rank(operand) for operand in operands.args])
    mine, x = inputs[i.value], operands.args[i.value]
    pairs = list(zip(inputs, operands.args, strict=True))
    del pairs[i.value]
    numbers = [operand for letters, operand in pairs if not letters]
    others = [letters for letters, _ in pairs if letters]
    rest = [operand for letters, operand in pairs if letters]
    available = set(output).union(*others)
    present = "".join(dict.fromkeys(c for c in mine if c in available))
    result = _einsum(g, output, others, rest, present)
    for number in numbers:
        result = multiply(number, result)
    if not present and len(set(mine)) == len(mine):
        return result
    first = [c in present and mine.index(c) == k for k, c in enumerate(mine)]
    if present and not all(first):
        result = _stretched(result, [slice(None) if f else None for f in first])
    for k, letter in enumerate(mine):
        if mine.index(letter) != k:
            result = multiply(result, _eye(x, mine.index(letter), k, len(mine)))
    return result


def _with_ellipses(g: Expr, text: str, operands: Sequence[Expr], i: int) -> Expr:
    """The adjoint of one operand where an ellipsis stands for axes of unknown number.

    It keeps them, in front where the operand has none: its rule sums them out. Where
    the operand has letters before them, and another operand may have more of them,
    they are summed out in front, and turned back.
    """
    inputs, output = _halves(text)
    mine, x = inputs[i], operands[i]
    rest = [k for k in range(len(inputs)) if k != i]
    spread = [output, *(inputs[k] for k in rest)]
    letters = mine.replace("...", "")
    if len(set(letters)) < len(letters):
        refusal("einsum with a diagonal beside an ellipsis", "np.diagonal")
    lost = [c for c in letters if not any(c in one for one in spread)]
    left = "".join(c for c in mine if c not in lost)
    left = left if "..." in left else f"...{left}"
    shared = any("..." in inputs[k] for k in rest)
    if shared and "..." in mine and not mine.startswith("..."):
        front = f"...{left.replace('...', '')}"
        x = call("numpy.einsum", Const(f"{mine}->...{letters}"), x)
        turned = _kept(_spread(g, spread, operands, rest, front), f"...{letters}", lost)
        turned = Apply("unbroadcast", (turned, Const(None), x))
        return call("numpy.einsum", Const(f"...{letters}->{mine}"), turned)
    return _kept(_spread(g, spread, operands, rest, left), mine, lost)


def _spread(
    g: Expr, spread: list[str], operands: Sequence[Expr], rest: list[int], left: str
) -> Expr:
    """The result's adjoint times the other operands, summed to the indices `left`."""
    if len(spread) == 1 and left == spread[0]:
        return g
    spelled = f"{','.join(spread)}->{left}"
    return call("numpy.einsum", Const(spelled), g, *(operands[k] for k in rest))


def _kept(result: Expr, mine: str, lost: list[str]) -> Expr:
    """With axes of length 1 for the indices that only one operand has."""
    if not lost:
        return result
    key: list[Any] = []
    for c in mine.replace("...", "."):
        key.append(... if c == "." else None if c in lost else slice(None))
    key = key if ... in key else [..., *key]
    return getitem(result, tuple(key))


def _halves(text: str) -> tuple[list[str], str]:
    """The operands' indices and the result's, which numpy's default is written out of."""
    left, arrow, output = text.replace(" ", "").partition("->")
    letters = left.replace(",", "").replace(".", "")
    if not arrow:
        once = sorted(c for c in set(letters) if letters.count(c) == 1)
        output = "..." * ("." in left) + "".join(once)
    return left.split(","), output


def _einsum(
    g: Expr, output: str, others: list[str], rest: list[Expr], present: str
) -> Expr:
    """The result's adjoint and the other operands, summed to the letters present."""
    if not rest:
        axes = tuple(output.index(letter) for letter in present)
        return g if output == present else _transposed(g, axes)
    if output:
        if len(rest) == 1:
            product = _stacked_product(g, output, rest[0], others[0], present)
            if product is not None:
                return product
        spelled = f"{','.join([output, *others])}->{present}"
        return call("numpy.einsum", Const(spelled), g, *rest)
    # The result is one number, which einsum would make a float64 of.
    if others == [present]:
        return multiply(g, rest[0])
    spelled = f"{','.join(others)}->{present}"
    return multiply(g, call("numpy.einsum", Const(spelled), *rest))


def _stacked_product(
    g: Expr, of_g: str, x: Expr, of_x: str, result: str
) -> Expr | None:
    """The contraction as g @ x or x @ g, their matrices perhaps turned, or None."""
    stack, last = result[:-2], result[-2:]
    if of_g[:-2] != stack or of_x[:-2] not in (stack, "") or len(last) < 2:
        return None
    if any(len(set(c)) < len(c) for c in (of_g, of_x, result)):
        return None
    summed = (set(of_g[-2:]) & set(of_x[-2:])) - set(result)
    if len(summed) != 1 or len(of_g) < 2 or len(of_x) < 2:
        return None
    factors = [(g, of_g), (x, of_x)]
    if last[0] not in of_g[-2:]:
        factors.reverse()
    (left, of_left), (right, of_right) = factors
    inner = summed.pop()
    if {*of_left[-2:]} != {last[0], inner} or {*of_right[-2:]} != {inner, last[1]}:
        return None
    if of_left[-1] != inner:
        left = _matrices_turned(left, of_left)
    if of_right[-2] != inner:
        right = _matrices_turned(right, of_right)
    return _matmul(left, right)


def _matrices_turned(x: Expr, letters: str) -> Expr:
    if len(letters) == 2:
        return _turned(x, True)
    axes = (Const(-1), Const(-2))
    return Apply("numpy.swapaxes", (x, *axes), spelling="method:swapaxes")


def _eye(x: Expr, first: int, second: int, rank: int) -> Expr:
    """Ones where two indices agree, along those two of `rank` axes."""
    kind = Apply("dtype", (x,), spelling="attribute:dtype")
    eye = call("numpy.eye", Apply("extent", (x, Const(first))), dtype=kind)
    key = [slice(None) if k in (first, second) else None for k in range(rank)][first:]
    return eye if key == [slice(None)] * 2 else getitem(eye, tuple(key))


def explicit(subscripts: object, ranks: Sequence[int | None]) -> tuple[list[str], str]:
    """The operands' index letters, and the result's: numpy's default is written
    out, and each axis of an ellipsis gets a letter of its own.

    Raises GradgenError for an ellipsis of unknown rank, and for what is no text.
    """
    if not isinstance(subscripts, str):
        refusal("einsum with subscripts that are no text", 'np.einsum("ij,jk", a, b)')
    inputs, output = _halves(subscripts)
    letters = "".join(inputs).replace(".", "")
    if not any("." in one for one in inputs):
        return inputs, output
    free = [c for c in LETTERS if c not in letters + output]
    counts = []
    for indices, rank in zip(inputs, ranks, strict=False):
        if "." not in indices:
            counts.append(0)
            continue
        if rank is None:
            refusal("einsum with an ellipsis of unknown rank", "a shape fact")
        counts.append(rank - len(indices) + 3)
    most = max(counts)
    inputs = [
        indices.replace("...", "".join(free[most - count : most]))
        for indices, count in zip(inputs, counts, strict=False)
    ]
    return inputs, output.replace("...", "".join(free[:most]))


def tensor_left(rank: Rank, g: Expr, a: Expr, b: Expr, axes: Expr) -> Expr:
    """tensor_left(d[z], a, b, axes): what flows to a from np.tensordot(a, b, axes)."""
    if None in (rank(a), rank(b)):
        return call("helper._tensordot_left", g, a, b, axes)
    return _Contraction(rank, a, b, axes).left(g)


def tensor_right(rank: Rank, g: Expr, a: Expr, b: Expr, axes: Expr) -> Expr:
    """tensor_right(d[z], a, b, axes): what flows to b from np.tensordot(a, b, axes)."""
    if None in (rank(a), rank(b)):
        return call("helper._tensordot_right", g, a, b, axes)
    return _Contraction(rank, a, b, axes).right(g)


class _Contraction:
    """Which axes of two arrays are summed against each other, and which stay."""

    def __init__(self, rank: Rank, a: Expr, b: Expr, axes: Expr) -> None:
        rank_a, rank_b = rank(a), rank(b)
        if rank_a is None or rank_b is None:
            refusal("np.tensordot of arrays of unknown rank", "a shape fact")
        self.a, self.b = a, b
        self.rank_a, self.rank_b = rank_a, rank_b
        sides = constant_value(axes, "axes")
        self.of_a, self.of_b = contracted_axes(sides, rank_a, rank_b)
        self.free_a = [k for k in range(self.rank_a) if k not in self.of_a]
        self.free_b = [k for k in range(self.rank_b) if k not in self.of_b]

    def left(self, g: Expr) -> Expr:
        """What flows to the first array."""
        a_of = dict(zip(self.of_b, self.of_a, strict=True))
        if not self.free_b:
            return self._spread(g, self.b, a_of, self.rank_a)
        order = self.free_a + [a_of[axis] for axis in sorted(self.of_b)]
        if self.rank_b == 2 and order == [1, 0]:
            return _matmul(_turned(self.b, self.free_b == [0]), _turned(g, True))
        if self.rank_b == 2 and len(self.free_b) == 1:
            result = _matmul(g, _turned(self.b, self.free_b == [1]))
        else:
            last = range(len(self.free_a), len(self.free_a) + len(self.free_b))
            result = _tensordot(g, self.b, list(last), self.free_b, len(order))
        return _ordered(result, order)

    def right(self, g: Expr) -> Expr:
        """What flows to the second array."""
        b_of = dict(zip(self.of_a, self.of_b, strict=True))
        if not self.free_a:
            return self._spread(g, self.a, b_of, self.rank_b)
        summed = [b_of[axis] for axis in sorted(self.of_a)]
        first = list(range(len(self.free_a)))
        rank_g = len(self.free_a) + len(self.free_b)
        if self.rank_a == 2 and len(self.free_a) == 1 and rank_g <= 2:
            if not self.free_b:
                return _matmul(g, _turned(self.a, self.free_a == [1]))
            result = _matmul(_turned(self.a, self.free_a == [0]), g)
            return _ordered(result, summed + self.free_b)
        if self.free_b + summed == list(range(self.rank_b)):
            return _tensordot(g, self.a, first, self.free_a, rank_g)
        result = _tensordot(self.a, g, self.free_a, first, self.rank_a)
        return _ordered(result, summed + self.free_b)

    def _spread(self, g: Expr, other: Expr, place: dict[int, int], rank: int) -> Expr:
        """g times an array all of whose axes were summed: `place` is where each goes."""
        taken = sorted(place.values())
        turn = [next(k for k in place if place[k] == axis) for axis in taken]
        if turn != sorted(turn):
            other = _transposed(other, tuple(turn))
        if len(taken) == rank:
            return multiply(g, other)
        ours = [slice(None) if k in taken else None for k in range(rank)]
        theirs = [None if k in taken else slice(None) for k in range(rank)]
        return multiply(_stretched(g, theirs), _stretched(other, ours))


def _stretched(x: Expr, key: list[Any]) -> Expr:
    """x[key] without the axes in front that numpy puts there by itself."""
    while key and key[0] is None:
        key = key[1:]
    if None not in key:
        return x
    kept = key.index(None)
    if kept == 1:
        return getitem(x, tuple(key))
    return getitem(x, (..., *key[kept:]))


def contracted_axes(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    """The axes that np.tensordot sums, of the first array and of the second.

    `axes` is what the user gave: a number, or two of axes or of lists of them.
    """
    if isinstance(axes, int):
        of_a, of_b = list(range(-axes, 0)), list(range(axes))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2:
        of_a, of_b = ([side] if isinstance(side, int) else list(side) for side in axes)
    else:
        refusal(f"np.tensordot over {axes!r}", "a number, or the axes of both arrays")
    sides = [(axis, rank_a) for axis in of_a] + [(axis, rank_b) for axis in of_b]
    if len(of_a) != len(of_b) or any(not -n <= axis < n for axis, n in sides):
        refusal(f"np.tensordot over {axes!r}", "pairs of axes that both arrays have")
    return [axis % rank_a for axis in of_a], [axis % rank_b for axis in of_b]


def _tensordot(a: Expr, b: Expr, of_a: list[int], of_b: list[int], rank: int) -> Expr:
    """np.tensordot over these axes of a, which has `rank`, and of b."""
    count = len(of_a)
    if of_a == list(range(rank - count, rank)) and of_b == list(range(count)):
        return call("numpy.tensordot", a, b, axes=count)
    if count == 1:
        return call("numpy.tensordot", a, b, axes=(of_a[0], of_b[0]))
    return call("numpy.tensordot", a, b, axes=(of_a, of_b))


def _ordered(x: Expr, order: list[int]) -> Expr:
    """x, whose axes are those of an array in this order, in the array's own order."""
    turn = tuple(order.index(axis) for axis in range(len(order)))
    if turn == tuple(range(len(order))):
        return x
    if len(turn) > 2 and order[1:] == sorted(order[1:]):
        return call("numpy.moveaxis", x, Const(0), Const(order[0]))
    if len(turn) > 2 and order[:-1] == sorted(order[:-1]):
        return call("numpy.moveaxis", x, Const(-1), Const(order[-1]))
    return _transposed(x, turn)


def _transposed(x: Expr, axes: tuple[int, ...]) -> Expr:
    if axes == (1, 0):
        return _turned(x, True)
    return call("numpy.transpose", x, lift(axes))


def _turned(x: Expr, turned: bool) -> Expr:
    return Apply("numpy.transpose", (x,), spelling="attribute:T") if turned else x


def _matmul(a: Expr, b: Expr) -> Expr:
    return Apply("numpy.matmul", (a, b), spelling="operator")


def row_product(rank: Rank, g: Expr, x: Expr) -> Expr:
    """row_product(d[z], x2): what flows to a vector from vector @ x2."""
    n = known_rank(rank, x, "the product of a vector and matrices")
    of_x = [*range(n - 2), n - 1]
    return call("numpy.tensordot", g, x, axes=(list(range(n - 1)), of_x))


def chained(rank: Rank, g: Expr, arrays: Expr, i: Expr) -> Expr:
    """chained(d[z], arrays, i): what flows to one matrix of np.linalg.multi_dot."""
    if any(rank(array) != 2 for array in arrays.args):
        refusal("np.linalg.multi_dot of arrays not known to be 2-D", "a @ b @ c")
    before, after = arrays.args[: i.value], arrays.args[i.value + 1 :]
    factors = [_turned(array, True) for array in reversed(before)]
    factors += [g, *(_turned(array, True) for array in reversed(after))]
    if len(factors) == 2:
        return _matmul(*factors)
    return call("numpy.linalg.multi_dot", Apply("list", tuple(factors)))


def one_changed(rank: Rank, tangents: Expr, arrays: Expr) -> Expr:
    """one_changed(t[arrays], arrays): np.linalg.multi_dot's tangent."""
    total: Expr | None = None
    for i, tangent in enumerate(tangents.args):
        if not (isinstance(tangent, Apply) and tangent.op == "numpy.zeros_like"):
            changed = [*arrays.args[:i], tangent, *arrays.args[i + 1 :]]
            term = call("numpy.linalg.multi_dot", Apply("list", tuple(changed)))
            total = term if total is None else add(total, term)
    assert total is not None  # a tangent is asked for where an array has one
    return total


def power_terms(rank: Rank, g: Expr, a: Expr, n: Expr) -> Expr:
    """power_terms(g, a, n): the sum of a**k @ g @ a**(n - 1 - k), for a small n."""
    total: Expr | None = None
    for k in range(n.value):
        left, right = _power(a, k), _power(a, n.value - 1 - k)
        term = g if left is None else _matmul(left, g)
        term = term if right is None else _matmul(term, right)
        total = term if total is None else add(total, term)
    assert total is not None  # n is at least 1
    return total


def _power(a: Expr, k: int) -> Expr | None:
    if k < 2:
        return a if k else None
    return call("numpy.linalg.matrix_power", a, Const(k))


PRODUCTS: dict[str, Callable[..., Expr]] = {
    function.__name__: function
    for function in (
        contraction,
        tensor_left,
        tensor_right,
        row_product,
        chained,
        one_changed,
        power_terms,
    )
}
