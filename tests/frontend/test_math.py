"""Functions of the math module: their texts import numpy and math, and nothing else."""

import re

import pytest

import gradgen
from gradgen.ir.operators import MATH
from tests.frontend.writing import written

SECOND = {"ldexp": "3"} | dict.fromkeys(
    ("hypot", "atan2", "pow", "copysign", "fmod"), "0.5"
)
MODES = ("reverse", "forward", "hvp")


@pytest.mark.parametrize("name", MATH)
@pytest.mark.parametrize("mode", MODES)
def test_the_text_imports_nothing_else(name, mode, tmp_path):
    args = f"x, {SECOND[name]}" if name in SECOND else "x"
    first = "[0]" if name in ("frexp", "modf") else ""
    call = f"math.{name}({args}){first}"
    source = f"import math\n\n\ndef f(x):\n    return x * {call}\n"
    text = gradgen.emit(written(source, tmp_path), mode=mode)
    imported = re.findall(r"^(?:import|from) (\S+)", text, re.MULTILINE)
    assert set(imported) <= {"numpy", "math"}


@pytest.mark.parametrize("name", ["gamma", "lgamma"])
def test_a_derivative_that_numpy_has_no_function_for_is_refused(name, tmp_path):
    source = f"import math\n\n\ndef f(x):\n    return math.{name}(x)\n"
    with pytest.raises(gradgen.GradgenError, match="GG205"):
        gradgen.emit(written(source, tmp_path))
