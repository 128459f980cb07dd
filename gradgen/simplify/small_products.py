"""Products with an adjoint that is the same along an axis: sums, and no array of it."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import ARITHMETIC, call, getitem, lift, matmul, multiply
from gradgen.ir.operators import negative
from gradgen.ir.walk import is_static, static, with_children
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR

SUM = "numpy.sum"
EINSUM = "numpy.einsum"
MATMUL = "numpy.matmul"
COLUMN = lift((slice(None), None))
Resolve = Callable[[Expr], Expr]
Dims = tuple[Dim, ...]
# a value, and the axes of what it stands for
Small = tuple[Expr, Dims]


def with_small_products(
    expr: Expr, resolve: Resolve, facts: Facts, whole: bool = False
) -> Expr:
    """An adjoint whose products need no array of what is the same along an axis.

    before:  X.T @ real(d_XV, XV)        # d_XV is a number, XV (n, k)
    after:   d_XV * np.sum(X, axis=0)[:, None]

    It is as small as that: (d, 1) for (d, k), but where it has to be `whole`, as what
    stands in another operation than arithmetic has. `resolve` replaces the words in it.
    """
    if not isinstance(expr, Apply):
        return expr
    found = _product(expr, resolve, facts)
    if found is not None and (not whole or facts.of(found[0]).dims == found[1]):
        return found[0]
    stretches = expr.op in ARITHMETIC
    if expr.op == "unbroadcast":  # of its own shape it is what it is
        stretches = expr.args[1] != Const(None)
    whole = whole or not stretches
    old = [*expr.args, *(value for _, value in expr.kwargs)]
    new = [with_small_products(one, resolve, facts, whole) for one in old]
    same = all(one is other for one, other in zip(old, new))
    return expr if same else with_children(expr, new)


def _small(expr: Expr, resolve: Resolve, facts: Facts) -> Small | None:
    """An adjoint that would be made whole, or a product with one."""
    if not isinstance(expr, Apply) or expr.op != "real":
        return _product(expr, resolve, facts) if isinstance(expr, Apply) else None
    value, of = resolve(expr.args[0]), facts.of(expr.args[1]).dims
    dims = facts.of(value).dims
    if of is None or dims is None or len(dims) > len(of):
        return None
    return None if facts.same(value, expr.args[1]) else (value, of)


def _product(expr: Apply, resolve: Resolve, facts: Facts) -> Small | None:
    """A product with an adjoint that is smaller than its variable, as small."""
    if expr.kwargs or expr.op not in (MATMUL, EINSUM, "numpy.outer"):
        return None
    given = [_small(arg, resolve, facts) for arg in expr.args]
    found = [(i, one) for i, one in enumerate(given) if one is not None]
    if len(found) != 1:
        return None
    (at, (value, of)) = found[0]
    rest = [resolve(arg) for i, arg in enumerate(expr.args) if i != at]
    if expr.op == MATMUL:
        return _matmul(value, of, at, rest[0], facts)
    if expr.op == EINSUM:
        return _einsum(value, of, at, rest, facts)
    return _outer(value, of, at, rest[0], facts)


def _matmul(g: Expr, of: Dims, at: int, matrix: Expr, facts: Facts) -> Small | None:
    """A @ g, or g @ A, of a matrix A and an adjoint of one axis or two."""
    sizes, own = facts.of(matrix).dims, facts.of(g).dims
    if sizes is None or own is None or len(sizes) != 2 or len(of) > 2:
        return None
    dims = (ONE,) * (len(of) - len(own)) + own
    right = at == 1  # A @ g, whose first axis is summed
    along = 0 if right else len(of) - 1
    free = [axis for axis in range(len(of)) if axis != along]
    full = (
        [*sizes[:1], *(of[i] for i in free)]
        if right
        else [*(of[i] for i in free), *sizes[1:]]
    )
    value: Expr | None = None
    if dims[along] == ONE != of[along]:
        total = _summed(matrix, 1 if right else 0)
        if facts.of(g) == SCALAR:
            column = right and len(of) == 2
            value = multiply(g, getitem(total, COLUMN) if column else total)
        elif free and dims[free[0]] != ONE:
            # of rows for g @ A, and of columns for A @ g
            value = multiply(getitem(total, COLUMN), g) if right else multiply(g, total)
    elif free and dims[free[0]] == ONE != of[free[0]]:
        if facts.of(g) == SCALAR:  # what is summed has the length 1
            value = multiply(g, matrix)
        elif not right or len(own) == len(of):  # a column of sums stays one
            value = matmul(matrix, g) if right else matmul(g, matrix)
    return None if value is None else (value, tuple(full))


def _summed(matrix: Expr, axis: int) -> Expr:
    """The sum of a matrix along an axis, of X for X.T."""
    if isinstance(matrix, Apply) and matrix.op == "numpy.negative":
        return negative(_summed(matrix.args[0], axis))
    if isinstance(matrix, Apply) and matrix.op == "numpy.transpose":
        if len(matrix.args) == 1 and not matrix.kwargs:
            matrix, axis = matrix.args[0], 1 - axis
    return Apply(SUM, (matrix,), (("axis", Const(axis)),))


def _outer(g: Expr, of: Dims, at: int, vector: Expr, facts: Facts) -> Small | None:
    """np.outer(g, v), or np.outer(v, g), of a number for each entry and a vector."""
    sizes = facts.of(vector).dims
    if sizes is None or len(sizes) != 1 or len(of) != 1:
        return None
    if of[0] == ONE or facts.of(g) != SCALAR:
        return None
    if at == 1:
        return multiply(g, getitem(vector, COLUMN)), (*sizes, *of)
    return multiply(g, vector), (*of, *sizes)


def _einsum(g: Expr, of: Dims, at: int, rest: list[Expr], facts: Facts) -> Small | None:
    """An einsum of a number for each entry, and of others that have all its letters."""
    text = static(rest[0]) if rest and is_static(rest[0]) else None
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    inputs, _, output = text.replace(" ", "").partition("->")
    letters = inputs.split(",")
    own, others = letters.pop(at - 1), rest[1:]
    there = set("".join(letters))
    if facts.of(g) != SCALAR or not letters or not set(own) <= there:
        return None
    lengths: dict[str, set[Dim]] = {}
    for word, one in zip(letters, others):
        sizes = facts.of(one).dims
        if sizes is None or len(sizes) != len(word):
            return None
        for letter, size in zip(word, sizes):
            lengths.setdefault(letter, set()).add(size)
    if any(size not in lengths[x] for x, size in zip(own, of)):
        return None  # an axis of length 1 is stretched
    if len(set(output)) != len(output) or any(len(lengths[x]) > 1 for x in output):
        return None
    full = tuple(next(iter(lengths[letter])) for letter in output)
    if len(others) == 1 and len(set(letters[0])) == len(letters[0]):
        if [x for x in letters[0] if x in output] == [*output]:
            axes = tuple(i for i, x in enumerate(letters[0]) if x not in output)
            value = others[0]
            if axes:
                axis = lift(axes[0] if len(axes) == 1 else axes)
                value = Apply(SUM, (value,), (("axis", axis),))
            return multiply(g, value), full
    joined = Const(f"{','.join(letters)}->{output}")
    return multiply(g, call(EINSUM, joined, *others)), full
