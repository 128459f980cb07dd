"""Products with an adjoint that is the same along an axis: sums, and no array of it."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call, lift, getitem, matmul, multiply
from gradgen.ir.walk import is_static, static, with_children
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR

SUM = "numpy.sum"
EINSUM = "numpy.einsum"
COLUMN = lift((slice(None), None))
Resolve = Callable[[Expr], Expr]
Dims = tuple[Dim, ...]
_Form = Callable[[Expr, Dims, Dims, int, list[Expr], Facts], Expr | None]


def with_small_products(
    expr: Expr, resolve: Resolve, facts: Facts, whole: bool = False
) -> Expr:
    """An adjoint whose products need no array of what is the same along an axis.

    before:  X.T @ real(d_XV, XV)        # d_XV is a number, XV (n, k)
    after:   d_XV * np.sum(X, axis=0)[:, None]

    It is as small as that: (d, 1) for (d, k), but where it has to be `whole`.
    `resolve` replaces the words in it.
    """
    if not isinstance(expr, Apply):
        return expr
    found = None if whole and expr.op != EINSUM else _product(expr, resolve, facts)
    if found is not None:
        return found
    old = [*expr.args, *(value for _, value in expr.kwargs)]
    new = [with_small_products(one, resolve, facts, whole) for one in old]
    same = all(one is other for one, other in zip(old, new))
    return expr if same else with_children(expr, new)


def _product(expr: Apply, resolve: Resolve, facts: Facts) -> Expr | None:
    """A product with an adjoint that is smaller than its variable, as small."""
    made = _form(expr.op)
    if expr.kwargs or made is None:
        return None
    whole = [isinstance(arg, Apply) and arg.op == "real" for arg in expr.args]
    if sum(whole) != 1:
        return None
    at = whole.index(True)
    adjoint = expr.args[at]
    assert isinstance(adjoint, Apply)
    small, of = resolve(adjoint.args[0]), facts.of(adjoint.args[1]).dims
    dims = facts.of(small).dims
    if (
        of is None
        or dims is None
        or len(dims) > len(of)
        or facts.same(small, adjoint.args[1])
    ):
        return None
    rest = [resolve(arg) for i, arg in enumerate(expr.args) if i != at]
    return made(small, (ONE,) * (len(of) - len(dims)) + dims, of, at, rest, facts)


def _matmul(
    g: Expr,
    dims: Dims,
    of: Dims,
    at: int,
    rest: list[Expr],
    facts: Facts,
) -> Expr | None:
    """A @ g, or g @ A, of a matrix A and an adjoint of one axis or two."""
    (matrix,) = rest
    if facts.rank(matrix) != 2 or len(of) > 2:
        return None
    along = 0 if at == 1 else len(of) - 1  # the axis of g that is summed
    free = [axis for axis in range(len(of)) if axis != along]
    if dims[along] == ONE != of[along]:
        total = _summed(matrix, 1 if at == 1 else 0)
        if facts.of(g) == SCALAR:
            column = at == 1 and len(of) == 2
            return multiply(g, getitem(total, COLUMN) if column else total)
        if not free or dims[free[0]] == ONE:
            return None
        # of rows for g @ A, and of columns for A @ g
        return multiply(getitem(total, COLUMN), g) if at == 1 else multiply(g, total)
    if free and dims[free[0]] == ONE != of[free[0]]:
        return matmul(matrix, g) if at == 1 else matmul(g, matrix)
    return None


def _summed(matrix: Expr, axis: int) -> Expr:
    """The sum of a matrix along an axis, of X for X.T."""
    if isinstance(matrix, Apply) and matrix.spelling == "attribute:T":
        matrix, axis = matrix.args[0], 1 - axis
    return Apply(SUM, (matrix,), (("axis", Const(axis)),))


def _outer(
    g: Expr,
    dims: Dims,
    of: Dims,
    at: int,
    rest: list[Expr],
    facts: Facts,
) -> Expr | None:
    """np.outer(g, v), or np.outer(v, g), of a number for each entry and a vector."""
    (vector,) = rest
    if len(of) != 1 or of[0] == ONE or facts.of(g) != SCALAR or facts.rank(vector) != 1:
        return None
    return multiply(g, getitem(vector, COLUMN) if at == 1 else vector)


def _einsum(
    g: Expr,
    dims: Dims,
    of: Dims,
    at: int,
    rest: list[Expr],
    facts: Facts,
) -> Expr | None:
    """An einsum of a number for each entry, and of others that have all its letters."""
    text = static(rest[0]) if rest and is_static(rest[0]) else None
    if (
        not isinstance(text, str)
        or "->" not in text
        or "." in text
        or facts.of(g) != SCALAR
    ):
        return None
    inputs, _, output = text.replace(" ", "").partition("->")
    letters = inputs.split(",")
    own = letters.pop(at - 1)
    there = set("".join(letters))
    if not letters or not set(own) <= there or len(set(output)) != len(output):
        return None
    others = rest[1:]
    lengths: set[tuple[str, Dim]] = set()
    for word, one in zip(letters, others):
        sizes = facts.of(one).dims
        if sizes is None or len(sizes) != len(word):
            return None
        lengths.update(zip(word, sizes))
    if not set(zip(own, of)) <= lengths:  # an axis of length 1 is stretched
        return None
    if len(others) == 1 and len(set(letters[0])) == len(letters[0]):
        left = [letter for letter in letters[0] if letter in output]
        if "".join(left) == output:
            axes = tuple(i for i, x in enumerate(letters[0]) if x not in output)
            axis = axes[0] if len(axes) == 1 else axes
            value = others[0]
            if axes:
                value = Apply(SUM, (value,), (("axis", lift(axis)),))
            return multiply(g, value)
    return multiply(g, call(EINSUM, Const(f"{','.join(letters)}->{output}"), *others))


def _form(op: str) -> _Form | None:
    """How the small product of an operation is written."""
    if op == "numpy.matmul":
        return _matmul
    if op == "numpy.outer":
        return _outer
    return _einsum if op == EINSUM else None
