"""Functions that read one triangle of a matrix, of a matrix that was put together.

np.linalg.eigh and its like read one triangle, and their rules take the matrix for
symmetric, as they take an argument: what flows back goes to both triangles. A matrix
that was computed may hold something else, or nothing, in the other triangle, unless it
is symmetric by its form (A @ A.T, what is made of distances):

    K = np.array([[a, 0.0], [b, c]])
    w = np.linalg.eigvalsh(K)    # b counts twice

It is read as np.tril(K) + np.tril(K, -1).T: the same value, to the bit, and the right
gradient, whether K is symmetric or not. Where K is complex, the other triangle is the
conjugate one.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.lowering.callees import Unkept
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_ONE_TRIANGLE, SAID_SYMMETRIC
from gradgen.shapes.taken import Taken


def of_one_triangle(lowering: Lowering, value: Apply, node: gast.AST | None) -> Apply:
    """The operation, of the matrix that it reads."""
    if value.op not in OF_ONE_TRIANGLE or not value.args or not _is_said(value):
        return value
    matrix, lower = value.args[0], _is_lower(value)
    if lower is None:
        return value
    known = Taken(lowering.facts.definitions, lowering.facts)
    current = lowering.current(matrix, node)
    if known.is_symmetric(current):
        if lowering.outermost and not known.forms.is_symmetric(current):
            raise Unkept("it takes a matrix for symmetric, which its caller tells of")
        return value
    if known.unsure:
        lowering.fail(
            "GG260",
            f"a derivative takes the matrix of {value.op} for symmetric, and that it "
            "is one is not known here",
            node,
            "a derivative at (M + M.T) / 2",
        )
    word = "numpy.tril" if lower else "numpy.triu"
    half = lowering.bind(Apply(word, (matrix,)), node)
    rest = lowering.bind(Apply(word, (matrix, Const(-1 if lower else 1))), node)
    if lowering.facts.rank(matrix) == 2:
        turned = Apply("numpy.transpose", (rest,), (), "attribute:T")
    else:
        turned = Apply("numpy.swapaxes", (rest, Const(-1), Const(-2)))
    # a conjugate of what turns out to be real is left out
    turned = Apply("numpy.conj", (lowering.bind(turned, node),))
    both = (half, lowering.bind(turned, node))
    whole = lowering.bind(Apply("numpy.add", both, (), "operator"), node)
    return replace(value, args=(whole, *value.args[1:]))


def _given(value: Apply) -> dict[str, Expr]:
    """The arguments of a function by their names."""
    try:
        bound = bind(operations()[value.op], value)
    except TypeError:  # which is refused where it is read
        return dict(value.kwargs)
    return {param.name: arg for param, arg in bound.items()}


def _is_said(value: Apply) -> bool:
    """Whether a matrix is taken for symmetric, where a keyword says that it is."""
    word, words = SAID_SYMMETRIC.get(value.op, ("", ()))
    told = _given(value).get(word)
    return not word or isinstance(told, Const) and told.value in words


def _is_lower(value: Apply) -> bool | None:
    """Whether the lower triangle is read; None where that is not known."""
    word, lower, default = OF_ONE_TRIANGLE[value.op]
    told = _given(value).get(word)
    if told is None:
        return default in lower
    return told.value in lower if isinstance(told, Const) else None
