"""Every rewriting fits some function, and leaves what it returns as it is."""

from random import Random

import numpy as np
import pytest

import gradgen
from tests.metamorphic.campaign import Table, of_seed
from tests.metamorphic.judging import judged
from tests.metamorphic.originals import Original, originals
from tests.metamorphic.registry import REWRITINGS, TABLES, rewritten, same

TEXT = """import numpy as np


def small(x, steps):
    y = np.tanh(x) + 0.5
    for k in range(steps):
        y = y * x
        y[0] = 2.0 * x[1]
        y[1] += np.sum(x)
    if y[0] > 0:
        return np.sum(y**2)
    t = y.sum()
    return t
"""
X = np.array([0.4, 0.9, 1.31, 1.7])
SMALL = Original("small", TEXT, "small", ("x", "steps"), (X, 2))


@pytest.mark.parametrize("name", REWRITINGS)
def test_it_fits_and_means_the_same(name):
    rng = Random(name)
    for original in (SMALL, *rng.sample(originals(), 60)):
        found = rewritten(original, name, rng)
        if found is not None:
            break
    made, way = found
    assert made.text != original.text, way
    assert same(made.value(), original.value()), way


def test_a_table_is_read_in_full():
    """Each way has a pattern and a text; the slots of the text are in the pattern."""
    ways = [way for one in TABLES for way in one.ways]
    assert len(ways) > 500
    assert all(way.pattern and way.text for way in ways)
    assert not any("=>" in part for way in ways for part in (way.pattern, way.text))


def test_a_wrong_gradient_is_found(monkeypatch):
    right = gradgen.grad

    def doubled(*args, **options):
        made = right(*args, **options)
        return lambda *a, **k: 2 * np.asarray(made(*a, **k))

    assert {one.verdict for one in judged(SMALL, Random(0)).values()} == {"right"}
    monkeypatch.setattr(gradgen, "grad", doubled)
    assert judged(SMALL, Random(0))["first"].verdict == "wrong"


def test_a_seed_is_a_function_and_its_outcomes():
    found, again = of_seed(3), of_seed(3)
    assert found.rewritten.text == again.rewritten.text and found.by == again.by
    table = Table()
    table.add(found)
    assert found.gravest.verdict in table.text and "all" in table.text
