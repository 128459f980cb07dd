"""Fields that an instance has by one way of a branch or a loop, and not by the other."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

HEAD = """import numpy as np
from types import SimpleNamespace


class Item:
    def __init__(self, x):
        self.x = x

    def maybe(self):
        if np.sum(self.x) > 0:
            self.z = 2 * self.x
        return self


class Counted(Item):
    z = 3.0


def f(x):
"""
GIVEN = np.array([0.7, 1.9]), np.array([-0.7, -1.9])
# how w gets its z where the sum of x is positive
WAYS = {
    "arm": "w = Item(x)\nif np.sum(x) > 0:\n    w.z = x * x",
    "method": "w = Item(x).maybe()",
    "namespace": "w = SimpleNamespace()\nif np.sum(x) > 0:\n    w.z = x * x",
    "loop": "w = Item(x)\nfor v in x:\n    if v > 0:\n        w.z = v * x",
    "while": "w = Item(x)\ni = 0\nwhile i < 2 and x[i] > 0:\n    w.z = x[i] * x\n    i += 1",
    "nested": "w = Item(x)\nfor v in x:\n    for u in x:\n        if u * v > 0 and u > 0:\n"
    "            w.z = u * x",
    "either": "w = Item(x)\nif np.sum(x) > 0:\n    w.z = x * x\nelse:\n    w.y = x",
    "called": "w = Item(x)\n\n\ndef put(w):\n    if np.sum(w.x) > 0:\n        w.z = w.x * 3\n\n\n"
    "put(w)",
}
READS = {
    "value": "np.sum(w.z * w.z)",
    "linear": "np.sum(w.z)",
    "twice": "np.sum(w.z) * np.sum(w.z * x)",
    "asked": "np.sum(w.z * x) if hasattr(w, 'z') else np.sum(x ** 3)",
    "got": "np.sum(getattr(w, 'z', x ** 2) * x)",
    "method": "np.sum(w.x * w.z) if isinstance(w, Item) else np.sum(w.z)",
}


def made(way, result):
    lines = [f"    {line}".rstrip() for line in [*way.split("\n"), f"return {result}"]]
    return imported(HEAD + "\n".join(lines) + "\n", "f")


def agrees(function, x):
    want = numeric_gradient(function, [x.copy()], 0).value
    np.testing.assert_allclose(
        gradgen.grad(function)(x.copy()), want, rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("way", WAYS)
def test_the_gradient_raises_where_the_function_does(way, read):
    function = made(WAYS[way], READS[read])
    for x in GIVEN:
        try:
            function(x.copy())
        except AttributeError as error:
            with pytest.raises(AttributeError, match=str(error)[-25:]):
                gradgen.grad(function)(x.copy())
        else:
            agrees(function, x)


@pytest.mark.parametrize("read", READS)
def test_what_the_class_has_is_read_where_the_instance_has_none(read):
    way = "w = Counted(x)\nif np.sum(x) > 0:\n    w.z = 2.0"
    for x in GIVEN:
        agrees(made(way, READS[read]), x)


@pytest.mark.parametrize("way", WAYS)
def test_a_handler_that_takes_the_missing_field_is_refused(way):
    tried = "\ntry:\n    z = w.z\nexcept AttributeError:\n    z = x ** 2"
    function = made(WAYS[way] + tried, "np.sum(z * x)")
    function(GIVEN[1].copy())
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(function)(GIVEN[1].copy())


def test_a_store_sets_the_field():
    way = WAYS["arm"] + "\nw.z = x ** 3"
    for x in GIVEN:
        agrees(made(way, "np.sum(w.z * x) * hasattr(w, 'z')"), x)
