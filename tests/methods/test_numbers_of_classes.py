"""What a class alone tells to be a number is looked at by the text, as a default is."""

from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, -1.5, 2.0])


class Scaled:
    def __init__(self, rate=2.0):
        self.scale = 0.5
        self.rate = rate

    def loss(self, x):
        return np.sum(np.tanh(x * self.rate) * self.scale)


@dataclass
class Shifted:
    shift: float = 0.5

    def loss(self, x):
        return np.sum((x - self.shift) ** 2)


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize(
    "cls, part", [(Scaled, "scale"), (Scaled, "rate"), (Shifted, "shift")]
)
def test_an_array_in_place_of_the_number_is_refused(cls, part, general):
    names: dict = {}
    exec(gradgen.emit(cls.loss, f"self.{part}", general=general), names)
    own = cls()
    start = getattr(own, part)

    def loss(value):
        setattr(own, part, float(value))
        return own.loss(X)

    true = numeric_gradient(loss, [start], 0, np.ones(())).value
    setattr(own, part, start)
    np.testing.assert_allclose(names["grad_loss"](own, X), true, rtol=1e-6)
    setattr(own, part, np.array([1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match=f"{part} (is taken )?for a number"):
        names["grad_loss"](own, X)


def test_what_is_told_is_not_asked_again():
    text = gradgen.emit(Shifted.loss, "x", shapes={"self.shift": "", "x": "n"})
    assert "np.ndim" not in text
