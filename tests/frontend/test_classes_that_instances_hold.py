"""isinstance with a class that an instance of the module has: registry.Quantity."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

MODULE = """class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)


class Registry(metaclass=Meta):
    def __init__(self):
        self.Quantity = type("Quantity", (), {})

    def __getattr__(self, name):
        raise AttributeError(name)


class Plain:
    def __init__(self):
        self.Quantity = type("Quantity", (), {})


registry, plain = Registry(), Plain()


def plain_number(v):
    if isinstance(v, registry.Quantity):
        return v.magnitude
    return v * 2.0


"""


@pytest.mark.parametrize(
    "line",
    [
        "np.sum(plain_number(x) * x)",
        "sum(plain_number(v) ** 2 for v in x)",
        "np.sum(x) if isinstance(x, (str, registry.Quantity)) else np.sum(x * x)",
        "np.sum(x) if isinstance(x, plain.Quantity) else np.sum(x * x)",
    ],
)
def test_is_none(line, tmp_path):
    text = MODULE + f"def f(x):\n    return {line}\n"
    compare(written(text, tmp_path), (np.array([0.7, 0.4, -0.3]),))
