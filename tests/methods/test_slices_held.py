"""Slices and ... as attributes of instances: which part of a vector a method reads."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 1.2, 0.4, 1.1])


class Blocks:
    def __init__(self, part, whole=...):
        self.part, self.whole = part, whole
        self.parts = {"a": slice(0, 2), "b": slice(2, None)}
        self.pairs = [slice(1, 3), (slice(None), None)]

    def read(self, x):
        return np.sum(x[self.part] ** 2) * x[self.whole].sum()

    def gone_over(self, x):
        s = 0.0
        for part in self.parts.values():
            s = s * 2 + np.sum(x[part] ** 2)
        return s + np.sum(x[self.pairs[1]])

    def stored(self, x):
        y = x.copy()
        y[self.part] *= 2
        y[self.parts["b"]] = y[self.pairs[0]]
        return np.sum(y**3)

    def bounds(self, x):
        if self.part.start is None:
            return np.sum(x) * (self.part.stop or 1)
        return np.sum(x[self.part.start :] ** 2)


PARTS = [slice(0, 2), slice(1, None), slice(None, None, -2), slice(None, 3)]
NAMES = ("read", "gone_over", "stored", "bounds")


def is_right(method, gradient):
    want = numeric_gradient(lambda x: method(x), [X], 0).value
    np.testing.assert_allclose(gradient(X), want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", PARTS, ids=str)
def test_as_it_is(part, name):
    method = getattr(Blocks(part), name)
    is_right(method, gradgen.grad(method))


@pytest.mark.parametrize("name", NAMES)
def test_another_at_the_next_call(name):
    blocks = Blocks(PARTS[0])
    method = getattr(blocks, name)
    gradient = gradgen.grad(method)
    for part in (*PARTS, slice(0, 2)):
        blocks.part = part
        blocks.parts["a"] = part
        is_right(method, gradient)
        is_right(method, gradient)


def test_the_text_tells():
    text = gradgen.emit(Blocks(slice(0, 2)).read)
    assert "Decided: self.part is slice(0, 2, None); self.whole is ..." in text


def test_bounds_that_are_no_whole_numbers_are_refused():
    with pytest.raises(gradgen.GradgenError, match="GG272"):
        gradgen.grad(Blocks(slice(np.int64(0), 2)).read)(X)
