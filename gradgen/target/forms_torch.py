"""What torch calls NumPy's functions, and how it writes those that it has not.

torch takes axis and keepdims for dim and keepdim in most functions; those that are
listed here were called with them. What is not listed is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import COMPARISONS, add, call, matmul, multiply, power
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.forms import Form, masked, multi_dot, sum_of_products, vector_norm

REDUCED = ("axis", "keepdims")
_ENTRY_BY_ENTRY = (
    "abs arccos arccosh arcsin arcsinh arctan arctan2 arctanh ceil cos cosh deg2rad exp "
    "exp2 expm1 floor hypot isfinite isinf isnan log log10 log1p log2 logaddexp logical_and "
    "logical_not logical_or maximum minimum negative rad2deg reciprocal sign sin sinc sinh "
    "sqrt square tan tanh trunc where zeros_like ones_like less less_equal greater "
    "greater_equal equal not_equal"
).split()
# name -> the keywords with which torch does what NumPy does
TORCH_KEYWORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_ENTRY_BY_ENTRY, ()),
    **dict.fromkeys("sum mean nansum".split(), (*REDUCED, "dtype")),
    **dict.fromkeys(("any", "all", "argmax", "argmin"), REDUCED),
    **dict.fromkeys("vstack hstack tensordot".split(), ()),
    "amax": REDUCED,
    "amin": REDUCED,
    "prod": (),
    "var": (*REDUCED, "correction"),
    "std": (*REDUCED, "correction"),
    "concatenate": ("axis",),
    "stack": ("axis",),
    **dict.fromkeys("eye arange zeros ones tensor".split(), ("dtype", "device")),
    **dict.fromkeys("diag tril triu trace outer matmul".split(), ()),
    **dict.fromkeys("fft.fft fft.ifft fft.rfft fft.irfft".split(), ("n", "axis")),
    **dict.fromkeys(
        "einsum reshape swapaxes moveaxis broadcast_to ravel kron".split(), ()
    ),
    "squeeze": ("axis",),
    "cumsum": ("axis",),
    "linalg.norm": REDUCED,
    **dict.fromkeys(
        "linalg.solve linalg.inv linalg.det linalg.slogdet linalg.cholesky".split(), ()
    ),
    **dict.fromkeys("pi e inf nan newaxis float32 float64".split(), ()),
    **dict.fromkeys("scipy.special.erf scipy.special.gammaln".split(), ()),
    **dict.fromkeys("scipy.special.expit scipy.special.digamma".split(), ()),
    "numel": (),
    "Tensor": (),
    "flip": (),
    "roll": (),
    "unsqueeze": (),
    "pow": (),
    "clamp": ("min", "max"),
    "full_like": (),
}
# methods and attributes of tensors that are those of arrays
TORCH_METHODS = frozenset("sum mean T shape ndim dtype reshape copy astype".split())
TORCH_NAMES: Mapping[str, str] = {
    "numpy.max": "amax",
    "numpy.min": "amin",
    "numpy.amax": "amax",
    "numpy.amin": "amin",
    "numpy.power": "pow",
    "numpy.absolute": "abs",
    "numpy.fabs": "abs",
    "numpy.divide": "true_divide",
    "numpy.size": "numel",
    "numpy.expand_dims": "unsqueeze",
}


def _is_number(expr: Expr, facts: Facts) -> bool:
    """Whether a value is a Python number, which torch's functions do not take."""
    return isinstance(expr, Const) or facts.kind(expr) in (Kind.WEAK, *INTEGRAL)


def _bounded(keyword: str) -> Form:
    def form(node: Apply, facts: Facts) -> Expr | None:
        """np.maximum(x, 0) as torch.clamp(x, min=0)."""
        x, y = node.args
        if node.kwargs or not (_is_number(x, facts) or _is_number(y, facts)):
            return None
        x, y = (y, x) if _is_number(x, facts) else (x, y)
        return Apply("numpy.clamp", (x,), ((keyword, y),))

    return form


def clamped(node: Apply, facts: Facts) -> Expr | None:
    """np.clip(x, 0, 1) as torch.clamp(x, min=0, max=1), other bounds as two steps."""
    given = dict(node.kwargs)
    bounds = list(node.args[1:3])
    for name in ("min", "max")[len(bounds) :]:
        bounds.append(given.pop(name, given.pop(f"a_{name}", Const(None))))
    if given:
        return None
    told = [
        (keyword, bound)
        for keyword, bound in zip(("min", "max"), bounds)
        if bound != Const(None)
    ]
    if all(_is_number(bound, facts) for _, bound in told):
        return Apply("numpy.clamp", node.args[:1], tuple(told))
    found = node.args[0]
    for keyword, bound in told:
        name = "numpy.maximum" if keyword == "min" else "numpy.minimum"
        if _is_number(bound, facts):
            found = Apply("numpy.clamp", (found,), ((keyword, bound),))
        else:
            found = Apply(name, (found, bound))
    return found


def dotted(node: Apply, facts: Facts) -> Expr | None:
    """np.dot(x, y) of vectors and matrices as x @ y: torch.dot takes vectors alone."""
    ranks = [facts.of(arg).rank for arg in node.args]
    return matmul(*node.args) if all(rank in (1, 2) for rank in ranks) else None


def paired(node: Apply, facts: Facts) -> Expr | None:
    """np.vdot(x, y) of two real vectors as torch.sum(x * y)."""
    is_real = not any(map(facts.is_complex, node.args))
    return sum_of_products(node, facts) if is_real else None


def over(node: Apply, facts: Facts) -> Expr | None:
    """np.tensordot(x, y, axes=1) with its axes in their place."""
    given = dict(node.kwargs)
    axes = given.pop("axes", None)
    return None if given or axes is None else Apply(node.op, (*node.args, axes))


def both_tensors(node: Apply, facts: Facts) -> Expr | None:
    """np.logaddexp(0, x) as torch.logaddexp(torch.full_like(x, 0), x)."""
    numbers = [_is_number(arg, facts) for arg in node.args]
    if node.kwargs or len(numbers) != 2 or all(numbers) or not any(numbers):
        return None
    x, y = node.args
    if numbers[0]:
        return Apply(node.op, (call("numpy.full_like", y, x), y))
    return Apply(node.op, (x, call("numpy.full_like", x, y)))


def stacked(node: Apply, facts: Facts) -> Expr | None:
    """np.array(list) of tensors as torch.stack(list), of numbers as a tensor."""
    (entries,) = node.args[:1]
    is_list = facts.is_list(entries) or getattr(entries, "op", "") == "list"
    if not node.kwargs and is_list and _is_literal(entries):
        whole = facts.kind(entries) in (Kind.BOOLEAN, *INTEGRAL)
        dtype = Const("float64", "np.float64")
        return Apply("numpy.tensor", (entries,), () if whole else (("dtype", dtype),))
    if node.kwargs or not is_list or facts.kind(entries) is Kind.WEAK:
        return None
    return call("numpy.stack", entries)


def _is_literal(expr: Expr) -> bool:
    """Whether a list is written out in numbers."""
    if isinstance(expr, Apply) and expr.op in ("list", "tuple"):
        return all(map(_is_literal, expr.args))
    if isinstance(expr, Apply) and expr.op == "numpy.negative":
        return isinstance(expr.args[0], Const)
    return isinstance(expr, Const) and isinstance(expr.value, (bool, int, float))


def moved(node: Apply, facts: Facts) -> Expr | None:
    """x.astype(t) as x.to(t, copy=True): without it, x itself where it has that dtype."""
    if len(node.args) != 2 or node.kwargs:
        return None
    whole = facts.kind(node.args[0]) in (Kind.BOOLEAN, *INTEGRAL)
    if whole and getattr(node.args[1], "text", "") == "np.float64":
        return None
    copied = (("copy", Const(True)),)
    return Apply(node.op, node.args, copied, spelling="method:astype")


def along_the_only(node: Apply, facts: Facts) -> Expr | None:
    """np.cumsum(x) of a vector with the axis that torch wants named."""
    if len(node.args) > 1 or node.kwargs:
        return None
    if facts.rank(node.args[0]) != 1:
        raise GradgenError(
            "GG703",
            "torch has no np.cumsum without axis=, but of a vector that is told",
            advice="np.cumsum(np.ravel(x), axis=0)",
        )
    return Apply(node.op, node.args, (("axis", Const(0)),))


def condition(node: Apply, facts: Facts) -> Expr | None:
    """np.where(c, x, y) of numbers c as torch.where(c != 0, x, y)."""
    if isinstance(node.args[0], Const):
        raise GradgenError(
            "GG706",
            "np.where of a Python value: torch's functions take tensors",
            advice="an if",
        )
    if node.kwargs or facts.is_boolean(node.args[0]):
        return None
    test = Apply("numpy.not_equal", (node.args[0], Const(0)), spelling="operator")
    return Apply(node.op, (test, *node.args[1:]))


def whole(node: Apply, facts: Facts) -> Expr | None:
    """np.sum(x, keepdims=True) with the axis that torch wants named."""
    if not node.kwargs or len(node.args) > 1 or "axis" in dict(node.kwargs):
        return masked(node, facts)
    if not {name for name, _ in node.kwargs} & {"keepdims", "dtype"}:
        return masked(node, facts)
    return Apply(node.op, node.args, (("axis", Const(None)), *node.kwargs))


def double(node: Apply, facts: Facts) -> Expr | None:
    """np.zeros(n) as torch.zeros(n, dtype=torch.float64): torch's own is float32."""
    if "dtype" in dict(node.kwargs):
        return None
    if node.op == "numpy.arange" and all(facts.is_index(arg) for arg in node.args):
        return None
    dtype = Const("float64", "np.float64")
    return Apply(node.op, node.args, (*node.kwargs, ("dtype", dtype)))


def spread(node: Apply, facts: Facts) -> Expr | None:
    """np.var(x) as torch.var(x, correction=0): torch divides by n - 1 by itself."""
    given = dict(node.kwargs)
    if "where" in given:
        return None
    given["correction"] = given.pop("ddof", given.get("correction", Const(0)))
    return Apply(node.op, node.args, tuple(given.items()))


def filled(node: Apply, facts: Facts) -> Expr | None:
    """np.full_like(x, g) as torch.ones_like(x) * g, for a g that is a tensor."""
    if len(node.args) != 2 or _is_number(node.args[1], facts):
        return None
    x, value = node.args
    ones = call("numpy.ones_like", x)
    if facts.kind(value) not in (Kind.MIXED, Kind.WIDE):
        return multiply(ones, value)
    # np.full_like has x's dtype; a number of the host has none of its own
    like = ones if facts.rank(x) in (0, None) else x
    dtype = Apply("dtype", (like,), spelling="attribute:dtype")
    return Apply(
        "numpy.astype", (multiply(ones, value), dtype), spelling="method:astype"
    )


def turned(node: Apply, facts: Facts) -> Expr | None:
    """np.transpose(x) of a matrix as x.T."""
    if facts.of(node.args[0]).rank != 2 or len(node.args) > 1 or node.kwargs:
        return None
    return Apply("numpy.transpose", node.args[:1], spelling="attribute:T")


def shape(node: Apply, facts: Facts) -> Expr | None:
    """np.shape(x) as x.shape."""
    return Apply("numpy.shape", node.args, spelling="attribute:shape")


def ndim(node: Apply, facts: Facts) -> Expr | None:
    """np.ndim(x) as x.ndim."""
    return Apply("numpy.ndim", node.args, spelling="attribute:ndim")


def size(node: Apply, facts: Facts) -> Expr | None:
    """x.size as torch.numel(x)."""
    return Apply("numpy.numel", node.args)


def raised(node: Apply, facts: Facts) -> Expr | None:
    """np.power(x, y) as x ** y."""
    return None if node.kwargs else power(*node.args)


def plus(node: Apply, facts: Facts) -> Expr | None:
    """np.add(x, y) as x + y."""
    return None if node.kwargs else add(*node.args)


def minus(node: Apply) -> Apply:
    """p - (p != 0) as p - 1 * (p != 0): no tensor of truths is subtracted."""
    second = node.args[-1]
    if not isinstance(second, Apply) or second.op not in COMPARISONS:
        return node
    return replace(node, args=(*node.args[:-1], multiply(Const(1), second)))


def times(node: Apply, facts: Facts) -> Expr | None:
    """np.multiply(x, y) as x * y."""
    return None if node.kwargs else multiply(*node.args)


def along(node: Apply, facts: Facts) -> Expr | None:
    """np.roll(x, k, axis=0) with its axis in its place."""
    given = dict(node.kwargs)
    axis = given.pop("axis", None)
    rank = facts.rank(node.args[0])
    if node.op == "numpy.flip" and axis is None and len(node.args) < 2 and rank:
        axis = Apply("tuple", tuple(map(Const, range(rank))))
        return Apply(node.op, (*node.args, axis))
    if given or axis is None and len(node.args) < 2:
        return None
    args = node.args if axis is None else (*node.args, axis)
    if node.op == "numpy.flip" and not isinstance(args[1], Apply):
        args = (args[0], Apply("tuple", args[1:]))
    return Apply(node.op, args)


# asked first; None leaves the call as it is
TORCH_FORMS: Mapping[str, Form] = {
    "numpy.maximum": _bounded("min"),
    "numpy.minimum": _bounded("max"),
    "numpy.arctan2": both_tensors,
    "numpy.hypot": both_tensors,
    "numpy.logaddexp": both_tensors,
    "numpy.array": stacked,
    "numpy.astype": moved,
    "numpy.cumsum": along_the_only,
    "numpy.var": spread,
    "numpy.std": spread,
    "numpy.full_like": filled,
    "numpy.transpose": turned,
    "numpy.shape": shape,
    "numpy.ndim": ndim,
    "numpy.size": size,
    "numpy.power": raised,
    "numpy.add": plus,
    "numpy.multiply": times,
    "numpy.roll": along,
    "numpy.flip": along,
    "numpy.inner": sum_of_products,
    "numpy.dot": dotted,
    "numpy.vdot": paired,
    "numpy.clip": clamped,
    "numpy.tensordot": over,
    "numpy.linalg.multi_dot": multi_dot,
    "numpy.linalg.vector_norm": vector_norm,
    "numpy.where": condition,
    **{f"numpy.{name}": double for name in "eye arange zeros ones".split()},
    **{f"numpy.{name}": whole for name in "sum mean nansum any all".split()},
    "numpy.prod": masked,
}
