"""Measured gradients of random programs against autograd's.

Not everything is compared: autograd 1.9 is itself wrong for some calls that
broadcast, fails on others, and divides by zero in prod.
"""

import re
import warnings

import numpy as np
from autograd import make_vjp

from tests.fuzz.case import Truth, tolerance
from tests.fuzz.generate import generate
from tests.fuzz.program import SAMPLES, imported

AUTOGRAD_IS_WRONG = re.compile(r"norm\(|outer\(|einsum\(|where\(|prod\(|\.dot\(")
PROGRAMS = 150


def autograd_gradient(program, sample, i, seed):
    """autograd's gradient, or None where it has none."""
    source = program.source.replace("import numpy", "import autograd.numpy")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pullback, _ = make_vjp(imported(source, "program"), i)(
                *program.arguments(sample)
            )
            return np.asarray(pullback(seed), dtype=np.float64)
    except (TypeError, ValueError, AttributeError):
        return None


def test_oracle_agrees_with_autograd():
    compared = 0
    for number in range(PROGRAMS):
        program = generate(number)
        if AUTOGRAD_IS_WRONG.search(program.source):
            continue
        truth = Truth(program)
        for sample in SAMPLES:
            for i, param in enumerate(program.params):
                want = truth.gradient(sample, param.name)
                got = autograd_gradient(program, sample, i, truth.seed(sample))
                if got is not None:
                    compared += 1
                    assert got.shape == want.value.shape, program.source
                    off = np.max(np.abs(got - want.value))
                    assert off <= tolerance(want.value), program.source
    assert compared > PROGRAMS  # of some 750; half of the programs are left out
