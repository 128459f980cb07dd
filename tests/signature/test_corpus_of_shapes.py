"""The corpus of programs that were wrong for arguments of some shapes."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.corpus.shapes import HEAD, PROGRAMS
from tests.fuzz.program import imported

RAISED = ("taken for", "expected ", "no gradient here")


def of(name):
    source, shapes = PROGRAMS[name]
    function = imported(HEAD + source, "f")
    for k, given in enumerate(shapes):
        rng = np.random.default_rng(k)
        args = [rng.normal(size=shape) for shape in given]
        seed = rng.normal(size=np.shape(function(*args)))
        wants = [numeric_gradient(function, args, at, seed).value for at in (0, 1)]
        yield function, args, seed, wants


def compared(found, wants):
    for got, want in zip(found, wants, strict=True):
        assert np.shape(got) == np.shape(want)
        assert np.asarray(got).dtype == np.float64
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_with_nothing_told(name):
    count, space = 0, {}
    for function, args, seed, wants in of(name):
        if not space:
            exec(gradgen.emit(function, (0, 1)), space)
        try:
            found = space["grad_f"](*args, seed)
        except ValueError as error:
            assert any(words in str(error) for words in RAISED), error
            continue
        compared(found, wants)
        count += 1
    assert count


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_derivative_called_in_turn(name):
    count, gradient = 0, None
    for function, args, seed, wants in of(name):
        gradient = gradient or gradgen.grad(function, (0, 1))
        try:
            found = gradient(*args, seed=seed)
        except GradgenError as refusal:
            assert "GG302" in str(refusal), refusal
            continue
        compared(found, wants)
        count += 1
    assert count
