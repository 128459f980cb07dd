"""Classes whose methods are annotated with each other: read once, not once a path."""

import time

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

NAMES = ("Point", "Line", "Plane", "Solid")
CLASS = """class {name}:
    def __init__(self, point, size: float = 2.0):
        self.point = point
        self.size = size

    def {f}(self, x):
        return np.sum((x - self.point) ** 2) * self.size

"""
METHOD = """    def {verb}_{other}(self, other: "{Other}", more: "{Next}" = None):
        self.near = other.point
        return self.{f}(other.point)

"""


def module():
    """The text of classes that each have methods for the others."""
    text = "import numpy as np\n\n\n"
    for name in NAMES:
        text += CLASS.format(name=name, f=f"loss_{name}")
        for verb in ("distance", "angle", "meet"):
            for at, other in enumerate(NAMES):
                following = NAMES[at - 1]
                text += METHOD.format(
                    verb=verb,
                    other=other.lower(),
                    Other=other,
                    Next=following,
                    f=f"loss_{name}",
                )
    return text


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_circle_of_classes_is_read_shortly(name):
    made = imported(module(), name)([0.5, 1.0, 2.0])
    made.point = np.array([0.5, 1.0, 2.0])
    loss = getattr(made, f"loss_{name}")
    began = time.process_time()
    g = gradgen.grad(loss)(np.array([0.1, 0.2, 0.4]))
    assert time.process_time() - began < 5
    want = numeric_gradient(loss, [np.array([0.1, 0.2, 0.4])], 0).value
    np.testing.assert_allclose(g, want, rtol=1e-7)
