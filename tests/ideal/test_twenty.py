"""Twenty gradients written by hand: they are right, and many are printed as they are."""

import copy
from pathlib import Path

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.ideal.twenty import sources
from tests.ideal.twenty.cases import CASES

HERE = Path(__file__).parent / "twenty"


def by_hand(name: str) -> str:
    return (HERE / f"{name}.txt").read_text(encoding="utf-8")


def emitted(name: str) -> str:
    """The text that is printed, without its header; a text may need no import."""
    case = CASES[name]
    text = gradgen.emit(
        getattr(sources, name), wrt=case.wrt, value=case.value, shapes=case.shapes
    )
    lines = text.splitlines(keepends=True)
    while lines[0].startswith("#") or not lines[0].strip():
        del lines[0]
    return "".join(lines)


def held_against_differences(name: str, text: str) -> None:
    case, primal = CASES[name], getattr(sources, name)
    namespace: dict = {}
    exec(text, namespace)
    verb = "value_and_grad" if case.value else "grad"
    out = primal(**copy.deepcopy(case.arguments))
    seed = 0.7 * np.cos(np.arange(np.size(out))).reshape(np.shape(out))
    order = primal.__code__.co_varnames[: primal.__code__.co_argcount]
    names = [one for one in order if one in case.arguments]
    arguments = [case.arguments[one] for one in names]
    ahead = dict(zip(names, copy.deepcopy(arguments), strict=True))
    seed_name = next(
        one
        for one in namespace[f"{verb}_{name}"].__code__.co_varnames
        if one.startswith("d_")
    )
    found = namespace[f"{verb}_{name}"](**ahead, **{seed_name: seed[()]})
    if case.value:
        np.testing.assert_array_equal(found[0], out)
        found = found[1]
    found = found if len(case.wrt) > 1 else (found,)
    for one, gradient in zip(case.wrt, found, strict=True):

        def f(*values):
            return primal(**dict(zip(names, values, strict=True)))

        there = names.index(one)
        truth = numeric_gradient(f, arguments, there, seed)
        assert np.shape(gradient) == np.shape(arguments[there])
        if name == "gaussian_nll" and one == "cov":
            # Of a symmetric matrix the symmetric part of its gradient counts.
            truth_value = (truth.value + truth.value.T) / 2
        else:
            truth_value = truth.value
        np.testing.assert_allclose(gradient, truth_value, rtol=1e-6, atol=1e-8)
    for one in names:
        np.testing.assert_array_equal(ahead[one], case.arguments[one])


@pytest.mark.parametrize("name", CASES)
def test_gradient_by_hand_is_right(name):
    held_against_differences(name, by_hand(name))


@pytest.mark.parametrize("name", CASES)
def test_emitted_gradient_is_right(name):
    held_against_differences(name, emitted(name))


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].is_exact])
def test_text_is_the_hand_written_one(name):
    assert emitted(name) == by_hand(name)


def test_every_text_has_a_case():
    assert {path.stem for path in HERE.glob("*.txt")} == set(CASES)
