"""Lists that methods fill, and that stand in containers of the instance."""

import numpy as np
import pytest

import gradgen

X = np.random.default_rng(0).normal(size=(4, 3))


class Layer:
    def __init__(self):
        self.W = np.random.default_rng(1).normal(size=(3, 2))
        self.seen, self.derived = [], {"Z": [], "inner": {"A": []}}

    def forward(self, x, keep=True):
        z = x @ self.W
        if keep:
            self.seen.append(x)
            self.derived["Z"].append(z)
        return np.sum(np.tanh(z))

    def deeper(self, x):
        z = x @ self.W
        self.derived["inner"]["A"].append(z)
        return np.sum(np.tanh(z))

    def several(self, x):
        z = x @ self.W
        self.derived["Z"].append(z)
        self.derived["inner"]["A"].append((x, z))
        return np.sum(np.tanh(z))


@pytest.mark.parametrize("name", ["forward", "deeper", "several"])
@pytest.mark.parametrize("calls", [0, 1, 3])
def test_how_many_they_have_is_nothing_to_the_text(name, calls):
    layer, around = Layer(), {}
    for _ in range(calls):
        getattr(layer, name)(X)
    exec(gradgen.emit(getattr(layer, name)), around)
    wanted = (1 - np.tanh(X @ layer.W) ** 2) @ layer.W.T
    for more in range(2):
        got = around[f"grad_{name}"](layer, X)
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
        getattr(layer, name)(X)


class Scaled:
    def __init__(self, mode):
        self.options = {"mode": mode, "sizes": [1, 2]}

    def value(self, x):
        k = 2.0 if self.options["mode"] == "twice" else 1.0
        return np.sum(x) * k * len(self.options["sizes"])


def test_what_is_read_is_looked_at_as_it_is_written():
    around = {}
    text = gradgen.emit(Scaled("twice").value)
    assert """self.options["mode"] != "twice\"""" in text
    assert """self.options["mode"] is taken""" in text or "other settings" in text
    exec(text, around)
    assert (around["grad_value"](Scaled("twice"), X) == 4.0).all()
    with pytest.raises(ValueError):
        around["grad_value"](Scaled("once"), X)
