"""Names and keywords that cupy does not have: found in a text, and kept out of one."""

import ast

import numpy as np
import pytest

from gradgen.errors import GradgenError
from gradgen.target.links import links, missing
from gradgen.target.table import target_named
from gradgen.target.texts import refuse_missing
from tests.target.device_array import fetched
from tests.target.place import cupy_here, given, within
from tests.target.texts import Asked, committed, defined, difference

CUPY = links("cupy")
# a fault as one line, and what is said of it
FAULTS = {
    "d_x = cp.sum(d_out, where=X > 0)": "where= of cp.sum",
    "d_x = cp.exp(X, where=X > 0)": "where= of cp.exp",
    "d_x = cp.vecdot(X, Y)": "cp.vecdot",
    "d_x = cp.var(X, correction=1)": "correction= of cp.var",
    "with cp.errstate(all='ignore'): pass": "cp.errstate",
    "d_x = cp.linalg.multi_dot([X, Y])": "cp.linalg.multi_dot",
    "d_x = cp.maximum.accumulate(X)": "cp.maximum.accumulate",
}


def planted(text: str, line: str) -> tuple[str, int]:
    """The text with a line behind the docstring of its function, and its number."""
    lines = text.splitlines()
    (function,) = (n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef))
    place = function.body[0].end_lineno
    return "\n".join([*lines[:place], f"    {line}", *lines[place:]]), place + 1


@pytest.mark.parametrize("line", FAULTS)
def test_a_planted_fault_is_found_with_its_line(line):
    text = committed("cosine_loss", "cupy")
    assert missing(text, CUPY, "cp", "cupyx.scipy") == []
    text, number = planted(text, line)
    (found,) = missing(text, CUPY, "cp", "cupyx.scipy")
    assert (found.line, found.what) == (number, FAULTS[line])


def test_all_of_them_at_once():
    text = committed("cosine_loss", "cupy")
    for line in FAULTS:
        text, _ = planted(text, line)
    found = [one.what for one in missing(text, CUPY, "cp", "cupyx.scipy")]
    assert found == list(FAULTS.values())[::-1]


def test_names_of_scipy_are_looked_up_as_well():
    text = "from cupyx.scipy import linalg\n\nx = linalg.cho_solve(linalg.lu(a), b)\n"
    assert [(f.line, f.what) for f in missing(text, CUPY, "cp", "cupyx.scipy")] == [
        (3, "linalg.cho_solve")
    ]


def masked_sum(x, y):
    return np.sum(x * y, where=x > 0)


def masked_exponential(x, y):
    return np.sum(np.exp(x, where=x > 0, out=np.zeros_like(x)) * y)


def rows_by_rows(x, y):
    return np.vecdot(x, y)


def sample_variance(x, y):
    return np.var(x, correction=1) * np.sum(y)


def without_warnings(x, y):
    with np.errstate(divide="ignore"):
        z = np.log(np.abs(x))
    return np.sum(z * y)


def chain_of_products(x, y):
    return np.sum(np.linalg.multi_dot([x.T, y, x.T]))


PRIMALS = (
    masked_sum,
    masked_exponential,
    rows_by_rows,
    sample_variance,
    without_warnings,
    chain_of_products,
)


@pytest.mark.parametrize("primal", PRIMALS, ids=lambda f: f.__name__)
def test_a_primal_that_uses_one_is_rewritten(primal):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    for form in ({}, {"value": True}):
        asked = Asked(primal, ("x", "y"), {"x": "n d", "y": "n d"}, form)
        text = asked.text("cupy")
        assert missing(text, CUPY, "cp", "cupyx.scipy") == []
        value = primal(x, y)
        seed = rng.uniform(0.5, 1.5, np.shape(value))[()]
        want = defined(asked.text())(x, y, seed)
        with cupy_here():
            got = defined(text)(given(x), given(y), given(seed))
        assert not difference(fetched(got), want, within(1e-12)), text


def test_a_text_that_calls_its_library_otherwise_is_looked_up_as_well():
    """Where cp is a name of the primal's, the module is called cupy."""
    target = target_named("cupy", "")
    text = "import cupy\n\n\ndef grad_f(cp):\n    return cupy.vecdot(cp, cp)\n"
    with pytest.raises(GradgenError, match="GG702 .*cupy.vecdot"):
        refuse_missing(text, target)
    refuse_missing(text.replace("vecdot", "dot"), target)
