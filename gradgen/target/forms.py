"""Other ways to write what a library lacks: each a function from a call to a value.

A form is asked for only where the call as it stands cannot be made. It gives None
where there is no other way either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import reduce

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import call, matmul, multiply
from gradgen.ir.walk import subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

Form = Callable[[Apply, Facts], Expr | None]

# names that NumPy 2 has twice, by the older one
OLDER = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "absolute": "abs",
    "amax": "max",
    "amin": "min",
    "concat": "concatenate",
    "conjugate": "conj",
    "fabs": "abs",
    "permute_dims": "transpose",
    "pow": "power",
    "round_": "round",
    "true_divide": "divide",
    "float_power": "power",
    "linalg.diagonal": "diagonal",
    "linalg.matmul": "matmul",
    "linalg.outer": "outer",
    "linalg.tensordot": "tensordot",
    "linalg.trace": "trace",
}
# helpers that look at values, which a device is not waited for: the same without
UNCHECKED = {"helper._increasing": "numpy.asarray"}
# what a sum or a product starts with, and so what a masked entry counts as
NEUTRAL = {"numpy.sum": 0, "numpy.prod": 1, "numpy.any": False, "numpy.all": True}
JOINED = {
    "numpy.sum": "numpy.add",
    "numpy.prod": "numpy.multiply",
    "numpy.max": "numpy.maximum",
    "numpy.min": "numpy.minimum",
}


def masked(node: Apply, facts: Facts) -> Expr | None:
    """np.sum(x, where=mask, initial=c) without these keywords.

    before:  np.sum(x, axis=0, where=mask)      np.max(x, initial=0.0, where=mask)
    after:   np.sum(np.where(mask, x, 0), axis=0)
             np.maximum(np.max(np.where(mask, x, 0.0)), 0.0)
    """
    given = dict(node.kwargs)
    where, initial = given.pop("where", None), given.pop("initial", None)
    if where is None and initial is None:
        return None
    x, *others = node.args
    if where is not None:
        outside = initial if initial is not None else None
        if node.op in NEUTRAL:
            outside = Const(NEUTRAL[node.op])
        if outside is None or not facts.of(where) <= facts.of(x):
            return None
        x = call("numpy.where", where, x, outside)
    value = Apply(node.op, (x, *others), tuple(given.items()))
    if initial is None:
        return value
    return call(JOINED[node.op], value, initial) if node.op in JOINED else None


def ddof(node: Apply, facts: Facts) -> Expr | None:
    """np.var(x, correction=1) as np.var(x, ddof=1)."""
    names = {"correction": "ddof"}
    if "where" in dict(node.kwargs):
        return None
    kwargs = tuple((names.get(name, name), value) for name, value in node.kwargs)
    return Apply(node.op, node.args, kwargs)


def vecdot(node: Apply, facts: Facts) -> Expr | None:
    """np.vecdot(a, b) of real arrays as np.sum(a * b, axis=-1)."""
    if any(map(facts.is_complex, node.args)):
        return None
    axis = dict(node.kwargs).get("axis", Const(-1))
    return call("numpy.sum", multiply(*node.args), axis=axis)


def multi_dot(node: Apply, facts: Facts) -> Expr | None:
    """np.linalg.multi_dot([A, B, C]) as A @ B @ C."""
    (factors,) = node.args
    if not isinstance(factors, Apply) or factors.op not in ("list", "tuple"):
        return None
    return reduce(matmul, factors.args)


def clip(node: Apply, facts: Facts) -> Expr | None:
    """np.clip(x, min=a, max=b) with its bounds in their places."""
    given = dict(node.kwargs)
    bounds = [given.pop(name, None) for name in ("min", "max")]
    if given:
        return None
    args = node.args + tuple(Const(None) if b is None else b for b in bounds)
    return Apply(node.op, args[:3])


def swapped(node: Apply, facts: Facts) -> Expr | None:
    """np.matrix_transpose(x) as np.swapaxes(x, -1, -2)."""
    return call("numpy.swapaxes", node.args[0], Const(-1), Const(-2))


def vector_norm(node: Apply, facts: Facts) -> Expr | None:
    """np.linalg.vector_norm(x, axis=a) of order 2 as a root of a sum of squares."""
    given = dict(node.kwargs)
    if given.pop("ord", Const(2)) != Const(2) or len(node.args) > 1:
        return None
    squares = multiply(node.args[0], node.args[0])
    if facts.is_complex(node.args[0]):
        return None
    return call("numpy.sqrt", Apply("numpy.sum", (squares,), tuple(given.items())))


def sum_of_products(node: Apply, facts: Facts) -> Expr | None:
    """np.inner(x, y) of two vectors as np.sum(x * y)."""
    if any(facts.of(arg).rank != 1 for arg in node.args):
        return None
    return call("numpy.sum", multiply(*node.args))


def gathered(node: Apply, facts: Facts) -> Expr | None:
    """np.array(rows) of dask arrays as np.stack(rows): np.array computes them."""
    first = node.args[0]
    plain = facts.kind(first) if not facts.is_list(first) else Kind.LIKE
    written = isinstance(first, Apply) and first.op == "list"
    if written and all(isinstance(arg, (Const, Apply)) for arg in first.args):
        if not any(isinstance(one, Ref) for one in subexpressions(first)):
            return None  # a table of numbers
    if facts.is_list(first) or written:
        return call("numpy.stack", first)
    if plain <= Kind.WEAK and facts.rank(first) == 0:
        return None
    raise GradgenError(
        "GG701",
        f"{node.op.replace('numpy', 'np')} on dask: it computes its argument",
        advice="x.copy()",
    )


def zeros_of_numbers(node: Apply, facts: Facts) -> Apply:
    """[np.zeros_like(one) for one in numbers] as [0.0] * len(numbers)."""
    numbers, depth = node.args
    shape = facts.entries_of(numbers) if facts.is_list(numbers) else None
    if depth != Const(1) or shape is None or shape.rank != 0:
        return node
    return Apply("repeated", (Const(0.0, "0.0"), call("len", numbers)))


def stretched_cross(node: Apply, facts: Facts) -> Expr | None:
    """np.linalg.cross(x, y) as np.cross(x, y): cupy's takes arrays of one shape."""
    return Apply("numpy.cross", node.args, node.kwargs)


def matched(node: Apply, facts: Facts) -> Expr | None:
    """np.linalg.solve(a, b) as it stands, where a and b are as many as each other.

    cupy stretches neither. Raises GradgenError where one of them is known to be.
    """
    a, b = (facts.of(arg) for arg in node.args)
    if a.rank is None or b.rank is None or a.rank == 2 and b.rank <= 2:
        return None
    if a.rank != b.rank or (a.dims or ())[:-2] != (b.dims or ())[:-2]:
        raise GradgenError(
            "GG702",
            "cupy has no np.linalg.solve of stacks that are stretched",
            advice="np.broadcast_to of both",
        )
    return None


def weighed(node: Apply, facts: Facts) -> Expr | None:
    """np.average(x, axis, w) as it stands, along one axis or with weights like x.

    Raises GradgenError for weights of several axes that x has more of.
    """
    given = dict(zip(("a", "axis", "weights"), node.args)) | dict(node.kwargs)
    axis, weights = given.get("axis"), given.get("weights")
    several = isinstance(axis, Apply) or isinstance(getattr(axis, "value", 0), tuple)
    if weights is None or not several or facts.same(weights, given["a"]):
        return None
    raise GradgenError(
        "GG702",
        "cupy has no np.average with weights along some axes of several",
        advice="np.sum(x * w) / np.sum(w) with the weights' axes written out",
    )


def spacing(node: Apply, facts: Facts) -> Expr | None:
    """How far the next number is, with the sign of x.

    before:  cp.spacing(cp.abs(x))
    after:   cp.nextafter(cp.abs(x), cp.inf) - cp.abs(x)
    """
    (x,) = node.args
    made = facts.definitions.get(x.var) if isinstance(x, Ref) else x
    infinite = Const(math.inf, "np.inf")
    if isinstance(made, Apply) and made.op in ("numpy.abs", "numpy.linalg.norm"):
        after = call("numpy.nextafter", x, infinite)
        return Apply("numpy.subtract", (after, x), (), "operator")
    size = call("numpy.abs", x)
    after = call("numpy.nextafter", size, infinite)
    gap = Apply("numpy.subtract", (after, size), (), "operator")
    return call("numpy.copysign", gap, x)


FORMS: Mapping[str, Form] = {
    "numpy.spacing": spacing,
    **{f"numpy.{n}": masked for n in "sum prod max min any all amax amin".split()},
    "numpy.var": ddof,
    "numpy.std": ddof,
    "numpy.vecdot": vecdot,
    "numpy.linalg.vecdot": vecdot,
    "numpy.linalg.multi_dot": multi_dot,
    "numpy.clip": clip,
    "numpy.matrix_transpose": swapped,
    "numpy.linalg.matrix_transpose": swapped,
    "numpy.linalg.vector_norm": vector_norm,
}
