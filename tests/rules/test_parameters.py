"""Every parameter of every rule, at values other than its default: right or refused.

The calls are made from the rule table and the lines of the rule tests (swept.py).
"""

import pytest

import gradgen
from gradgen.rules.load import operations
from tests.rules.checker import shaped
from tests.rules.swept import called, variants, wrong
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
CALLS = called([*LINES, *MORE])
# words of the engine, methods, and what is refused or made of no argument
NO_CALL = ("helper.", "finfo", "numpy.random.")
FLAT = ("refused", "boolean", "integer", "constant", "creation")  # no derivative
WITHOUT = {"numpy.row_stack"}  # gone in NumPy 2.4
# Not swept: their options are measured by lines of their own, in test_distributions,
# test_moments, test_scipy_more and test_spacings.
BESIDE = (
    "scipy.stats.",
    "scipy.spatial.distance.",
    "scipy.integrate.",
    "scipy.signal.",
)
BESIDE += ("numpy.logspace", "numpy.geomspace", "numpy.ediff1d", "scipy.special.zeta")
BESIDE += tuple(f"numpy.{m}.accumulate" for m in ("maximum", "minimum", "fmax", "fmin"))


def found(op: str, lines: int, values: int, told: bool = True) -> list[str]:
    faults = []
    for variant in variants(op, CALLS[op], lines, values):
        fault = wrong(variant, gradgen, told)
        if fault not in ("", "-"):
            faults.append(f"{variant.text} of {variant.line.shapes[0]}: {fault}")
    return faults


@pytest.mark.parametrize("op", CALLS)
def test_parameters(op):
    faults = found(op, 1, 1)  # test_all_values has the others
    assert not faults, "\n".join(faults[:3])


@pytest.mark.long
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("op", CALLS)
def test_all_values(op, told):
    faults = found(op, 2, 99, told)
    assert not faults, "\n".join(faults[:3])


def test_every_rule_with_parameters_is_swept():
    missing = []
    for op, rule in operations().items():
        optional = any(param.default is not None for param in rule.params)
        ours = "." not in op or op.startswith(NO_CALL) or rule.kind in FLAT
        if optional and not ours and op not in CALLS:
            missing.append(op)
    missing = [op for op in missing if not op.startswith(BESIDE)]
    assert set(missing) <= WITHOUT, missing
