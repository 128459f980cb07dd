"""What changes in place by slices that end early: where NumPy raises, so does the text.

A text may change a copy of an argument (`out = target + part`), and one for numba has
no room of its own to look at: they look at the lengths themselves.
"""

import itertools

import numpy as np
import pytest

import gradgen
from tests.target.numba_texts import function_of


def windows(target, image):
    rows = len(target)
    out = np.zeros_like(target)
    for i in range(3):
        out += image[i : i + rows]
    return np.sum(out**2)


def rest(target, image):
    out = np.zeros_like(target)
    for i in range(3):
        out += np.sin(image[i : i + len(out)])
    return np.sum(out**2)


def into_the_argument(target, image):
    rows = len(target)
    out = target
    out += image[1 : 1 + rows]
    return np.sum(out**2)


def scaled(target, image):
    out = target * 2
    out *= image[1 : 1 + len(out)]
    return np.sum(out**2)


SHAPES = {"target": "n", "image": "m"}
WAYS = {
    "told": {"shapes": SHAPES},
    "numba": {"shapes": SHAPES, "target": "numba"},
    "general": {"general": True},
}


def outcome(function, *lengths):
    args = [np.linspace(0.1, 1.0, lengths[0]), np.linspace(0.3, 2.0, lengths[1])]
    try:
        found = function(*args)
    except (ValueError, IndexError):
        return None
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("function", [windows, rest, into_the_argument, scaled])
@pytest.mark.parametrize("way", WAYS)
def test_the_text_raises_where_the_function_does(function, way):
    compare(function, function_of(gradgen.emit(function, value=True, **WAYS[way])))


@pytest.mark.parametrize("function", [windows, into_the_argument])
def test_so_it_does_where_it_is_compiled(function):
    pytest.importorskip("numba")
    text = gradgen.emit(function, value=True, **WAYS["numba"])
    compare(function, function_of(text, compiled=True))


def compare(function, text):
    ran = 0
    for lengths in itertools.product((1, 2, 4), (1, 2, 3, 4, 6, 7)):
        want, got = outcome(function, *lengths), outcome(text, *lengths)
        assert want is not None or got is None, lengths
        if want is not None and got is not None:
            assert got == pytest.approx(want), lengths
            ran += 1
    assert ran
