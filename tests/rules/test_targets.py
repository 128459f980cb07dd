"""Every function of autograd's NumPy, and the parts of scipy, have their rules."""

import re
from pathlib import Path

import numpy as np
import pytest

from gradgen.commands.ops import second_order
from gradgen.rules.load import operation_of, operations

HERE = Path(__file__).parent
NAMES = (HERE / "autograd_functions.txt").read_text(encoding="utf-8").split()
PAGE = (HERE.parents[1] / "docs" / "ops.md").read_text(encoding="utf-8")
LISTED = set(re.findall(r"^\| ([\w.]+) \|", PAGE, re.M))
# general rules without a forward form, each for its reason
WITHOUT_FORWARD = {
    "numpy.nanquantile": "its derivative is refused",
    "numpy.kaiser": "its derivative is refused",
    "numpy.unique": "its derivative is refused",
    "numpy.nanpercentile": "its derivative is refused",
}


# linear rules with an argument that they are not linear in: forward mode refuses it
NOT_LINEAR = {"helper._cumprod_tangent": {"x"}}


def found(name: str):
    value = np
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def test_the_list_is_whole():
    assert len(NAMES) == len(set(NAMES)) == 151


@pytest.mark.parametrize("name", NAMES)
def test_a_function_of_autograds_has_a_gradient_and_is_on_the_page(name):
    if found(name) is None:
        pytest.skip("this NumPy does not have it")
    operation = operation_of().get(id(found(name)))
    assert operations()[operation].given and operations()[operation].forward
    assert operation.removeprefix("numpy.") in LISTED


SCIPY = (
    [
        f"scipy.special.{name}"
        for name in (
            "expit logit erf erfc erfinv gammaln gamma digamma polygamma beta betaln "
            "gammainc xlogy xlog1py entr kl_div rel_entr logsumexp softmax log_softmax "
            "i0 i1 j0 j1 ndtr log_ndtr ndtri"
        ).split()
    ]
    + [
        f"scipy.linalg.{name}"
        for name in (
            "solve_triangular cho_factor cho_solve cholesky solve expm solve_banded"
        ).split()
    ]
    + [f"scipy.stats.norm.{name}" for name in "pdf logpdf cdf logcdf".split()]
    + [
        f"scipy.stats.{name}.logpdf"
        for name in (
            "beta cauchy chi2 expon gamma laplace logistic lognorm t uniform"
        ).split()
    ]
    + ["scipy.signal.convolve"]
)


@pytest.mark.parametrize("name", SCIPY)
def test_a_function_of_scipys_has_a_gradient_and_is_on_the_page(name):
    assert operations()[name].given and operations()[name].forward
    assert name in LISTED


SPELLINGS = (
    "acos arccos asin atan atan2 acosh asinh atanh pow power concat concatenate "
    "permute_dims transpose matrix_transpose vecdot linalg.vecdot linalg.vector_norm "
    "linalg.matrix_norm linalg.matmul linalg.outer linalg.cross linalg.tensordot "
    "linalg.trace linalg.matrix_transpose true_divide absolute mod "
    "cumulative_sum cumulative_prod unstack trapezoid amax amin round around"
).split()


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_spelling_is_known(name):
    if found(name) is None:
        pytest.skip("this NumPy does not have it")
    assert operation_of().get(id(found(name))) in operations()


def test_every_general_rule_has_a_forward_form():
    missing = {
        op
        for op, rule in operations().items()
        if rule.kind == "general" and not rule.forward
    }
    assert missing == set(WITHOUT_FORWARD)


def test_every_linear_rule_is_linear_in_all_that_has_a_gradient():
    """Forward mode leaves nothing out; a rule of another kind has a line t[z] = ..."""
    for op, rule in operations().items():
        if rule.kind == "linear":
            assert set(rule.linear) <= {param.var.name for param in rule.params}, op
            extra = rule.given.difference(rule.linear)
            assert extra == NOT_LINEAR.get(op, set()), op


def test_the_table_says_what_has_a_second_order():
    rules = operations()
    assert {op for op in rules if rules[op].given and not second_order(rules[op])} == {
        "helper._cumprod_adjoint",  # it calls the two others
        "helper._cumprod_tangent",
    }
    calls = rules["numpy.nanmedian"].calls
    assert "numpy.sum" in calls and "numpy.nanquantile" not in calls  # compared only
