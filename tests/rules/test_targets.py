"""Every function of autograd's NumPy has a rule, or a recorded reason."""

import re
from pathlib import Path

import numpy as np
import pytest

from gradgen.rules.load import operation_of, operations

HERE = Path(__file__).parent
NAMES = (HERE / "autograd_functions.txt").read_text(encoding="utf-8").split()
PAGE = (HERE.parents[1] / "docs" / "ops.md").read_text(encoding="utf-8")
LISTED = set(re.findall(r"^\| ([\w.]+) \|", PAGE, re.M))
# general rules without a forward form, each for its reason
WITHOUT_FORWARD = {
    "numpy.histogram": "its second result is no function of the weights",
    "numpy.modf": "it has two results",
}


def found(name: str):
    value = np
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def test_the_list_is_whole():
    assert len(NAMES) == len(set(NAMES)) == 151


@pytest.mark.parametrize("name", NAMES)
def test_a_function_of_autograds_is_on_the_page(name):
    if found(name) is None:
        pytest.skip("this NumPy does not have it")
    operation = operation_of().get(id(found(name)))
    assert operation in operations()
    assert operation.removeprefix("numpy.") in LISTED


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
    others = {op for op in missing if op.startswith(("numpy.linalg.", "scipy."))}
    assert missing - others == set(WITHOUT_FORWARD)
