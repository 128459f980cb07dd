"""Rules are data: three lines make a new one; a mistake names its file and line."""

import importlib
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy
import pytest

from gradgen.errors import GradgenError
from gradgen.ir.text import show
from gradgen.rules.load import folder, operations, read_rules
from gradgen.rules.binding import bind
from gradgen.rules.rule import Adjoint

ROOT = Path(__file__).resolve().parents[2]

NEXTAFTER = """

@elementwise
def nextafter(z, x1, x2):
    d[x1] = d[z]  # one step of the last digit
"""

USE = """
import sys
from pathlib import Path
import gradgen.rules.load as load
load.folder = lambda: Path(sys.argv[1])
from gradgen.cli import run
assert run(["ops"]) == 0
import numpy as np
import gradgen, primal
x = np.array([0.3, -1.2, 2.5])
step = 1e-6
y = np.array([-1.0, -2.0, 3.0])
found = gradgen.grad(primal.f)(x, y)
wanted = (np.nextafter(x + step, y) - np.nextafter(x - step, y)) / (2 * step)
assert np.allclose(found, wanted, rtol=1e-8, atol=1e-8), (found, wanted)
"""


def test_three_lines_add_a_function(tmp_path):
    templates = tmp_path / "templates"
    shutil.copytree(folder(), templates)
    assert "numpy.nextafter" not in operations()
    with open(templates / "elementwise.py", "a", encoding="utf-8") as file:
        file.write(NEXTAFTER)
    (tmp_path / "primal.py").write_text(
        "import numpy as np\n\n\ndef f(x, y):\n    return np.sum(np.nextafter(x, y))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", USE, str(templates)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "nextafter" in done.stdout


def rule_of(text: str):
    (rule,) = read_rules(textwrap.dedent(text), "new.py")
    return rule


def test_a_rule_is_read_as_data():
    rule = rule_of("""
        @elementwise
        def tanh(z, x):
            d[x] = d[z] * (1 - z**2)  # flat far out
        """)
    assert rule.op == "numpy.tanh"
    assert rule.kind == "elementwise"
    assert rule.differentiable == {"x"}
    assert rule.convention == "flat far out"
    (line,) = rule.body
    assert isinstance(line, Adjoint)
    assert show(line.value) == "(d_z * (1 - (z ** 2)))"


WRONG = {
    "is neither parameter, local nor word": "d[x] = d[z] * w",
    "is not a word of the rules": "d[x] = unreduced(d[z])",
    "d[z] must stand exactly once": "d[x] = d[z] * d[z]",
    "d[z] must stand exactly once in each": "d[x] = d[z] + x",
    "only d of the result": "d[x] = d[x]",
    "a rule assigns": "x.shape = d[z]",
    "only assignments, if and for": "while x:\n        d[x] = d[z]",
}


@pytest.mark.parametrize("message", WRONG)
def test_a_mistake_names_file_and_line(message):
    text = f"@elementwise\ndef f(z, x):\n    {WRONG[message]}\n"
    with pytest.raises(GradgenError) as caught:
        read_rules(text, "new.py")
    assert message in str(caught.value)
    assert str(caught.value).startswith("templates/new.py:3: GG902") or (
        "while" in WRONG[message] and "templates/new.py" in str(caught.value)
    )


def test_a_function_without_a_kind_is_refused():
    with pytest.raises(GradgenError, match="has no kind"):
        read_rules("def f(z, x):\n    d[x] = d[z]\n", "new.py")


def test_two_shape_lines_are_refused():
    text = "@general\ndef f(z, x):\n    shape[z] = same(x)\n    shape[z] = flat(x)\n"
    with pytest.raises(GradgenError, match="one shape line"):
        read_rules(text, "new.py")


def test_calls_bind_as_in_numpy():
    from gradgen.ir.nodes import Apply, Const

    rule = operations()["numpy.sum"]
    names = {param.var: param.var.name for param in rule.params}
    call = Apply("numpy.sum", (Const(1.5), Const(0)), (("keepdims", Const(True)),))
    bound = {names[var]: value for var, value in bind(rule, call).items()}
    assert bound["a"] == Const(1.5)
    assert bound["axis"] == Const(0)
    assert bound["keepdims"] == Const(True)
    with pytest.raises(TypeError, match="no rule for the argument out="):
        bind(rule, Apply("numpy.sum", (Const(1.5),), (("out", Const(True)),)))
    with pytest.raises(TypeError, match="two values for a"):
        bind(rule, Apply("numpy.sum", (Const(1.5),), (("a", Const(2.5)),)))
    with pytest.raises(TypeError, match="needs the argument a"):
        bind(rule, Apply("numpy.sum", ()))


@pytest.mark.skipif(
    numpy.__version__.startswith("1."), reason="some functions came with NumPy 2"
)
def test_every_rule_of_a_numpy_function_names_one():
    for op in operations():
        value = importlib.import_module("numpy")
        if op.startswith("numpy."):
            for name in op.split(".")[1:]:
                value = getattr(value, name, None)
            assert value is not None, op
