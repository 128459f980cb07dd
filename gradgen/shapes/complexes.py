"""Which values are complex: a real variable gets the real part of what flows to it.

Arguments are real unless told otherwise; from there on the text alone decides.
"""

from __future__ import annotations

from collections.abc import Set

from gradgen.errors import GradgenError
from gradgen.ir.callee import callee_of
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.operators import ARITHMETIC, STORES
from gradgen.rules.load import operations
from gradgen.rules.refusals import names_dtype, sort_of_dtype
from gradgen.rules.binding import bind
from gradgen.rules.rule import Rule

# operations that compute in the sort of their first argument
OF_THE_FIRST = {
    *"point stopped getitem setitem additem add_at unreduce unbroadcast hosting".split(),
    *"numpy.zeros_like numpy.ones_like numpy.full_like".split(),
    *"numpy.pad numpy.insert dtype numpy.result_type".split(),
}
# of these, the ones that would drop an imaginary part that is put in
DROPPING = {"numpy.full_like", "numpy.pad", "numpy.insert", *STORES}
# what operations without a name of their own are called
_NAMES = dict.fromkeys(STORES, "a store into a real array")
# functions whose first result is their first argument's, and so on
ONE_FOR_EACH = {
    f"numpy.{name}"
    for name in "atleast_1d atleast_2d atleast_3d broadcast_arrays meshgrid".split()
}
# parameters that choose, and are no part of the result
CHOOSING = ("condition", "condlist", "dtype", "dtype_", "where", "indices", "key")


def is_complex(expr: Expr, complexes: Set[Var]) -> bool:
    """Whether an expression's value is complex, or a dtype that is."""
    if isinstance(expr, Ref):
        return expr.var in complexes
    if isinstance(expr, Const):
        items = expr.value if isinstance(expr.value, tuple) else (expr.value,)
        return any(isinstance(item, complex) for item in items)
    assert isinstance(expr, Apply)
    if expr.op in ARITHMETIC and not expr.kwargs:
        return any(is_complex(arg, complexes) for arg in expr.args)
    if expr.op == "astype":  # the cast of a gradient at the return
        return is_complex(expr.args[1], complexes)
    if expr.op in ("realpart", "part", "share", "pulled", "vjp"):
        return False  # kept calls are real
    rule = operations().get(expr.op)
    bound = bind(rule, expr) if rule is not None else {}
    dtype = dtype_asked(bound) or dict(expr.kwargs).get("dtype")
    if dtype is not None:
        return is_complex_dtype(dtype, complexes)
    if expr.op in OF_THE_FIRST:
        return is_complex(expr.args[0], complexes)
    if rule is None:
        return any(is_complex(arg, complexes) for arg in expr.args)
    if rule.kind in ("boolean", "integer"):
        return False
    if rule.field in ("to_complex", "from_real", "to_real"):
        return rule.field != "to_real"
    return any(is_complex(arg, complexes) for arg in operands_of(bound))


def is_complex_dtype(dtype: Expr, complexes: Set[Var]) -> bool:
    """Whether a dtype argument is a complex one, by name or an array's own."""
    if names_dtype(dtype):
        return is_complex(dtype, complexes)
    if isinstance(dtype, Ref) and dtype.var.origin is Origin.PARAM:
        return False
    return sort_of_dtype(dtype) == "c"


def dtype_asked(bound: dict[Var, Expr]) -> Expr | None:
    """The dtype that a call asks for."""
    for param, value in bound.items():
        if param.name in ("dtype", "dtype_") and value != Const(None):
            return value
    return None


def operands_of(bound: dict[Var, Expr]) -> list[Expr]:
    """What the result is computed of."""
    return [value for param, value in bound.items() if param.name not in CHOOSING]


def refuse_complex(expr: Expr, complexes: Set[Var]) -> None:
    """Raises GradgenError for an operation whose rule is not for complex numbers."""
    if not isinstance(expr, Apply):
        return
    if expr.op == "kept":
        _refuse_complex_call(expr, complexes)
    rule, bound = refuse_real_rule(expr, complexes)
    if rule is None:
        return
    given = [is_complex(operand, complexes) for operand in operands_of(bound)]
    name = rule.op.removeprefix("numpy.")
    if rule.op in ONE_FOR_EACH and not all(is_complex(a, complexes) for a in expr.args):
        raise GradgenError(
            "GG312",
            f"{name} of real and complex arguments together",
            advice=f"one np.{name} of the real and one of the complex, or x + 0j",
        )
    drops = rule.op in DROPPING and not given[0]
    if drops or _casts_to_real(rule, bound, complexes):
        raise GradgenError(
            "GG313",
            f"{_NAMES.get(name, name)} drops the imaginary part of a complex number here",
            advice="np.real of it",
        )


def refuse_real_rule(
    expr: Apply, complexes: Set[Var]
) -> tuple[Rule | None, dict[Var, Expr]]:
    """Raises GradgenError for complex operands of a rule that is for real ones.

    The rule and what its parameters stand for, where an operand is complex.
    """
    rule = operations().get(expr.op)
    if rule is None or rule.kind in ("boolean", "integer"):
        return None, {}
    bound = bind(rule, expr)
    if not any(is_complex(operand, complexes) for operand in operands_of(bound)):
        return None, {}
    if not rule.field:
        name = rule.op.removeprefix("numpy.")
        raise GradgenError(
            "GG312",
            f"{name} has no rule for complex arguments",
            advice="np.abs, np.real or np.imag of them",
        )
    return rule, bound


def _refuse_complex_call(call: Apply, complexes: Set[Var]) -> None:
    if any(is_complex(arg, complexes) for arg in call.args[1:]):
        callee = callee_of(call)
        advice = "a loop" if callee.recursive else "the text without --keep-calls"
        raise GradgenError(
            "GG314",
            f"the call of {callee.name} has complex arguments: it cannot stay a call",
            advice=advice,
        )


def _casts_to_real(rule: Rule, bound: dict[Var, Expr], complexes: Set[Var]) -> bool:
    """Whether a function is told to compute with complex numbers in a real dtype."""
    dtype = None if rule.kind == "constant" else dtype_asked(bound)
    return dtype is not None and not is_complex_dtype(dtype, complexes)
