"""Texts for an older Python: what is refused, what is rewritten, what a setting says.

That such texts run on Python 3.9 with NumPy 1.22 is what tests/python39.py is for.
"""

import ast
import builtins
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.backport.newer import newer
from gradgen.backport.table import offered
from gradgen.request.request import PYTHONS
from tests.cli.command import gradgen as command

ROOT = Path(__file__).resolve().parents[1]
MODEL = """\
import math
import numpy as np
from dataclasses import dataclass


def joined(x, y):
    z = np.{concatenate}((x, y))
    return np.sum(z * z)


def spread(x):
    return np.std(x, {ddof}=1)


def root(x):
    return math.cbrt(x)


def turned(X, Y):
    return np.sum(X.mT @ Y)


def weighted(X, w):
    return np.sum(np.average(X, axis=(0, 1), weights=w))


def scaled(x: float | None, y: np.ndarray) -> float:
    return np.sum(x * y)


def inner(x, y):
    return joined(x, y) ** 2
"""
NEW = {"concatenate": "concat", "ddof": "correction"}
OLD = {"concatenate": "concatenate", "ddof": "ddof"}
AT_LEAST_2 = pytest.mark.skipif(
    np.__version__.startswith("1."), reason="the names came with NumPy 2"
)


def model(folder: Path, words: dict[str, str]) -> str:
    (folder / "model.py").write_text(MODEL.format(**words), encoding="utf-8")
    return str(folder / "model.py")


@AT_LEAST_2
@pytest.mark.parametrize(
    "function, line, told, instead",
    [
        ("joined", 7, "NumPy 1.22.4 has no np.concat", "np.concatenate"),
        ("spread", 12, "NumPy 1.22.4 has no correction= of np.std", "ddof="),
        ("root", 16, "Python 3.9 has no math.cbrt", "np.cbrt(x)"),
        ("turned", 20, "NumPy 1.22.4 has no X.mT", "np.swapaxes(x, -1, -2)"),
        ("weighted", 24, "NumPy 1.22.4 has no np.average over several axes", "np.sum("),
    ],
)
def test_newer_names_are_refused_at_their_line(function, line, told, instead, tmp_path):
    file = model(tmp_path, NEW)
    shapes = {"turned": {"X": "b n d", "Y": "b n m"}}.get(function)
    shapes = {"X": "n m d", "w": "n m"} if function == "weighted" else shapes
    gradgen.emit(f"{file}:{function}", shapes=shapes)
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(f"{file}:{function}", shapes=shapes, python="3.9")
    error = caught.value.problems[0]
    assert (error.code, error.line) == ("GG802", line)
    assert told in error.message and error.advice.startswith(instead)


@AT_LEAST_2
def test_a_name_in_a_function_that_is_called_is_refused(tmp_path):
    with pytest.raises(GradgenError, match="GG802 .*np.concat"):
        gradgen.emit(f"{model(tmp_path, NEW)}:inner", python="3.12")


def test_what_the_message_says_to_write_is_taken(tmp_path):
    file = model(tmp_path, OLD)
    for function in ("joined", "spread"):
        text = gradgen.emit(f"{file}:{function}", python="3.9")
        plain = gradgen.emit(f"{file}:{function}")
        assert text.split("\n\n", 1)[1] == plain.split("\n\n", 1)[1]


def test_unions_in_annotations_are_not_evaluated(tmp_path):
    """Python 3.9 has no float | None; with the import nothing computes it."""
    file = model(tmp_path, OLD)
    text = gradgen.emit(f"{file}:scaled", shapes={"x": "", "y": "n"}, python="3.9")
    assert "\n\nfrom __future__ import annotations\n\nimport numpy as np\n\n\n" in text
    assert "x: float | None" in text
    names: dict = {}
    exec(compile(text, "text", "exec", dont_inherit=True), names)
    assert names["grad_scaled"].__annotations__["x"] == "float | None"
    np.testing.assert_array_equal(names["grad_scaled"](2.0, np.ones(3)), 3.0)
    newer = gradgen.emit(f"{file}:scaled", shapes={"x": "", "y": "n"}, python="3.10")
    assert "__future__" not in newer


@pytest.mark.parametrize(
    "text, found",
    [
        ("from math import cbrt, sqrt", ["math.cbrt"]),
        ("import numpy as np\nnp.linalg.vector_norm(x)", ["np.linalg.vector_norm"]),
        ("import numpy.linalg as la\nla.norm(x) + la.svdvals(x)", ["la.svdvals"]),
        ("import numpy\nnumpy.float64(numpy.pi) + numpy.bool(1)", ["numpy.bool"]),
        ("zip(a, b, strict=True)", ["strict= of zip"]),
        ("zip = min\nzip(a, b, strict=True)", []),
        ("anext(x)", ["anext"]),
        ("def anext(x): return x\nanext(2)", []),
        ("import numpy as np\nnp.add.at(x, i, v)\nnp.random.default_rng(0)", []),
        ("import numpy as np\nnp.clip(x, min=0)", ["min= of np.clip"]),
        ("x.std(correction=1, axis=0)", ["correction= of x.std"]),
        ("from scipy import special\nspecial.stirling2(3, 2)", ["special.stirling2"]),
        ("import mine\nmine.concat(x, strict=True)", []),
        ("x.T.concat", []),
    ],
)
def test_names_and_keywords_are_found(text, found):
    assert [one.what for one in newer(text, offered("3.9"))] == found


def test_the_table_holds_for_the_python_and_numpy_that_run_here():
    """All that is said to be there is there; what they have is at most as new."""
    here = "{}.{}".format(*sys.version_info)
    known = [python for python in PYTHONS if float(python[2:]) <= float(here[2:])]
    table = offered(known[-1])
    for module in (math, builtins):
        missing = table.names[module.__name__] - set(dir(module))
        # The oldest names may be gone, the newest may not have come.
        assert not missing, (module, missing)
    for python, older in zip(PYTHONS, ("1.22", "1.22", "1.26", "1.26", "2.1")):
        assert offered(python).numpy.startswith(older)
    assert "concat" not in offered("3.12").names["numpy"]
    assert "concat" in offered("3.13").names["numpy"]


def test_every_name_of_numpy_in_the_helpers_is_old_enough():
    """Texts carry these whatever the user writes."""
    for path in sorted((ROOT / "templates").glob("helpers*.py")):
        assert newer(path.read_text(encoding="utf-8"), offered("3.9")) == []


def test_committed_texts_are_for_python_3_9_as_they_stand():
    for path in sorted((ROOT / "generated").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        ast.parse(text, feature_version=(3, 9))
        assert newer(text, offered("3.9")) == [], path.name


@pytest.fixture
def project(tmp_path):
    model(tmp_path, OLD)
    (tmp_path / "pyproject.toml").write_text('[tool.gradgen]\npython = "3.9"\n')
    return tmp_path


def test_the_setting_and_the_header(project):
    done = command("emit", "model.joined", "--quiet", cwd=project)
    assert "# Regenerate: gradgen emit model.joined --python 3.9\n" in done.out
    done = command("emit", "model.joined", "--python", "3.11", "-q", cwd=project)
    assert "gradgen emit model.joined --python 3.11\n" in done.out
    (project / "pyproject.toml").write_text(
        '[[tool.gradgen.emit]]\nfunction = "model.scaled"\nout = "g.py"\n'
        'python = "3.9"\n[tool.gradgen]\nrules = []\n'
    )
    done = command("build", "--output", "json", cwd=project)
    assert done.code == 0, done.err
    assert json.loads(done.out)
    assert "from __future__ import annotations" in (project / "g.py").read_text()
    done = command("check", "g.py", cwd=project)
    assert done.code == 0, done.out + done.err


def test_versions_that_are_not_known(project):
    with pytest.raises(GradgenError, match="GG025"):
        gradgen.emit(f"{project}/model.py:joined", python="3.8")
    assert command("emit", "model.joined", "--python", "2.7", cwd=project).code == 2
    (project / "pyproject.toml").write_text("[tool.gradgen]\npython = 3.9\n")
    done = command("emit", "model.joined", cwd=project)
    assert done.code == 2
    assert re.search(r"GG020 python is none of 3.9, .*\n.*python = \"3.9\"", done.err)


@AT_LEAST_2
def test_what_numpy_1_reads_otherwise_is_refused():
    """np.linalg.solve took b for vectors where it has one axis less than a."""

    def solved(a, b):
        return np.sum(np.linalg.solve(a, b))

    shapes = {"a": "k n n", "b": "n m"}
    assert "np.linalg.solve" in gradgen.emit(solved, wrt="b", shapes=shapes)
    for python in ("3.9", "3.12"):
        with pytest.raises(GradgenError, match="before NumPy 2"):
            gradgen.emit(solved, wrt="b", shapes=shapes, python=python)
    assert gradgen.emit(solved, wrt="b", shapes=shapes, python="3.13")
    assert gradgen.emit(solved, wrt="b", shapes=shapes)


def test_the_names_are_those_of_real_installations():
    """The script asks the interpreter that it is given; here this one."""
    script = ROOT / "tools/names_by_python.py"
    done = subprocess.run(
        [sys.executable, script, "--here"], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["numpy"] == np.__version__
    assert "concatenate" in told["names"]["numpy"]
    assert set(told["names"]) == set(offered("3.9").names)
