"""Public functions of NumPy and SciPy as they are: right, or refused."""

import pytest

from tests.rules.public import ARGUMENTS, functions, outcome

MODULES = ["numpy", "numpy.linalg", "numpy.fft", "scipy.special", "scipy.linalg"]
MODULES += ["scipy.stats", "scipy.signal", "scipy.integrate", "scipy.spatial.distance"]
SOME = "ediff1d clip average polyval diff gradient cov percentile circmean".split()


def calls() -> list:
    """Every function; those that were wrong or broke once in the test command."""
    return [
        pytest.param(one, id=f"{module}.{name}")
        if name in SOME
        else pytest.param(one, id=f"{module}.{name}", marks=pytest.mark.long)
        for module in MODULES
        for name, one in functions(module)
    ]


@pytest.mark.parametrize("function", calls())
def test_a_public_function(function):
    found = [outcome(function, args) for args in ARGUMENTS]
    assert not [one for one in found if one.startswith("wrong")]
