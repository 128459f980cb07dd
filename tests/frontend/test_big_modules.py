"""Functions of modules with many names: what is refused is said as it is, and soon."""

import ast
import importlib.util

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

TABLE = "{" + ", ".join(f"'k{i}': {i + 1}.5" for i in range(12)) + "}"
READS = {
    "a parameter": "def f(x, kind):\n    return np.sum(x * TABLE[kind])\n",
    "what is made of one": (
        "def f(x, kind):\n    word = kind.lower()\n    return np.sum(x * TABLE[word])\n"
    ),
    "a table of the function": (
        f"def f(x, kind):\n    rows = {TABLE}\n    return np.sum(x) * rows[kind]\n"
    ),
}


def module(tmp_path, text):
    path = tmp_path / "big.py"
    path.write_text(f"import numpy as np\n\nTABLE = {TABLE}\n\n\n{text}")
    spec = importlib.util.spec_from_file_location("big", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("form", READS)
def test_a_long_table_is_not_said_to_lack_a_key(tmp_path, form):
    with pytest.raises(GradgenError) as refusal:
        gradgen.emit(module(tmp_path, READS[form]).f, wrt="x")
    assert "there is no such key" not in str(refusal.value)
    assert {one.code for one in refusal.value.problems} == {"GG240"}
    assert "12 entries" in str(refusal.value)


@pytest.mark.parametrize("key", ["k0", "k5", "k11"])
def test_the_advice_of_a_literal_key_works(tmp_path, key):
    text = f"def f(x):\n    return np.sum(np.sin(x) * TABLE['{key}'])\n"
    function = module(tmp_path, text).f
    x = np.array([0.3, -0.4, 0.9])
    want = numeric_gradient(function, [x], 0, 1.0).value
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-7)


@pytest.mark.parametrize("names", [2, 5, 9])
def test_the_module_is_parsed_once_for_all_its_names(tmp_path, names, monkeypatch):
    arrays = "".join(f"A{i} = np.array([{i}.5, 1.0, 2.0])\n" for i in range(names))
    used = " + ".join(f"A{i} * x" for i in range(names))
    text = f"{arrays}\n\ndef f(x):\n    return np.sum(np.sin({used}))\n"
    function = module(tmp_path, text).f
    whole, parse, seen = (tmp_path / "big.py").read_text(), ast.parse, []

    def counted(source, *args, **kwargs):
        seen.append(source)
        return parse(source, *args, **kwargs)

    monkeypatch.setattr("gradgen.frontend.heap.constants.ast.parse", counted)
    made = gradgen.emit(function)
    assert seen.count(whole) <= 1
    space: dict = {}
    exec(made, space)
    x = np.array([0.3, -0.4, 0.9])
    want = numeric_gradient(function, [x], 0, 1.0).value
    np.testing.assert_allclose(space["grad_f"](x), want, rtol=1e-7)
