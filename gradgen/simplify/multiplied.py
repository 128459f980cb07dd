"""einsum of two arrays as a product of matrices."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import call, matmul
from gradgen.ir.walk import map_values, rewrite
from gradgen.shapes.certain import dims_of, is_floating
from gradgen.shapes.infer import Facts


def multiplied(function: Function, facts: Facts) -> Function:
    """The function that multiplies matrices by BLAS.

        before:  s = np.einsum("bqd,bkd->bqk", Q, K)
        after:   s = Q @ K.swapaxes(-1, -2)

    One axis is summed over, and each array has one of its own; all others lead, in the
    same order, and have the same lengths.
    """
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        return rewrite(let.value, lambda expr: _product(expr, facts))

    return map_values(function, value)


def _product(expr: Expr, facts: Facts) -> Expr:
    if not isinstance(expr, Apply) or expr.op != "numpy.einsum" or expr.kwargs:
        return expr
    first, *arrays = expr.args
    text = first.value if isinstance(first, Const) else None
    if not isinstance(text, str) or len(arrays) != 2:
        return expr
    inputs, arrow, out = text.replace(" ", "").partition("->")
    both = inputs.split(",")
    letters = "".join([*both, out])
    if not arrow or len(both) != 2 or not letters.isalpha():
        return expr
    if any(len(set(one)) != len(one) for one in (*both, out)):
        return expr
    if not _fits(both, arrays, facts):
        return expr
    for (a, x), (b, y) in (zip(both, arrays), zip(both[::-1], arrays[::-1])):
        left, right = out[-2:-1], out[-1:]
        summed = set(a) & set(b) - set(out)
        if len(summed) != 1 or len(out) < 2:
            continue
        (k,) = summed
        lead = out[:-2]
        one, other = _turned(x, a, lead, left + k), _turned(y, b, lead, k + right)
        if one is not None and other is not None:
            return matmul(one, other)
    return expr


def _turned(array: Expr, letters: str, lead: str, last: str) -> Expr | None:
    """The array with its axes as a product of matrices takes them, or None."""
    if letters == lead + last:
        return array
    if letters == lead + last[::-1]:
        return (
            call("numpy.swapaxes", array, Const(-1), Const(-2))
            if lead
            else _transposed(array)
        )
    return None


def _transposed(array: Expr) -> Expr:
    return Apply("numpy.transpose", (array,), (), "attribute:T")


def _fits(both: list[str], arrays: list[Expr], facts: Facts) -> bool:
    """Whether an axis has one length wherever it stands, and entries are floating."""
    lengths: dict[str, object] = {}
    for letters, array in zip(both, arrays, strict=True):
        dims = dims_of(array, facts)
        if dims is None or len(dims) != len(letters):
            return False
        if not is_floating(array, facts):
            return False
        for letter, dim in zip(letters, dims, strict=True):
            if lengths.setdefault(letter, dim) != dim:
                return False
    return True
