"""A method that a class inherits of one in another module: the class that is named counts."""

import sys

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

BASES = """
from abc import ABC, abstractmethod


class Base(ABC):
    def __init__(self, rate):
        self.rate = rate

    @abstractmethod
    def forward(self, x): ...

    def twice(self, x):
        return 2 * self.forward(x)

    def __call__(self, x, error=None):
        return self.forward(x) * error if error is not None else self.forward(x)


class Plain:
    def forward(self, x):
        return x * 3

    def shifted(self, x):
        return self.forward(x) + 1
"""
CLASSES = """
import numpy as np

from bases_of_layers import Base, Plain


class Sine(Base):
    def forward(self, x):
        return self.rate * np.sin(x)


class Cubed(Plain):
    def forward(self, x):
        return x**3
"""


@pytest.fixture
def layers(tmp_path, monkeypatch):
    (tmp_path / "bases_of_layers.py").write_text(BASES)
    (tmp_path / "layers_here.py").write_text(CLASSES)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "layers_here"
    for name in ("bases_of_layers", "layers_here"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("sign", [":", "."])
@pytest.mark.parametrize(
    "name, want",
    [
        ("Sine.twice", 4 * np.cos(0.7)),
        ("Sine.__call__", 2 * np.cos(0.7)),
        ("Cubed.shifted", 3 * 0.7**2),
    ],
)
def test_the_class_that_is_named_tells_of_the_instance(layers, sign, name, want):
    space = {}
    exec(gradgen.emit(f"{layers}{sign}{name}"), space)
    kind = getattr(sys.modules[layers], name.split(".")[0])
    instance = kind(2.0) if kind.__name__ == "Sine" else kind()
    gradient = next(v for k, v in space.items() if k.startswith("grad_"))
    np.testing.assert_allclose(gradient(instance, 0.7), want, rtol=1e-12)


def test_a_path_and_a_class(layers, tmp_path):
    text = gradgen.emit(f"{tmp_path}/layers_here.py:Sine.twice")
    assert "np.cos" in text


def test_the_base_itself_has_no_such_method(layers):
    with pytest.raises(GradgenError):
        gradgen.emit("bases_of_layers:Base.twice")


IN_ONE_FILE = """
import numpy as np


class Slow:
    def __init__(self):
        self.gain = 2.0

    def control(self, x):
        return self.gain * self.kick(x)

    def kick(self, x):
        return x


class Fast(Slow):
    def __init__(self):
        super().__init__()
        self.more = 3.0

    def kick(self, x):
        return self.more * np.sin(x)
"""


def test_both_in_one_file(tmp_path):
    path = tmp_path / "controllers.py"
    path.write_text(IN_ONE_FILE)
    text = gradgen.emit(f"{path}:Fast.control", wrt="self.more")
    assert "np.sin" in text
    assert "np.sin" not in gradgen.emit(f"{path}:Slow.control")
