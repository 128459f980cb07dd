"""Every parameter of every rule, at values other than its default: right or refused.

The calls are made from the rule table and the lines of the rule tests (swept.py), and
from lines for the rules whose tests are no lines (parameter_lines.py).
"""

import ast
import sys

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.rules.load import operation_of, operations
from tests.fuzz.program import Program
from tests.rules.checker import parameters, shaped
from tests.rules.parameter_lines import OF_RULES, REFUSED
from tests.rules.swept import (
    OF_ARRAYS,
    Variant,
    called,
    first_calls,
    function_of,
    rule_of,
    signature_of,
    variants,
    wrong,
)
from tests.rules.test_second_order import LINES

# a few more calls, of functions whose tests are not lines
MORE = [
    shaped("np.nanquantile(x, 0.5)", "n d"),
    shaped("np.nanpercentile(x, 50)", "n d"),
    shaped("x * np.count_nonzero(x > 0)", "n d"),
    shaped("x.ravel()[np.argmin(x)]", "n d"),
    shaped("x.ravel()[np.nanargmax(x)]", "n d"),
    shaped("x.ravel()[np.nanargmin(x)]", "n d"),
    shaped("np.asfortranarray(x * x)", "n d"),
    shaped("np.logaddexp.reduce(x)", "n d"),
    shaped("np.logaddexp2.reduce(x)", "n d"),
    shaped("np.hypot.reduce(x)", "n d"),
    shaped("x * np.zeros_like(x)", "n d"),
    shaped("x * np.eye(x.shape[1])", "d d"),
    shaped("special.comb(4.5 + x, 2)", "n d"),
    shaped("np.real(special.lambertw(4.5 + x))", "n d"),
    shaped("special.factorial(4.5 + x)", "n d"),
    shaped("special.spherical_jn(2, 4.5 + x)", "n d"),
    shaped("special.spherical_yn(2, 4.5 + x)", "n d"),
    shaped("special.spherical_in(2, 4.5 + x)", "n d"),
    shaped("special.spherical_kn(2, 4.5 + x)", "n d"),
    shaped("special.legendre_p(3, np.tanh(x))", "n d"),
    shaped("special.assoc_legendre_p(3, 2, np.tanh(x))", "n d"),
]
CALLS = called([*LINES, *MORE, *OF_RULES])
# what is copied into texts, and the limits of a dtype: no functions of NumPy's
NO_CALL = ("helper.", "finfo.")
# lines of the tests of rules of which each call is refused
NO_GRADIENT = ("nanquantile", "nanpercentile")


def found(op: str, tried: list[Variant], told: bool = True) -> list[str]:
    faults = []
    for variant in tried:
        fault = wrong(variant, gradgen, told)
        if fault not in ("", "-"):
            faults.append(f"{variant.text} of {variant.line.shapes[0]}: {fault}")
    return faults


@pytest.mark.parametrize("op", CALLS)
def test_parameters(op):
    tried = list(variants(op, CALLS[op], 1, 1))  # test_all_values has the others
    faults = found(op, tried)
    assert not faults, "\n".join(faults[:3])


@pytest.mark.long
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("op", CALLS)
def test_all_values(op, told):
    faults = found(op, list(variants(op, CALLS[op], 2, 99)), told)
    assert not faults, "\n".join(faults[:3])


def test_every_rule_is_swept():
    """But words of the engine's own, and other names of what is swept."""
    names = operation_of()
    same = {op for op in operations() if names.get(id(function_named(op)), op) != op}
    missing = [
        op
        for op in operations()
        if "." in op and not op.startswith(NO_CALL) and op not in CALLS
    ]
    gone = {op for op in missing if function_named(op) is None}  # of another NumPy
    assert set(missing) <= same | gone, missing


def function_named(op: str) -> object:
    """NumPy's or SciPy's function of that name, None where this one has none."""
    library, *names = op.split(".")
    value: object = sys.modules.get(library)
    for name in names:
        value = getattr(value, name, None)
    return value


# NumPy has other names there, or it is written out again as it is
OTHER_PLACES = {"method:clip", "numpy.array_equal"}


@pytest.mark.parametrize("op", [op for op in CALLS if op not in OTHER_PLACES])
def test_options_stand_where_the_function_has_them(op):
    """stats.variation(x, 0, "omit"): the third is its nan_policy, not its ddof."""
    line, place = CALLS[op][0]
    call = list(ast.walk(ast.parse(line.text, mode="eval")))[place]
    theirs = [
        p for p in signature_of(op, function_of(call)) if p.kind < p.VAR_POSITIONAL
    ]
    ours = rule_of(op).params[op.startswith(OF_ARRAYS) :]
    for param, other in zip(ours, theirs):
        if param.default is not None and not param.keyword_only:
            assert other.name == param.var.name.rstrip("_"), (param, theirs)


SPECIAL = [op for op in CALLS if isinstance(function_named(op), np.ufunc)]
SPECIAL = [op for op in SPECIAL if op.startswith("scipy.special.")]


@pytest.mark.parametrize("op", SPECIAL)
def test_masks_of_special_functions_are_refused(op):
    """SciPy's end Python itself for where=, so that the sweep leaves it out."""
    line, place = CALLS[op][0]
    tree = ast.parse(line.text, mode="eval")
    call = list(ast.walk(tree))[place]
    call.keywords.append(ast.keyword("where", ast.Constant(False)))
    params = parameters(line, line.shapes[0])
    program = Program(params, (f"return {ast.unparse(tree)}",))
    with pytest.raises(GradgenError, match="where="):
        gradgen.grad(program.function, shapes={p.name: p.fact for p in params})


class Counted:
    """gradgen, and what it has refused."""

    def __init__(self):
        self.refused = []

    def grad(self, *args, **options):
        try:
            return gradgen.grad(*args, **options)
        except GradgenError as refusal:
            self.refused.append(str(refusal))
            raise

    def jvp(self, *args, **options):
        return gradgen.jvp(*args, **options)


def plain_lines():
    """The lines whose calls are varied, those of which all is refused left out."""
    chosen = [line for calls in CALLS.values() for line, _ in first_calls(calls, 2)]
    lines = dict.fromkeys([*chosen, *OF_RULES])
    return [line for line in lines if line not in REFUSED]


@pytest.mark.parametrize("line", plain_lines(), ids=lambda line: line.text)
def test_the_calls_are_right_as_they_are(line):
    """A line that is refused itself would sweep nothing."""
    engine = Counted()
    fault = wrong(Variant(line, "", line.text), engine)
    allowed = any(word in line.text for word in NO_GRADIENT)
    assert not fault and (allowed or not engine.refused), (fault, engine.refused)
