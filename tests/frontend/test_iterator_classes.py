"""Instances that are gone through: by __iter__; a __next__ of one's own is refused."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X = np.array([0.7, 1.2, -0.4, 0.9])
HEAD = """
import numpy as np

class Walk:
    def __init__(self, items):
        self.items, self.i = items, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i == len(self.items):
            raise StopIteration
        self.i += 1
        return self.items[self.i - 1]

class Walked:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return Walk(self.items)

class Around(Walked):
    def __iter__(self):
        return iter(self.items)

class Yielded(Walked):
    def __iter__(self):
        for v in self.items:
            yield v
"""
USES = """
sum(<C>(x))
sum(v**2 for v in <C>(x))
sum([a * b for a, b in zip(<C>(x), x)])
sum([*<C>(x)]) * x[0]
np.sum(np.array(list(<C>(x))) ** 2)
max(<C>(x))
sum(v * i for i, v in enumerate(<C>(x)))
""".strip().splitlines()


def program(use: str, name: str):
    text = use.replace("<C>", name)
    return imported(f"{HEAD}\n\ndef f(x):\n    return {text}\n", "f")


@pytest.mark.parametrize("name", ["Walk", "Walked"])
@pytest.mark.parametrize("use", USES)
def test_an_iterator_of_a_class_is_refused(use, name):
    error = refusal(program(use, name))
    assert error.code == "GG243" and "__iter__ as a generator" in error.advice


@pytest.mark.parametrize("name", ["Around", "Yielded"])
@pytest.mark.parametrize("use", USES[:5])
def test_what_iter_and_a_generator_go_over_is_right(use, name):
    f = program(use, name)
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X.copy()), want, rtol=1e-6, atol=1e-8)


KEYS = """
x[0] * {"b": 3.0, "a": 1.0}[max({"b": 2.0, "a": 5.0})]
x[0] * sum({2: x[1], 3: x[0]})
x[0] * min({2.0: x[1], 3.0: x[0]})
""".strip().splitlines()


@pytest.mark.parametrize("use", KEYS)
def test_going_through_a_dictionary_gives_its_keys(use):
    f = program(use, "")
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X.copy()), want, rtol=1e-6, atol=1e-8)
