"""The examples with loops can be measured, at both sizes, to ten digits."""

import copy
import importlib
import inspect

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.loop_examples import EXAMPLES


def primal(name):
    module, _, function = EXAMPLES[name].primal.partition(".")
    return getattr(importlib.import_module(f"examples.{module}"), function)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_gradient_can_be_measured(name, size):
    function = primal(name)
    args = EXAMPLES[name].arguments(size, np.random.default_rng(size))
    before = copy.deepcopy(args)
    names = list(inspect.signature(function).parameters)
    result = function(*copy.deepcopy(args))
    seed = np.random.default_rng(5).uniform(0.5, 1.5, np.shape(result))
    assert np.ndim(result) == 0 or EXAMPLES[name].array
    for which in EXAMPLES[name].wrt.split():
        found = numeric_gradient(function, args, names.index(which), seed)
        scale = np.max(np.abs(found.value))
        assert scale > 1e-6, which
        assert np.all(found.error <= 1e-9 * scale), which
    for arg, old in zip(args, before):
        assert np.array_equal(arg, old)


@pytest.mark.parametrize("name", EXAMPLES)
def test_facts_and_names_are_those_of_the_primal(name):
    example = EXAMPLES[name]
    names = list(inspect.signature(primal(name)).parameters)
    assert [n for n in names if n in example.shapes] == list(example.shapes)
    assert set(example.wrt.split()) <= set(example.shapes)
    args = example.arguments(0, np.random.default_rng(0))
    for which, arg in zip(names, args):
        if isinstance(arg, (float, np.ndarray)):
            assert len(example.shapes[which].split()) == np.ndim(arg)
        else:
            assert example.shapes.get(which, "") == ""
